//! Values in a result, by a path such as `books/title=Dracula/id`.

use serde_json::Value;

/// The value at a path, if there is one: a member, a place in a list, `name=value` for the first entry that has it, `*` for
/// what the rest of the path finds in every entry.
pub fn select(value: &Value, path: &str) -> Option<Value> {
    let Some((first, rest)) = path.split_once('/') else { return one(value, path).cloned() };
    if first == "*" {
        return value.as_array()?.iter().map(|entry| select(entry, rest)).collect();
    }
    select(one(value, first)?, rest)
}

fn one<'a>(value: &'a Value, segment: &str) -> Option<&'a Value> {
    let Value::Array(entries) = value else { return value.get(segment) };
    match segment.split_once('=') {
        Some((name, wanted)) => entries.iter().find(|entry| entry[name] == wanted),
        None => entries.get(segment.parse::<usize>().ok()?),
    }
}

#[test]
fn paths() {
    let value = serde_json::json!({"a": [{"n": "x", "id": 1}, {"n": "y", "id": 2}]});
    for (path, want) in [
        ("a/0/id", Some("1")),
        ("a/n=y/id", Some("2")),
        ("a/*/id", Some("[1,2]")),
        ("a/n=z/id", None),
        ("a/2", None),
        ("b", None),
    ] {
        assert_eq!(select(&value, path).map(|found| found.to_string()).as_deref(), want, "{path}");
    }
}
