//! The limits as flags: what cannot be is refused, and what is set is kept to.

use crate::harness::{Http, Scripted, modern, modern_headers, output};
use serde_json::json;

#[tokio::test]
async fn what_cannot_be_is_refused_with_the_flag_and_the_valid_choice() {
    for (flags, want) in [
        (&["--max-running", "1"][..], "from 2 to 1000"),
        (&["--max-memory", "lots"], "--max-memory"),
        (&["--max-response", "5000001"], "to 5000000"),
        (&["--max-wait=-1"], "--max-wait"),
        (&["--max-running", "8", "--max-questions", "8"], "less than --max-running"),
        (&["--max-banana", "8"], "--max-banana"),
    ] {
        let ended = output(&[&["tools"], flags].concat(), &[]).await;
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{flags:?}");
        assert!(ended.stderr.contains(want), "{flags:?}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn sizes_are_kept_to() {
    let body = format!("{{\"libraries\":[],\"x\":\"{}\"}}", "a".repeat(3000));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    for answer in [
        format!("{head}content-length: {}\r\n\r\n{body}", body.len()),
        format!("{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len()),
    ] {
        let upstream = Scripted::start(answer).await;
        let server = Http::run(&["--max-response", "2000", "--max-message", "1500"], &upstream.settings()).await;
        assert!(server.error("list_libraries", json!({})).await.contains("the operator allows"));
        let server = Http::run(&["--max-response", "4000"], &upstream.settings()).await;
        server.ok("list_libraries", json!({})).await;
    }
    let server = Http::run(&["--max-message", "1500"], &[]).await;
    let message = modern(1, "tools/call", json!({"name": "list_libraries", "arguments": {"x": "a".repeat(1500)}}));
    assert_eq!(server.post(&modern_headers(&message), &message).await.status, 413);
}
