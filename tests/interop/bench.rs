//! A stand-in Audiobookshelf with a server for it.

use crate::PATIENCE;
use anyhow::{Context, Result, bail, ensure};
use standin::{Standin, ids};
use std::{path::Path, process::Stdio};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_audiobookshelf-mcp");

pub struct Bench {
    pub abs: Standin,
}

/// Something that a guarded tool can delete.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub tool: &'static str,
    pub parameter: &'static str,
    pub id: &'static str,
}

const fn playlist(id: &'static str) -> Target {
    Target { tool: "delete_playlist", parameter: "playlist_id", id }
}

const fn collection(id: &'static str) -> Target {
    Target { tool: "delete_collection", parameter: "collection_id", id }
}

/// All that the sample library has.
pub const TARGETS: [Target; 7] = [
    playlist(ids::ROAD_TRIP),
    playlist(ids::EPISODE_QUEUE),
    playlist(ids::HOSTILE_PLAYLIST),
    collection(ids::SEA_AND_SHORE),
    collection(ids::BAKER_STREET_IN_ORDER),
    collection(ids::HOSTILE_COLLECTION),
    collection(ids::ADULTS_ONLY),
];

impl Bench {
    pub async fn new() -> Result<Bench> {
        Ok(Bench { abs: Standin::start().await.context("the stand-in does not start")? })
    }

    pub fn settings(&self) -> [(&'static str, String); 2] {
        [("AUDIOBOOKSHELF_URL", self.abs.url()), ("AUDIOBOOKSHELF_API_KEY", self.abs.key("root"))]
    }

    /// Whether it is still stored.
    pub fn has(&self, target: Target) -> bool {
        let state = self.abs.state();
        state.playlist(target.id).is_some() || state.collection(target.id).is_some()
    }

    /// Exactly these are gone, by exactly one request each, and nothing else was written.
    pub fn gone(&self, gone: &[Target]) -> Result<()> {
        for target in TARGETS {
            let should = gone.iter().any(|one| one.id == target.id);
            ensure!(self.has(target) != should, "{} is {}there", target.id, if should { "still " } else { "not " });
        }
        let requests = self.abs.requests();
        let writes: Vec<&str> = requests.iter().filter(|r| r.method != "GET").map(|r| r.path.as_str()).collect();
        ensure!(writes.len() == gone.len(), "requests that write: {writes:?}");
        Ok(())
    }
}

/// `audiobookshelf-mcp serve`, ended with this value.
pub struct Server {
    pub url: String,
    _child: Child,
}

impl Server {
    pub async fn start(bench: &Bench, component: Option<&Path>) -> Result<Server> {
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--listen", "127.0.0.1:0"]).env_clear().envs(bench.settings()).kill_on_drop(true);
        if let Some(component) = component {
            command.arg("--component").arg(component);
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().context("stderr is piped")?).lines();
        let listening = async {
            let mut said = Vec::new();
            while let Some(line) = lines.next_line().await? {
                if let Some((_, url)) = line.split_once("listening on ") {
                    return Ok(url.to_owned());
                }
                said.push(line);
            }
            bail!("the server ended: {}", said.join("\n"))
        };
        let url = timeout(PATIENCE, listening).await.context("the server does not start")??;
        // Whoever writes to a pipe that nobody reads stops some day.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Server { url, _child: child })
    }
}
