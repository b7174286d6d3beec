//! `precompile IN OUT`: compiles a component ahead of time, for any processor of the platform that this is built for.
//!
//! The host embeds the result, so that its start costs milliseconds and not a compilation.

use std::{env, fs, process::ExitCode};
use wasmtime::{Engine, Result};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        eprintln!("usage: precompile IN OUT");
        return ExitCode::from(2);
    };
    match precompile(input, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("precompile: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn precompile(input: &str, output: &str) -> Result<()> {
    let component = fs::read(input)?;
    let mut config = engine::config();
    // Without a name of its own, the platform is this very machine: code with instructions that an older processor does not
    // have would be refused there, and compiled anew at each start.
    config.target(env!("PLATFORM"))?;
    let code = Engine::new(&config)?.precompile_component(&component)?;
    fs::write(output, code)?;
    Ok(())
}
