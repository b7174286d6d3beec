//! The corners of JavaScript that show through in ABS's answers.

use serde_json::Value;

/// `Number(text)`: blank is 0, anything that is not a number is NaN.
pub(crate) fn number(text: &str) -> f64 {
    let text = text.trim();
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        _ if text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) => text.parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// `Number(value)` for what a JSON body can hold.
pub(crate) fn to_number(value: &Value) -> f64 {
    match value {
        Value::Null | Value::Bool(false) => 0.0,
        Value::Bool(true) => 1.0,
        Value::Number(n) => n.as_f64().unwrap_or(f64::NAN),
        Value::String(text) => number(text),
        Value::Array(list) => match list.as_slice() {
            [] => 0.0,
            [one] => to_number(one),
            _ => f64::NAN,
        },
        Value::Object(_) => f64::NAN,
    }
}

pub(crate) fn truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(b)) => *b,
        Some(Value::Number(n)) => n.as_f64().is_some_and(|n| n != 0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

/// A number the way `JSON.stringify` writes it: no `.0`, and no exponent below 2^63.
pub(crate) fn json_number(n: f64) -> Value {
    if n.fract() == 0.0 && n.abs() < 9_223_372_036_854_775_807.0 { Value::from(n as i64) } else { Value::from(n) }
}

/// `array.slice(start, end)`, with negative positions counted from the end.
pub(crate) fn slice<T>(list: &[T], start: i64, end: i64) -> &[T] {
    let len = list.len() as i64;
    let place = |n: i64| if n < 0 { (len + n).max(0) } else { n.min(len) };
    let (start, end) = (place(start), place(end));
    if start < end { &list[start as usize..end as usize] } else { &[] }
}

/// `decodeURIComponent`: `None` where JavaScript throws.
pub(crate) fn decode_uri_component(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b'%' {
            let pair = bytes.get(i + 1..i + 3)?;
            out.push(hex(pair[0])? << 4 | hex(pair[1])?);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8(out).ok()
}

/// How a query string's keys and values are read: `+` is a space, a bad escape stays as it is.
pub(crate) fn decode_query(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let escaped = match bytes.get(i + 1..i + 3) {
            Some(pair) if bytes[i] == b'%' => hex(pair[0]).zip(hex(pair[1])),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                out.push(high << 4 | low);
                i += 3;
            }
            None => {
                out.push(if bytes[i] == b'+' { b' ' } else { bytes[i] });
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `Buffer.from(text, 'base64').toString()`: both alphabets, whatever does not belong is skipped, `=` ends it.
pub(crate) fn decode_base64(text: &str) -> String {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in text.bytes().take_while(|b| *b != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `parseInt(text)`: leading digits count, the rest is ignored.
pub(crate) fn parse_int(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let end = text[sign..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |n| n + sign);
    text[..end].parse().ok()
}

fn hex(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|n| n as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_javascript_reads_them() {
        assert_eq!(number("1e2"), 100.0);
        assert_eq!(number(""), 0.0);
        assert_eq!(number("1e400"), f64::INFINITY);
        for text in ["abc", "inf", "nan", "1x"] {
            assert!(number(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn base64_takes_both_alphabets_and_skips_the_rest() {
        for (text, want) in [("fmZhdnN+", "~favs~"), ("fmZhdnN-", "~favs~"), ("Pz8/", "???"), ("YQ==", "a"), ("", "")] {
            assert_eq!(decode_base64(text), want, "{text}");
        }
        assert_ne!(decode_base64("fmZhdnN "), "~favs~");
    }

    #[test]
    fn slices_count_from_the_end_when_negative() {
        let list: Vec<i32> = (0..27).collect();
        assert_eq!(slice(&list, 0, -3).len(), 24);
        assert_eq!(slice(&list, -10, 0).len(), 0);
        assert_eq!(slice(&list, 20, 30).len(), 7);
    }

    #[test]
    fn a_stray_percent_sign_throws() {
        assert_eq!(decode_uri_component("%zz"), None);
        assert_eq!(decode_uri_component("%"), None);
        assert_eq!(decode_uri_component("a%2Bb"), Some("a+b".into()));
    }

    #[test]
    fn decades_are_whatever_parse_int_says() {
        assert_eq!(parse_int("1960s"), Some(1960.0));
        assert_eq!(parse_int("abc"), None);
        assert_eq!(parse_int(""), None);
    }
}
