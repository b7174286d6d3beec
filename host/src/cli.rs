//! The command line, as typed. What the settings mean together is decided in [`crate::settings`].

mod limits;

pub use limits::LimitFlags;

use crate::{
    check, demo,
    sandbox::{Limits, Sandbox, component_sha256},
    settings::{Problem, Settings},
    tools, transport,
};
use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::LazyLock,
};

/// An MCP server for Audiobookshelf, in a sandbox that reaches one Audiobookshelf and nothing else.
#[derive(Debug, Parser)]
#[command(name = "audiobookshelf-mcp", version, long_version = VERSION.as_str(), after_help = SETTINGS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    limits: LimitFlags,
    /// Run this component instead of the built-in one; it is compiled at each start
    #[arg(long, global = true, value_name = "FILE")]
    component: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Talk to one MCP client over standard input and output
    Stdio,
    /// Talk to MCP clients over Streamable HTTP, at /mcp
    Serve {
        /// Where to listen. Anything but a loopback address needs AUDIOBOOKSHELF_MCP_TOKEN
        #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8787")]
        listen: SocketAddr,
    },
    /// Try the server against a stand-in Audiobookshelf, without one of your own
    Demo {
        /// Run the scripted session and exit
        #[arg(long)]
        once: bool,
    },
    /// Try the settings: reach Audiobookshelf, say whose key it is and what the server can do with it. Exit code 0 if it works
    Check {
        /// For programs
        #[arg(long)]
        json: bool,
    },
    /// List the tools that these settings offer: name, access, title
    Tools,
}

/// With what is inside, so that it can be compared with what Spin runs.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{}\ncomponent SHA-256 {}", env!("CARGO_PKG_VERSION"), component_sha256()));

const SETTINGS: &str = "\
Settings come from the environment:
  AUDIOBOOKSHELF_URL              https://abs.example.com, http://192.0.2.7:13378 or https://example.com/audiobookshelf
  AUDIOBOOKSHELF_API_KEY          an API key of the account to act as (or AUDIOBOOKSHELF_API_KEY_FILE, a file with it)
  AUDIOBOOKSHELF_READ_ONLY        true: only tools that read, and only requests that read
  AUDIOBOOKSHELF_ALLOW_TOOLS      names, prefix*, or essential, separated by commas: only these
  AUDIOBOOKSHELF_DENY_TOOLS       the same: all but these
  AUDIOBOOKSHELF_MCP_TOKEN        bearer token that clients of `serve` must send (or AUDIOBOOKSHELF_MCP_TOKEN_FILE)
  AUDIOBOOKSHELF_ALLOWED_HOSTS    names under which `serve` is called other than loopback ones, separated by commas
  AUDIOBOOKSHELF_ALLOWED_ORIGINS  web pages that may call it from a browser, such as https://chat.example.com
  AUDIOBOOKSHELF_CA_FILE          a PEM file with certificate authorities to trust besides those of this system
  AUDIOBOOKSHELF_INSECURE_TLS     true: do not check the certificate of Audiobookshelf
  ELICITATION                     false: do not ask the person by dialog before something is removed";

/// What runs the component, whatever the command.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    pub limits: Limits,
    /// In place of the built-in one.
    pub component: Option<PathBuf>,
}

impl Launch {
    pub fn start(&self, settings: &Settings) -> anyhow::Result<Sandbox> {
        match &self.component {
            None => Sandbox::start(settings, self.limits.clone()),
            Some(file) => Sandbox::start_with_component(settings, self.limits.clone(), &read(file)?),
        }
    }
}

/// Exits by itself for --help and for what it does not understand.
pub fn parse() -> (Command, Launch) {
    let Arguments { command, limits, component } = Arguments::parse();
    if let Err(problem) = limits.check() {
        Arguments::command().error(ErrorKind::ArgumentConflict, problem).exit();
    }
    (command, Launch { limits: limits.limits(), component })
}

/// Says why the settings cannot be used.
pub fn refuse(command: &Command, problems: &[Problem]) -> ExitCode {
    if let Command::Check { json: true } = command {
        println!("{}", check::refused(problems));
    } else {
        problems.iter().for_each(|problem| eprintln!("audiobookshelf-mcp: {problem}"));
    }
    ExitCode::FAILURE
}

/// Runs one command to its end.
pub fn run(command: Command, settings: Settings, launch: &Launch) -> ExitCode {
    if let Command::Demo { once } = command {
        return match launch.component {
            None => demo::run(once),
            Some(_) => failed(&anyhow::anyhow!("the demo shows the built-in component, and takes no other")),
        };
    }
    let runtime =
        match tokio::runtime::Builder::new_multi_thread().worker_threads(worker_threads()).enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return failed(&error.into()),
        };
    let outcome = runtime.block_on(async {
        if let Command::Check { json } = command {
            return check::run(&settings, launch, json).await;
        }
        let sandbox = launch.start(&settings)?;
        match command {
            Command::Stdio => transport::stdio::run(sandbox).await?,
            Command::Serve { listen } => transport::http::run(sandbox, listen).await?,
            Command::Tools => tools::run(sandbox).await?,
            Command::Demo { .. } | Command::Check { .. } => {}
        }
        Ok(true)
    });
    // A name lookup that hangs in the C library must not hold up the exit.
    runtime.shutdown_background();
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        // What is wrong was printed.
        Ok(false) => ExitCode::FAILURE,
        Err(error) => failed(&error),
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("cannot read the component {}", file.display()))
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("audiobookshelf-mcp: {error:#}");
    ExitCode::FAILURE
}

/// Requests wait far more than they compute.
fn worker_threads() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<Command, ErrorKind> {
        Arguments::try_parse_from(line.split(' ')).map(|a| a.command).map_err(|e| e.kind())
    }

    #[test]
    fn commands() {
        let listen = |text: &str| Ok(Command::Serve { listen: text.parse().unwrap() });
        assert_eq!(command("x stdio"), Ok(Command::Stdio));
        assert_eq!(command("x serve"), listen("127.0.0.1:8787"));
        assert_eq!(command("x serve --listen [::1]:0"), listen("[::1]:0"));
        assert_eq!(command("x demo --once"), Ok(Command::Demo { once: true }));
        assert_eq!(command("x tools"), Ok(Command::Tools));
        assert_eq!(command("x stdio --component c.wasm"), Ok(Command::Stdio));
        assert_eq!(Arguments::parse_from(["x", "--component", "c", "tools"]).component, Some("c".into()));
        assert!(command("x").is_err() && command("x serve --listen 8787").is_err() && command("x stdio y").is_err());
    }
}
