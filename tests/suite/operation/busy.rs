//! More requests, or more connections, than there is room for.

use crate::harness::{Gated, Http, Reply, Stdio, modern, modern_headers};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{net::TcpStream, task::JoinHandle, time::timeout};

fn call() -> Value {
    modern(1, "tools/call", json!({"name": "list_libraries"}))
}

fn asks(server: &Arc<Http>) -> JoinHandle<Reply> {
    let server = Arc::clone(server);
    tokio::spawn(async move { server.post(&modern_headers(&call()), &call()).await })
}

fn assert_busy(reply: &Reply) {
    assert_eq!(reply.status, 503);
    assert!(reply.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{:?}", reply.headers);
    assert_eq!(reply.code(), -32603);
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("busy"));
}

#[tokio::test]
async fn what_finds_no_place_is_told_at_once_and_the_rest_is_served() {
    let mut upstream = Gated::start().await;
    let flags = ["--max-running", "2", "--max-waiting", "1", "--max-wait", "60"];
    let server = Arc::new(Http::run(&flags, &upstream.settings()).await);
    let running = [asks(&server), asks(&server)];
    upstream.arrival().await;
    upstream.arrival().await;
    // Of two more, one waits in the queue; which one, the scheduler decides.
    let (mut third, mut fourth) = (asks(&server), asks(&server));
    let (refused, waiting) = tokio::select! {
        reply = &mut third => (reply.unwrap(), fourth),
        reply = &mut fourth => (reply.unwrap(), third),
    };
    assert_busy(&refused);
    assert_eq!(server.send("GET", "/healthz", &[], "").await.status, 200, "busy is not ill");
    upstream.release();
    for served in running.into_iter().chain([waiting]) {
        let reply = served.await.unwrap();
        assert_eq!((reply.status, reply.json()["result"]["isError"].is_null()), (200, true));
    }
    assert_eq!(asks(&server).await.unwrap().status, 200, "and there is room again");
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let mut upstream = Gated::start().await;
    let flags = ["--max-running", "2", "--max-wait", "1"];
    let server = Arc::new(Http::run(&flags, &upstream.settings()).await);
    let _running = [asks(&server), asks(&server)];
    upstream.arrival().await;
    upstream.arrival().await;
    assert_busy(&asks(&server).await.unwrap());
}

#[tokio::test]
async fn over_stdio_busy_is_an_error_with_the_id_of_the_request() {
    let mut upstream = Gated::start().await;
    let flags = ["stdio", "--max-running", "2", "--max-waiting", "0"];
    let mut server = Stdio::run(&flags, &upstream.settings());
    for id in 1..=2 {
        server.send(modern(id, "tools/call", json!({"name": "list_libraries"}))).await;
        upstream.arrival().await;
    }
    let refused = server.ask(&modern(3, "ping", json!({}))).await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(3), &json!(-32603)), "{refused}");
    upstream.release();
    assert_eq!(server.end().await.lines.len(), 2);
}

#[tokio::test]
async fn one_connection_too_many_is_told_so() {
    let server = Http::run(&["--max-connections", "1"], &[]).await;
    let first = TcpStream::connect(&server.authority).await.unwrap();
    assert_busy(&server.send("GET", "/healthz", &[], "").await);
    drop(first);
    // The server sees the end of a connection a moment after the client.
    while server.send("GET", "/healthz", &[], "").await.status == 503 {}
}

/// What such a client writes is not read for ever: it would all lie in memory.
#[tokio::test]
async fn a_client_that_writes_and_does_not_read_has_to_wait_and_loses_nothing() {
    let mut server = Stdio::run(&["stdio", "--max-running", "2", "--max-waiting", "2"], &[]);
    let mut sent = 0;
    let long = "a".repeat(1000);
    // Both pipes and all buffers hold a few thousand of these.
    while sent < 50_000 {
        let id = format!("{sent}-{long}");
        let ping = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
        if timeout(Duration::from_secs(2), server.send(&ping)).await.is_err() {
            break;
        }
        sent += 1;
    }
    assert!(sent < 50_000, "everything was swallowed");
    let mut answered = 0;
    while answered < sent {
        server.next().await;
        answered += 1;
    }
}
