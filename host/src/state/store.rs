//! The key-value store itself: a map with bounds.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The store takes no more. Refusing is safe: what cannot be marked as spent is not done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

pub(crate) struct Store(Mutex<Entries>);

struct Entries {
    map: BTreeMap<String, Vec<u8>>,
    /// Of keys and values together.
    bytes: usize,
    max_keys: usize,
    max_bytes: usize,
}

impl Store {
    pub(crate) fn new(max_keys: usize, max_bytes: usize) -> Store {
        Store(Mutex::new(Entries { map: BTreeMap::new(), bytes: 0, max_keys, max_bytes }))
    }

    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.entries().map.get(key).cloned()
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.entries().map.keys().cloned().collect()
    }

    pub(crate) fn set(&self, key: String, value: Vec<u8>) -> Result<(), Full> {
        self.entries().put(key, value)
    }

    pub(crate) fn delete(&self, key: &str) {
        let mut entries = self.entries();
        if let Some(value) = entries.map.remove(key) {
            entries.bytes -= key.len() + value.len();
        }
    }

    /// The first caller for a key gets `delta`, and no two callers get the same. A counter is eight bytes, little-endian, as
    /// on Spin; `None` where the key holds anything else (where Spin's default store panics) or the sum overflows.
    pub(crate) fn increment(&self, key: String, delta: i64) -> Result<Option<i64>, Full> {
        let mut entries = self.entries();
        let before = match entries.map.get(&key) {
            None => Some(0),
            Some(value) => value.as_slice().try_into().ok().map(i64::from_le_bytes),
        };
        let Some(sum) = before.and_then(|n| n.checked_add(delta)) else { return Ok(None) };
        entries.put(key, sum.to_le_bytes().to_vec())?;
        Ok(Some(sum))
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Nothing panics while it holds the lock, and each change is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn put(&mut self, key: String, value: Vec<u8>) -> Result<(), Full> {
        let before = self.map.get(&key).map(|old| key.len() + old.len());
        let bytes = self.bytes - before.unwrap_or(0) + key.len() + value.len();
        if bytes > self.max_bytes || (before.is_none() && self.map.len() >= self.max_keys) {
            return Err(Full);
        }
        self.bytes = bytes;
        self.map.insert(key, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: usize = 100;
    const BYTES: usize = 10_000;

    fn store() -> Store {
        Store::new(KEYS, BYTES)
    }

    #[test]
    fn counters() {
        let store = store();
        assert_eq!(store.increment("spent/1/a".into(), 1), Ok(Some(1)));
        assert_eq!(store.increment("spent/1/a".into(), 1), Ok(Some(2)));
        store.set("text".into(), b"hello".to_vec()).unwrap();
        assert_eq!(store.increment("text".into(), 1), Ok(None));
        assert_eq!(store.get("text").as_deref(), Some(&b"hello"[..]), "left as it was");
        store.set("most".into(), i64::MAX.to_le_bytes().to_vec()).unwrap();
        assert_eq!(store.increment("most".into(), 1), Ok(None));
    }

    #[test]
    fn only_one_of_many_comes_first() {
        let store = store();
        let firsts = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| store.increment("x".into(), 1) == Ok(Some(1)))).collect();
            threads.into_iter().map(|t| usize::from(t.join().unwrap())).sum::<usize>()
        });
        assert_eq!(firsts, 1);
    }

    #[test]
    fn bounds_hold_and_room_comes_back() {
        let store = store();
        assert_eq!(store.set("big".into(), vec![0; BYTES]), Err(Full));
        store.set("big".into(), vec![0; BYTES - 3]).unwrap();
        assert_eq!(store.set("x".into(), vec![]), Err(Full));
        assert_eq!(store.increment("x".into(), 1), Err(Full));
        store.set("big".into(), vec![]).unwrap();
        assert_eq!(store.entries().bytes, 3);
        store.delete("big");
        store.delete("big");
        assert_eq!(store.entries().bytes, 0);
        for n in 0..KEYS {
            store.set(n.to_string(), vec![]).unwrap();
        }
        assert_eq!(store.set("one more".into(), vec![]), Err(Full));
        store.set("0".into(), b"an old key may change".to_vec()).unwrap();
        assert_eq!(store.keys().len(), KEYS);
    }
}
