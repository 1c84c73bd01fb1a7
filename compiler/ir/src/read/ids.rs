//! Checks every id of a story by serialising it into nothing: ids are newtypes, and serde names them on the way.
//!
//! So a new field with an id is checked without anybody having to remember it.

use std::fmt;

use serde::ser::{self, Serialize};

use super::ReadError;
use crate::arena::{
    AgentId, ArcId, ExprId, HostId, Id, IntentId, OperationId, OriginId, StateId, TemplateId, WorldKeyId,
};
use crate::story::Story;

/// Finds the first id that leads nowhere.
pub(super) fn check(story: &Story) -> Result<(), ReadError> {
    let tables = [
        ("StateId", StateId::WHAT, story.states.len()),
        ("ArcId", ArcId::WHAT, story.arcs.len()),
        ("IntentId", IntentId::WHAT, story.intents.len()),
        ("WorldKeyId", WorldKeyId::WHAT, story.world.len()),
        ("AgentId", AgentId::WHAT, story.agents.len()),
        ("HostId", HostId::WHAT, story.hosts.len()),
        ("OperationId", OperationId::WHAT, story.operations.len()),
        ("ExprId", ExprId::WHAT, story.exprs.len()),
        ("TemplateId", TemplateId::WHAT, story.templates.len()),
        ("OriginId", OriginId::WHAT, story.provenance.origins.len()),
    ];
    story
        .serialize(Walk {
            tables: &tables,
            table: None,
        })
        .map_err(|fault| fault.0)
}

/// A serialiser that writes nothing.
#[derive(Clone, Copy)]
struct Walk<'a> {
    tables: &'a [(&'static str, &'static str, usize)],
    /// Inside of an id: what its table holds and how much.
    table: Option<(&'static str, usize)>,
}

#[derive(Debug)]
struct Fault(ReadError);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl ser::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault(ReadError::Damaged(message.to_string()))
    }
}

macro_rules! nothing {
    ($($method:ident($($T:ty),*);)*) => { $(
        fn $method(self, $(_: $T),*) -> Result<(), Fault> {
            Ok(())
        }
    )* };
}

impl<'a> ser::Serializer for Walk<'a> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    nothing! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_u32(self, id: u32) -> Result<(), Fault> {
        match self.table {
            Some((what, len)) if id as usize >= len => Err(Fault(ReadError::Dangling { what, id: id as usize })),
            _ => Ok(()),
        }
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<(), Fault> {
        let table = self
            .tables
            .iter()
            .find(|(id, ..)| *id == name)
            .map(|(_, what, len)| (*what, *len));
        value.serialize(Walk { table, ..self })
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }
}

macro_rules! parts {
    ($($Trait:ident :: $method:ident($($key:ty)?);)*) => { $(
        impl ser::$Trait for Walk<'_> {
            type Ok = ();
            type Error = Fault;

            fn $method<T: ?Sized + Serialize>(&mut self, $(_: $key,)? value: &T) -> Result<(), Fault> {
                value.serialize(*self)
            }

            fn end(self) -> Result<(), Fault> {
                Ok(())
            }
        }
    )* };
}

parts! {
    SerializeSeq::serialize_element();
    SerializeTuple::serialize_element();
    SerializeTupleStruct::serialize_field();
    SerializeTupleVariant::serialize_field();
    SerializeStruct::serialize_field(&'static str);
    SerializeStructVariant::serialize_field(&'static str);
}

impl ser::SerializeMap for Walk<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, _: &T) -> Result<(), Fault> {
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Fault> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), Fault> {
        Ok(())
    }
}
