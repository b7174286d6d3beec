//! `bench COMPONENT [--json FILE] [--peer COMMAND] [FILTER]`: measures the programs beside it,
//! which `cargo xtask bench` builds.

use anyhow::{Context, Result, bail};
use bench::{Options, Plan};
use std::{env, fs, path::PathBuf};

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let component = PathBuf::from(arguments.next().context("the component is missing")?);
    let programs = env::current_exe()?.parent().context("a program lies in a folder")?.to_owned();
    let mut options = Options { programs, component, plan: Plan::full(), filter: None, peer: None };
    let mut json = None;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = Some(arguments.next().context("--json needs a file")?),
            "--peer" => options.peer = Some(arguments.next().context("--peer needs a command")?),
            filter if !filter.starts_with('-') && options.filter.is_none() => options.filter = Some(argument),
            _ => bail!("not understood: {argument}"),
        }
    }
    let report = bench::run(&options)?;
    print!("{}", report.table());
    if let Some(file) = json {
        fs::write(&file, format!("{:#}\n", report.json())).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(())
}
