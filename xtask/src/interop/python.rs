//! The Python SDK, in an environment of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{folder, once, sources};
use crate::process;
use crate::toolchain::debian;

/// What `requirements.txt` was made for.
const NEEDED: (u32, u32) = (3, 11);

const PATIENCE: Duration = Duration::from_secs(600);

/// The Python that has it.
pub(super) fn install() -> Result<PathBuf> {
    let folder = folder("python");
    let python = folder.join("bin").join("python");
    let requirements = sources("python").join("requirements.txt");
    once(&folder, &[&requirements], || {
        if version().is_none_or(|version| version < NEEDED) {
            bail!("the Python client needs Python {}.{} or newer as python3: install it", NEEDED.0, NEEDED.1);
        }
        environment(&folder)?;
        eprintln!("pip install");
        let mut pip = process::command(&python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
            "--requirement",
        ]);
        process::bounded(pip.arg(&requirements), PATIENCE).context("pip install")
    })?;
    Ok(python)
}

fn version() -> Option<(u32, u32)> {
    let answer = process::answer(process::command("python3").arg("--version")).ok()?;
    let mut numbers = answer.trim().strip_prefix("Python ")?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Debian keeps half of what this needs in a package of its own.
fn environment(folder: &Path) -> Result<()> {
    let make = || process::bounded(process::command("python3").args(["-m", "venv"]).arg(folder), PATIENCE);
    make().or_else(|_| debian::install_packages(&["python3-venv"]).and_then(|()| make())).context("python3 -m venv")
}
