//! The program. Everything it does is in the library, so that tests can embed the same host.

use audiobookshelf_mcp::{
    cli::{self, Command},
    environment::{self, Environment},
    log,
    settings::{self, Settings},
};
use std::process::ExitCode;

fn main() -> ExitCode {
    // 1. Secrets leave the process environment.
    // SAFETY: this is the first statement of the program; no other thread exists.
    let variables = unsafe { Environment::take() };
    // 2. The command line; exits by itself for --help and for mistakes (2).
    let cli::Invocation { command, launch, flags, file, log } = cli::parse();
    log::choose(log);
    if let Some(done) = cli::describe(&command) {
        return done;
    }
    // 3. Settings are validated, all problems at once.
    let gathered = settings::gather(flags, variables, file.as_deref());
    let validated = gathered.and_then(|written| Ok((Settings::validate(&written, &command)?, written)));
    let (settings, written) = match validated {
        Ok(settings) => settings,
        Err(problems) => return cli::refuse(&command, &problems),
    };
    if !matches!(command, Command::Check { .. }) {
        // `check` has them in its report.
        settings.announce();
    }
    environment::unknown_names().iter().for_each(|sentence| log::warning(sentence));
    if let Command::Config { client, http } = &command {
        return cli::configure(*client, http.as_deref(), &written, file.as_deref());
    }
    // 4. Only now do threads start.
    cli::run(command, settings, &launch)
}
