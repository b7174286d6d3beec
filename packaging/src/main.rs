//! `packaging PROGRAM COMPONENT TARGET FOLDER [REPOSITORY]`, for `cargo xtask dist`: makes a release, and reads it
//! again.

use anyhow::{Result, bail};
use packaging::{Release, check};
use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<String>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let [program, component, target, folder, rest @ ..] = arguments else {
        bail!("usage: packaging PROGRAM COMPONENT TARGET FOLDER [REPOSITORY]");
    };
    let repository = rest.first().map(String::as_str);
    let release =
        Release { program: Path::new(program), component: Path::new(component), target, repository, compression: 9 };
    let folder = Path::new(folder);
    for name in release.write(folder)? {
        println!("{}", folder.join(name).display());
    }
    check::release(folder)
}
