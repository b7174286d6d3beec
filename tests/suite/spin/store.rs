//! The key-value store is missing, or denied. What needs it says so and does nothing; all the rest works.

use crate::harness::{Client, Era, Http, Spin, form, setting, settings_for, spin_manifest};
use serde_json::{Value, json};
use standin::{Standin, ids};
use std::{fs, path::PathBuf, sync::Arc};

/// The delivered manifest with one line changed, in a folder of the test's own.
fn manifest(name: &str, line: &str, instead: &str) -> PathBuf {
    let delivered = spin_manifest();
    let text = fs::read_to_string(&delivered).unwrap();
    assert!(text.contains(line), "{line}");
    let component = delivered.parent().unwrap().join("target/component/audiobookshelf_mcp.wasm");
    let source = "source = \"target/component/audiobookshelf_mcp.wasm\"";
    assert!(text.contains(source));
    let text =
        text.replace(line, instead).replace(source, &format!("source = {:?}", component.canonicalize().unwrap()));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}-{}.toml", std::process::id()));
    fs::write(&path, text).unwrap();
    path
}

async fn without_a_store(server: Http, abs: &Standin) {
    let server = Arc::new(server);
    assert!(server.ok("list_libraries", json!({})).await["libraries"].is_array());
    let made = json!({"library_item_id": ids::ALICE, "time": 1, "title": "still possible"});
    server.ok("create_bookmark", made).await;
    abs.clear_requests();
    let arguments = json!({"playlist_id": ids::ROAD_TRIP});
    let yes = json!({"action": "accept", "content": {"decision": "yes"}});

    let modern = Client::http(&server, Era::Modern, form()).await;
    let question = modern.call("delete_playlist", &arguments).await.asked();
    let text = modern.answer(question, &yes).await.refused();
    assert!(text.starts_with("Nothing was changed") && text.contains("key_value_stores"), "{text}");
    let legacy = Client::http(&server, Era::Legacy("2025-11-25"), form()).await;
    let text = legacy.call("delete_playlist", &arguments).await.refused();
    assert!(text.starts_with("Nothing was changed") && text.contains("key_value_stores"), "{text}");
    let mute = modern.mute().await;
    let text = mute.call("delete_playlist", &arguments).await.refused();
    let (_, token) = text.split_once("confirm_token=\"").expect("a token");
    let mut again = arguments.clone();
    again["confirm_token"] = Value::from(token.split('"').next().unwrap());
    let text = mute.call("delete_playlist", &again).await.refused();
    assert!(text.starts_with("Nothing was changed") && text.contains("key_value_stores"), "{text}");

    let writes = abs.requests().iter().filter(|request| request.method != "GET").count();
    assert_eq!(writes, 0);
}

#[tokio::test]
async fn denied_by_the_manifest() {
    let abs = Standin::start().await.unwrap();
    let spin = Spin { manifest: Some(manifest("denied", "key_value_stores = [\"default\"]", "")), ..Spin::default() };
    let [(_, url), (_, key)] = settings_for(&abs, "root");
    let settings = [("AUDIOBOOKSHELF_URL", url.as_str()), ("AUDIOBOOKSHELF_API_KEY", key.as_str())];
    without_a_store(Http::on(&spin, &settings).await, &abs).await;
}

#[tokio::test]
async fn a_redis_that_does_not_answer() {
    let abs = Standin::start().await.unwrap();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("no-redis-{}.toml", std::process::id()));
    fs::write(&file, "[key_value_store.default]\ntype = \"redis\"\nurl = \"redis://127.0.0.1:1\"\n").unwrap();
    let spin = Spin { runtime_config: Some(file), ..Spin::default() };
    let [(_, url), (_, key)] = settings_for(&abs, "root");
    let settings = [("AUDIOBOOKSHELF_URL", url.as_str()), ("AUDIOBOOKSHELF_API_KEY", key.as_str())];
    without_a_store(Http::on(&spin, &settings).await, &abs).await;
}

/// A host that the manifest does not allow: the component hears a refusal, and says whose setting it is.
#[tokio::test]
async fn a_host_that_spin_does_not_let_out() {
    let abs = Standin::start().await.unwrap();
    let line = "allowed_outbound_hosts = [\"{{ origin }}\"]";
    let spin = Spin {
        manifest: Some(manifest("elsewhere", line, "allowed_outbound_hosts = [\"https://abs.example.com\"]")),
        ..Spin::default()
    };
    let [(_, url), (_, key)] = settings_for(&abs, "root");
    let settings = [("AUDIOBOOKSHELF_URL", url.as_str()), ("AUDIOBOOKSHELF_API_KEY", key.as_str())];
    let text = Http::on(&spin, &settings).await.error("list_libraries", json!({})).await;
    assert!(text.contains("did not let the request out") && text.contains(&setting("AUDIOBOOKSHELF_URL")), "{text}");
    assert!(abs.requests().is_empty());
}
