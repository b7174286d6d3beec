//! The program. Everything it does is in the library, so that tests can embed the same host.

use audiobookshelf_mcp::{
    cli,
    environment::{self, Environment},
    settings::Settings,
};
use std::process::ExitCode;

fn main() -> ExitCode {
    // 1. Secrets leave the process environment.
    // SAFETY: this is the first statement of the program; no other thread exists.
    let environment = unsafe { Environment::take() };
    // 2. The command line; exits by itself for --help and for mistakes (2).
    let (command, launch) = cli::parse();
    // 3. Settings are validated, all problems at once.
    let settings = match Settings::validate(&environment, &command) {
        Ok(settings) => settings,
        Err(problems) => return cli::refuse(&command, &problems),
    };
    if !matches!(command, cli::Command::Check { .. }) {
        // `check` has them in its report.
        settings.announce();
    }
    for name in environment::unknown_names() {
        eprintln!("audiobookshelf-mcp: {name} is no setting of this program and is ignored; --help lists the settings");
    }
    // 4. Only now do threads start.
    cli::run(command, settings, &launch)
}
