//! The command line, as typed. What the settings mean together is decided in [`crate::settings`].

mod flags;
mod help;
mod limits;
mod manual;
mod reference;

pub use limits::LimitFlags;
pub use reference::Page;

use crate::{
    check, demo,
    environment::Environment,
    log,
    recipes::{self, Client},
    sandbox::{Limits, Sandbox, component_sha256},
    settings::{Problem, Settings},
    tools, transport,
};
use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use flags::SettingFlags;
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::LazyLock,
};

/// An MCP server for Audiobookshelf, in a sandbox that reaches one Audiobookshelf and nothing else.
#[derive(Debug, Parser)]
#[command(
    name = "audiobookshelf-mcp",
    version,
    long_version = VERSION.as_str(),
    after_help = help::SHORT,
    after_long_help = help::LONG
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// A file with settings: NAME=value lines, with the names of the environment variables
    #[arg(long, global = true, value_name = "FILE", help_heading = "Settings")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    flags: SettingFlags,
    #[command(flatten)]
    limits: LimitFlags,
    /// How to write what there is to say on standard error
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Running",
        hide_short_help = true
    )]
    log: log::Format,
    /// Run this component instead of the built-in one; it is compiled at each start
    #[arg(long, global = true, value_name = "FILE", help_heading = "Running", hide_short_help = true)]
    component: Option<PathBuf>,
}

impl Arguments {
    fn invocation(self) -> Invocation {
        let Arguments { command, settings, flags, limits, log, component } = self;
        let launch = Launch { limits: limits.limits(), component };
        Invocation { command, launch, flags: flags.environment(), file: settings, log }
    }
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
    /// Print what to put into the configuration of an MCP client, for these settings. Never prints a key
    ///
    /// The snippet goes to standard output, and what to know about it to standard error.
    Config {
        /// The program it is for
        client: Client,
        /// For a client of `serve` at this address, such as http://127.0.0.1:8787/mcp, and not one that starts the program
        #[arg(long, value_name = "URL")]
        http: Option<String>,
    },
    /// Print a script that completes commands and flags
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    Man {
        /// This page of the documentation, as Markdown, and not the manual
        #[arg(long, value_name = "PAGE")]
        page: Option<Page>,
    },
}

/// With what is inside, so that it can be compared with what Spin runs.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{}\ncomponent SHA-256 {}", env!("CARGO_PKG_VERSION"), component_sha256()));

/// The command line, taken apart.
#[derive(Debug)]
pub struct Invocation {
    pub command: Command,
    pub launch: Launch,
    /// Settings given as flags.
    pub flags: Environment,
    /// The settings file.
    pub file: Option<PathBuf>,
    pub log: log::Format,
}

impl Invocation {
    /// `stdio` and nothing else, as clients start this program, some of them twice. To make forty flags for eight commands and to
    /// find none of them given is a tenth of such a start.
    fn plain() -> Invocation {
        let flags = SettingFlags::default().environment();
        Invocation {
            command: Command::Stdio,
            launch: Launch::default(),
            flags,
            file: None,
            log: log::Format::default(),
        }
    }
}

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
pub fn parse() -> Invocation {
    if std::env::args_os().skip(1).eq(["stdio"]) {
        return Invocation::plain();
    }
    // Each start would pay for what only the help needs.
    let asked = std::env::args_os().any(|word| word == "--help" || word == "help");
    let program = Arguments::command();
    let matches = if asked { help::wrapped(program) } else { program }.get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let Err(problem) = arguments.limits.check() {
        Arguments::command().error(ErrorKind::ArgumentConflict, problem).exit();
    }
    arguments.invocation()
}

/// What the program knows about itself, whatever the settings are. None for the other commands.
pub fn describe(command: &Command) -> Option<ExitCode> {
    let mut text = Vec::new();
    // Made only where it is shown: it costs a tenth of a start.
    let whole = || help::wrapped(Arguments::command());
    match command {
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut whole(), whole().get_name(), &mut text);
        }
        Command::Man { page: Some(page) } => text = page.text(&whole()).into_bytes(),
        Command::Man { page: None } => text = manual::page(&whole()).ok()?,
        _ => return None,
    }
    Some(match tools::print(&String::from_utf8_lossy(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    })
}

/// Says why the settings cannot be used.
pub fn refuse(command: &Command, problems: &[Problem]) -> ExitCode {
    if let Command::Check { json: true } = command {
        println!("{}", check::refused(problems));
    } else {
        problems.iter().for_each(|problem| log::error(&problem.to_string()));
    }
    ExitCode::FAILURE
}

/// `config`: prints the snippet.
pub fn configure(client: Client, http: Option<&str>, environment: &Environment, file: Option<&Path>) -> ExitCode {
    let way = match http {
        Some(url) => recipes::Way::http(url, environment),
        None => recipes::Way::of_this_program(environment, file),
    };
    let recipe = way.and_then(|way| client.recipe(&way));
    match recipe {
        Ok(recipe) => {
            eprint!("{}", recipe.advice());
            match tools::print(&recipe.snippet) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => failed(&error),
            }
        }
        Err(why) => failed(&anyhow::anyhow!(why)),
    }
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
            // The others need no sandbox, and do not come here.
            _ => {}
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
    log::error(&format!("{error:#}"));
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

    #[test]
    fn the_shortest_command_line_means_what_it_would_mean_to_the_parser() {
        let parsed = Arguments::parse_from(["x", "stdio"]).invocation();
        assert_eq!(format!("{:?}", Invocation::plain()), format!("{parsed:?}"));
    }

    #[test]
    fn the_parser_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn settings_are_flags_before_and_after_the_command() {
        let flags = |line: &str| Arguments::try_parse_from(line.split(' ')).unwrap().flags.environment();
        for line in ["x --url http://h --read-only stdio", "x stdio --url http://h --read-only"] {
            let flags = flags(line);
            assert_eq!(
                (flags.get("AUDIOBOOKSHELF_URL"), flags.get("AUDIOBOOKSHELF_READ_ONLY")),
                (Some("http://h"), Some("true"))
            );
        }
        assert_eq!(flags("x tools --read-only=false").get("AUDIOBOOKSHELF_READ_ONLY"), Some("false"));
        assert_eq!(flags("x tools --api-key-file k").get("AUDIOBOOKSHELF_API_KEY_FILE"), Some("k"));
        assert_eq!(flags("x tools").get("AUDIOBOOKSHELF_READ_ONLY"), None);
    }
}
