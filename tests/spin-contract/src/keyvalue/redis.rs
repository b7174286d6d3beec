//! The store `type = "redis"` of Spin: what the functions of `wasi:keyvalue` become there.

use super::{
    Answer,
    resp::{Connection, Reply},
};
use tokio::sync::Mutex;

/// One connection for the process, opened when it is needed and again when it broke. A command that may have been done is
/// not repeated.
pub struct Redis {
    address: String,
    connection: Mutex<Option<Connection>>,
}

impl Redis {
    /// `redis://host:port`.
    pub fn new(url: &str) -> Result<Redis, String> {
        let address = url.strip_prefix("redis://").map(|rest| rest.trim_end_matches('/'));
        let address = address.filter(|address| !address.is_empty() && !address.contains('/'));
        let address = address.ok_or_else(|| format!("{url:?} is not redis://host:port"))?;
        Ok(Redis { address: address.to_owned(), connection: Mutex::new(None) })
    }

    pub async fn get(&self, key: &str) -> Answer<Option<Vec<u8>>> {
        match self.ask(&[b"GET", key.as_bytes()]).await? {
            Reply::Bulk(value) => Ok(value),
            other => Err(unexpected(&other)),
        }
    }

    pub async fn set(&self, key: &str, value: &[u8]) -> Answer<()> {
        self.ask(&[b"SET", key.as_bytes(), value]).await.map(drop)
    }

    pub async fn delete(&self, key: &str) -> Answer<()> {
        self.ask(&[b"DEL", key.as_bytes()]).await.map(drop)
    }

    /// All of the database, whoever wrote them.
    pub async fn keys(&self) -> Answer<Vec<String>> {
        let Reply::Array(keys) = self.ask(&[b"KEYS", b"*"]).await? else { return Err("KEYS is no list".into()) };
        keys.into_iter()
            .map(|key| match key {
                Reply::Bulk(Some(key)) => String::from_utf8(key).map_err(|_| "a key is no text".into()),
                other => Err(unexpected(&other)),
            })
            .collect()
    }

    /// Counters are numbers in writing. Anything else is an error of this one call.
    pub async fn increment(&self, key: &str, delta: i64) -> Answer<i64> {
        match self.ask(&[b"INCRBY", key.as_bytes(), delta.to_string().as_bytes()]).await? {
            Reply::Integer(sum) => Ok(sum),
            other => Err(unexpected(&other)),
        }
    }

    async fn ask(&self, words: &[&[u8]]) -> Answer<Reply> {
        let mut connection = self.connection.lock().await;
        let mut open = match connection.take() {
            Some(open) => open,
            None => Connection::open(&self.address).await.map_err(|error| error.to_string())?,
        };
        let reply = open.ask(words).await.map_err(|error| error.to_string())?;
        *connection = Some(open);
        match reply {
            Reply::Error(text) => Err(text),
            reply => Ok(reply),
        }
    }
}

fn unexpected(reply: &Reply) -> String {
    format!("an answer of another kind: {reply:?}")
}
