//! What the longest waits really take, in the program itself.

use crate::harness::{
    Http,
    faulty::{Fault, Faulty, KEY, Step, honest},
};
use serde_json::json;
use std::time::{Duration, Instant};

/// Fifteen seconds, and what a busy machine adds.
const LONGEST: Duration = Duration::from_millis(15_000 + 2_000);

async fn waits(fault: Fault, want: &str) {
    let mut upstream = Faulty::start(fault, None).await;
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &upstream.url()), ("AUDIOBOOKSHELF_API_KEY", KEY)]).await;
    let begin = Instant::now();
    let text = server.error("list_libraries", json!({})).await;
    let took = begin.elapsed();
    println!("{took:.2?}: {text}");
    assert!(text.contains(want), "{text}");
    assert!(took < LONGEST, "{took:?}: {text}");
    upstream.quiet().await;
    upstream.heal();
    assert_eq!(server.ok("list_libraries", json!({})).await["libraries"][0]["id"], "honest");
}

#[tokio::test]
async fn a_call_ends_within_its_fifteen_seconds() {
    let second = Duration::from_secs(1);
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n".to_vec();
    tokio::join!(
        waits(Fault::Full, "no connection to it came about in time"),
        waits(Fault::Answer(vec![Step::Hang]), "did not answer in time"),
        waits(Fault::Answer(vec![Step::Drip(honest().into(), second)]), "did not answer in time"),
        waits(Fault::Answer(vec![Step::Say(head.clone()), Step::Hang]), "did not finish in time"),
        waits(Fault::Answer(vec![Step::Say(head), Step::Drip(vec![b' '; 99], second)]), "did not finish in time"),
    );
}
