//! `cargo xtask test`: what a developer runs before a commit and what CI runs after it.

mod output;

use std::io::{BufRead, BufReader};

use anyhow::{Result, bail};

use crate::toolchain::Toolchain;
use crate::{component, docs, hostile, interop, lints, process, redis, reproducible, setup};
pub(crate) use output::Output;

pub(crate) fn run(filter: Option<&str>) -> Result<()> {
    let toolchain = setup::toolchain()?;
    let mut failures = Vec::new();
    let mut note = |outcome: Result<()>| failures.extend(outcome.err().map(|error| format!("{error:#}")));
    match filter {
        None => checks(&toolchain, &mut note)?,
        Some(_) => component::build(&toolchain).map(drop)?,
    }
    // Without these their tests fail one by one, which says more than one failure here.
    note(hostile::build(&toolchain));
    note(redis::ensure());
    let mut output = Output::default();
    note(tests(filter, &mut output));
    if filter.is_none() {
        note(interop::step(&toolchain, None, &mut output));
    }
    // Last, so that the sum is the last line.
    for failure in &failures {
        println!("failed: {failure}");
    }
    println!("{}", output.summary());
    if !failures.is_empty() {
        bail!("{} of the steps failed", failures.len());
    }
    Ok(())
}

/// Everything that is not a test. One that fails does not keep the others from running, except for the component: the host
/// cannot be built without it.
fn checks(toolchain: &Toolchain, note: &mut impl FnMut(Result<()>)) -> Result<()> {
    note(lints::formatting());
    let built = component::build(toolchain)?;
    note(reproducible::check(toolchain, &built));
    note(component::for_wasip2(toolchain));
    note(lints::workspace());
    note(lints::guest(toolchain, &built.compiler_output));
    note(docs::check());
    Ok(())
}

/// Runs the tests of the whole workspace.
fn tests(filter: Option<&str>, output: &mut Output) -> Result<()> {
    let mut cargo = process::cargo("test");
    cargo.args(["--locked", "--workspace", "--no-fail-fast", "--"]).args(filter);
    eprintln!("tests");
    let (mut child, reader) = process::merged(&mut cargo)?;
    for line in BufReader::new(reader).lines() {
        if let Some(progress) = output.line(&line?) {
            println!("{progress}");
        }
    }
    let status = child.wait()?;
    if let Some(rest) = output.unfinished(status.success()) {
        println!("{rest}");
    }
    if status.success() { Ok(()) } else { Err(anyhow::anyhow!("tests ({status})")) }
}
