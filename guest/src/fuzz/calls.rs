//! Calls of tools: arguments that fit their schemas, and arguments that lead far into a tool.

use super::recorded::IDS;
use crate::tools::{self, Tool};
use fuzz::{Result, Unstructured, json, text};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static TOOLS: LazyLock<Vec<&'static Tool>> = LazyLock::new(|| tools::all().collect());

pub(super) fn tool(u: &mut Unstructured<'_>) -> Result<&'static Tool> {
    u.choose(&TOOLS).copied()
}

/// What a tool of this name is.
pub(super) fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name).copied()
}

const COLLECTION: &str = "2061cd7b-a189-4e0a-b892-e90a08d25323";
const PLAYLIST: &str = "08114e81-861d-4a90-a464-6086bfeeadc8";
const BOOKS: [&str; 3] = [
    "187cdeca-5858-4d38-99b7-cc34d1251ade",
    "d42c491f-471b-4b79-b65a-36c28de0e5cc",
    "4d21d258-6252-4491-9e19-95099d4a8707",
];
const ENTRIES: [&str; 2] = ["c099df63-0792-45d9-a610-9191283205af", "0af164de-515b-41ef-b116-d74c9c6c3d63"];

/// A call that asks a person, if ABS answers as it was recorded.
pub(super) fn guarded(u: &mut Unstructured<'_>) -> Result<(&'static Tool, Value)> {
    let entries = ENTRIES.map(|id| json!({"library_item_id": id}));
    let calls = [
        ("delete_collection", json!({"collection_id": COLLECTION})),
        ("remove_books_from_collection", json!({"collection_id": COLLECTION, "library_item_ids": BOOKS[1..]})),
        ("update_collection", json!({"collection_id": COLLECTION, "library_item_ids": BOOKS})),
        ("delete_playlist", json!({"playlist_id": PLAYLIST})),
        ("remove_items_from_playlist", json!({"playlist_id": PLAYLIST, "items": entries[..1]})),
        ("update_playlist", json!({"playlist_id": PLAYLIST, "items": entries})),
        ("delete_media_progress", json!({"media_progress_id": "7338c078-8830-480e-9d13-a67d651e758d"})),
        ("delete_bookmark", json!({"library_item_id": "752d8200-23cd-4bcd-838a-45c0635206fd", "time": 120})),
    ];
    let (name, arguments) = u.choose(&calls)?.clone();
    Ok((named(name).expect(name), arguments))
}

/// Arguments that fit the tool's schema.
pub(super) fn arguments(u: &mut Unstructured<'_>, tool: &Tool) -> Result<Value> {
    let listing = tools::entry(tool);
    let schema = &listing["inputSchema"];
    let required = |name: &str| schema["required"].as_array().is_some_and(|list| list.contains(&name.into()));
    let mut arguments = Map::new();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if required(name) || name != "confirm_token" && u.ratio(1, 3)? {
            arguments.insert(name.clone(), fitting(u, name, schema)?);
        }
    }
    Ok(arguments.into())
}

fn fitting(u: &mut Unstructured<'_>, name: &str, schema: &Value) -> Result<Value> {
    if let Some(choices) = schema["enum"].as_array() {
        return u.choose(choices).cloned();
    }
    Ok(match schema["type"].as_str().unwrap_or_default() {
        "boolean" => u.arbitrary::<bool>()?.into(),
        "integer" => {
            let bound = |name: &str| schema[name].as_i64().unwrap_or_default();
            u.int_in_range(bound("minimum")..=bound("maximum"))?.into()
        }
        "number" => (*u.choose(&[json!(0), json!(120), json!(3600.5), json!(1e15)])?).clone(),
        "array" => (0..u.int_in_range(1..=3)?).map(|_| fitting(u, "id", &schema["items"])).collect::<Result<_>>()?,
        "object" => {
            let mut entry = json!({"library_item_id": id(u)?});
            if u.arbitrary()? {
                entry["episode_id"] = id(u)?.into();
            }
            entry
        }
        _ if name.ends_with("id") => id(u)?.into(),
        _ if u.ratio(1, 3)? => text::odd(u)?.into(),
        _ => (*u.choose(&["dune", "Ursula", "no-series", "in-progress", "1990", "Fantasy"])?).into(),
    })
}

fn id(u: &mut Unstructured<'_>) -> Result<&'static str> {
    u.choose(&IDS).map(String::as_str)
}

/// Arguments with a few places changed.
pub(super) fn change(u: &mut Unstructured<'_>, arguments: &mut Value) -> Result<()> {
    for _ in 0..u.int_in_range(1..=3)? {
        json::change(u, arguments)?;
    }
    Ok(())
}

/// A call in the shape of 2026-07-28.
pub(super) fn modern(id: impl Into<Value>, tool: &str, arguments: Value, capabilities: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {
        "name": tool, "arguments": arguments, "_meta": meta(capabilities)}})
}

pub(super) fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}
