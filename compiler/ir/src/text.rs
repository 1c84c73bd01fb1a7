//! The compact form for people.
