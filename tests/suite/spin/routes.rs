//! Spin looks at scheme, host and port alone. That only rows of the route table are asked for is up to the component, and
//! here is what reached Audiobookshelf while every tool was called with whatever might lead elsewhere.

use crate::harness::{Http, settings_for};
use crate::listing::{sample_arguments, tools};
use policy::Origin;
use serde_json::{Value, json};
use standin::{Standin, ids};

/// Texts that would be another path, another query or another host if they were pasted into an address.
const ELSEWHERE: [&str; 14] = [
    "../../api/users",
    "..%2f..%2fapi%2fusers",
    "x/../../users",
    "me/../../backups",
    "%2e%2e/users",
    "x?token=1",
    "x#",
    "x&include=authorize",
    "//evil.example.com/",
    "http://evil.example.com/",
    "\\\\evil.example.com\\",
    "x HTTP/1.1\r\nhost: evil.example.com\r\n\r\nGET /api/users",
    ".",
    "{{ origin }}",
];

/// Arguments in which one parameter after the other has that text, and the others what they need.
fn variants(tool: &Value, text: &str) -> Vec<Value> {
    let properties = tool["inputSchema"]["properties"].as_object().into_iter().flatten();
    let variant = |(name, property): (&String, &Value)| {
        let value = match property["type"].as_str() {
            Some("array") if property["items"]["type"] == "object" => json!([{"library_item_id": text}]),
            Some("array") => json!([text]),
            _ => json!(text),
        };
        let mut arguments = real_ids(sample_arguments(tool));
        arguments[name] = value;
        arguments
    };
    properties.map(variant).collect()
}

/// So that it comes as far as asking.
fn real_ids(mut arguments: Value) -> Value {
    for (name, id) in [
        ("library_id", ids::BOOKS),
        ("library_item_id", ids::DRACULA),
        ("collection_id", ids::SEA_AND_SHORE),
        ("playlist_id", ids::ROAD_TRIP),
    ] {
        if arguments.get(name).is_some() {
            arguments[name] = json!(id);
        }
    }
    arguments
}

async fn walk(read_only: bool) -> usize {
    let abs = Standin::start().await.unwrap();
    let mut settings = settings_for(&abs, "root").to_vec();
    settings.push(("AUDIOBOOKSHELF_READ_ONLY", read_only.to_string()));
    let server = Http::with(&settings).await;
    for tool in tools(&server).await {
        let name = tool["name"].as_str().unwrap();
        server.call(name, real_ids(sample_arguments(&tool))).await;
        for text in ELSEWHERE {
            for arguments in variants(&tool, text) {
                server.call(name, arguments).await;
            }
        }
    }
    let origin = Origin::parse(&abs.url()).unwrap();
    let requests = abs.requests();
    for request in &requests {
        let row = policy::check(&origin, read_only, &request.method, "http", &origin.authority(), &request.path);
        assert!(row.is_ok(), "{} {} is no row of the table", request.method, request.path);
        assert_eq!(request.user.as_deref(), Some("root"), "{} {}", request.method, request.path);
    }
    requests.len()
}

#[tokio::test]
async fn nothing_outside_of_the_table_is_asked_for() {
    let (all, reading) = tokio::join!(walk(false), walk(true));
    println!("{all} requests, and {reading} in read-only mode, all of them rows of the table");
    assert!(all > 300 && reading > 40, "{all} {reading}");
}
