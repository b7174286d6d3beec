//! G: results.

use crate::{
    harness::{Http, Scripted, modern, modern_headers},
    listing::tools,
};
use serde_json::{Value, json};
use standin::{Standin, ids};
use std::time::{Duration, Instant};
use tokio::{io::AsyncReadExt, net::TcpListener, time::timeout};

/// Several times what may be passed on, in both forms. What is left out is said, with what to call instead.
#[tokio::test]
async fn g1_a_result_stays_below_its_ceiling() {
    let library =
        |n: usize| json!({"id": format!("l{n}"), "name": format!("{n} {}", "é".repeat(400)), "mediaType": "book"});
    let libraries: Vec<Value> = (0..1000).map(library).collect();
    let body = json!({"libraries": libraries}).to_string();
    assert!(body.len() > 500_000);
    let upstream = Scripted::reply("200 OK", "application/json", &body).await;
    let server = Http::start(&upstream.settings()).await;
    for detail in ["compact", "full"] {
        let result = server.call("list_libraries", json!({"detail": detail})).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        let structured = result["structuredContent"].to_string();
        assert!(text.len() <= 100_500 && structured.len() <= 100_000, "{}, {}", text.len(), structured.len());
        assert!(structured.len() > 50_000, "as much as fits: {}", structured.len());
        assert!(result["structuredContent"]["truncated"].is_object(), "{detail}");
        assert!(text.contains("truncated"), "{detail}");
    }
}

#[tokio::test]
async fn g3_what_has_an_output_schema_has_structured_content() {
    let abs = Standin::start().await.unwrap();
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]).await;
    let mut tried = 0;
    for tool in tools(&server).await {
        assert!(tool["outputSchema"].is_object(), "{}", tool["name"]);
        let arguments = match tool["inputSchema"]["required"].as_array().map(Vec::as_slice) {
            None | Some([]) => json!({}),
            Some([only]) if only == "library_id" => json!({"library_id": ids::BOOKS}),
            Some([only]) if only == "library_item_id" => json!({"library_item_id": ids::DRACULA}),
            Some(_) => continue,
        };
        let result = server.call(tool["name"].as_str().unwrap(), arguments).await;
        // An error needs none.
        if result.get("isError").is_none() {
            assert!(result["structuredContent"].is_object(), "{}", tool["name"]);
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}

#[tokio::test]
async fn g4_outputs_may_have_more_than_their_schema_says() {
    for tool in tools(&Http::start(&[]).await).await {
        assert!(!tool["outputSchema"].to_string().contains("additionalProperties\":false"), "{}", tool["name"]);
    }
}

/// Clients give up after a minute. Long before that a call has ended, and one whose client is gone ends at once.
#[tokio::test]
async fn g5_a_call_does_not_outlive_its_client() {
    const { assert!(guest::world::BUDGET_MS <= 15_000) };
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", "the-key")]).await;
    let message = modern(1, "tools/call", json!({"name": "list_libraries"}));
    let headers = modern_headers(&message);
    let mut upstream = {
        // Dropped as soon as Audiobookshelf was asked.
        let call = server.post(&headers, &message);
        tokio::pin!(call);
        tokio::select! {
            reply = &mut call => panic!("nobody answered: {}", reply.status),
            accepted = silent.accept() => accepted.unwrap().0,
        }
    };
    let left = Instant::now();
    let mut head = Vec::new();
    timeout(Duration::from_secs(12), upstream.read_to_end(&mut head)).await.expect("the request is given up").unwrap();
    assert!(head.starts_with(b"GET /api/libraries"), "{}", String::from_utf8_lossy(&head));
    println!("given up {:?} after the client had left", left.elapsed());
}
