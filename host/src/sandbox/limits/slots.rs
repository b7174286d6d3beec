//! Room for instances, and a queue in front of it. Both are bounded: what finds no place is refused while it still knows what
//! to do about it, instead of waiting behind more than can ever be served.

use super::Limits;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

pub(in crate::sandbox) struct Slots {
    running: Arc<Semaphore>,
    waiting: Semaphore,
    longest: Duration,
}

impl Slots {
    pub(in crate::sandbox) fn new(limits: &Limits) -> Slots {
        Slots {
            running: Arc::new(Semaphore::new(limits.instances)),
            waiting: Semaphore::new(limits.waiting),
            longest: limits.slot_wait,
        }
    }

    /// A slot, at once or in turn. `None` when the queue is full or the wait was too long.
    pub(in crate::sandbox) async fn take(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(slot) = self.running.clone().try_acquire_owned() {
            return Some(slot);
        }
        let _place = self.waiting.try_acquire().ok()?;
        timeout(self.longest, self.running.clone().acquire_owned()).await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_runs_one_waits_and_the_next_is_told_at_once() {
        let limits = Limits { instances: 1, waiting: 1, slot_wait: Duration::from_secs(30), ..Limits::default() };
        let slots = Arc::new(Slots::new(&limits));
        let first = slots.take().await.unwrap();
        let second = tokio::spawn({
            let slots = slots.clone();
            async move { slots.take().await.is_some() }
        });
        while slots.waiting.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(timeout(Duration::from_secs(5), slots.take()).await.unwrap().is_none(), "the queue is full");
        drop(first);
        assert!(second.await.unwrap());
        assert!(slots.take().await.is_some(), "all places are free again");
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_said() {
        let limits = Limits { instances: 1, waiting: 1, slot_wait: Duration::from_millis(20), ..Limits::default() };
        let slots = Slots::new(&limits);
        let _first = slots.take().await.unwrap();
        assert!(slots.take().await.is_none());
    }
}
