//! `cargo xtask interop`: independent MCP clients and the public conformance suite against the built program.
//!
//! Everything is installed below `target/interop`, from lock files, once. The suite itself is `tests/interop`.

mod node;
mod python;
mod rmcp;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::test::Output;
use crate::toolchain::Toolchain;
use crate::{component, process, setup, workspace};

const SWITCH: &str = "XTASK_INTEROP";

/// The command.
pub(crate) fn run(filter: Option<&str>) -> Result<()> {
    let toolchain = setup::toolchain()?;
    component::build(&toolchain)?;
    let mut output = Output::default();
    let outcome = step(&toolchain, filter, &mut output);
    println!("{}", output.summary());
    outcome
}

/// Installs, runs, and counts.
pub(crate) fn step(toolchain: &Toolchain, filter: Option<&str>, output: &mut Output) -> Result<()> {
    if std::env::var(SWITCH).is_ok_and(|value| value == "off") {
        output.skip(format!("interop: {SWITCH}=off"));
        return Ok(());
    }
    let suite = install(toolchain)
        .with_context(|| format!("the clients of other people could not be installed ({SWITCH}=off leaves them out)"));
    suite.inspect_err(|_| output.fail()).and_then(|clients| clients.run(filter, output))
}

/// What the suite has to be told.
struct Clients {
    environment: [(&'static str, PathBuf); 5],
}

fn install(toolchain: &Toolchain) -> Result<Clients> {
    let component = component::conformance(toolchain)?;
    let node = node::install()?;
    Ok(Clients {
        environment: [
            ("INTEROP_COMPONENT", component),
            ("INTEROP_NODE", node.program),
            ("INTEROP_CLIENTS", node.clients),
            ("INTEROP_PYTHON", python::install()?),
            ("INTEROP_RMCP", rmcp::build()?),
        ],
    })
}

impl Clients {
    fn run(self, filter: Option<&str>, output: &mut Output) -> Result<()> {
        let mut cargo = process::cargo("test");
        cargo.args(["--locked", "--workspace", "--test", "interop", "--"]).args(filter).envs(self.environment);
        eprintln!("interop");
        let (mut child, reader) = process::merged(&mut cargo)?;
        for line in BufReader::new(reader).lines() {
            let line = line?;
            // The table is shown in any case, and cargo's own lines only when something is wrong with them.
            if output.is_running() && !line.trim().is_empty() {
                println!("  {line}");
            }
            output.line(&line);
        }
        let status = child.wait()?;
        if let Some(rest) = output.unfinished(status.success()) {
            println!("{rest}");
        }
        if status.success() { Ok(()) } else { Err(anyhow::anyhow!("interop ({status})")) }
    }
}

/// Where the lock files and the clients are.
fn sources(name: &str) -> PathBuf {
    workspace::root().join("tests").join("interop").join("clients").join(name)
}

/// Where one of them is installed.
fn folder(name: &str) -> PathBuf {
    workspace::target().join("interop").join(name)
}

/// Installs into a folder unless that was done before from the same files.
fn once(folder: &Path, from: &[&Path], install: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut digest = Sha256::new();
    for file in from {
        digest.update(fs::read(file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    let mark = folder.join("installed-from");
    let digest = digest.finalize();
    if fs::read(&mark).is_ok_and(|last| last == digest.as_slice()) {
        return Ok(());
    }
    // Whatever is there belongs to other files, or is half of something.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    install()?;
    Ok(fs::write(&mark, digest)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_is_installed_is_installed_again_only_from_other_files() {
        let folder = std::env::temp_dir().join(format!("xtask-once-{}", std::process::id()));
        let lock = folder.with_extension("lock");
        let installed = Cell::new(0);
        let install = || {
            installed.set(installed.get() + 1);
            Ok(())
        };
        for (text, times) in [("a", 1), ("a", 1), ("b", 2)] {
            fs::write(&lock, text).unwrap();
            once(&folder, &[&lock], install).unwrap();
            assert_eq!(installed.get(), times, "{text}");
        }
        // One that failed is no installation, though the files are the same.
        fs::write(&lock, "c").unwrap();
        assert!(once(&folder, &[&lock], || anyhow::bail!("no network")).is_err());
        once(&folder, &[&lock], install).unwrap();
        assert_eq!(installed.get(), 3);
        fs::remove_dir_all(&folder).unwrap();
        fs::remove_file(&lock).unwrap();
    }
}
