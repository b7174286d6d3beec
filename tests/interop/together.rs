//! Several clients at one server, each with an open question: what one answers never counts for another.

use crate::Case;
use crate::bench::{Bench, Server, TARGETS, Target};
use crate::clients::*;
use crate::driven::Driven;
use crate::steps::{connect, done, refused};
use crate::table::Progress;
use anyhow::{Result, ensure};

const PAIRS: [[Client; 2]; 4] = [[TS_LEGACY, PY_LEGACY], [SDK, RMCP_LEGACY], [TS_MODERN, SDK], [RMCP_MODERN, PY_AUTO]];

const STEPS: &[&str] = &["connect", "one half says yes", "the other half"];

pub fn cases() -> Vec<Case> {
    let pair = |[a, b]: [Client; 2]| {
        let name = format!("{} + {}", a.name, b.name);
        Case::new(name, "http", STEPS, move |progress| crossed(progress, vec![a, b]))
    };
    let mut cases: Vec<Case> = PAIRS.into_iter().map(pair).collect();
    let all = vec![TS_LEGACY, PY_LEGACY, SDK, RMCP_LEGACY, TS_MODERN, PY_AUTO, RMCP_AUTO];
    cases.push(Case::new("seven clients at once", "http", STEPS, |progress| crossed(progress, all)));
    cases
}

async fn crossed(progress: Progress, clients: Vec<Client>) -> Result<()> {
    let bench = Bench::new().await?;
    let server = Server::start(&bench, None).await?;
    let mut driven = Vec::new();
    for client in clients {
        driven.push(connect(client, &bench, Some(&server)).await?);
    }
    progress.done("ok");
    let mut gone = Vec::new();
    for half in [1, 0] {
        round(&bench, &mut driven, &mut gone, half).await?;
        progress.done("ok");
    }
    Ok(())
}

/// All whose target is still there ask. Then they are answered, the last first: yes to one half, no to the other.
async fn round(bench: &Bench, driven: &mut [Driven], gone: &mut Vec<Target>, half: usize) -> Result<()> {
    let open: Vec<usize> = (0..driven.len()).filter(|&i| bench.has(TARGETS[i])).collect();
    ensure!(open.iter().any(|i| i % 2 == half), "nobody of this half asks");
    for &i in &open {
        driven[i].ask(TARGETS[i]).await?;
    }
    bench.gone(gone)?;
    for &i in open.iter().rev() {
        if i % 2 == half {
            done(&driven[i].say_yes().await?)?;
            gone.push(TARGETS[i]);
        } else {
            refused(&driven[i].decline().await?)?;
        }
        bench.gone(gone)?;
    }
    Ok(())
}
