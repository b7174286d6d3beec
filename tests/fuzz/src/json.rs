//! JSON that is almost right: members dropped, doubled, renamed and of another type; and text that is almost JSON.

use crate::{Result, Unstructured, text};
use serde_json::{Map, Number, Value, json};

const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "-1",
    "1.5",
    "1e3",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "5e-324",
    "1785542400000",
    "2147483648",
    "99999999999999999999.5",
];

/// Names with a meaning in JSON-RPC, MCP or ABS's answers.
const NAMES: [&str; 24] = [
    "id",
    "jsonrpc",
    "method",
    "params",
    "result",
    "error",
    "name",
    "arguments",
    "_meta",
    "requestState",
    "inputResponses",
    "approval",
    "action",
    "content",
    "confirm_token",
    "token",
    "results",
    "items",
    "media",
    "metadata",
    "title",
    "libraryItemId",
    "episodes",
    "__proto__",
];

/// Any JSON value, nested at most `depth` deep.
pub fn value(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    Ok(match u.int_in_range(0..=if depth == 0 { 6 } else { 9 })? {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 | 3 => number(u)?,
        4..=6 => text::odd(u)?.into(),
        7 => (0..u.int_in_range(0..=4)?).map(|_| value(u, depth - 1)).collect::<Result<_>>()?,
        8 => {
            let members = (0..u.int_in_range(0..=4)?).map(|_| Ok((name(u)?, value(u, depth - 1)?)));
            Value::Object(members.collect::<Result<Map<_, _>>>()?)
        }
        _ => nested(u.int_in_range(1..=110)?, value(u, 0)?, u.arbitrary()?),
    })
}

pub fn number(u: &mut Unstructured<'_>) -> Result<Value> {
    let number = match u.int_in_range(0..=2)? {
        0 => u.arbitrary::<i64>()?.into(),
        1 => Number::from_f64(u.arbitrary()?).unwrap_or(0.into()),
        _ => u.choose(&NUMBERS)?.parse().unwrap_or(0.into()),
    };
    Ok(number.into())
}

fn name(u: &mut Unstructured<'_>) -> Result<String> {
    if u.ratio(3, 4)? { Ok((*u.choose(&NAMES)?).to_owned()) } else { text::odd(u) }
}

fn nested(levels: usize, innermost: Value, arrays: bool) -> Value {
    (0..levels).fold(innermost, |inner, _| if arrays { json!([inner]) } else { json!({"a": inner}) })
}

/// Changes one place of a value.
pub fn change(u: &mut Unstructured<'_>, value: &mut Value) -> Result<()> {
    match value {
        Value::Array(list) if !list.is_empty() && u.ratio(4, 5)? => {
            let at = u.int_in_range(0..=list.len() - 1)?;
            change(u, &mut list[at])
        }
        Value::Object(object) if !object.is_empty() && u.ratio(4, 5)? => {
            let at = u.int_in_range(0..=object.len() - 1)?;
            change(u, object.values_mut().nth(at).expect("counted"))
        }
        here => change_here(u, here),
    }
}

fn change_here(u: &mut Unstructured<'_>, here: &mut Value) -> Result<()> {
    if u.ratio(1, 3)? {
        *here = value(u, 3)?;
        return Ok(());
    }
    match here {
        Value::Array(list) => match u.int_in_range(0..=4)? {
            0 => list.clear(),
            1 => list.reverse(),
            2 => {
                list.push(value(u, 2)?);
            }
            3 => *here = list.iter().enumerate().map(|(i, value)| (i.to_string(), value.clone())).collect(),
            _ => many(u, list)?,
        },
        Value::Object(object) => {
            let some = object.keys().nth(u.int_in_range(0..=object.len())?).cloned().unwrap_or_default();
            match u.int_in_range(0..=4)? {
                0 => drop(object.remove(&some)),
                1 => drop(object.insert(name(u)?, value(u, 2)?)),
                2 => {
                    let renamed = text::changed(u, &some)?;
                    if let Some(value) = object.remove(&some) {
                        object.insert(renamed, value);
                    }
                }
                3 => *here = object.values().cloned().collect(),
                _ => {
                    let value = object.get(&some).cloned().unwrap_or_default();
                    let count = times(u, size(&value))?;
                    object.extend((0..count).map(|i| (format!("{some}{i}"), value.clone())));
                }
            }
        }
        Value::String(text) => match u.int_in_range(0..=4)? {
            0 => *here = json!([text]),
            1 => *here = text.parse::<Number>().map_or(Value::Null, Value::from),
            2 => *text = text.repeat(times(u, text.len())?),
            3 => *text = text::odd(u)?,
            _ => *text = text::changed(u, text)?,
        },
        Value::Number(_) if u.ratio(1, 4)? => *here = here.to_string().into(),
        Value::Number(_) => *here = number(u)?,
        Value::Bool(flag) => *here = if u.arbitrary()? { (!*flag).into() } else { flag.to_string().into() },
        Value::Null => *here = value(u, 1)?,
    }
    Ok(())
}

/// Repeats the entries until the list is long.
fn many(u: &mut Unstructured<'_>, list: &mut Vec<Value>) -> Result<()> {
    let size = list.iter().map(size).sum();
    let count = list.len() * times(u, size)?;
    *list = list.iter().cycle().take(count).cloned().collect();
    Ok(())
}

/// How often to repeat something of that size: up to a few thousand times, and up to a megabyte.
fn times(u: &mut Unstructured<'_>, size: usize) -> Result<usize> {
    let times = 1 << u.int_in_range(0..=12)?;
    Ok(times.min(1 + 1_000_000 / (size + 16)))
}

fn size(value: &Value) -> usize {
    serde_json::to_string(value).map_or(0, |json| json.len())
}

/// Changes the text of a JSON value in ways that no value can show: keys twice, numbers out of range, halves of surrogate
/// pairs, invalid UTF-8, depth, cuts.
pub fn change_text(u: &mut Unstructured<'_>, json: &mut Vec<u8>) -> Result<()> {
    const ESCAPES: [&[u8]; 9] =
        [b"\\ud800", b"\\udc00\\ud800", b"\\u0000", b"\\x", b"\\u00", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\x01"];
    let (after, new) = match u.int_in_range(0..=8)? {
        0 => (b'{', format!("{}:{},", Value::from(name(u)?), value(u, 1)?).into_bytes()),
        1 => (b':', b"1e400,\"x\":".to_vec()),
        2 | 3 => (b'"', u.choose(&ESCAPES)?.to_vec()),
        4 => (b',', b" \t\r\n".to_vec()),
        5 => {
            let levels = u.int_in_range(1..=300)?;
            let (open, close) = *u.choose(&[("[", "]"), ("{\"a\":", "}")])?;
            *json = [open.repeat(levels).as_bytes(), json, close.repeat(levels).as_bytes()].concat();
            return Ok(());
        }
        6 => {
            json.splice(0..0, *b"\xef\xbb\xbf");
            return Ok(());
        }
        7 => {
            json.extend_from_within(..);
            return Ok(());
        }
        _ => return text::changed_bytes(u, json),
    };
    let places: Vec<usize> = (0..json.len()).filter(|at| json[*at] == after).collect();
    if !places.is_empty() {
        let at = u.choose(&places)? + 1;
        json.splice(at..at, new);
    }
    Ok(())
}
