//! `cargo xtask setup`: a compiler for the component, by the first of three ways that works.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::toolchain::{Toolchain, debian, installed, rustup};
use crate::workspace;

struct Way {
    number: &'static str,
    what: &'static str,
    try_it: fn() -> Result<Toolchain>,
}

const WAYS: [Way; 3] = [
    Way { number: "1", what: "the active compiler with its own standard library", try_it: installed::find },
    Way { number: "2", what: "the active compiler with a standard library from rustup", try_it: rustup::install },
    Way { number: "3", what: "Debian's compiler with a standard library built here", try_it: debian::install },
];

const ADVICE: &str = "Install one of these: the target wasm32-unknown-unknown for the compiler in use \
    (rustup target add wasm32-unknown-unknown), or on Debian rustc-web cargo-web rust-web-src lld";

/// The command: tries everything anew.
pub(crate) fn run(way: Option<&str>) -> Result<()> {
    let forced = way.map(str::to_owned).or_else(forced_by_environment);
    first_that_works(forced.as_deref(), |line| println!("{line}")).map(drop)
}

/// For the other commands: the same, without asking rustup again after it has failed once.
pub(crate) fn toolchain() -> Result<Toolchain> {
    let forced = forced_by_environment();
    if forced.is_none()
        && note().exists()
        && let Ok(toolchain) = installed::find().or_else(|_| debian::find())
    {
        return Ok(toolchain);
    }
    first_that_works(forced.as_deref(), |line| eprintln!("{line}"))
}

fn first_that_works(forced: Option<&str>, say: impl Fn(String)) -> Result<Toolchain> {
    let ways: Vec<&Way> = WAYS.iter().filter(|way| forced.is_none_or(|number| way.number == number)).collect();
    if ways.is_empty() {
        bail!("there is no way {}: they are 1, 2 and 3", forced.unwrap_or_default());
    }
    for way in ways {
        match (way.try_it)() {
            Ok(toolchain) => {
                say(format!("way {}: {}: {}", way.number, way.what, toolchain.version()));
                if forced.is_none() {
                    remember(way)?;
                }
                return Ok(toolchain);
            }
            Err(reason) => say(format!("way {}: no: {reason:#}", way.number)),
        }
    }
    bail!("no compiler for the component. {ADVICE}");
}

/// Exists when the first two ways failed the last time. Removed by `cargo clean`, rewritten by `cargo xtask setup`.
fn note() -> PathBuf {
    workspace::target().join("rustup-cannot-add-the-target")
}

fn remember(way: &Way) -> Result<()> {
    let note = note();
    if way.number == "3" {
        fs::create_dir_all(workspace::target())?;
        fs::write(&note, "").with_context(|| format!("cannot write {}", note.display()))?;
    } else if note.exists() {
        fs::remove_file(&note)?;
    }
    Ok(())
}

fn forced_by_environment() -> Option<String> {
    std::env::var("XTASK_WAY").ok().filter(|way| !way.is_empty())
}
