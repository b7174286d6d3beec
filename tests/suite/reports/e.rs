//! E: Audiobookshelf, and the proxies in front of it.

use crate::harness::{Client, Era, Http, Scripted, Stdio, form, settings_for};
use serde_json::{Value, json};
use standin::{Options, Standin, ids};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};

async fn says(upstream: &Scripted, tool: &str) -> String {
    Http::start(&upstream.settings()).await.error(tool, json!({})).await
}

/// Sentences that stop the start with this address, without the address.
async fn refused(url: &str) -> String {
    let ended = Stdio::start(&[("AUDIOBOOKSHELF_URL", url)]).end().await;
    assert_eq!((ended.code, ended.lines.len()), (Some(1), 0), "{url}");
    assert!(!ended.stderr.contains(url), "{url} is repeated: {}", ended.stderr);
    ended.stderr
}

#[tokio::test]
async fn e1_a_portal_in_place_of_audiobookshelf() {
    let portal = Scripted::reply("200 OK", "text/html", "<html>Sign in</html>").await;
    for tool in ["list_libraries", "list_collections", "list_playlists", "get_me"] {
        let text = says(&portal, tool).await;
        assert!(text.contains("did not come from Audiobookshelf") && !text.contains("Sign in"), "{tool}: {text}");
    }
}

#[tokio::test]
async fn e2_an_address_with_a_fragment_or_a_query() {
    for (url, mark) in [("https://abs.example.com/#dev", "#"), ("https://abs.example.com/?x", "?")] {
        assert!(refused(url).await.contains(mark));
    }
}

