//! What comes back from an Audiobookshelf, or from whatever answers in its place.
//!
//! Our own host tells faults apart more finely, which `faults` is about.

use crate::harness::{Http, Scripted, setting};
use serde_json::json;
use standin::{Options, Standin};

async fn says(upstream: &Scripted) -> String {
    Http::start(&upstream.settings()).await.error("list_libraries", json!({})).await
}

#[tokio::test]
async fn errors_say_what_to_do_and_label_foreign_words() {
    let key = setting("AUDIOBOOKSHELF_API_KEY");
    let url = format!("{} is probably wrong", setting("AUDIOBOOKSHELF_URL"));
    for (status, content_type, body, want, label) in [
        ("401 Unauthorized", "", "Unauthorized", key.as_str(), true),
        ("403 Forbidden", "text/plain", "Forbidden", "permissions", true),
        ("404 Not Found", "text/html", "Library not found", "never from memory", true),
        ("404 Not Found", "text/html", "<pre>Cannot GET /api/x</pre>", url.as_str(), false),
        ("500 Internal Server Error", "text/plain", "Internal Server Error", "failed while working", true),
        ("502 Bad Gateway", "text/html", "<html>nginx</html>", "proxy", false),
        ("418 Teapot", "text/plain", "", "does not know", false),
    ] {
        let text = says(&Scripted::reply(status, content_type, body).await).await;
        assert!(text.contains(want), "{status}: {text}");
        assert_eq!(text.contains("untrusted content"), label, "{status}: {text}");
        assert!(!text.contains("nginx") && !text.contains("<pre>"), "{text}");
    }
    let slow_down = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 17\r\ncontent-length: 0\r\n\r\n";
    assert!(says(&Scripted::start(slow_down).await).await.contains("Retry-After: 17"));
}

#[tokio::test]
async fn a_dropped_connection_is_not_tried_again() {
    let dying = Scripted::start("").await;
    let text = says(&dying).await;
    assert!(text.contains("closed the connection") && text.contains("do not repeat"), "{text}");
    assert_eq!((dying.heads().len(), dying.connections()), (1, 1));
    let half = Scripted::start(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\nconnection: close\r\n\r\n{",
    )
    .await;
    assert!(says(&half).await.contains("closed the connection"));
}

#[tokio::test]
async fn nobody_listens() {
    let gone = Scripted::start("").await.url.clone();
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &gone), ("AUDIOBOOKSHELF_API_KEY", "the-key")]).await;
    let text = server.error("list_libraries", json!({})).await;
    assert!(text.contains("could not be reached") && text.contains("refused"), "{text}");
}

#[tokio::test]
async fn five_megabytes_and_one_byte_are_too_much_announced_or_not() {
    let body = format!("{{\"libraries\":[],\"x\":\"{}\"}}", "a".repeat(5_000_000));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    let announced = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    for answer in [announced, chunked] {
        let text = says(&Scripted::start(answer).await).await;
        assert!(text.contains("larger than 5 MB"), "{text}");
    }
}

#[tokio::test]
async fn broken_text_and_deep_nesting_are_read() {
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let body = format!(r#"{{"libraries":[{{"id":"a","name":"x\ud800y","mediaType":"book"}}],"deep":{deep}}}"#);
    let upstream = Scripted::reply("200 OK", "application/json; charset=utf-8", &body).await;
    let libraries = Http::start(&upstream.settings()).await.ok("list_libraries", json!({})).await["libraries"].take();
    assert_eq!(libraries[0]["name"], "x\u{FFFD}y");
}

#[tokio::test]
async fn only_these_headers_reach_audiobookshelf() {
    let upstream = Scripted::reply("200 OK", "application/json", "{\"libraries\":[]}").await;
    let server = Http::start(&upstream.settings()).await;
    let message = crate::harness::modern(1, "tools/call", json!({"name": "list_libraries"}));
    let mut headers = crate::harness::modern_headers(&message);
    headers.extend([
        ("cookie", "a=b".to_owned()),
        ("x-forwarded-for", "9.9.9.9".to_owned()),
        ("authorization", "Bearer mine".to_owned()),
    ]);
    assert_eq!(server.post(&headers, &message).await.status, 200);
    let head = upstream.heads().concat().to_ascii_lowercase();
    let mut names: Vec<&str> =
        head.lines().skip(1).filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "authorization", "host"], "{head}");
    assert!(head.contains("authorization: bearer the-key") && !head.contains("mine"), "{head}");
}

#[tokio::test]
async fn connections_are_reused() {
    let upstream = Scripted::reply("200 OK", "application/json", "{\"libraries\":[]}").await;
    let server = Http::start(&upstream.settings()).await;
    for _ in 0..5 {
        server.ok("list_libraries", json!({})).await;
    }
    assert_eq!((upstream.heads().len(), upstream.connections()), (5, 1));
}

#[tokio::test]
async fn a_base_path_is_kept_with_and_without_its_slash() {
    let options = Options { base_path: Some("/audiobookshelf".into()), ..Options::default() };
    let abs = Standin::start_with(options).await.unwrap();
    for url in [abs.url(), format!("{}/", abs.url())] {
        let server = Http::start(&[("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]).await;
        server.ok("list_libraries", json!({})).await;
    }
    let paths: Vec<String> = abs.requests().iter().map(|request| request.path.clone()).collect();
    assert!(paths.iter().all(|path| !path.contains("//")), "{paths:?}");
}
