//! From story text to typed IR: queries, surface story, folding, macros, lowering and rules.
