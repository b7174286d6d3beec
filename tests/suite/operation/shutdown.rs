//! SIGTERM and SIGINT: nothing new, an end for what runs, and exit code 0.

use crate::harness::{Client, Era, Gated, Http, Stdio, form, modern, modern_headers, settings_for};
use serde_json::json;
use standin::{Standin, ids};
use std::{sync::Arc, time::Instant};
use tokio::{io::AsyncWriteExt, net::TcpStream};

#[tokio::test]
async fn what_runs_is_finished_and_nobody_new_gets_in() {
    for signal in ["TERM", "INT"] {
        let mut upstream = Gated::start().await;
        let server = Arc::new(Http::start(&upstream.settings()).await);
        // An idle connection that is kept alive holds nothing up.
        let _idle = TcpStream::connect(&server.authority).await.unwrap();
        let call = modern(1, "tools/call", json!({"name": "list_libraries"}));
        let running = tokio::spawn({
            let (server, call) = (Arc::clone(&server), call.clone());
            async move { server.post(&modern_headers(&call), &call).await }
        });
        upstream.arrival().await;
        server.signal(signal);
        while TcpStream::connect(&server.authority).await.is_ok() {}
        upstream.release();
        let reply = running.await.unwrap();
        assert_eq!((reply.status, &reply.json()["result"]["isError"]), (200, &json!(null)), "{signal}");
        let server = Arc::into_inner(server).unwrap();
        assert_eq!(server.ended().await, Some(0), "{signal}");
    }
}

#[tokio::test]
async fn what_does_not_end_is_left_after_a_while_and_a_second_signal_ends_it_now() {
    let mut upstream = Gated::start().await;
    let mut servers = Vec::new();
    for _ in 0..2 {
        let server = Http::start(&upstream.settings()).await;
        let mut stream = TcpStream::connect(&server.authority).await.unwrap();
        let body = modern(1, "tools/call", json!({"name": "list_libraries"})).to_string();
        let mut request =
            format!("POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n", server.authority, body.len());
        for (name, value) in modern_headers(&serde_json::from_str(&body).unwrap()) {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("content-type: application/json\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        upstream.arrival().await;
        server.signal("TERM");
        while TcpStream::connect(&server.authority).await.is_ok() {}
        servers.push((server, stream));
    }
    let (hurried, _open) = servers.pop().unwrap();
    let start = Instant::now();
    hurried.signal("TERM");
    assert_eq!(hurried.ended().await, None, "it dies of the signal");
    let at_once = start.elapsed();
    let (patient, _open) = servers.pop().unwrap();
    assert_eq!(patient.ended().await, Some(0));
    assert!(at_once < start.elapsed(), "{at_once:?}");
}

#[tokio::test]
async fn stdio_ends_too_and_an_open_question_changes_nothing() {
    let abs = Standin::start().await.unwrap();
    let settings = settings_for(&abs, "root");
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut server = Stdio::start(&settings);
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": form(), "clientInfo": {"name": "t", "version": "1"}});
    server.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})).await;
    let delete = json!({"name": "delete_playlist", "arguments": {"playlist_id": ids::HOSTILE_PLAYLIST}});
    let question = server.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": delete})).await;
    assert_eq!(question["method"], "elicitation/create");
    server.signal("TERM");
    let ended = server.ended().await;
    assert_eq!(ended.code, Some(0));
    let answer = ended.lines.last().unwrap();
    assert_eq!(answer["id"], 2);
    assert!(answer["error"]["message"].as_str().unwrap().contains("nothing was changed"), "{answer}");
    assert!(abs.requests().iter().all(|request| request.method == "GET"));
}

#[tokio::test]
async fn a_call_over_stdio_that_does_not_end_is_answered_all_the_same() {
    let mut upstream = Gated::start().await;
    let mut server = Stdio::start(&upstream.settings());
    server.send(&modern(7, "tools/call", json!({"name": "list_libraries"}))).await;
    upstream.arrival().await;
    server.signal("TERM");
    let ended = server.ended().await;
    assert_eq!((ended.code, ended.lines.len()), (Some(0), 1));
    let answer = &ended.lines[0];
    assert_eq!(answer["id"], 7);
    assert!(answer["error"]["message"].as_str().unwrap().contains("being stopped"), "{answer}");
}

#[tokio::test]
async fn a_call_over_http_that_does_not_end_is_answered_all_the_same() {
    let mut upstream = Gated::start().await;
    let server = Arc::new(Http::start(&upstream.settings()).await);
    let running = tokio::spawn({
        let server = Arc::clone(&server);
        let call = modern(7, "tools/call", json!({"name": "list_libraries"}));
        async move { server.post(&modern_headers(&call), &call).await }
    });
    upstream.arrival().await;
    server.signal("TERM");
    let reply = running.await.unwrap();
    assert_eq!(reply.status, 503);
    let said = reply.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("being stopped"), "{said}");
    assert_eq!(Arc::into_inner(server).unwrap().ended().await, Some(0));
}

/// Over HTTP the answer to a question could not get in any more, so that nobody waits for it.
#[tokio::test]
async fn a_question_over_http_ends_with_a_result_and_at_once() {
    let abs = Standin::start().await.unwrap();
    let server = Arc::new(Http::with(&settings_for(&abs, "root")).await);
    let client = Client::http(&server, Era::Legacy("2025-11-25"), form()).await;
    let delete = json!({"playlist_id": ids::HOSTILE_PLAYLIST});
    let question = client.call("delete_playlist", &delete).await.asked();
    server.signal("TERM");
    let text = client.outcome(question).await.refused();
    assert!(text.starts_with("Nothing was changed") && text.contains("being stopped"), "{text}");
    drop(client);
    assert_eq!(Arc::into_inner(server).unwrap().ended().await, Some(0));
    assert!(abs.requests().iter().all(|request| request.method == "GET"));
}
