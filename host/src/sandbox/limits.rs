//! How much one request may take, and what enforces it.
//!
//! | what | how |
//! |---|---|
//! | memory | a store limiter; an instance that wants more traps |
//! | computing | epochs interrupt the machine code every tick; the time spent is summed up |
//! | wall clock | a timer beside the instance: epochs do not reach one that waits in a host call |
//! | instances | a semaphore in front of them |
//! | inbound body | read by the transports, before an instance exists |

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    thread,
    time::{Duration, Instant},
};
use tokio::{sync::Notify, time::sleep};
use wasmtime::{Engine, StoreLimits, StoreLimitsBuilder};

/// How often a running instance is interrupted.
const TICK: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of linear memory. An answer of ABS may take 5 MB, and several times that once parsed.
    pub memory: usize,
    /// Time on a processor.
    pub computing: Duration,
    /// Time altogether, upstream requests included.
    pub wall: Duration,
    /// On top of `wall` once the instance has put a question to a person.
    pub question: Duration,
    /// Instances at a time; those that wait for a person count.
    pub instances: usize,
    /// How long a request waits for one of them.
    pub slot_wait: Duration,
    /// Bytes of an inbound message.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            memory: 128 * 1024 * 1024,
            computing: Duration::from_secs(5),
            wall: Duration::from_secs(60),
            question: Duration::from_secs(300),
            instances: 64,
            slot_wait: Duration::from_secs(10),
            body: 1024 * 1024,
        }
    }
}

impl Limits {
    /// The longest that a request can run.
    pub fn longest(&self) -> Duration {
        self.slot_wait + self.wall + self.question
    }

    pub(super) fn store(&self) -> StoreLimits {
        StoreLimitsBuilder::new()
            .memory_size(self.memory)
            .table_elements(100_000)
            // Else the allocator of the component would see the refusal, and the log would show a bare `unreachable`.
            .trap_on_grow_failure(true)
            .build()
    }
}

/// Completes when an instance has had its time. One that asks a person gets the time for an answer on top, once.
pub(super) async fn deadline(limits: &Limits, asks: &Notify) {
    let wall = sleep(limits.wall);
    tokio::pin!(wall);
    tokio::select! {
        () = &mut wall => return,
        () = asks.notified() => {}
    }
    wall.await;
    sleep(limits.question).await;
}

/// How long an instance has computed. Waiting does not count.
#[derive(Clone, Default)]
pub(super) struct Computing(Arc<AtomicU64>);

impl Computing {
    pub(super) fn exceeds(&self, limit: Duration) -> bool {
        Duration::from_nanos(self.0.load(Ordering::Relaxed)) > limit
    }

    fn add(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Sums up the time that polling a future takes. A future that is polled is an instance that computes: when it waits for
/// something it returns from the poll, and the epochs make it return at least every tick.
pub(super) struct Metered<F> {
    work: Pin<Box<F>>,
    computing: Computing,
}

impl<F: Future> Metered<F> {
    pub(super) fn new(work: F, computing: Computing) -> Self {
        Metered { work: Box::pin(work), computing }
    }
}

impl<F: Future> Future for Metered<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let start = Instant::now();
        let outcome = self.work.as_mut().poll(context);
        self.computing.add(start.elapsed());
        outcome
    }
}

/// Counts the epochs of an engine, as long as there is an instance to interrupt: an idle server does not wake up.
pub(super) struct Ticker(Arc<Running>);

#[derive(Default)]
struct Running {
    instances: Mutex<usize>,
    first: Condvar,
}

pub(super) struct Ticking(Arc<Running>);

impl Ticker {
    pub(super) fn start(engine: &Engine) -> std::io::Result<Ticker> {
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
    pub(super) fn tick(&self) -> Ticking {
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

    #[tokio::test]
    async fn a_question_gets_its_time_once() {
        let (wall, question) = (Duration::from_millis(40), Duration::from_millis(80));
        let limits = Limits { wall, question, ..Limits::default() };
        let start = Instant::now();
        deadline(&limits, &Notify::new()).await;
        assert!(start.elapsed() >= wall && start.elapsed() < wall + question);

        let (start, asks) = (Instant::now(), Notify::new());
        asks.notify_one();
        deadline(&limits, &asks).await;
        assert!(start.elapsed() >= wall + question);
    }

    #[tokio::test]
    async fn waiting_is_not_computing() {
        let computing = Computing::default();
        Metered::new(sleep(Duration::from_millis(50)), computing.clone()).await;
        assert!(!computing.exceeds(Duration::from_millis(25)));
        Metered::new(async { thread::sleep(Duration::from_millis(50)) }, computing.clone()).await;
        assert!(computing.exceeds(Duration::from_millis(25)));
    }
}
