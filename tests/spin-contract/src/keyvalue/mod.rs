//! `wasi:keyvalue`, over one of the stores that Spin has.
//!
//! `atomics` has `cas` and `swap` in Spin as well. They are left out on purpose: on the default store they do not protect
//! the creation of a key, so that a component which imports them is not to be trusted with approvals, and does not load here.

mod redis;
mod resp;
mod sqlite;

pub use redis::Redis;
pub use sqlite::Sqlite;

use crate::{BROKEN, surface::bindings::wasi::keyvalue};
use keyvalue::store::{Error, KeyResponse};
use wasmtime::component::{Resource, ResourceTable};

/// An open store. All that are open under a label are the same.
pub struct Bucket;

/// What stands behind the label `default`.
pub enum Backend {
    Sqlite(Sqlite),
    Redis(Redis),
}

/// Answers of a backend: what went wrong, in its words.
type Answer<T> = Result<T, String>;

impl Backend {
    async fn get(&self, key: &str) -> Answer<Option<Vec<u8>>> {
        match self {
            Backend::Sqlite(store) => Ok(store.get(key)),
            Backend::Redis(store) => store.get(key).await,
        }
    }

    async fn set(&self, key: &str, value: &[u8]) -> Answer<()> {
        match self {
            Backend::Sqlite(store) => {
                store.set(key, value);
                Ok(())
            }
            Backend::Redis(store) => store.set(key, value).await,
        }
    }

    async fn delete(&self, key: &str) -> Answer<()> {
        match self {
            Backend::Sqlite(store) => {
                store.delete(key);
                Ok(())
            }
            Backend::Redis(store) => store.delete(key).await,
        }
    }

    async fn keys(&self) -> Answer<Vec<String>> {
        match self {
            Backend::Sqlite(store) => Ok(store.keys()),
            Backend::Redis(store) => store.keys().await,
        }
    }

    async fn increment(&self, key: &str, delta: i64) -> Answer<i64> {
        match self {
            Backend::Sqlite(store) => Ok(store.increment(key, delta)),
            Backend::Redis(store) => store.increment(key, delta).await,
        }
    }
}

/// What one instance sees of it.
pub struct KeyValue<'a> {
    pub table: &'a mut ResourceTable,
    /// Labels that the component's manifest names.
    pub labels: &'a [String],
    pub backend: &'a Backend,
}

fn answer<T>(answer: Answer<T>) -> wasmtime::Result<Result<T, Error>> {
    Ok(answer.map_err(Error::Other))
}

impl keyvalue::store::Host for KeyValue<'_> {
    async fn open(&mut self, label: String) -> wasmtime::Result<Result<Resource<Bucket>, Error>> {
        if !self.labels.contains(&label) {
            return Ok(Err(Error::AccessDenied));
        }
        if label != "default" {
            return Ok(Err(Error::NoSuchStore));
        }
        Ok(Ok(self.table.push(Bucket)?))
    }
}

impl keyvalue::store::HostBucket for KeyValue<'_> {
    async fn get(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        self.table.get(&bucket)?;
        answer(self.backend.get(&key).await)
    }

    async fn set(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), Error>> {
        self.table.get(&bucket)?;
        answer(self.backend.set(&key, &value).await)
    }

    async fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<(), Error>> {
        self.table.get(&bucket)?;
        answer(self.backend.delete(&key).await)
    }

    async fn exists(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<bool, Error>> {
        self.table.get(&bucket)?;
        answer(self.backend.get(&key).await.map(|value| value.is_some()))
    }

    /// Everything at once; there is nothing to go on from.
    async fn list_keys(
        &mut self,
        bucket: Resource<Bucket>,
        cursor: Option<String>,
    ) -> wasmtime::Result<Result<KeyResponse, Error>> {
        self.table.get(&bucket)?;
        if cursor.is_some() {
            eprintln!("{BROKEN} list-keys with a cursor, which Spin refuses");
            return Ok(Err(Error::Other("list-keys takes no cursor".to_owned())));
        }
        answer(self.backend.keys().await.map(|keys| KeyResponse { keys, cursor: None }))
    }

    async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

impl keyvalue::atomics::Host for KeyValue<'_> {
    async fn increment(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        delta: i64,
    ) -> wasmtime::Result<Result<i64, Error>> {
        self.table.get(&bucket)?;
        answer(self.backend.increment(&key, delta).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyvalue::store::{Host as _, HostBucket as _};

    #[tokio::test]
    async fn only_named_stores_open() {
        let backend = Backend::Sqlite(Sqlite::default());
        let mut table = ResourceTable::new();
        let open = async |table: &mut ResourceTable, labels: &[String], label: &str| {
            KeyValue { table, labels, backend: &backend }.open(label.to_owned()).await.unwrap().map(drop)
        };
        let default = ["default".to_owned()];
        assert!(open(&mut table, &default, "default").await.is_ok());
        assert!(matches!(open(&mut table, &default, "other").await, Err(Error::AccessDenied)));
        assert!(matches!(open(&mut table, &[], "default").await, Err(Error::AccessDenied)));
        assert!(matches!(open(&mut table, &["other".to_owned()], "other").await, Err(Error::NoSuchStore)));
    }

    #[tokio::test]
    async fn keys_come_at_once_and_without_a_cursor() {
        let backend = Backend::Sqlite(Sqlite::default());
        let (mut table, labels) = (ResourceTable::new(), ["default".to_owned()]);
        let mut store = KeyValue { table: &mut table, labels: &labels, backend: &backend };
        let bucket = store.open("default".to_owned()).await.unwrap().unwrap().rep();
        let bucket = || Resource::new_borrow(bucket);
        for n in 0..1000 {
            store.set(bucket(), n.to_string(), vec![]).await.unwrap().unwrap();
        }
        let all = store.list_keys(bucket(), None).await.unwrap().unwrap();
        assert_eq!((all.keys.len(), all.cursor), (1000, None));
        assert!(store.list_keys(bucket(), Some("1".to_owned())).await.unwrap().is_err());
    }
}
