//! `cargo xtask load`: the load test of the suite at full length, which takes minutes.

use anyhow::{Result, bail};

use crate::{component, process, setup};

const USUAL: &str = "200000";

pub(crate) fn run(requests: Option<&str>) -> Result<()> {
    component::build(&setup::toolchain()?)?;
    let mut cargo = process::cargo("test");
    cargo.env("LOAD_REQUESTS", requests.unwrap_or(USUAL));
    let status = cargo
        .args(["--quiet", "--locked", "--workspace", "--test", "suite", "--", "--nocapture", "load::"])
        .status()?;
    if !status.success() {
        bail!("the load test failed ({status})");
    }
    Ok(())
}
