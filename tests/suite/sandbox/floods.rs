//! Components that fill what all requests share: the key-value store and the log.

use super::{bench::Bench, fixtures::Fixture, host::Short};
use std::time::Duration;

/// A number as the whole answer.
async fn taken(bench: &Bench) -> usize {
    let (reply, whole) = bench.attack("").await;
    let text = String::from_utf8_lossy(&reply.body).into_owned();
    assert_eq!((reply.status, whole), (200, true), "{text}");
    text.parse().unwrap_or_else(|_| panic!("no number: {text}"))
}

/// The store stays full, and takes no more memory however often it is tried.
async fn bounded(fixture: Fixture, bound: usize, tolerance: usize) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    let first = taken(&bench).await;
    assert!(first <= bound && first > bound / 2, "{first}");
    bench.honest().await;
    assert_eq!(taken(&bench).await, first, "the same keys again, and no others");
    bench
        .memory_returns_within(tolerance, async |bench| {
            taken(bench).await;
        })
        .await;
}

pub async fn key_value_keys(fixture: Fixture) {
    bounded(fixture, 20_000, 6 << 20).await;
}

pub async fn key_value_bytes(fixture: Fixture) {
    // What is replaced is twice there for a moment.
    bounded(fixture, 8 << 20, 12 << 20).await;
}

/// The log has as much of it as is allowed, in lines whose origin can be told, and one line that says so.
pub async fn stderr_flood(fixture: Fixture) {
    let computing = Duration::from_secs(20);
    let bench = Bench::start(fixture, &[], Short { computing, ..Short::default() }).await;
    let (reply, whole) = bench.attack("").await;
    assert_eq!((reply.status, whole), (200, true), "{:?}", reply.body);
    let log = bench.server.process().stderr_when(|log| log.contains("is left out")).await;
    bench.honest().await;
    assert!(log.len() < 256 * 1024, "{} bytes", log.len());
    assert_eq!(log.matches("is left out").count(), 1);
    for line in bench.server.stderr().lines() {
        assert!(line.starts_with("audiobookshelf-mcp: [component] "), "{line:?}");
        assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
    }
    bench
        .memory_returns(async |bench| {
            bench.attack("").await;
        })
        .await;
}
