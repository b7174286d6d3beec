//! The key is never in the memory of the component, whichever tool runs.

use super::{
    host::settings,
    memory::{Dumps, watched},
};
use crate::harness::{Http, Secret, settings_for};
use crate::listing::tools;
use crate::reads;
use audiobookshelf_mcp::{sandbox::Sandbox, transport::http::serve};
use memchr::memmem::find;
use serde_json::{Value, json};
use standin::{Standin, ids};
use tokio::net::TcpListener;

/// The server in this process, with memories that can be looked into.
struct Bench {
    abs: Standin,
    server: Http,
    dumps: Dumps,
    key: Secret,
    approval_secret: String,
    called: Vec<String>,
}

impl Bench {
    async fn start() -> Bench {
        let abs = Standin::start().await.expect("the stand-in starts");
        let key = Secret::new(&abs.key("root"));
        let settings = settings(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]);
        let (memories, dumps) = watched();
        let sandbox = Sandbox::start_with_memories(&settings, memories).expect("the component loads");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let authority = listener.local_addr().unwrap().to_string();
        tokio::spawn(serve(sandbox, listener));
        let approval_secret = settings.config.0["approval_secret"].clone();
        Bench { abs, server: Http::at(authority, key.clone()), dumps, key, approval_secret, called: Vec::new() }
    }

    /// A call, and what its instance leaves behind. That this is the whole of it is seen by what has to be there.
    async fn call(&mut self, tool: &str, arguments: Value) -> (Value, Vec<u8>) {
        let result = self.server.call(tool, arguments).await;
        let memory = self.dumps.next().await;
        assert_eq!(self.key.find(&memory), None, "{tool} has the key in its memory");
        assert!(find(&memory, tool.as_bytes()).is_some(), "{tool} is not there, {} bytes", memory.len());
        (result, memory)
    }

    /// A call that must succeed, approved where it asks.
    async fn ok(&mut self, tool: &str, mut arguments: Value) -> Value {
        let (mut result, _) = self.call(tool, arguments.clone()).await;
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        if let Some((_, rest)) = text.split_once("confirm_token=\"") {
            arguments["confirm_token"] = rest.split('"').next().into();
            let memory;
            (result, memory) = self.call(tool, arguments.clone()).await;
            // A secret that the component does hold is found: so would the key be.
            assert!(find(&memory, self.approval_secret.as_bytes()).is_some(), "{tool}");
        }
        assert!(result.get("isError").is_none(), "{tool} {arguments}: {result}");
        self.called.push(tool.to_owned());
        result["structuredContent"].take()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_is_in_no_memory_after_any_tool() {
    let mut bench = Bench::start().await;
    others_would_be_found(&mut bench).await;
    // Learnt from another server, so that here each instance is a call that is looked at.
    let other = Http::with(&settings_for(&bench.abs, "root")).await;
    let (all, calls) = (tools(&other).await, reads::calls(&other).await);
    for (tool, arguments) in calls {
        bench.ok(tool, arguments).await;
    }
    writes(&mut bench).await;

    let mut named: Vec<&str> = all.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    named.sort_unstable();
    bench.called.sort_unstable();
    bench.called.dedup();
    assert_eq!((bench.called.len(), &bench.called), (44, &named.iter().map(|name| (*name).to_owned()).collect()));
    assert!(!bench.abs.is_dead(), "{:?}", bench.abs.cause_of_death());
}

async fn writes(bench: &mut Bench) {
    let [a, b, c] = [ids::DRACULA, ids::EMMA, ids::ALICE];
    let entry = |id: &str| json!({"library_item_id": id});
    let made = json!({"library_id": ids::BOOKS, "name": "watched", "library_item_ids": [a, b]});
    let collection = bench.ok("create_collection", made).await["collection_id"].take();
    for (tool, arguments) in [
        ("add_books_to_collection", json!({"library_item_ids": [c]})),
        ("update_collection", json!({"library_item_ids": [c, a, b]})),
        ("remove_books_from_collection", json!({"library_item_ids": [a]})),
        ("delete_collection", json!({})),
    ] {
        bench.ok(tool, with(arguments, "collection_id", &collection)).await;
    }
    let made = json!({"library_id": ids::BOOKS, "name": "watched", "items": [entry(a), entry(b)]});
    let playlist = bench.ok("create_playlist", made).await["playlist_id"].take();
    for (tool, arguments) in [
        ("add_items_to_playlist", json!({"items": [entry(c)]})),
        ("update_playlist", json!({"items": [entry(c), entry(a), entry(b)]})),
        ("remove_items_from_playlist", json!({"items": [entry(a)]})),
        ("delete_playlist", json!({})),
    ] {
        bench.ok(tool, with(arguments, "playlist_id", &playlist)).await;
    }
    let mark = |title: &str| json!({"library_item_id": a, "time": 7.5, "title": title});
    bench.ok("create_bookmark", mark("A")).await;
    bench.ok("update_bookmark", mark("B")).await;
    bench.ok("delete_bookmark", json!({"library_item_id": a, "time": 7.5})).await;
    let set = bench.ok("set_media_progress", json!({"library_item_id": c, "progress": 0.5})).await;
    bench.ok("delete_media_progress", json!({"media_progress_id": set["media_progress_id"]})).await;
}

fn with(mut arguments: Value, name: &str, id: &Value) -> Value {
    arguments[name] = id.clone();
    arguments
}

/// What the look would find: a text from the request, one from Audiobookshelf's answer, and a key that somebody sends.
async fn others_would_be_found(bench: &mut Bench) {
    let key = "eyJhbGciOiJIUzI1NiJ9.a-key-that-nobody-else-writes-0123456789.abcdefghijklmnopqrstuvwxyz";
    let search = json!({"library_id": ids::BOOKS, "q": key});
    let (_, memory) = bench.call("search_library", search).await;
    assert_eq!(Secret::new(key).find(&memory), Some("as it is"));
    let (result, memory) = bench.call("get_library_item", json!({"library_item_id": ids::DRACULA})).await;
    assert!(result.to_string().contains("Dracula") && find(&memory, b"Dracula").is_some());
}
