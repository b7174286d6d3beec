//! `wasi:config`: the component's own table of variables.

use crate::{manifest::names, surface::bindings::wasi::config::store};
use std::collections::BTreeMap;

/// What one instance sees of it.
pub struct Config<'a>(pub &'a BTreeMap<String, String>);

impl store::Host for Config<'_> {
    /// A name that Spin cannot read is none, and so is a variable of the application that the component does not map.
    async fn get(&mut self, key: String) -> wasmtime::Result<Result<Option<String>, store::Error>> {
        Ok(Ok(self.0.get(&key).filter(|_| names::is_variable(&key)).cloned()))
    }

    /// Secrets included.
    async fn get_all(&mut self) -> wasmtime::Result<Result<Vec<(String, String)>, store::Error>> {
        Ok(Ok(self.0.iter().map(|(key, value)| (key.clone(), value.clone())).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::{store::Host as _, *};

    #[tokio::test]
    async fn looking_up() {
        let values = BTreeMap::from([("api_key".to_owned(), "k".to_owned())]);
        let mut config = Config(&values);
        let mut get = async |key: &str| config.get(key.to_owned()).await.unwrap().unwrap();
        assert_eq!(get("api_key").await.as_deref(), Some("k"));
        for unknown in ["origin", "api-key", "API_KEY", "api_key ", "mcp.url", ""] {
            assert_eq!(get(unknown).await, None, "{unknown}");
        }
        let all = Config(&values).get_all().await.unwrap().unwrap();
        assert_eq!(all, [("api_key".to_owned(), "k".to_owned())], "a secret is no secret here");
    }
}
