//! The manifest as it is written, version 2. Whatever is not a field here, Spin refuses.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Table, Value};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    pub spin_manifest_version: i64,
    pub application: Application,
    #[serde(default)]
    pub variables: BTreeMap<String, Variable>,
    pub trigger: Triggers,
    pub component: BTreeMap<String, Component>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    pub name: String,
    pub version: Option<String>,
    pub description: Option<String>,
    #[serde(default)]
    pub authors: Vec<String>,
    #[serde(default)]
    pub targets: Vec<Value>,
    #[serde(default)]
    pub trigger: BTreeMap<String, Table>,
    #[serde(default)]
    pub tool: BTreeMap<String, Table>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    pub description: Option<String>,
    #[serde(default)]
    pub required: bool,
    pub default: Option<String>,
    #[serde(default)]
    pub secret: bool,
}

/// Spin has other triggers; this server has no use for them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triggers {
    #[serde(default)]
    pub http: Vec<HttpTrigger>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpTrigger {
    pub route: Route,
    pub component: Option<String>,
    pub static_response: Option<StaticResponse>,
    pub executor: Option<Executor>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Route {
    Public(String),
    Private { private: bool },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaticResponse {
    pub status_code: Option<u16>,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    pub body: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Executor {
    Http,
    Wagi { argv: Option<String>, entrypoint: Option<String> },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    pub source: Source,
    pub description: Option<String>,
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    #[serde(default)]
    pub files: Vec<Value>,
    #[serde(default)]
    pub exclude_files: Vec<String>,
    #[serde(default)]
    pub allowed_outbound_hosts: Vec<String>,
    #[serde(default)]
    pub key_value_stores: Vec<String>,
    #[serde(default)]
    pub sqlite_databases: Vec<String>,
    #[serde(default)]
    pub ai_models: Vec<String>,
    #[serde(default)]
    pub targets: Vec<Value>,
    pub build: Option<Build>,
    #[serde(default)]
    pub tool: BTreeMap<String, Table>,
    #[serde(default)]
    pub dependencies: BTreeMap<String, Value>,
    #[serde(default)]
    pub dependencies_inherit_configuration: bool,
    #[serde(default)]
    pub profile: BTreeMap<String, Profile>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Source {
    File(String),
    Url { url: String, digest: String },
    Registry { registry: Option<String>, package: String, version: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    pub command: Commands,
    pub workdir: Option<String>,
    #[serde(default)]
    pub watch: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Commands {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub source: Option<Source>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    #[serde(default)]
    pub dependencies: BTreeMap<String, Value>,
    pub build: Option<Build>,
}
