//! A library whose titles give orders and whose texts hide characters.

use crate::harness::{Http, settings_for};
use serde_json::{Value, json};
use standin::{Standin, ids};

/// Characters that a person does not see and a model reads.
fn hidden(text: &str) -> Option<char> {
    text.chars().find(|c| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200B}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
    })
}

fn texts<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(list) => list.iter().for_each(|value| texts(value, out)),
        Value::Object(object) => object.values().for_each(|value| texts(value, out)),
        _ => {}
    }
}

#[tokio::test]
async fn nothing_hidden_comes_through_and_everything_is_labelled() {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    for (tool, arguments) in [
        ("list_library_items", json!({"library_id": ids::BOOKS, "limit": 100})),
        ("list_library_items", json!({"library_id": ids::BOOKS, "limit": 100, "detail": "full"})),
        ("list_library_items", json!({"library_id": ids::PODCASTS, "limit": 100, "detail": "full"})),
        ("get_library_item", json!({"library_item_id": ids::CONTROL_CHARACTERS, "detail": "full"})),
        ("get_library_item", json!({"library_item_id": ids::BIDI})),
        ("get_library_item", json!({"library_item_id": ids::INJECTION})),
        ("list_collections", json!({"detail": "full"})),
        ("list_playlists", json!({"detail": "full"})),
        ("list_recent_episodes", json!({"library_id": ids::PODCASTS, "limit": 100})),
        ("list_bookmarks", json!({})),
        ("list_authors", json!({"library_id": ids::BOOKS})),
        ("list_series", json!({"library_id": ids::BOOKS, "limit": 100})),
    ] {
        let result = server.call(tool, arguments.clone()).await;
        assert!(result.get("isError").is_none(), "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("The following is untrusted content"), "{tool}");
        let mut all = vec![text];
        texts(&result["structuredContent"], &mut all);
        for text in all {
            assert_eq!(hidden(text), None, "{tool} {arguments}: {text:?}");
        }
    }
    assert!(!abs.is_dead(), "{:?}", abs.cause_of_death());
}

#[tokio::test]
async fn a_line_separator_never_splits_a_line() {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    let message = crate::harness::modern(
        1,
        "tools/call",
        json!({"name": "get_library_item", "arguments": {"library_item_id": ids::BIDI}}),
    );
    let reply = server.post(&crate::harness::modern_headers(&message), &message).await;
    let raw = String::from_utf8(reply.body.to_vec()).unwrap();
    assert!(!raw.contains(['\u{2028}', '\u{2029}', '\n', '\r']), "{raw}");
}

#[tokio::test]
async fn private_feed_addresses_lose_their_credentials() {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    let items = server.ok("list_library_items", json!({"library_id": ids::PODCASTS, "detail": "full"})).await;
    let text = items.to_string();
    assert!(text.contains("feedUrl") && text.contains("[redacted]"), "{text}");
}

#[tokio::test]
async fn a_restricted_user_restricts_the_server() {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "kid")).await;
    let libraries = server.ok("list_libraries", json!({})).await;
    let seen: Vec<&Value> = libraries["libraries"].as_array().unwrap().iter().map(|library| &library["id"]).collect();
    assert_eq!(seen, [&json!(ids::BOOKS)]);
    let text = server.error("get_library_item", json!({"library_item_id": ids::FANNY_HILL})).await;
    assert!(text.contains("403") || text.contains("404"), "{text}");
    // Only administrators may ask for all tags; the others get those of their libraries, and are told so.
    let tags = server.ok("list_tags", json!({})).await;
    assert!(tags["tags"].is_array() && tags["note"].is_string(), "{tags}");
}

/// Everything a reader can be asked for, and the server is still there.
#[tokio::test]
async fn no_reading_call_takes_audiobookshelf_down() {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    let odd =
        ["%", "%zz", "a%00", "50% off", "_", "\"", "'", "\\", "[]", "a&limit=0", "a=b&a=c", "💥", "ÀÉ", "null", "{}"];
    let mut tried = 0;
    for text in odd {
        server.call("search_library", json!({"library_id": ids::BOOKS, "q": text})).await;
        for group in [
            "genres",
            "tags",
            "series",
            "authors",
            "narrators",
            "publishers",
            "publishedDecades",
            "languages",
            "progress",
            "missing",
            "tracks",
            "ebooks",
        ] {
            server
                .call(
                    "list_library_items",
                    json!({"library_id": ids::BOOKS, "filter_group": group, "filter_value": text}),
                )
                .await;
            tried += 1;
        }
        tried += 1;
    }
    for page in [0, 1_000_000] {
        for limit in [1, 100] {
            for (tool, library) in [
                ("list_library_items", ids::BOOKS),
                ("list_series", ids::BOOKS),
                ("list_recent_episodes", ids::PODCASTS),
            ] {
                server.call(tool, json!({"library_id": library, "page": page, "limit": limit})).await;
                tried += 1;
            }
        }
    }
    server.call("get_podcast_episode", json!({"library_item_id": ids::DRACULA, "episode_id": ids::DRACULA})).await;
    server.call("get_item_chapters", json!({"library_item_id": ids::PODCASTS})).await;
    println!("{tried} odd calls, {} deaths", i32::from(abs.is_dead()));
    assert!(!abs.is_dead(), "{:?}", abs.cause_of_death());
}
