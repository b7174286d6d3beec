//! Makes `tests/recorded-shapes.json` out of recordings of a real server:
//!
//! ```text
//! cargo run -p standin --example shapes -- ../shared/abs/truth > tests/standin/tests/recorded-shapes.json
//! ```
//!
//! What comes out is, per kind of request, the status, the content type and the merged shape of the bodies: keys and types, no text.

#[path = "../tests/support"]
#[allow(dead_code, reason = "the generator writes shapes, the contract test reads and compares them")]
mod support {
    pub mod group;
    pub mod shape;
}

use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    fs,
    path::PathBuf,
};

use serde_json::{Map, Value, json};
use support::{
    group::{group, is_left_out},
    shape::Shape,
};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: shapes DIRECTORY-WITH-RECORDINGS")?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let mut exchanges = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "json")) {
        // The files of the killers have no answers to take a shape from, and the server was in a strange state between them.
        if file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('5')) {
            continue;
        }
        let recording: Value = serde_json::from_slice(&fs::read(file)?)?;
        exchanges.extend(recording["exchanges"].as_array().cloned().unwrap_or_default());
    }
    let mut kinds = HashMap::new();
    exchanges.iter().for_each(|exchange| kinds_of_ids(&exchange["body"], &mut kinds));

    let mut groups: BTreeMap<String, Option<Shape>> = BTreeMap::new();
    for exchange in &exchanges {
        let request = &exchange["request"];
        let (method, path) = (request["method"].as_str().unwrap_or(""), request["path"].as_str().unwrap_or(""));
        let Some(status) = exchange["status"].as_u64() else { continue };
        let key = group(method, path, &kinds, status, exchange["content-type"].as_str().unwrap_or(""));
        if is_left_out(&key) {
            continue;
        }
        let shape = body(&exchange["body"]).filter(|_| status < 300).map(|body| Shape::of(&body));
        let entry = groups.entry(key).or_default();
        *entry = match (entry.take(), shape) {
            (Some(a), Some(b)) => Some(a.merge(b)),
            (a, b) => a.or(b),
        };
    }
    let out: Map<String, Value> =
        groups.into_iter().map(|(key, shape)| (key, shape.map_or(json!(null), |s| s.to_json()))).collect();
    // A line a group: small, and a diff shows which one changed.
    println!("{{");
    let last = out.len().saturating_sub(1);
    for (n, (key, shape)) in out.iter().enumerate() {
        println!("{}: {shape}{}", Value::from(key.as_str()), if n == last { "" } else { "," });
    }
    println!("}}");
    Ok(())
}

/// The JSON of a body without the marks of the recorder; nothing for text and for bodies it left out.
fn body(body: &Value) -> Option<Value> {
    match body {
        Value::String(text) => {
            serde_json::from_str(text).ok().and_then(|value: Value| value.is_object().then_some(value))
        }
        Value::Object(map) if map.contains_key("__sameBodyAs") => None,
        Value::Object(_) | Value::Array(_) => Some(without_marks(body)),
        _ => None,
    }
}

fn without_marks(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(key, _)| !key.contains("__trimmed"))
                .map(|(key, value)| (key.clone(), without_marks(value)))
                .collect(),
        ),
        Value::Array(list) => list.iter().map(without_marks).collect(),
        other => other.clone(),
    }
}

/// Tells what every id in the recordings belongs to, by the company it keeps.
fn kinds_of_ids(value: &Value, kinds: &mut HashMap<String, String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| kinds_of_ids(value, kinds)),
        Value::Object(map) => {
            if let Some((id, kind)) = map.get("id").and_then(Value::as_str).zip(kind(map)) {
                kinds.insert(id.to_owned(), kind);
            }
            map.values().for_each(|value| kinds_of_ids(value, kinds));
        }
        _ => {}
    }
}

fn kind(map: &Map<String, Value>) -> Option<String> {
    let has = |key: &str| map.contains_key(key);
    let media = map.get("mediaType").and_then(Value::as_str);
    Some(match () {
        () if has("media") && has("libraryId") => media?.to_owned(),
        () if has("folders") => format!("{}-library", media?),
        () if has("podcastId") => "episode".into(),
        () if has("imagePath") => "author".into(),
        () if has("nameIgnorePrefix") => "series".into(),
        () if has("books") && has("lastUpdate") => "collection".into(),
        () if has("items") && has("userId") => "playlist".into(),
        () if has("mediaItemType") => "progress-record".into(),
        () => return None,
    })
}
