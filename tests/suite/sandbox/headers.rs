//! Headers: what a component may say about itself to Audiobookshelf, and what it gets to know.

use super::{
    bench::{Bench, KEY},
    fixtures::Fixture,
    host::Short,
};
use crate::harness::Scripted;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Of a request as it came: names in lower case, and values.
fn headers_of(head: &str) -> Vec<(String, String)> {
    let lines = head.trim_end().lines().skip(1);
    let mut headers: Vec<_> =
        lines.map(|line| line.split_once(": ").map(|(n, v)| (n.to_lowercase(), v.to_owned())).unwrap()).collect();
    headers.sort();
    headers
}

/// Whatever the component says, the target sees the configured host, the key, and the one header that may be set.
pub async fn forged_headers(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    let attempts = bench.attempts("").await;
    let mut sent = 0;
    for (name, outcome) in &attempts {
        match name.as_str() {
            // What frames a message the WASI implementation does not even let a component write; nor a value that is two.
            "host" | "connection" | "transfer-encoding" | "x-injected" => {
                assert!(outcome.starts_with("unsettable"), "{name}: {outcome}");
            }
            // It is not the length of the body.
            "content-length" => assert_ne!(outcome, "status 200"),
            _ => assert!(outcome == "status 200" || outcome.starts_with("unsettable"), "{name}: {outcome}"),
        }
        sent += usize::from(outcome == "status 200");
    }
    assert!(sent >= 10, "{attempts:?}");
    let heads = bench.target.heads();
    assert_eq!((attempts.len(), heads.len()), (28, sent));
    let host = bench.target.url.trim_start_matches("http://");
    for head in heads {
        assert!(head.starts_with("GET /status HTTP/1.1\r\n") && !head.to_lowercase().contains("forged"), "{head}");
        let bearer = format!("Bearer {KEY}");
        let want = [("accept", "application/json"), ("authorization", &bearer), ("host", host)];
        assert_eq!(headers_of(&head), want.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    bench.honest().await;
    bench
        .memory_returns(async |bench| {
            bench.attempts("").await;
        })
        .await;
}

/// Neither the cookies of Audiobookshelf nor those of a proxy in front of it; other headers come through.
pub async fn cookies_from_upstream(fixture: Fixture) {
    let target = Scripted::start(
        "HTTP/1.1 200 OK\r\nset-cookie: session=s3cret\r\nSet-Cookie: auth=s3cret\r\nset-cookie2: old=s3cret\r\n\
         x-kept: yes\r\ncontent-length: 2\r\n\r\n{}",
    )
    .await;
    let url = target.url.clone();
    let bench = Bench::against(target, &url, fixture, &[], Short::default()).await;
    let seen = bench.attempts("").await;
    assert!(seen.contains(&("x-kept".to_owned(), "yes".to_owned())), "{seen:?}");
    assert!(!format!("{seen:?}").contains("s3cret"), "{seen:?}");
    bench.honest().await;
}

/// A thousand are dropped on the way out; ten thousand are more than one request can hold, and stop the instance.
pub async fn headers_to_upstream(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    let (reply, _) = bench.attack("1000").await;
    assert_eq!((reply.status, &reply.body[..]), (200, b"status 200".as_slice()));
    let heads = bench.target.heads();
    assert_eq!(heads.len(), 1);
    assert_eq!(headers_of(&heads[0]).len(), 2, "{}", heads[0]);
    too_many(&bench).await;
    assert_eq!(bench.target.heads().len(), 2, "of them, the honest one");
    bench
        .memory_returns(async |bench| {
            for _ in 0..5 {
                bench.attack("10000").await;
            }
        })
        .await;
}

/// The client here reads bytes, since others do not take so many headers.
pub async fn headers_to_client(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    let mut stream = TcpStream::connect(&bench.server.authority).await.expect("the server accepts");
    let request = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\nconnection: close\r\n\r\n1000";
    stream.write_all(request.as_bytes()).await.expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("text, and its end");
    assert_eq!(answer.lines().filter(|line| line.ends_with(": many")).count(), 1000);
    too_many(&bench).await;
    bench
        .memory_returns(async |bench| {
            for _ in 0..5 {
                bench.attack("10000").await;
            }
        })
        .await;
}

async fn too_many(bench: &Bench) {
    let (reply, _) = bench.attack("10000").await;
    assert_eq!(reply.status, 500, "{:?}", reply.body);
    bench.logged(&[super::limits::STOPPED], 1).await;
    bench.honest().await;
}
