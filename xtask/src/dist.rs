//! `cargo xtask dist`: the files of a release. The package `packaging` makes them, and reads them again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{component, process, setup, workspace};

struct Options<'a> {
    folder: PathBuf,
    repository: Option<&'a str>,
}

pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let Options { folder, repository } = options(arguments)?;
    clear(&folder)?;
    component::build(&setup::toolchain()?)?;
    // One command for all, as the bench has it: wasmtime is compiled with the same features, and once.
    process::step(
        "optimised program, which takes minutes the first time",
        process::cargo("build").args(["--quiet", "--locked", "--release", "--bins", "--package", "audiobookshelf-mcp"]),
    )?;
    process::step(
        "packaging",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--bin", "packaging"]),
    )?;
    let mut packaging = process::command(workspace::program("packaging"));
    packaging.arg(workspace::target().join("release").join("audiobookshelf-mcp"));
    packaging.arg(workspace::component().join("audiobookshelf_mcp.wasm"));
    packaging.arg(host()?).arg(&folder).args(repository);
    print!("{}", process::step("release", &mut packaging)?);
    Ok(())
}

/// The usual folder is ours to empty. Another may hold what somebody wants to keep; better to say so before minutes of compiling.
fn clear(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    if folder == usual() {
        return fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()));
    }
    if fs::read_dir(folder)?.next().is_some() {
        bail!("{} is not empty, and what is in it could be taken for a part of the release", folder.display());
    }
    Ok(())
}

fn usual() -> PathBuf {
    workspace::target().join("dist")
}

fn options<'a>(arguments: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options { folder: usual(), repository: None };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} wants a value"))?;
        match *word {
            // Of where the command is given, and not of the repository.
            "--out" => options.folder = std::path::absolute(Path::new(value))?,
            "--repository" => options.repository = Some(value),
            _ => bail!("dist takes --out DIR and --repository URL, and not {word}"),
        }
    }
    Ok(options)
}

/// The target that cargo builds for when nobody names one.
fn host() -> Result<String> {
    let version = process::answer(process::command("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say its host")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let given = options(&["--repository", "https://github.com/o/n", "--out", "/tmp/x"]).unwrap();
        assert_eq!((given.folder, given.repository), ("/tmp/x".into(), Some("https://github.com/o/n")));
        assert!(options(&[]).unwrap().folder.ends_with("dist"));
        assert!(clear(&workspace::root()).is_err() && workspace::root().join("Cargo.toml").exists());
        assert!(options(&["--out"]).is_err() && options(&["folder", "x"]).is_err());
    }
}
