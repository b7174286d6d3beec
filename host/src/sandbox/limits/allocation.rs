//! How much instances allocate: the limit on each, and the most that one of them ever had.

use super::Limits;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use wasmtime::{ResourceLimiter, Result, StoreLimits, StoreLimitsBuilder};

/// Of one instance.
pub(in crate::sandbox) struct Allocation {
    limits: StoreLimits,
    largest: Arc<AtomicUsize>,
}

impl Allocation {
    pub(in crate::sandbox) fn new(limits: &Limits, largest: Arc<AtomicUsize>) -> Self {
        let limits = StoreLimitsBuilder::new()
            .memory_size(limits.memory)
            .table_elements(100_000)
            // Else the allocator of the component would see the refusal, and the log would show a bare `unreachable`.
            .trap_on_grow_failure(true)
            .build();
        Allocation { limits, largest }
    }
}

impl ResourceLimiter for Allocation {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        let granted = self.limits.memory_growing(current, desired, maximum)?;
        if granted {
            self.largest.fetch_max(desired, Ordering::Relaxed);
        }
        Ok(granted)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> Result<()> {
        self.limits.memory_grow_failed(error)
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        self.limits.table_growing(current, desired, maximum)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> Result<()> {
        self.limits.table_grow_failed(error)
    }

    fn instances(&self) -> usize {
        self.limits.instances()
    }

    fn tables(&self) -> usize {
        self.limits.tables()
    }

    fn memories(&self) -> usize {
        self.limits.memories()
    }
}
