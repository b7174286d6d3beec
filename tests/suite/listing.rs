//! The tool list as clients and model providers take it.

use crate::harness::{Http, modern, modern_headers};
use serde_json::{Map, Value, json};

const SOME_ID: &str = "0a1b2c3d-0000-4000-8000-000000000000";

/// Valid arguments for a tool's required parameters, made from its schema.
pub fn sample_arguments(tool: &Value) -> Value {
    let schema = &tool["inputSchema"];
    let mut arguments = Map::new();
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let property = &schema["properties"][name];
        let value = match property["type"].as_str() {
            Some("integer" | "number") => property["minimum"].clone(),
            Some("array") if property["items"]["type"] == "object" => json!([{"library_item_id": SOME_ID}]),
            Some("array") => json!([SOME_ID]),
            Some("boolean") => json!(false),
            Some("string") if property["enum"].is_array() => property["enum"][0].clone(),
            Some("string") => json!(SOME_ID),
            other => panic!("{name} has type {other:?}"),
        };
        arguments.insert(name.to_owned(), value);
    }
    arguments.into()
}

pub fn reads(tool: &Value) -> bool {
    tool["annotations"]["readOnlyHint"] == true
}

pub async fn tools(server: &Http) -> Vec<Value> {
    let mut result = server.ask("tools/list", json!({})).await;
    match result["tools"].take() {
        Value::Array(tools) => tools,
        other => panic!("no list: {other}"),
    }
}

#[tokio::test]
async fn names_titles_annotations() {
    let server = Http::start(&[]).await;
    let tools = tools(&server).await;
    assert_eq!((tools.len(), tools.iter().filter(|tool| reads(tool)).count()), (44, 29));
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        // Clients prefix names and cut at 64 characters (Cursor at 60).
        assert!((1..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{name}");
        assert!(tool["title"].as_str().is_some_and(|t| !t.is_empty()), "{name}");
        assert!(tool["description"].as_str().is_some_and(|d| d.len() > 20), "{name}");
        let hint = |hint: &str| tool["annotations"][hint].as_bool().unwrap_or_else(|| panic!("{name} has no {hint}"));
        let adds = name.starts_with("create_") || name.starts_with("add_");
        assert_eq!(hint("destructiveHint"), !reads(tool) && !adds, "{name}");
        assert!(hint("idempotentHint") || !reads(tool), "{name}");
        assert!(!hint("openWorldHint"), "{name}");
    }
    let mut names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    names.dedup();
    assert_eq!(names.len(), tools.len());
}

/// Each rule is one provider's or client's reason to refuse a whole session.
#[tokio::test]
async fn schemas_that_every_client_takes() {
    let server = Http::start(&[]).await;
    for tool in tools(&server).await {
        for side in ["inputSchema", "outputSchema"] {
            let schema = &tool[side];
            assert_eq!(schema["type"], "object", "{} {side}", tool["name"]);
            for banned in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "if"] {
                assert!(!schema.to_string().contains(&format!("\"{banned}\"")), "{} {side} has {banned}", tool["name"]);
            }
            plain(schema, &format!("{} {side}", tool["name"]));
        }
        // What takes nothing says so; elsewhere an argument too many is refused by name, whatever a client checked before.
        let takes_nothing = tool["inputSchema"].get("properties").is_none();
        assert_eq!(tool["inputSchema"]["additionalProperties"] == false, takes_nothing, "{}", tool["name"]);
        assert!(tool["outputSchema"].get("additionalProperties").is_none(), "left open: {}", tool["name"]);
    }
}

fn plain(schema: &Value, at: &str) {
    let object = schema.as_object().unwrap_or_else(|| panic!("{at}: a boolean schema"));
    assert!(!object.is_empty(), "{at}: an empty schema");
    assert!(schema["type"].is_string(), "{at}: no single type");
    if schema["type"] == "array" {
        plain(&schema["items"], &format!("{at}[]"));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        plain(property, &format!("{at}.{name}"));
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        assert!(schema["properties"].get(required.as_str().unwrap()).is_some(), "{at}: {required} is not declared");
    }
}

/// Every client pays for the list at every start, and most of it goes on to the model.
#[tokio::test]
async fn the_list_is_byte_identical_and_small() {
    let essential = [("AUDIOBOOKSHELF_ALLOW_TOOLS", "essential")];
    for (settings, count, budget) in [(&[][..], 44, 30_000), (&essential, 8, 5_500)] {
        let server = Http::start(settings).await;
        let message = modern(1, "tools/list", json!({}));
        let headers = modern_headers(&message);
        let first = server.post(&headers, &message).await;
        assert_eq!(first.body, server.post(&headers, &message).await.body);
        assert_eq!(first.json()["result"]["tools"].as_array().map(Vec::len), Some(count));
        println!("tools/list of {count}: {} bytes", first.body.len());
        assert!(first.body.len() <= budget, "{count} tools: {} bytes", first.body.len());
    }
}
