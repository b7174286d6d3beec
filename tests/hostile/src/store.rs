//! The key-value store, by the canonical ABI: two functions do not pay for a generator of bindings, which takes longer to
//! compile than all of the components. `xtask` adds what the imports mean, from `wit/`.

/// `result<T, error>` in memory: whether it is an error, then a handle or the error, which is a tag and a text.
#[repr(C)]
#[derive(Default)]
struct Outcome {
    failed: u8,
    payload: [u32; 3],
}

#[link(wasm_import_module = "wasi:keyvalue/store@0.2.0-draft2")]
unsafe extern "C" {
    #[link_name = "open"]
    fn open(name: *const u8, length: usize, outcome: *mut Outcome);
    #[link_name = "[method]bucket.set"]
    fn set(bucket: u32, key: *const u8, key_length: usize, value: *const u8, length: usize, outcome: *mut Outcome);
}

/// The one bucket there is. Open until the instance ends.
pub struct Bucket(u32);

impl Bucket {
    pub fn open() -> Bucket {
        let mut outcome = Outcome::default();
        // SAFETY: pointer and length are those of one text, and the outcome has the layout that the interface prescribes.
        unsafe { open(b"default".as_ptr(), 7, &raw mut outcome) };
        assert_eq!(outcome.failed, 0, "there is one");
        Bucket(outcome.payload[0])
    }

    /// Whether the store took it.
    pub fn set(&self, key: &str, value: &[u8]) -> bool {
        let mut outcome = Outcome::default();
        // SAFETY: as above, and the handle is one that was given out and not given back.
        unsafe { set(self.0, key.as_ptr(), key.len(), value.as_ptr(), value.len(), &raw mut outcome) };
        outcome.failed == 0
    }
}
