//! The file that `spin up --runtime-config-file` takes. Keys that are not here, Spin refuses.

use crate::keyvalue::{Backend, Redis, Sqlite};
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};
use toml::{Table, Value};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuntimeConfig {
    pub state_dir: Option<String>,
    pub log_dir: Option<String>,
    pub max_instance_memory: Option<Value>,
    #[serde(default, alias = "config_provider")]
    pub variables_provider: Vec<VariablesProvider>,
    #[serde(default)]
    pub key_value_store: BTreeMap<String, KeyValueStore>,
    #[serde(default)]
    pub sqlite_database: BTreeMap<String, Table>,
    pub llm_compute: Option<Table>,
    pub outbound_http: Option<OutboundHttp>,
    pub outbound_networking: Option<OutboundNetworking>,
    #[serde(default)]
    pub client_tls: Vec<ClientTls>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VariablesProvider {
    Static { values: BTreeMap<String, String> },
    Env { prefix: Option<String>, dotenv_path: Option<String> },
    Vault { url: String, token: String, mount: String, prefix: Option<String> },
    AzureKeyVault { vault_url: String },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum KeyValueStore {
    Spin { path: Option<String> },
    Redis { url: String },
    AzureCosmos {},
    AwsDynamo {},
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboundHttp {
    /// Without the key there is no pooling, whatever the documentation says: only without the whole table there is.
    #[serde(default)]
    pub connection_pooling: bool,
    pub max_concurrent_requests: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboundNetworking {
    /// `private`, or networks.
    #[serde(default)]
    pub block_networks: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientTls {
    pub component_ids: Vec<String>,
    /// Without ports, compared as written.
    pub hosts: Vec<String>,
    pub ca_use_platform_roots: Option<bool>,
    pub ca_use_webpki_roots: Option<bool>,
    pub ca_roots_file: Option<String>,
    pub client_cert_file: Option<String>,
    pub client_private_key_file: Option<String>,
}

impl RuntimeConfig {
    pub fn parse(text: &str) -> Result<RuntimeConfig, String> {
        let config: RuntimeConfig = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        for tls in &config.client_tls {
            if tls.component_ids.is_empty() || tls.hosts.is_empty() {
                return Err("client_tls: component_ids and hosts name at least one each".into());
            }
            if tls.client_cert_file.is_some() != tls.client_private_key_file.is_some() {
                return Err("client_tls: client_cert_file and client_private_key_file go together".into());
            }
        }
        Ok(config)
    }

    pub fn read(path: &Path) -> Result<RuntimeConfig, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        RuntimeConfig::parse(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// The store under the label `default`. Of the others than Spin's own and Redis this host knows nothing.
    pub fn default_store(&self) -> Result<Backend, String> {
        match self.key_value_store.get("default") {
            None | Some(KeyValueStore::Spin { .. }) => Ok(Backend::Sqlite(Sqlite::default())),
            Some(KeyValueStore::Redis { url }) => Redis::new(url).map(Backend::Redis),
            Some(other) => Err(format!("no such store here: {other:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_file_may_say() {
        let tls = "[[client_tls]]\ncomponent_ids = [\"a\"]\nhosts = [\"h\"]\n";
        for (text, why) in [
            (String::new(), ""),
            ("[key_value_store.default]\ntype = \"redis\"\nurl = \"redis://r:6379\"".into(), ""),
            ("[outbound_networking]\nblock_networks = [\"private\"]".into(), ""),
            ("[[variables_provider]]\ntype = \"static\"\nvalues = { origin = \"http://h\" }".into(), ""),
            (format!("{tls}ca_roots_file = \"ca.pem\""), ""),
            // There is no way not to check a certificate.
            (format!("{tls}insecure = true"), "unknown field `insecure`"),
            (format!("{tls}client_cert_file = \"c.pem\""), "go together"),
            ("[[client_tls]]\ncomponent_ids = []\nhosts = [\"h\"]".into(), "at least one"),
            ("[key_value_store.default]\ntype = \"memory\"".into(), "unknown variant"),
            ("[outbound_networking]\nblocked_networks = []".into(), "unknown field"),
            ("listen = \"0.0.0.0:80\"".into(), "unknown field"),
        ] {
            let problem = RuntimeConfig::parse(&text).err().unwrap_or_default();
            assert!(problem.contains(why) && problem.is_empty() == why.is_empty(), "{text}: {problem}");
        }
    }
}
