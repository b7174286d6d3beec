//! `cargo xtask component`: from the package `guest` to the two files that the host embeds and Spin loads.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use wit_component::ComponentEncoder;

use crate::imports::{self, Interfaces};
use crate::toolchain::{TARGET, Toolchain};
use crate::{process, setup, workspace};

pub(crate) struct Built {
    path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    interfaces: Interfaces,
    /// What the compiler had to say, which clippy may not be able to look at.
    pub(crate) compiler_output: String,
}

pub(crate) fn run() -> Result<()> {
    let toolchain = setup::toolchain()?;
    build(&toolchain)?.report();
    println!("built by {}", toolchain.version());
    for_wasip2(&toolchain)
}

/// Builds, checks and compiles ahead of time.
pub(crate) fn build(toolchain: &Toolchain) -> Result<Built> {
    let built = compile(toolchain)?;
    // Before the file is written: nothing that breaks a promise reaches the host.
    imports::check(&built.interfaces, &imports::allowed()?)?;
    write_if_changed(&built.path, &built.bytes)?;
    precompile(&built.path)?;
    Ok(built)
}

impl Built {
    fn report(&self) {
        println!("{}", self.path.display());
        println!("{} bytes", self.bytes.len());
        println!("SHA-256 {}", hexadecimal(&Sha256::digest(&self.bytes)));
        for import in &self.interfaces.imports {
            println!("import {import}");
        }
    }
}

fn compile(toolchain: &Toolchain) -> Result<Built> {
    let (bytes, compiler_output) = component(toolchain, "guest", &[])?;
    let interfaces = Interfaces::of(&bytes)?;
    Ok(Built { path: workspace::component().join("audiobookshelf_mcp.wasm"), bytes, interfaces, compiler_output })
}

/// The component with the tools of the public conformance suite in place of the product's. Nothing but that suite runs it.
pub(crate) fn conformance(toolchain: &Toolchain) -> Result<PathBuf> {
    let (bytes, compiler_output) = component(toolchain, "conformance", &["--features", "conformance"])?;
    if compiler_output.contains("warning") {
        bail!("the component for the conformance suite was built with warnings:\n{}", compiler_output.trim_end());
    }
    imports::check(&Interfaces::of(&bytes)?, &imports::allowed()?)?;
    let path = workspace::component().join("conformance.wasm");
    write_if_changed(&path, &bytes)?;
    Ok(path)
}

/// The product's component made from the checkout in `root`.
pub(crate) fn elsewhere(toolchain: &Toolchain, root: &Path, output: &Path) -> Result<Vec<u8>> {
    made_in(toolchain, root, output, "guest from another folder", "guest", &[]).map(|(bytes, _)| bytes)
}

/// Builds the guest under one of its profiles. Returns the component, and what the compiler had to say.
fn component(toolchain: &Toolchain, profile: &str, features: &[&str]) -> Result<(Vec<u8>, String)> {
    made_in(toolchain, &workspace::root(), &workspace::guest_target(), profile, profile, features)
}

fn made_in(
    toolchain: &Toolchain,
    root: &Path,
    output: &Path,
    step: &str,
    profile: &str,
    features: &[&str],
) -> Result<(Vec<u8>, String)> {
    let mut cargo = toolchain.cargo_in(root, output, "build", "guest", TARGET);
    cargo.args(["--quiet", "--lib", "--profile", profile]).args(features);
    let compiler_output = process::step(step, &mut cargo)?;
    let module = output.join(TARGET).join(profile).join("guest.wasm");
    let module = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    Ok((encode(&module).context("the guest cannot become a component")?, compiler_output))
}

/// Makes a component of a core module that says in itself what its imports and exports mean.
pub(crate) fn encode(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default().validate(true).module(module)?.encode()
}

/// The host's build watches the files: an unchanged one keeps its time.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Machine code for the host, made by a program that has the host's engine settings.
fn precompile(component: &Path) -> Result<()> {
    // The whole workspace decides on features, here as everywhere: otherwise wasmtime would be compiled twice.
    process::step(
        "engine",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--bin", "precompile"]),
    )?;
    let compiler = workspace::program("precompile");
    let compiled = component.with_extension("cwasm");
    if is_newer(&compiled, component) && is_newer(&compiled, &compiler) {
        return Ok(());
    }
    process::step("ahead-of-time compilation", process::command(compiler).arg(component).arg(&compiled)).map(drop)
}

fn is_newer(path: &Path, than: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    time(path).is_some_and(|path| time(than).is_some_and(|than| path > than))
}

/// A second target that has to keep working for those who have nothing but plain cargo. Tried where it is installed.
pub(crate) fn for_wasip2(toolchain: &Toolchain) -> Result<()> {
    const WASIP2: &str = "wasm32-wasip2";
    if !toolchain.has_target(WASIP2) {
        eprintln!("guest for {WASIP2}: not tried, {} has no standard library for it", toolchain.version());
        return Ok(());
    }
    let mut cargo = toolchain.cargo("build", "guest", WASIP2);
    process::step("guest for wasm32-wasip2", cargo.args(["--quiet", "--lib", "--profile", "guest"]))?;
    let component = workspace::guest_target().join(WASIP2).join("guest").join("guest.wasm");
    let interfaces = Interfaces::of(&fs::read(&component)?)?;
    if !interfaces.handles_http() {
        bail!("guest for {WASIP2} does not export {}", imports::HANDLER);
    }
    Ok(())
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
