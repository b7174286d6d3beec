//! A host process for a component that is not the server's. The program has no way to run one, and should not; so the suite
//! starts itself, with one test that then serves instead of testing.

use super::{bench::Bench, fixtures::Fixture};
use crate::harness::Secret;
use audiobookshelf_mcp::{
    cli::Command as Mode,
    environment::Environment,
    sandbox::{Limits, Sandbox},
    settings::Settings,
    transport::http::serve,
};
use std::time::Duration;
use tokio::{net::TcpListener, process::Command};

const COMPONENT: &str = "SUITE_COMPONENT";
const LIMITS: &str = "SUITE_LIMITS";
const THIS: &str = concat!(module_path!(), "::a_process_of_its_own");

/// Those that tests shorten.
#[derive(Clone, Copy)]
pub struct Short {
    pub memory: usize,
    pub computing: Duration,
    pub wall: Duration,
}

impl Default for Short {
    fn default() -> Self {
        Short { memory: 32 << 20, computing: Duration::from_secs(5), wall: Duration::from_secs(10) }
    }
}

impl Short {
    fn limits(self) -> Limits {
        Limits { memory: self.memory, computing: self.computing, wall: self.wall, ..Limits::default() }
    }

    fn to_text(self) -> String {
        format!("{} {} {}", self.memory, self.computing.as_millis(), self.wall.as_millis())
    }

    fn of_text(text: &str) -> Short {
        let [memory, computing, wall] = text.split(' ').map(|n| n.parse().expect("a number")).collect::<Vec<u64>>()[..]
        else {
            panic!("three numbers: {text}")
        };
        let ms = Duration::from_millis;
        Short { memory: usize::try_from(memory).unwrap(), computing: ms(computing), wall: ms(wall) }
    }
}

/// The command that runs a component, and says on stderr where it listens.
pub fn command(fixture: Fixture, settings: &[(&str, &str)], limits: Short) -> (Command, Secret) {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    // The first part of the path is the name of the program.
    let test = THIS.split_once("::").expect("a path").1;
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env_clear().envs(settings.iter().copied());
    command.env(COMPONENT, fixture.path()).env(LIMITS, limits.to_text());
    (command, Secret::of(settings))
}

pub fn settings(pairs: &[(&'static str, &str)]) -> Settings {
    Settings::validate(&Environment::of(pairs), &Mode::Stdio).expect("valid settings")
}

/// Started by itself it tests that it can be started; started by [`command`] it serves until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_of_its_own() {
    let Ok(component) = std::env::var(COMPONENT) else {
        let bench = Bench::start(Fixture::any(), &[], Short::default()).await;
        bench.honest().await;
        assert_ne!(bench.server.process().id(), std::process::id());
        return;
    };
    let names =
        ["AUDIOBOOKSHELF_URL", "AUDIOBOOKSHELF_API_KEY", "AUDIOBOOKSHELF_READ_ONLY", "AUDIOBOOKSHELF_INSECURE_TLS"];
    let set: Vec<_> = names.into_iter().filter_map(|name| Some((name, std::env::var(name).ok()?))).collect();
    let set: Vec<_> = set.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let limits = Short::of_text(&std::env::var(LIMITS).expect("set beside it")).limits();
    let wasm = std::fs::read(component).expect("the component is there");
    let sandbox = Sandbox::start_with_component(&settings(&set), limits, &wasm).expect("it fits into the sandbox");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    eprintln!("listening on http://{}/mcp", listener.local_addr().unwrap());
    serve(sandbox, listener).await;
}
