//! How much instances compute: epochs make them give way, and the processor time between is summed up.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};
use wasmtime::Engine;

/// How often a running instance is interrupted.
const TICK: Duration = Duration::from_millis(10);

/// How long an instance has computed. Waiting does not count.
#[derive(Clone, Default)]
pub(in crate::sandbox) struct Computing(Arc<AtomicU64>);

impl Computing {
    pub(in crate::sandbox) fn exceeds(&self, limit: Duration) -> bool {
        Duration::from_nanos(self.0.load(Ordering::Relaxed)) > limit
    }

    fn add(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Sums up the time that polling a future takes. A future that is polled is an instance that computes: when it waits for
/// something it returns from the poll, and the epochs make it return at least every tick.
pub(in crate::sandbox) struct Metered<F> {
    work: Pin<Box<F>>,
    computing: Computing,
}

impl<F: Future> Metered<F> {
    pub(in crate::sandbox) fn new(work: F, computing: Computing) -> Self {
        Metered { work: Box::pin(work), computing }
    }
}

impl<F: Future> Future for Metered<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let start = processor_time();
        let outcome = self.work.as_mut().poll(context);
        self.computing.add(processor_time().saturating_sub(start));
        outcome
    }
}

/// Of this thread. The time on the wall would count against an instance what other programs compute on a busy machine.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a whole `timespec` that nothing else uses.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } != 0;
    assert!(!failed, "Linux has had this clock since 2.6.12");
    let part = |n: i64| u64::try_from(n).unwrap_or_default();
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// The time on the wall, for want of a better one.
#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Counts the epochs of an engine, as long as there is an instance to interrupt: an idle server does not wake up.
pub(in crate::sandbox) struct Ticker(Arc<Running>);

#[derive(Default)]
struct Running {
    instances: Mutex<usize>,
    first: Condvar,
}

pub(in crate::sandbox) struct Ticking(Arc<Running>);

impl Ticker {
    pub(in crate::sandbox) fn start(engine: &Engine) -> std::io::Result<Ticker> {
        let running = Arc::new(Running::default());
        let ticker = Ticker(running.clone());
        // A weak engine, so that the thread ends with it.
        let engine = engine.weak();
        thread::Builder::new().name("epochs".to_owned()).spawn(move || {
            loop {
                let instances = running.instances.lock().unwrap_or_else(PoisonError::into_inner);
                drop(running.first.wait_while(instances, |n| *n == 0));
                thread::sleep(TICK);
                match engine.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => return,
                }
            }
        })?;
        Ok(ticker)
    }

    /// Ticks until the returned value is dropped.
    pub(in crate::sandbox) fn tick(&self) -> Ticking {
        *self.0.instances.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.first.notify_one();
        Ticking(self.0.clone())
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // Wakes the thread for good, so that it sees the engine go.
        std::mem::forget(self.tick());
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        *self.0.instances.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::sleep;

    #[tokio::test]
    async fn waiting_is_not_computing() {
        let computing = Computing::default();
        Metered::new(sleep(Duration::from_millis(50)), computing.clone()).await;
        assert!(!computing.exceeds(Duration::from_millis(25)));
        let busy = async {
            let start = processor_time();
            while processor_time() < start + Duration::from_millis(50) {}
        };
        Metered::new(busy, computing.clone()).await;
        assert!(computing.exceeds(Duration::from_millis(25)));
    }
}
