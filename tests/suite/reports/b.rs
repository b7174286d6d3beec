//! B: the tool list, as model providers and clients take it.

use crate::{
    harness::{Http, initialize, modern, modern_headers},
    listing::tools,
};
use serde_json::{Value, json};

/// Both schemas of every tool.
async fn schemas() -> Vec<(String, Value)> {
    let server = Http::start(&[]).await;
    let mut schemas = Vec::new();
    for tool in tools(&server).await {
        for side in ["inputSchema", "outputSchema"] {
            schemas.push((format!("{} {side}", tool["name"]), tool[side].clone()));
        }
    }
    assert_eq!(schemas.len(), 88);
    schemas
}

/// Every schema inside a schema, with where it stands.
fn each(at: &str, schema: &Value, look: &mut impl FnMut(&str, &Value)) {
    look(at, schema);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        each(&format!("{at}.{name}"), property, look);
    }
    for inner in ["items", "additionalProperties"] {
        if schema[inner].is_object() {
            each(&format!("{at}.{inner}"), &schema[inner], look);
        }
    }
}

#[tokio::test]
async fn b1_no_choice_between_schemas() {
    for (at, schema) in schemas().await {
        each(&at, &schema, &mut |at, schema| {
            for word in ["anyOf", "oneOf", "allOf", "not", "if", "then", "else"] {
                assert!(schema.get(word).is_none(), "{at} has {word}");
            }
        });
    }
    // What such a schema would have said is said at the call.
    let server = Http::start(&[]).await;
    let text = server.error("set_media_progress", json!({"library_item_id": "a"})).await;
    assert!(text.starts_with("Nothing was sent") || text.contains("AUDIOBOOKSHELF_URL"), "{text}");
}

#[tokio::test]
async fn b3_every_output_is_an_object() {
    for (at, schema) in schemas().await {
        assert_eq!(schema["type"], "object", "{at}");
    }
}

#[tokio::test]
async fn b4_one_type_each_and_options_are_left_out_of_required() {
    for (at, schema) in schemas().await {
        each(&at, &schema, &mut |at, schema| assert!(schema["type"].is_string(), "{at}: {schema}"));
    }
    let server = Http::start(&[]).await;
    let all = tools(&server).await;
    let update = all.iter().find(|tool| tool["name"] == "update_collection").unwrap();
    assert_eq!(update["inputSchema"]["properties"]["library_item_ids"]["type"], "array");
    assert_eq!(update["inputSchema"]["required"], json!(["collection_id"]));
}

#[tokio::test]
async fn b6_no_references() {
    for (at, schema) in schemas().await {
        let text = schema.to_string();
        for word in ["$ref", "$defs", "definitions", "$id", "$anchor"] {
            assert!(!text.contains(&format!("\"{word}\"")), "{at} has {word}");
        }
    }
}

#[tokio::test]
async fn b7_no_empty_schemas_and_no_arrays_at_the_root() {
    for (at, schema) in schemas().await {
        assert_ne!(schema["type"], "array", "{at}");
        each(&at, &schema, &mut |at, schema| {
            assert!(!schema.as_object().unwrap().is_empty(), "{at} is {{}}");
            let open = schema.get("additionalProperties");
            assert!(open.is_none_or(|open| open.is_boolean() || open["type"].is_string()), "{at}: {open:?}");
        });
    }
}

#[tokio::test]
async fn b8_names_that_fit_with_their_prefixes() {
    for tool in tools(&Http::start(&[]).await).await {
        let name = tool["name"].as_str().unwrap();
        assert!(name.len() <= 32, "{name}");
        assert!(format!("mcp__audiobookshelf_abs__{name}").len() <= 60, "{name}");
    }
    assert!(include_str!("../../../README.md").contains("\"abs\": {"), "the name to give it");
}

#[tokio::test]
async fn b9_names_of_plain_characters() {
    for tool in tools(&Http::start(&[]).await).await {
        let name = tool["name"].as_str().unwrap();
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')), "{name}");
    }
}

#[tokio::test]
async fn b11_only_what_there_is_is_advertised() {
    let server = Http::start(&[]).await;
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let hello = server.post(&[], &initialize(version)).await.json();
        assert_eq!(hello["result"]["capabilities"], json!({"tools": {}}), "{version}");
    }
    assert_eq!(server.ask("server/discover", json!({})).await["capabilities"], json!({"tools": {}}));
}

#[tokio::test]
async fn b12_the_list_is_the_same_bytes_every_time() {
    let (one, other) = (Http::start(&[]).await, Http::start(&[]).await);
    let message = modern(1, "tools/list", json!({}));
    let mut lists = Vec::new();
    for server in [&one, &one, &other] {
        lists.push(server.post(&modern_headers(&message), &message).await.body);
    }
    assert!(lists[0] == lists[1] && lists[0] == lists[2]);
}
