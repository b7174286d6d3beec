//! Formatting and lints.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::toolchain::{TARGET, Toolchain};
use crate::{hostile, process};

pub(crate) fn formatting() -> Result<()> {
    require("fmt", "rustfmt", "rustfmt-web")?;
    process::step("formatting", process::cargo("fmt").args(["--all", "--", "--check"])).map(drop)
}

pub(crate) fn workspace() -> Result<()> {
    require("clippy", "clippy", "rust-web-clippy")?;
    clippy("clippy", process::cargo("clippy").args(["--quiet", "--locked", "--workspace", "--all-targets"]))
}

/// The half of the guest that only its own target compiles, and the hostile ones. Where clippy cannot look at it, the
/// compiler's warnings count.
pub(crate) fn guest(toolchain: &Toolchain, compiler_output: &str) -> Result<()> {
    if toolchain.has_clippy() {
        clippy("clippy for the hostile components", hostile::cargo(toolchain, "clippy").args(["--lib", "--examples"]))?;
        // The profile of the build, so that the macros it compiled serve here too.
        return clippy(
            "clippy for the component",
            toolchain.cargo("clippy", "guest", TARGET).args(["--quiet", "--lib", "--profile", "guest"]),
        );
    }
    if compiler_output.lines().any(|line| line.starts_with("warning")) {
        bail!("the component was built with warnings:\n{}", compiler_output.trim_end());
    }
    eprintln!("clippy for the component: not possible with {}; built without warnings", toolchain.version());
    Ok(())
}

fn clippy(name: &str, cargo: &mut Command) -> Result<()> {
    process::step(name, cargo.args(["--", "-D", "warnings"])).map(drop)
}

fn require(subcommand: &str, component: &str, package: &str) -> Result<()> {
    process::answer(process::cargo(subcommand).arg("--version")).map(drop).with_context(|| {
        format!("cargo {subcommand} is not installed: rustup component add {component}, or on Debian apt-get install {package}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_an_error_that_says_what_to_install() {
        let error = require("not-installed", "the-component", "the-package").unwrap_err().to_string();
        assert!(error.contains("rustup component add the-component"), "{error}");
        assert!(error.contains("apt-get install the-package"), "{error}");
    }
}
