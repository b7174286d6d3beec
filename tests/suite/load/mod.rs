//! Many requests of all kinds at once, while a tenth of what they ask of Audiobookshelf fails: every answer is the right one,
//! and what the server holds does not grow.
//!
//! `LOAD_REQUESTS` says how many (some by default; `cargo xtask load` asks for 200 000) and prints what was seen.

mod faulty;
mod mix;
mod process;

use crate::harness::{Era, Http, form};
use faulty::Faulty;
use mix::{Caller, Mix};
use process::Watch;
use standin::Standin;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

const CONNECTIONS: usize = 64;

/// From so many on, memory has settled by the second quarter.
const LONG: usize = 100_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_is_right_and_nothing_grows() {
    let requests: usize = std::env::var("LOAD_REQUESTS").ok().map_or(1_500, |n| n.parse().expect("a number"));
    let abs = Arc::new(Standin::start().await.unwrap());
    let faulty = Faulty::before(&abs.url()).await;
    let settings = [("AUDIOBOOKSHELF_URL", faulty.url.as_str()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))];
    let server = Arc::new(Http::start(&settings).await);
    let mix = Arc::new(Mix::learn(&server).await);
    let done = Arc::new(AtomicUsize::new(0));
    let watch = Watch::start(server.process().id(), requests, Arc::clone(&done));

    let start = Instant::now();
    let mut callers = Vec::new();
    for _ in 0..CONNECTIONS {
        let (mix, done) = (Arc::clone(&mix), Arc::clone(&done));
        let mut caller = Caller::connect(&server).await;
        let client = crate::harness::Client::http(&server, Era::Modern, form()).await;
        let abs = Arc::clone(&abs);
        callers.push(tokio::spawn(async move {
            loop {
                let turn = done.fetch_add(1, Ordering::Relaxed);
                if turn >= requests {
                    return;
                }
                match turn % 500 {
                    // One of them at a time: a bookmark is made, and deleted with a yes.
                    0 => mix::bookmark(&client, turn).await,
                    // A client that leaves before it has its answer.
                    1 | 2 => caller.leave(&mix, turn).await,
                    _ => caller.ask(&mix, turn).await,
                }
                if turn % 10_000 == 0 {
                    abs.clear_requests();
                }
            }
        }));
    }
    for caller in callers {
        caller.await.expect("every answer is right");
    }
    let seconds = start.elapsed().as_secs_f64();
    let seen = watch.end().await;
    println!("{requests} requests, {CONNECTIONS} connections, {:.0} a second; {seen}", requests as f64 / seconds);
    assert!(abs.cause_of_death().is_none(), "{:?}", abs.cause_of_death());
    let log = server.stderr();
    assert!(!log.contains("panicked") && !log.contains("request_stopped"), "{log}");
    seen.assert_flat(if requests >= LONG { 1.10 } else { 1.35 });
}
