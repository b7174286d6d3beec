//! `wasi:config` and `wasi:keyvalue` in the versions of Spin 4.0.2, so that one component runs on both hosts.
//!
//! The key-value store is what requests have in common: each runs in an instance of its own. It lives in memory and ends
//! with the process; the component's approvals are sealed with a value that ends with it too.

pub(crate) mod store;

use crate::settings::Config;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use store::{Full, Store};
use tokio::sync::Notify;
use wasmtime::component::{HasData, Resource, ResourceTable};

mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "server",
        imports: { default: trappable },
        require_store_data_send: true,
        with: { "wasi:keyvalue/store.bucket": super::Bucket },
    });
}

pub(crate) use bindings::wasi::{
    config::store as config,
    keyvalue::{atomics, store as keyvalue},
};

/// The one bucket there is. Spin calls it the same.
const BUCKET: &str = "default";

/// A key with this prefix is an open question to a person.
const QUESTION: &str = "ask/";

/// An open bucket. All of them are the same store.
pub struct Bucket;

/// What one instance sees of the state.
pub(crate) struct StateView<'a> {
    pub(crate) table: &'a mut ResourceTable,
    pub(crate) config: &'a Config,
    pub(crate) store: &'a Store,
    /// Told when the instance begins to wait for a person.
    pub(crate) asks: &'a Arc<Notify>,
    /// Whether the server is about to end.
    pub(crate) closing: &'a AtomicBool,
}

pub(crate) struct HasState;

impl HasData for HasState {
    type Data<'a> = StateView<'a>;
}

impl config::Host for StateView<'_> {
    fn get(&mut self, key: String) -> wasmtime::Result<Result<Option<String>, config::Error>> {
        // The one value that changes while an instance runs: one that waits looks for it.
        if key == "closing" && self.closing.load(Ordering::Relaxed) {
            return Ok(Ok(Some("true".to_owned())));
        }
        Ok(Ok(self.config.get(key.as_str()).cloned()))
    }

    fn get_all(&mut self) -> wasmtime::Result<Result<Vec<(String, String)>, config::Error>> {
        Ok(Ok(self.config.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()))
    }
}

impl keyvalue::Host for StateView<'_> {
    fn open(&mut self, identifier: String) -> wasmtime::Result<Result<Resource<Bucket>, keyvalue::Error>> {
        if identifier != BUCKET {
            return Ok(Err(keyvalue::Error::NoSuchStore));
        }
        Ok(Ok(self.table.push(Bucket)?))
    }
}

impl keyvalue::HostBucket for StateView<'_> {
    fn get(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
    ) -> wasmtime::Result<Result<Option<Vec<u8>>, keyvalue::Error>> {
        self.table.get(&bucket)?;
        Ok(Ok(self.store.get(&key)))
    }

    fn set(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), keyvalue::Error>> {
        self.table.get(&bucket)?;
        if key.starts_with(QUESTION) {
            self.asks.notify_one();
        }
        Ok(self.store.set(key, value).map_err(keyvalue::Error::from))
    }

    fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<(), keyvalue::Error>> {
        self.table.get(&bucket)?;
        self.store.delete(&key);
        Ok(Ok(()))
    }

    fn exists(&mut self, bucket: Resource<Bucket>, key: String) -> wasmtime::Result<Result<bool, keyvalue::Error>> {
        self.table.get(&bucket)?;
        Ok(Ok(self.store.get(&key).is_some()))
    }

    fn list_keys(
        &mut self,
        bucket: Resource<Bucket>,
        cursor: Option<String>,
    ) -> wasmtime::Result<Result<keyvalue::KeyResponse, keyvalue::Error>> {
        self.table.get(&bucket)?;
        Ok(match cursor {
            // As on Spin: everything comes at once, and there is nothing to go on from.
            Some(_) => Err(keyvalue::Error::Other("this store has no cursors".to_owned())),
            None => Ok(keyvalue::KeyResponse { keys: self.store.keys(), cursor: None }),
        })
    }

    fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

impl atomics::Host for StateView<'_> {
    fn increment(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        delta: i64,
    ) -> wasmtime::Result<Result<i64, keyvalue::Error>> {
        self.table.get(&bucket)?;
        Ok(match self.store.increment(key, delta) {
            Ok(Some(sum)) => Ok(sum),
            Ok(None) => Err(keyvalue::Error::Other("the key holds something that is not a counter".to_owned())),
            Err(full) => Err(full.into()),
        })
    }
}

impl From<Full> for keyvalue::Error {
    fn from(_: Full) -> Self {
        keyvalue::Error::Other("the key-value store is full".to_owned())
    }
}
