//! What is measured, by group.

mod answers;
mod growth;
mod http;
mod instance;
mod memory;
mod peer;
mod sizes;
mod startup;

use crate::{
    Figure, Options,
    program::{Http, Program},
};
use anyhow::{Context, Result};
use std::{path::PathBuf, time::Duration};
use tokio::runtime::{Builder, Runtime};

type Measure = fn(&Bench) -> Result<Vec<Figure>>;

pub(crate) const GROUPS: [(&str, Measure); 8] = [
    ("sizes", sizes::measure),
    ("start", startup::measure),
    ("memory", memory::measure),
    ("instance", instance::measure),
    ("http", http::measure),
    ("answers", answers::measure),
    ("growth", growth::measure),
    ("peer", peer::measure),
];

/// How often, how long, how much.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Starts of each program.
    pub starts: usize,
    /// Calls after which memory is looked at.
    pub calls: usize,
    /// Turns of each side under load.
    pub turns: usize,
    /// One of them.
    pub turn: Duration,
    pub pings: usize,
    /// Calls for each size of an answer; of the largest a tenth.
    pub answers: usize,
    /// Bytes of the largest answer.
    pub largest: usize,
    /// Books in libraries.
    pub libraries: Vec<usize>,
    /// Books in collections.
    pub collections: Vec<usize>,
}

impl Plan {
    pub fn full() -> Plan {
        Plan {
            starts: 41,
            calls: 1000,
            turns: 6,
            turn: Duration::from_millis(1500),
            pings: 5000,
            answers: 300,
            largest: 4_900_000,
            libraries: vec![100, 1_000, 10_000, 100_000],
            collections: vec![10, 100, 1_000, 5_000],
        }
    }

    /// Everything once: whether it can be measured, not how much it is.
    pub fn tiny() -> Plan {
        Plan {
            starts: 1,
            calls: 2,
            turns: 1,
            turn: Duration::ZERO,
            pings: 2,
            answers: 1,
            largest: 100_000,
            libraries: vec![10, 20],
            collections: vec![2, 3],
        }
    }
}

/// What the measurements share.
pub(crate) struct Bench {
    plan: Plan,
    programs: PathBuf,
    component: PathBuf,
    peer: Option<Vec<String>>,
    runtime: Runtime,
    standin: standin::Standin,
}

impl Bench {
    pub(crate) fn start(options: &Options) -> Result<Bench> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let standin = runtime.block_on(standin::Standin::start())?;
        let peer = options.peer.as_ref().map(|command| command.split_whitespace().map(str::to_owned).collect());
        Ok(Bench {
            plan: options.plan.clone(),
            programs: options.programs.clone(),
            component: options.component.clone(),
            peer,
            runtime,
            standin,
        })
    }

    fn path(&self, program: &str) -> Result<PathBuf> {
        let path = self.programs.join(program).with_extension(std::env::consts::EXE_EXTENSION);
        path.is_file().then_some(path).with_context(|| format!("{program} is not in {}", self.programs.display()))
    }

    /// One of the programs, with the settings of our server for the stand-in.
    fn program(&self, name: &str, arguments: &[&str]) -> Result<Program> {
        let mut words = vec![self.path(name)?.display().to_string()];
        words.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        Ok(Program { name: name.to_owned(), words, environment: self.settings() })
    }

    fn ours(&self, arguments: &[&str]) -> Result<Program> {
        self.program("audiobookshelf-mcp", arguments)
    }

    fn served(&self) -> Result<Http> {
        Http::start(&self.ours(&["serve", "--listen", "127.0.0.1:0"])?)
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![("AUDIOBOOKSHELF_URL", self.standin.url()), ("AUDIOBOOKSHELF_API_KEY", self.standin.key("root"))]
    }
}
