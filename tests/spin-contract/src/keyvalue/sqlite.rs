//! The default store of Spin: one connection behind one lock, for all components of the process.

use crate::BROKEN;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

/// Here in memory; what counts is how it behaves.
#[derive(Default)]
pub struct Sqlite(Mutex<BTreeMap<String, Vec<u8>>>);

impl Sqlite {
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.connection().get(key).cloned()
    }

    pub fn set(&self, key: &str, value: &[u8]) {
        self.connection().insert(key.to_owned(), value.to_vec());
    }

    pub fn delete(&self, key: &str) {
        self.connection().remove(key);
    }

    pub fn keys(&self) -> Vec<String> {
        self.connection().keys().cloned().collect()
    }

    /// A counter is eight bytes. On anything else Spin panics with the lock in its hand, and from then on every use of the
    /// store by anybody panics too, until the process ends.
    pub fn increment(&self, key: &str, delta: i64) -> i64 {
        let mut connection = self.connection();
        let before = match connection.get(key) {
            None => 0,
            Some(value) => match value.as_slice().try_into() {
                Ok(bytes) => i64::from_le_bytes(bytes),
                Err(_) => {
                    eprintln!("{BROKEN} increment on a key that holds something else");
                    panic!("incorrect length");
                }
            },
        };
        let sum = before.wrapping_add(delta);
        connection.insert(key.to_owned(), sum.to_le_bytes().to_vec());
        sum
    }

    fn connection(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.0.lock().unwrap_or_else(|_| {
            eprintln!("{BROKEN} the key-value store is poisoned");
            panic!("the key-value store is poisoned")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn counters_count_and_wrap() {
        let store = Sqlite::default();
        assert_eq!((store.increment("n", 1), store.increment("n", 2)), (1, 3));
        assert_eq!(store.get("n"), Some(3_i64.to_le_bytes().to_vec()));
        store.set("most", &i64::MAX.to_le_bytes());
        assert_eq!(store.increment("most", 1), i64::MIN);
    }

    #[test]
    fn one_wrong_increment_takes_the_whole_store_down() {
        let store = Sqlite::default();
        store.set("text", b"hello");
        let panics = |act: fn(&Sqlite)| catch_unwind(AssertUnwindSafe(|| act(&store))).is_err();
        assert!(!panics(|store| store.set("other", b"x")));
        assert!(panics(|store| {
            store.increment("text", 1);
        }));
        let uses: [fn(&Sqlite); 5] = [
            |store| drop(store.get("other")),
            |store| drop(store.keys()),
            |store| store.set("other", b"x"),
            |store| store.delete("other"),
            |store| {
                store.increment("n", 1);
            },
        ];
        assert!(uses.into_iter().all(panics));
    }
}
