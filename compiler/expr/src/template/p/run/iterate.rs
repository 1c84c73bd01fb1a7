//! What a `for` goes through, and in which order (language 10.7).

use super::super::value::{P, Pv};
use crate::eval::Fault;
use crate::value::{ListKind, Value};
use crate::{ErrorClass, print};

/// One round: its number from 0, the element or key, the value of a map.
pub(super) type Round = (i64, P, Option<P>);

/// All rounds in order; none for what cannot be gone through.
pub(super) fn rounds(value: &P, reversed: bool, sorted: bool) -> Result<Vec<Round>, Fault> {
    let numbered = |items: Vec<P>| {
        items
            .into_iter()
            .zip(0..)
            .map(|(item, index)| (index, item, None))
            .collect()
    };
    Ok(match &value.v {
        Pv::Value(Value::Map(map)) | Pv::Run(map) => {
            // Without `sorted` the reference has no order; this one is as good as any and always the same.
            let mut entries = map.sorted();
            if sorted && reversed {
                entries.reverse();
            }
            let entries = entries.into_iter().zip(0..);
            entries
                .map(|((key, value), index)| (index, Value::Str(key.clone()).into(), Some(value.clone().into())))
                .collect()
        }
        Pv::Meta => vec![(0, P::from("version"), Some(P::from("6.0.0")))],
        Pv::Value(Value::List(list)) => {
            let mut items: Vec<Value> = list.items().to_vec();
            if sorted {
                sort(&mut items, list.kind(), reversed);
            } else if reversed {
                items.reverse();
            }
            let own = list.kind() == ListKind::Ints;
            numbered(items.into_iter().map(|item| P { own, ..item.into() }).collect())
        }
        Pv::Value(Value::Str(_)) | Pv::Byte(_) if sorted => {
            return Err(Fault::new(
                ErrorClass::Panic,
                "the characters of a text cannot be sorted",
            ));
        }
        Pv::Value(Value::Str(text)) => {
            let mut items: Vec<Round> = text
                .bytes()
                .zip(0..)
                .map(|(byte, index)| (index, byte_text(byte), None))
                .collect();
            if reversed {
                items.reverse();
            }
            items
        }
        Pv::Byte(byte) => vec![(0, byte_text(*byte), None)],
        _ => Vec::new(),
    })
}

fn byte_text(byte: u8) -> P {
    if byte.is_ascii() {
        return P::from(char::from(byte).encode_utf8(&mut [0; 4]) as &str);
    }
    P {
        v: Pv::Byte(byte),
        safe: false,
        own: false,
    }
}

/// Texts and numbers of special lists by value. The scalars of an ordinary list all count as equal: only lists and maps among
/// them are ordered, by their JSON text.
fn sort(items: &mut [Value], kind: ListKind, reversed: bool) {
    let key = |item: &Value| match (kind, item) {
        (ListKind::Any | ListKind::Bare, Value::List(_) | Value::Map(_)) => print::to_json(item).unwrap_or_default(),
        (ListKind::Any | ListKind::Bare, _) => "<interface {} Value>".to_owned(),
        (_, Value::Str(text)) => text.to_string(),
        _ => String::new(),
    };
    if matches!(kind, ListKind::Ints | ListKind::Bytes) {
        items.sort_by_key(Value::as_int);
    } else {
        items.sort_by_cached_key(key);
        if reversed {
            // Equal elements keep their order.
            items.sort_by_cached_key(|item| std::cmp::Reverse(key(item)));
        }
        return;
    }
    if reversed {
        items.reverse();
    }
}
