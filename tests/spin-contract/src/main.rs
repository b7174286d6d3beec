//! `spin-contract up`: runs a manifest as `spin up` does, with the few of its options that tests need.

use anyhow::{Context, Result, bail};
use spin_contract::{host::App, manifest::Manifest, runtime_config::RuntimeConfig};
use std::{collections::BTreeMap, fs, path::PathBuf, process::ExitCode};
use tokio::net::TcpListener;

const USAGE: &str = "usage: spin-contract up [--from spin.toml] [--listen 127.0.0.1:3000] [--variable name=value|name=@file]… \
[--runtime-config-file file]. Variables also come from SPIN_VARIABLE_<NAME>.";

struct Options {
    manifest: PathBuf,
    listen: String,
    variables: BTreeMap<String, String>,
    runtime_config: Option<PathBuf>,
}

fn options() -> Result<Options> {
    let mut options = Options {
        manifest: "spin.toml".into(),
        listen: "127.0.0.1:3000".into(),
        variables: BTreeMap::new(),
        runtime_config: None,
    };
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() != Some("up") {
        bail!(USAGE);
    }
    while let Some(option) = words.next() {
        let value = words.next().context(USAGE)?;
        match option.as_str() {
            "--from" => options.manifest = value.into(),
            "--listen" => options.listen = value,
            "--runtime-config-file" => options.runtime_config = Some(value.into()),
            "--variable" => {
                let (name, value) = value.split_once('=').context("a variable is name=value")?;
                let value = match value.strip_prefix('@') {
                    // As it is, with the end of its last line.
                    Some(file) => fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?,
                    None => value.to_owned(),
                };
                options.variables.insert(name.to_owned(), value);
            }
            _ => bail!(USAGE),
        }
    }
    Ok(options)
}

async fn up() -> Result<()> {
    let options = options()?;
    let manifest = Manifest::read(&options.manifest)?;
    let given = |name: &str| {
        let environment = || std::env::var(format!("SPIN_VARIABLE_{}", name.to_ascii_uppercase())).ok();
        options.variables.get(name).cloned().or_else(environment)
    };
    let values = manifest.values(given).map_err(anyhow::Error::msg)?;
    let folder = options.manifest.parent().context("the manifest lies in a folder")?;
    let resolved = manifest.resolve(folder, &values).map_err(anyhow::Error::msg)?;
    let runtime = match &options.runtime_config {
        Some(path) => RuntimeConfig::read(path).map_err(anyhow::Error::msg)?,
        None => RuntimeConfig::default(),
    };
    let app = App::load(resolved, runtime.default_store().map_err(anyhow::Error::msg)?)?;
    let listener = TcpListener::bind(&options.listen).await.context("cannot listen")?;
    eprintln!("spin-contract: listening on http://{}", listener.local_addr()?);
    app.serve(listener).await;
    Ok(())
}

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime.map_err(anyhow::Error::from).and_then(|runtime| runtime.block_on(up())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("spin-contract: {error:#}");
            ExitCode::FAILURE
        }
    }
}
