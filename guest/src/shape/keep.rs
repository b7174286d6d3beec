//! Reading only what is needed of an answer. ABS embeds audio files, tracks and descriptions everywhere; what is not kept
//! is skipped while parsing and never takes memory.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Which members of an answer to keep. Arrays are transparent: a selection applies to each element.
#[derive(Clone, Copy, Debug)]
pub enum Keep {
    All,
    Only(&'static [(&'static str, Keep)]),
}

/// A [`Keep`], written like the data: `keep!{ id, media { metadata { title }, duration } }`.
#[macro_export]
macro_rules! keep {
    (@members [$($done:tt)*]) => { $crate::shape::Keep::Only(&[$($done)*]) };
    (@members [$($done:tt)*] $name:ident { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::keep!(@members [$($done)* (stringify!($name), $crate::keep!{ $($inner)* }),] $($($rest)*)?)
    };
    (@members [$($done:tt)*] $name:ident : $keep:expr $(, $($rest:tt)*)?) => {
        $crate::keep!(@members [$($done)* (stringify!($name), $keep),] $($($rest)*)?)
    };
    (@members [$($done:tt)*] $name:ident $(, $($rest:tt)*)?) => {
        $crate::keep!(@members [$($done)* (stringify!($name), $crate::shape::Keep::All),] $($($rest)*)?)
    };
    ($($members:tt)*) => { $crate::keep!(@members [] $($members)*) };
}

/// Parses a body. `None` when it is not JSON. Lone surrogates and invalid UTF-8, which both occur in file tags, become U+FFFD.
pub fn parse(body: &[u8], keep: &Keep) -> Option<Value> {
    read(body, keep).or_else(|| read(&repair(body), keep))
}

fn read(body: &[u8], keep: &Keep) -> Option<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let value = keep.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(value)
}

/// Replaces `\ud800`–`\udfff` escapes that have no partner, and bytes that are no UTF-8.
fn repair(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u16> {
        let hex = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
    };
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let paired = matches!(unit(at), Some(0xD800..=0xDBFF)) && matches!(unit(at + 6), Some(0xDC00..=0xDFFF));
        let (step, lone) = match unit(at) {
            _ if paired => (12, false),
            Some(0xD800..=0xDFFF) => (6, true),
            Some(_) => (6, false),
            // Any other escape: its second byte may be a backslash, which must not start a new one.
            None => (2, false),
        };
        let end = (at + step).min(bytes.len());
        if lone {
            out.extend_from_slice(b"\\ufffd")
        } else {
            out.extend_from_slice(&bytes[at..end])
        }
        at = end;
    }
    out
}

impl<'de> DeserializeSeed<'de> for &Keep {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Keep {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            out.push(value);
        }
        Ok(out.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(member) = map.next_key_seed(Name(self))? {
            match member {
                Some((name, keep)) => {
                    let value = map.next_value_seed(keep)?;
                    out.insert(name, value);
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(out.into())
    }
}

/// A member's name as it is read: without a copy of it unless the member is kept, and most are not.
struct Name<'k>(&'k Keep);

impl<'de, 'k> DeserializeSeed<'de> for Name<'k> {
    type Value = Option<(String, &'k Keep)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'k> Visitor<'_> for Name<'k> {
    type Value = Option<(String, &'k Keep)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let keep = match self.0 {
            Keep::All => Some(self.0),
            Keep::Only(members) => members.iter().find(|(member, _)| *member == name).map(|(_, keep)| keep),
        };
        Ok(keep.map(|keep| (name.to_owned(), keep)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keeps_what_is_named_through_arrays() {
        const SHAPE: Keep = keep! { results { id, media { metadata { title }, duration } }, total };
        let body = json!({
            "total": 2, "limit": 5,
            "results": [{"id": "a", "path": "/x", "media": {"metadata": {"title": "T", "isbn": null}, "duration": 1.5, "tags": []}}, null],
        });
        let want =
            json!({"total": 2, "results": [{"id": "a", "media": {"metadata": {"title": "T"}, "duration": 1.5}}, null]});
        assert_eq!(parse(body.to_string().as_bytes(), &SHAPE), Some(want));
    }

    #[test]
    fn what_is_no_json_is_nothing() {
        for body in ["", "{", "OK", "{} {}", "<html>", "\"a"] {
            assert_eq!(parse(body.as_bytes(), &Keep::All), None, "{body}");
        }
    }

    #[test]
    fn broken_text_is_repaired() {
        let cases: [(&[u8], &str); 5] = [
            (br#""a\ud800b""#, "a\u{FFFD}b"),
            (br#""\udc00\ud83d\ude00\ud83d""#, "\u{FFFD}😀\u{FFFD}"),
            (br#""\\ud800 \ud800""#, "\\ud800 \u{FFFD}"),
            (b"\"a\xFFb\"", "a\u{FFFD}b"),
            (br#""\ud800\u0041""#, "\u{FFFD}A"),
        ];
        for (body, want) in cases {
            assert_eq!(parse(body, &Keep::All), Some(json!(want)), "{}", String::from_utf8_lossy(body));
        }
    }
}
