//! Linear memories for instances, of which the test gets a copy when the instance ends.

use std::{
    ptr::{self, NonNull},
    sync::Arc,
    time::Duration,
};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};
use wasmtime::{LinearMemory, MemoryCreator, MemoryType};

/// What instances had in their memories, in the order in which they ended.
pub struct Dumps(UnboundedReceiver<Vec<u8>>);

pub fn watched() -> (Arc<dyn MemoryCreator>, Dumps) {
    let (sender, receiver) = unbounded_channel();
    (Arc::new(Creator(sender)), Dumps(receiver))
}

impl Dumps {
    pub async fn next(&mut self) -> Vec<u8> {
        let dump = timeout(Duration::from_secs(40), self.0.recv()).await.expect("an instance ends in time");
        dump.expect("the memories are watched")
    }
}

struct Creator(UnboundedSender<Vec<u8>>);

// SAFETY: a memory has all that it is asked for: zeroed pages, addresses for as much as was to be reserved, and inaccessible
// ones behind it for the guard.
unsafe impl MemoryCreator for Creator {
    fn new_memory(
        &self,
        _ty: MemoryType,
        minimum: usize,
        maximum: Option<usize>,
        reserved: Option<usize>,
        guard: usize,
    ) -> Result<Box<dyn LinearMemory>, String> {
        let capacity = reserved.or(maximum).unwrap_or(1 << 32).max(minimum);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
        // SAFETY: a new mapping where the system likes; nothing else lies there.
        let base = unsafe { libc::mmap(ptr::null_mut(), capacity + guard, libc::PROT_NONE, flags, -1, 0) };
        let base = (base != libc::MAP_FAILED).then(|| NonNull::new(base.cast())).flatten();
        let base = base.ok_or("the system reserves no addresses")?;
        let mut memory = Memory { base, size: 0, capacity, guard, dumps: self.0.clone() };
        memory.grow_to(minimum).map_err(|error| error.to_string())?;
        Ok(Box::new(memory))
    }
}

struct Memory {
    base: NonNull<u8>,
    size: usize,
    capacity: usize,
    guard: usize,
    dumps: UnboundedSender<Vec<u8>>,
}

// SAFETY: the mapping belongs to this value and to no thread.
unsafe impl Send for Memory {}
// SAFETY: through a shared reference only its bounds are read.
unsafe impl Sync for Memory {}

// SAFETY: the base never moves, and the first `size` bytes can be read and written.
unsafe impl LinearMemory for Memory {
    fn byte_size(&self) -> usize {
        self.size
    }

    fn byte_capacity(&self) -> usize {
        self.capacity
    }

    fn grow_to(&mut self, size: usize) -> wasmtime::Result<()> {
        wasmtime::ensure!(size <= self.capacity, "no more addresses");
        // SAFETY: within the mapping.
        let failed = unsafe { libc::mprotect(self.base.as_ptr().cast(), size, libc::PROT_READ | libc::PROT_WRITE) };
        wasmtime::ensure!(failed == 0, "no more memory");
        self.size = size;
        Ok(())
    }

    fn as_ptr(&self) -> *mut u8 {
        self.base.as_ptr()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: readable up to its size, and the instance that wrote there is gone.
        let bytes = unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.size) };
        // The test may be over.
        let _ = self.dumps.send(bytes.to_vec());
        // SAFETY: the whole mapping, which nothing refers to any longer.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.capacity + self.guard) };
    }
}
