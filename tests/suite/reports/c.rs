//! C: arguments as models send them.

use crate::harness::{Http, modern, modern_headers, settings_for};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use standin::{Standin, ids};

async fn bench() -> (Standin, Http) {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    (abs, server)
}

#[tokio::test]
async fn c1_an_integer_in_a_text() {
    let (_abs, server) = bench().await;
    let number = server.ok("list_library_items", json!({"library_id": ids::BOOKS, "limit": 3})).await;
    for limit in [json!("3"), json!(3.0), json!(" 3 ")] {
        let given = server.ok("list_library_items", json!({"library_id": ids::BOOKS, "limit": limit})).await;
        assert_eq!(given["items"], number["items"], "{limit}");
    }
    assert_eq!(number["items"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn c2_a_text_that_is_no_integer() {
    let (abs, server) = bench().await;
    for bad in ["12px", "", "1.5", "NaN", "0x10", "1e1", "Infinity", "५"] {
        let text = server.error("list_library_items", json!({"library_id": ids::BOOKS, "limit": bad})).await;
        assert!(text.contains("limit: ") && text.contains("an integer from 1 to 100"), "{bad}: {text}");
    }
    assert!(abs.requests().is_empty());
}

#[tokio::test]
async fn c5_a_list_in_a_text() {
    let (abs, server) = bench().await;
    let books = json!([ids::DRACULA, ids::EMMA]).to_string();
    let made = json!({"library_id": ids::BOOKS, "name": "C5", "library_item_ids": books});
    let made = server.ok("create_collection", made).await;
    let collection = abs.state().collection(made["collection_id"].as_str().unwrap()).cloned().unwrap();
    assert_eq!(collection.books, [ids::DRACULA, ids::EMMA]);
}

#[tokio::test]
async fn c6_an_object_in_a_text() {
    let (abs, server) = bench().await;
    // All the arguments.
    let arguments = json!({"library_id": ids::BOOKS, "limit": 1}).to_string();
    let message = modern(1, "tools/call", json!({"name": "list_library_items", "arguments": arguments}));
    let answer = server.post(&modern_headers(&message), &message).await.json();
    assert_eq!(answer["result"]["structuredContent"]["items"].as_array().map(Vec::len), Some(1), "{answer}");
    // One entry of a list, and the list around it.
    let entry = json!({"library_item_id": ids::DRACULA}).to_string();
    for items in [json!([entry]), json!(json!([entry]).to_string())] {
        let made = json!({"library_id": ids::BOOKS, "name": "C6", "items": items});
        let made = server.ok("create_playlist", made).await;
        assert!(abs.state().playlist(made["playlist_id"].as_str().unwrap()).is_some());
    }
}

#[tokio::test]
async fn c8_ids_that_would_leave_their_place() {
    let (abs, server) = bench().await;
    for bad in [
        "../../users",
        "..",
        ".",
        "%2e%2e",
        "%2E%2E%2fusers",
        "a/b",
        "a\\b",
        "a\u{0}",
        "a\r\nx: y",
        "a\u{7f}",
        "",
        " ",
        "a b",
        "a?b",
        "a#b",
        "a;b",
        "ä",
        "a\u{202e}b",
    ] {
        for (tool, name) in [
            ("get_library", "library_id"),
            ("get_library_item", "library_item_id"),
            ("get_collection", "collection_id"),
            ("delete_playlist", "playlist_id"),
        ] {
            let text = server.error(tool, json!({name: bad})).await;
            assert!(text.contains(&format!("{name}: ")), "{tool} {bad:?}: {text}");
        }
    }
    assert!(abs.requests().is_empty(), "{:?}", abs.requests());
}

/// The value of `filter` as Audiobookshelf was sent it.
fn filter(abs: &Standin) -> String {
    let requests = abs.requests();
    let path = &requests.iter().rfind(|request| request.path.contains("/items?")).expect("it was asked").path;
    let filter = path.split(['?', '&']).find_map(|pair| pair.strip_prefix("filter=")).expect("with a filter");
    filter.to_owned()
}

#[tokio::test]
async fn c10_filters() {
    let (abs, server) = bench().await;
    let list = |group: &str, value: Value| {
        let mut arguments = json!({"library_id": ids::BOOKS, "filter_group": group});
        if !value.is_null() {
            arguments["filter_value"] = value;
        }
        arguments
    };
    // Audiobookshelf would answer with everything.
    for (group, value) in
        [("genre", json!("Horror")), ("Tags", json!("a")), ("tags", json!(null)), ("progress", json!("done"))]
    {
        server.error("list_library_items", list(group, value)).await;
    }
    assert!(!abs.requests().iter().any(|request| request.path.contains("filter=")), "{:?}", abs.requests());
    // In the usual alphabet: Pz8/Pj4+ and Pz8/Pj4+YQ==. The other two are one letter to a reader, and two tags.
    for value in ["???>>>", "???>>>a", "\u{dc}", "U\u{308}", "a&b=c", "50% off"] {
        server.ok("list_library_items", list("tags", json!(value))).await;
        let sent = filter(&abs);
        assert!(!sent.contains(['+', '/', '=']), "{value}: {sent}");
        let encoded = sent.strip_prefix("tags.").unwrap_or_else(|| panic!("{sent}"));
        assert_eq!(URL_SAFE_NO_PAD.decode(encoded).unwrap(), value.as_bytes(), "{value}: {sent}");
    }
}
