//! The packages that a release is made of: whatever the program and the component depend on, each for its own target.

use crate::{read, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

/// The packages that are built into something, and for which target: none for that of the release.
const BUILT: [(&str, Option<&str>); 2] = [("audiobookshelf-mcp", None), ("guest", Some("wasm32-unknown-unknown"))];

#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An expression of SPDX.
    pub(crate) license: Option<String>,
    /// Of its archive in the registry. None of our own.
    pub(crate) sha256: Option<String>,
    /// Where its sources are.
    pub(crate) folder: PathBuf,
    /// Macros, and what these are made of, run in the compiler and are in nothing that is shipped.
    pub(crate) shipped: bool,
    /// Keys of other packages.
    pub(crate) needs: BTreeSet<String>,
}

/// By a key that no two have.
pub(crate) type Packages = BTreeMap<String, Package>;

/// Whose chain of dependencies consists of normal ones: what tests and build scripts need is left out.
pub(crate) fn shipped(target: &str) -> Result<Packages> {
    let sums = checksums()?;
    let mut packages = Packages::new();
    for (name, own) in BUILT {
        let tree = Tree::of(own.unwrap_or(target))?;
        let top = tree.package_named(name)?;
        let inside = tree.reachable(top, false);
        for id in tree.reachable(top, true) {
            let mut package = tree.package(id, &sums)?;
            package.shipped = inside.contains(id);
            if let Some(known) = packages.remove(&package.key()) {
                package.shipped |= known.shipped;
                package.needs.extend(known.needs);
            }
            packages.insert(package.key(), package);
        }
    }
    Ok(packages)
}

impl Package {
    pub(crate) fn key(&self) -> String {
        key(&self.name, &self.version)
    }
}

fn key(name: &str, version: &str) -> String {
    format!("{name}@{version}")
}

/// What cargo says of the workspace, for one target.
struct Tree {
    packages: BTreeMap<String, Value>,
    nodes: BTreeMap<String, Value>,
}

impl Tree {
    fn of(target: &str) -> Result<Tree> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(root()).args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            target,
        ]);
        let output = command.output().context("cannot start cargo")?;
        if !output.status.success() {
            bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim_end());
        }
        let mut all: Value = serde_json::from_slice(&output.stdout)?;
        let by_id = |list: Value| {
            let Value::Array(list) = list else { bail!("cargo metadata has another form") };
            let id = |value: &Value| value["id"].as_str().map(str::to_owned).context("an id");
            list.into_iter().map(|value| Ok((id(&value)?, value))).collect::<Result<BTreeMap<String, Value>>>()
        };
        Ok(Tree { packages: by_id(all["packages"].take())?, nodes: by_id(all["resolve"]["nodes"].take())? })
    }

    /// One of ours.
    fn package_named(&self, name: &str) -> Result<&str> {
        let ours = |package: &Value| package["name"] == name && package["source"].is_null();
        let found = self.packages.iter().find(|(_, package)| ours(package));
        found.map(|(id, _)| id.as_str()).with_context(|| format!("there is no package {name}"))
    }

    fn reachable<'a>(&'a self, top: &'a str, through_macros: bool) -> BTreeSet<&'a str> {
        let (mut found, mut open) = (BTreeSet::new(), vec![top]);
        while let Some(id) = open.pop() {
            if (through_macros || !self.is_macro(id)) && found.insert(id) {
                open.extend(self.needs(id));
            }
        }
        found
    }

    fn needs<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a str> {
        let normal = |edge: &&Value| list(&edge["dep_kinds"]).any(|kind| kind["kind"].is_null());
        self.nodes
            .get(id)
            .into_iter()
            .flat_map(|node| list(&node["deps"]))
            .filter(normal)
            .filter_map(|edge| edge["pkg"].as_str())
    }

    fn is_macro(&self, id: &str) -> bool {
        let targets = self.packages.get(id).into_iter().flat_map(|package| list(&package["targets"]));
        targets.flat_map(|target| list(&target["kind"])).any(|kind| kind == "proc-macro")
    }

    fn package(&self, id: &str, sums: &BTreeMap<String, String>) -> Result<Package> {
        let package = self.packages.get(id).with_context(|| format!("cargo does not know {id}"))?;
        let text = |name: &str| package[name].as_str().map(str::to_owned);
        let (name, version) = (text("name").context("a name")?, text("version").context("a version")?);
        let sha256 = sums.get(&key(&name, &version)).cloned();
        if sha256.is_none() != package["source"].is_null() {
            bail!("Cargo.lock and cargo metadata differ about {name} {version}");
        }
        let manifest = text("manifest_path").context("a manifest")?;
        let needs = self
            .needs(id)
            .filter_map(|id| self.packages.get(id))
            .filter_map(|package| Some(key(package["name"].as_str()?, package["version"].as_str()?)));
        Ok(Package {
            // The older way to write it.
            license: text("license").map(|license| license.replace('/', " OR ")),
            folder: Path::new(&manifest).with_file_name(""),
            shipped: true,
            needs: needs.collect(),
            name,
            version,
            sha256,
        })
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Of the archives in the registry, by name and version.
fn checksums() -> Result<BTreeMap<String, String>> {
    let lock: toml::Table = toml::from_str(&String::from_utf8(read(&root().join("Cargo.lock"))?)?)?;
    let packages = lock.get("package").and_then(toml::Value::as_array).context("Cargo.lock has no packages")?;
    let sum = |package: &toml::Value| {
        let text = |name: &str| package.get(name)?.as_str();
        Some((key(text("name")?, text("version")?), text("checksum")?.to_owned()))
    };
    Ok(packages.iter().filter_map(sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped() {
        let packages = shipped("x86_64-unknown-linux-gnu").unwrap();
        let find = |name: &str| packages.values().find(|package| package.name == name);
        for (name, want, why) in [
            ("audiobookshelf-mcp", Some(true), "the program"),
            ("guest", Some(true), "the component, and the program reads settings with it"),
            ("wasmtime", Some(true), "a direct dependency"),
            ("wit-bindgen", Some(true), "only the component has it"),
            ("serde_derive", Some(false), "a macro"),
            ("quote", Some(false), "macros are made of it"),
            ("rcgen", None, "only tests have it"),
            ("zip", None, "only this package has it"),
            ("windows-sys", None, "another system"),
        ] {
            assert_eq!(find(name).map(|package| package.shipped), want, "{name}: {why}");
        }
        assert!(packages.values().all(|package| package.license.is_some()));
        assert!(packages.values().all(|package| package.folder.is_dir()));
        assert!(packages.values().flat_map(|package| &package.needs).all(|key| packages.contains_key(key)));
    }
}
