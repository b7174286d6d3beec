//! Independent MCP clients against the built program, and the public conformance suite against its protocol.
//!
//! Audiobookshelf is the stand-in, and what counts is what it stores and which requests reached it, not what a client says.
//! The clients are programs of other people: `cargo xtask interop` installs them and says where they are (`INTEROP_…`), so
//! this is no part of a plain `cargo test`.
//!
//! It prints a table, a line for each client and transport, a column for each step, and ends with a sum in the words of
//! `cargo test`: each step is one test.

mod bench;
mod clients;
mod conformance;
mod driven;
mod inspector;
mod product;
mod steps;
mod table;
mod together;

use anyhow::{Result, anyhow};
use std::{future::Future, pin::Pin, process::ExitCode, sync::Arc, time::Duration};
use table::{Progress, Row, Table};
use tokio::{sync::Semaphore, time::timeout};

/// Longer than any single step takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Clients at a time: they compute for half a second at their start, and wait most of the rest.
const AT_A_TIME: usize = 4;

/// One line of the table: a name, the steps in their order, and what takes them.
struct Case {
    row: Row,
    run: Box<dyn FnOnce(Progress) -> Running + Send>,
}

type Running = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

impl Case {
    fn new<F>(
        name: impl Into<String>,
        transport: &'static str,
        steps: &'static [&'static str],
        run: impl FnOnce(Progress) -> F + Send + 'static,
    ) -> Case
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Case { row: Row::new(name.into(), transport, steps), run: Box::new(|progress| Box::pin(run(progress))) }
    }

    async fn run(mut self) -> Row {
        let progress = Progress::default();
        let outcome = timeout(PATIENCE * 3, (self.run)(progress.clone())).await;
        let outcome = outcome.unwrap_or_else(|_| Err(anyhow!("it does not come to an end")));
        self.row.finish(progress, outcome);
        self.row
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let filter = std::env::args().nth(1).unwrap_or_default();
    // The longest first.
    let cases = [conformance::cases(), steps::cases(), together::cases(), inspector::cases(), product::cases()];
    let cases: Vec<Case> = cases.into_iter().flatten().filter(|case| case.row.title().contains(&filter)).collect();
    let mut table = Table::of(cases.iter().map(|case| &case.row));

    let slots = Arc::new(Semaphore::new(AT_A_TIME));
    let run = |case: Case| {
        let slots = slots.clone();
        tokio::spawn(async move {
            let _slot = slots.acquire_owned().await;
            case.run().await
        })
    };
    let running: Vec<_> = cases.into_iter().map(run).collect();
    for case in running {
        table.print(case.await.expect("a case reports its failures and does not panic"));
    }
    if table.sum() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Where `cargo xtask interop` put something.
fn installed(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run this with cargo xtask interop"))
}
