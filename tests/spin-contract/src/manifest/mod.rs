//! `spin.toml`: what Spin takes, and what it makes of it.
//!
//! The rules are those of Spin 4.0.2 for the parts that an HTTP application has. A manifest that breaks one of them does not
//! start; the sentence says what is wrong and where.

pub mod hosts;
pub mod names;
mod routes;
mod rules;
pub mod schema;
pub mod template;

pub use hosts::AllowedHost;
pub use routes::{Match, Routes};

use schema::{Source, Written};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A manifest that keeps all rules.
#[derive(Debug)]
pub struct Manifest(Written);

/// One component with its values, ready to run.
#[derive(Debug)]
pub struct Resolved {
    pub id: String,
    pub source: PathBuf,
    pub routes: Routes,
    /// What `wasi:config` answers: what the component's own table maps, and nothing else.
    pub config: BTreeMap<String, String>,
    /// None where an entry became something that is no host: then every request is denied.
    pub allowed_hosts: Option<Vec<AllowedHost>>,
    pub stores: Vec<String>,
    pub environment: BTreeMap<String, String>,
}

impl Manifest {
    pub fn parse(text: &str) -> Result<Manifest, Vec<String>> {
        let written: Written = toml::from_str(text).map_err(|error| vec![error.message().to_owned()])?;
        let problems = rules::check(&written);
        if problems.is_empty() { Ok(Manifest(written)) } else { Err(problems) }
    }

    pub fn read(path: &Path) -> anyhow::Result<Manifest> {
        let text = std::fs::read_to_string(path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        Manifest::parse(&text).map_err(|problems| anyhow::anyhow!("{}: {}", path.display(), problems.join("; ")))
    }

    pub fn written(&self) -> &Written {
        &self.0
    }

    /// Values of all variables of the application: those that were given, and the defaults.
    pub fn values(&self, given: impl Fn(&str) -> Option<String>) -> Result<BTreeMap<String, String>, String> {
        let value = |(name, variable): (&String, &schema::Variable)| {
            let value = given(name).or_else(|| variable.default.clone());
            value.map(|value| (name.clone(), value)).ok_or_else(|| format!("no value for the required variable {name}"))
        };
        self.0.variables.iter().map(value).collect()
    }

    /// The one component, with these values in it.
    pub fn resolve(&self, folder: &Path, values: &BTreeMap<String, String>) -> Result<Resolved, String> {
        let [(id, component)] = self.0.component.iter().collect::<Vec<_>>()[..] else {
            return Err("this host runs manifests with one component".into());
        };
        let Source::File(source) = &component.source else { return Err("the component's source is no file".into()) };
        let config = component.variables.iter();
        let config: Result<_, String> =
            config.map(|(name, text)| Ok((name.clone(), template::render(text, values)?))).collect();
        let hosts = component.allowed_outbound_hosts.iter();
        let hosts: Result<_, String> =
            hosts.map(|entry| AllowedHost::parse(&template::render(entry, values)?)).collect();
        Ok(Resolved {
            id: id.clone(),
            source: folder.join(source),
            routes: Routes::of(&self.0, id),
            config: config?,
            allowed_hosts: hosts.inspect_err(|why| eprintln!("spin-contract: no request will be let out: {why}")).ok(),
            stores: component.key_value_stores.clone(),
            environment: component.environment.clone(),
        })
    }
}
