//! JSON as the reference's host language writes it: keys sorted, whole floats without a point, HTML's signs escaped.

use serde_json::Value as Json;

use crate::data::Data;
use crate::library::quote_json;

/// A value of a script as the body of a request.
pub(crate) fn body(data: &Data) -> Option<String> {
    let mut out = Vec::new();
    write(data, &mut out)?;
    String::from_utf8(out).ok()
}

/// JSON in that form.
pub(super) fn host_json(json: &Json) -> String {
    body(&Data::from_json(json)).unwrap_or_default()
}

/// `None` for what JSON has no number for. The depth of the value is bounded by the conversion that made it.
fn write(data: &Data, out: &mut Vec<u8>) -> Option<()> {
    match data {
        Data::Null => out.extend_from_slice(b"null"),
        Data::Bool(b) => out.extend_from_slice(b.to_string().as_bytes()),
        Data::Int(i) => out.extend_from_slice(i.to_string().as_bytes()),
        Data::Float(f) => out.extend_from_slice(float(*f)?.as_bytes()),
        Data::Text(s) => quote_json(s.as_bytes(), out),
        Data::List(items) => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                write(item, out)?;
            }
            out.push(b']');
        }
        Data::Map(map) => {
            out.push(b'{');
            for (i, (key, value)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                quote_json(key.as_bytes(), out);
                out.push(b':');
                write(value, out)?;
            }
            out.push(b'}');
        }
    }
    Some(())
}

fn float(f: f64) -> Option<String> {
    if !f.is_finite() {
        return None;
    }
    let size = f.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{f:e}");
        let (mantissa, power) = text.split_once('e')?;
        return Some(match power.strip_prefix('-') {
            Some(digits) => format!("{mantissa}e-{digits:0>2}"),
            None => format!("{mantissa}e+{power:0>2}"),
        });
    }
    Some(f.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_the_reference_does() {
        for (f, want) in [
            (1.0, "1"),
            (1e21, "1e+21"),
            (1e-7, "1e-07"),
            (0.5, "0.5"),
            (1e20, "100000000000000000000"),
        ] {
            assert_eq!(float(f).unwrap(), want);
        }
        assert_eq!(float(f64::NAN), None);
    }
}