#[tokio::test]
async fn e3_a_base_path_with_and_without_a_slash() {
    let options = Options { base_path: Some("/audiobookshelf".into()), ..Options::default() };
    let abs = Standin::start_with(options).await.unwrap();
    let base = abs.url();
    assert!(base.ends_with("/audiobookshelf"), "{base}");
    for url in [base.clone(), format!("{base}/"), format!("{base}//")] {
        let server = Http::start(&[("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]).await;
        server.ok("list_libraries", json!({})).await;
    }
    let paths: Vec<String> = abs.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/audiobookshelf/api/libraries"; 3]);
}

#[tokio::test]
async fn e4_an_address_without_a_scheme() {
    for url in ["192.168.10.173:13378", "nas:13378", "books.lan", "localhost:13378"] {
        assert!(refused(url).await.contains("does not start with http:// or https://"), "{url}");
    }
}

#[tokio::test]
async fn e6_a_key_in_another_variable() {
    let key = format!("eyJhbGciOiJIUzI1NiJ9.{}", "c2VjcmV0".repeat(12));
    assert!(refused(&key).await.contains("AUDIOBOOKSHELF_API_KEY"));
    assert!(!refused(&format!("https://{key}")).await.contains("c2VjcmV0"));
    for name in ["AUDIOBOOKSHELF_ALLOW_TOOLS", "AUDIOBOOKSHELF_DENY_TOOLS"] {
        let ended = Stdio::start(&[(name, &format!("list_libraries,{key}"))]).end().await;
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains(name) && !ended.stderr.contains("c2VjcmV0"), "{}", ended.stderr);
    }
    let hosts = [("AUDIOBOOKSHELF_ALLOWED_HOSTS", format!("{key}/")), ("AUDIOBOOKSHELF_ALLOWED_ORIGINS", key)];
    for (name, value) in &hosts {
        let ended = Stdio::run(&["serve", "--listen", "127.0.0.1:0"], &[(*name, value)]).end().await;
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains(name) && !ended.stderr.contains("c2VjcmV0"), "{}", ended.stderr);
    }
}

/// The stand-in answers as Audiobookshelf does: these five with "OK" as text.
#[tokio::test]
async fn e7_ok_in_place_of_json_where_it_belongs_and_only_there() {
    let abs = Standin::start().await.unwrap();
    let server = Arc::new(Http::with(&settings_for(&abs, "root")).await);
    server.ok("set_media_progress", json!({"library_item_id": ids::DRACULA, "progress": 0.5})).await;
    let client = Client::http(&server, Era::Modern, form()).await;
    for (tool, arguments) in [
        ("delete_media_progress", json!({"media_progress_id": ids::progress("root", ids::ALICE)})),
        ("delete_bookmark", json!({"library_item_id": ids::DRACULA, "time": 120})),
        ("delete_collection", json!({"collection_id": ids::SEA_AND_SHORE})),
        ("delete_playlist", json!({"playlist_id": ids::ROAD_TRIP})),
    ] {
        let question = client.call(tool, &arguments).await.asked();
        let yes = json!({"action": "accept", "content": {"decision": "yes"}});
        let result = client.answer(question, &yes).await.done();
        assert!(result.get("isError").is_none(), "{tool}: {result}");
    }
    let ok = Scripted::reply("200 OK", "text/plain", "OK").await;
    let elsewhere = Http::start(&ok.settings()).await;
    for (tool, arguments) in [
        ("list_libraries", json!({})),
        ("get_playlist", json!({"playlist_id": "a"})),
        ("create_collection", json!({"library_id": "a", "name": "n", "library_item_ids": ["b"]})),
        ("create_bookmark", json!({"library_item_id": "a", "time": 1, "title": "t"})),
    ] {
        let text = elsewhere.error(tool, arguments).await;
        assert!(text.contains("did not come from Audiobookshelf"), "{tool}: {text}");
    }
}

#[tokio::test]
async fn e8_an_answer_without_end() {
    let chunk = format!("{:x}\r\n{}\r\n", 1_000_000, " ".repeat(1_000_000)).repeat(30);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let upstream = Scripted::start(format!("{head}{chunk}0\r\n\r\n")).await;
    let text = says(&upstream, "list_collections").await;
    assert!(text.contains("too large to be read") && text.contains("library_id"), "{text}");
}

#[tokio::test]
async fn e10_a_redirect_to_another_host() {
    let elsewhere = Scripted::reply("200 OK", "application/json", "{\"libraries\":[]}").await;
    let redirect = format!("HTTP/1.1 302 Found\r\nlocation: {}/\r\ncontent-length: 0\r\n\r\n", elsewhere.url);
    let upstream = Scripted::start(redirect).await;
    assert!(says(&upstream, "list_libraries").await.contains("redirect"));
    assert_eq!((upstream.heads().len(), elsewhere.connections()), (1, 0));
}

#[tokio::test]
async fn e12_slow_down() {
    let slow_down = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 17\r\ncontent-length: 0\r\n\r\n";
    let upstream = Scripted::start(slow_down).await;
    let text = says(&upstream, "list_libraries").await;
    assert!(text.contains("429") && text.contains("Retry-After: 17"), "{text}");
    assert_eq!(upstream.heads().len(), 1, "and it is not tried again");
}

/// An Audiobookshelf of twenty libraries whose user is no administrator. Gives the most requests that it had at a time.
async fn many_libraries() -> (String, Arc<AtomicUsize>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (running, most): (Arc<AtomicUsize>, Arc<AtomicUsize>) = Default::default();
    let seen = Arc::clone(&most);
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            tokio::spawn(async move {
                let mut head = [0; 4096];
                while let Ok(length @ 1..) = stream.read(&mut head).await {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    // Others that are on their way get the time to arrive.
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    running.fetch_sub(1, Ordering::SeqCst);
                    let asked = String::from_utf8_lossy(&head[..length]).into_owned();
                    let (status, body) = if asked.starts_with("GET /api/tags") {
                        ("403 Forbidden", String::new())
                    } else if asked.contains("/filterdata") {
                        ("200 OK", json!({"tags": ["a"]}).to_string())
                    } else {
                        let libraries: Vec<Value> = (0..20).map(|n| json!({"id": format!("l{n}")})).collect();
                        ("200 OK", json!({"libraries": libraries}).to_string())
                    };
                    let length = body.len();
                    let answer = format!(
                        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
                    );
                    if stream.write_all(answer.as_bytes()).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    (url, seen, task)
}

#[tokio::test]
async fn e12_a_call_that_needs_many_answers_asks_for_one_at_a_time() {
    let (url, most, upstream) = many_libraries().await;
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", "the-key")]).await;
    assert_eq!(server.ok("list_tags", json!({})).await["tags"], json!(["a"]));
    assert_eq!(most.load(Ordering::SeqCst), 1);
    upstream.abort();
}
