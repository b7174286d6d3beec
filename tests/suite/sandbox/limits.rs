//! Components that take more than their share: of memory, of the processor, of time.

use super::{bench::Bench, fixtures::Fixture, host::Short};
use std::{
    future::poll_fn,
    task::Poll,
    time::{Duration, Instant},
};

pub const STOPPED: &str = "audiobookshelf-mcp: event=request_stopped ";

/// The attack gets an error of the host's own, and the log says why.
async fn stopped(bench: &Bench, status: u16, why: &str) {
    let (reply, whole) = bench.attack("").await;
    assert_eq!((reply.status, whole), (status, true), "{:?}", reply.body);
    assert_eq!(reply.json()["error"]["code"], -32603, "{:?}", reply.body);
    bench.logged(&[STOPPED, why], 1).await;
    bench.honest().await;
}

/// Several at a time.
async fn again(bench: &Bench, times: usize) {
    let mut running: Vec<_> = (0..times).map(|_| Box::pin(bench.attack(""))).collect();
    poll_fn(|context| {
        running.retain_mut(|attack| attack.as_mut().poll(context).is_pending());
        if running.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

pub async fn memory_bomb(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    stopped(&bench, 500, "forcing trap when growing memory").await;
    bench.memory_returns(async |bench| again(bench, 2).await).await;
}

/// Of header fields and the like an instance can have a thousand, whatever they hold.
pub async fn resource_bomb(fixture: Fixture) {
    // It has to be the number that stops it, also where others keep the processor busy.
    let computing = Duration::from_secs(30);
    let bench = Bench::start(fixture, &[], Short { computing, wall: computing, ..Short::default() }).await;
    stopped(&bench, 500, "resource table has no free keys").await;
    // Of the eight attacks that are measured each holds 60 MB.
    bench.memory_returns_within(120 << 20, async |bench| again(bench, 2).await).await;
}

pub async fn deep_recursion(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    stopped(&bench, 500, "wasm trap: ").await;
    bench.memory_returns(async |bench| again(bench, 4).await).await;
}

/// While it computes, others are served.
pub async fn endless_loop(fixture: Fixture) {
    let computing = Duration::from_millis(300);
    let bench = Bench::start(fixture, &[], Short { computing, ..Short::default() }).await;
    stopped(&bench, 500, "it computed for too long").await;
    let meanwhile = async {
        bench.honest().await;
        bench.honest().await;
    };
    tokio::join!(bench.attack(""), bench.attack(""), meanwhile);
    bench.memory_returns(async |bench| again(bench, 2).await).await;
}

pub async fn endless_wait(fixture: Fixture) {
    let wall = Duration::from_millis(500);
    let bench = Bench::start(fixture, &[], Short { wall, ..Short::default() }).await;
    let start = Instant::now();
    stopped(&bench, 504, "it ran into the time limit").await;
    assert!(start.elapsed() >= wall);
    bench.memory_returns(async |bench| again(bench, 20).await).await;
}

/// Broken off, so that nobody takes it for complete.
pub async fn endless_body(fixture: Fixture) {
    let wall = Duration::from_millis(400);
    let bench = Bench::start(fixture, &[], Short { wall, ..Short::default() }).await;
    let (reply, whole) = bench.attack("").await;
    assert_eq!((reply.status, whole), (200, false));
    assert!(reply.body.len() > 4096, "{} bytes", reply.body.len());
    bench.logged(&[STOPPED], 1).await;
    bench.honest().await;
    bench.memory_returns(async |bench| again(bench, 3).await).await;
}

pub async fn trap_in_the_middle(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    let (reply, whole) = bench.attack("").await;
    assert_eq!((reply.status, whole), (200, false));
    assert!(reply.body.starts_with(b"xxx"), "{} bytes", reply.body.len());
    bench.logged(&[STOPPED], 1).await;
    bench.honest().await;
    bench.memory_returns(async |bench| again(bench, 10).await).await;
}
