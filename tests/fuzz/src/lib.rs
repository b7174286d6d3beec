//! Fuzzing as part of the tests: a property is run on random input until its time is up.
//!
//! Input is made from a sequence of random bytes (`arbitrary`), and the sequence from a seed (`arbtest`), so that a seed
//! stands for one execution. A failure prints the seed and the command that repeats it; so does an execution that does not
//! end. `FUZZ_SECONDS` says how long each property runs; `FUZZ_SEED` runs one seed only.

pub mod json;
pub mod text;

pub use arbitrary::{Result, Unstructured};

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use std::{env, process, sync::Arc, thread};

/// Long enough to find what a change has broken, short enough for every test run.
const DEFAULT_SECONDS: u64 = 2;

/// An execution takes well under a second even on a busy machine.
const HANG: Duration = Duration::from_secs(60);

/// Runs a property until the time is up, or on the one seed of `FUZZ_SEED`. A property that runs out of bytes is given
/// zeros; one that gives up (`Err`) has found nothing.
///
/// # Panics
/// When the property does, after the seed was printed.
pub fn run(mut property: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    let mut once = |seed: u64| {
        let run = arbtest::arbtest(|u| {
            let _ = property(u);
            Ok(())
        });
        run.seed(seed).run();
    };
    if let Some(seed) = number("FUZZ_SEED") {
        return once(seed);
    }
    let budget = Duration::from_secs(number("FUZZ_SECONDS").unwrap_or(DEFAULT_SECONDS));
    let watch = Watch::start();
    let start = Instant::now();
    let (mut executions, mut slowest) = (0_u64, (Duration::ZERO, 0));
    while start.elapsed() < budget {
        let seed = seed();
        let (replay, begin) = (Replay(seed), Instant::now());
        watch.begins(seed);
        once(seed);
        std::mem::forget(replay);
        executions += 1;
        slowest = slowest.max((begin.elapsed(), seed));
    }
    let (time, seed) = (start.elapsed(), slowest.1);
    println!("fuzz: {}: {executions} executions in {time:.1?}, the slowest, {seed:#x}, in {:.1?}", name(), slowest.0);
}

/// `arbtest` reads a seed as the number of random bytes below the state that they come from. Few bytes make simple input.
fn seed() -> u64 {
    let random = RandomState::new().hash_one(());
    let length = (random & 0xFF) + (32 << ((random >> 8) % 9));
    length | (random & 0xFFFF_FFFF_0000_0000) | 1 << 32
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    let number = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    Some(number.unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// The path of the test, by which the harness calls its thread.
fn name() -> String {
    thread::current().name().unwrap_or("?").to_owned()
}

fn replay(name: &str, seed: u64) -> String {
    let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "…".into());
    format!("FUZZ_SEED={seed:#x} cargo test -p {package} {name}")
}

/// Says how to repeat an execution that panics.
struct Replay(u64);

impl Drop for Replay {
    fn drop(&mut self) {
        eprintln!("To repeat this: {}", replay(&name(), self.0));
    }
}

/// Ends the process when an execution does not end. A thread cannot be ended, and a test that waits says nothing.
struct Watch {
    seed: Arc<AtomicU64>,
    _over: Sender<()>,
}

impl Watch {
    fn start() -> Watch {
        let seed = Arc::new(AtomicU64::new(0));
        let (over, is_over) = channel();
        let (watched, name) = (seed.clone(), name());
        thread::spawn(move || {
            let mut known = 0;
            while is_over.recv_timeout(HANG) == Err(RecvTimeoutError::Timeout) {
                let now = watched.load(Ordering::Relaxed);
                if now == known {
                    eprintln!("{name} hangs. To repeat this: {}", replay(&name, now));
                    process::abort();
                }
                known = now;
            }
        });
        Watch { seed, _over: over }
    }

    fn begins(&self, seed: u64) {
        self.seed.store(seed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executions(seed: u64) -> Vec<Vec<u8>> {
        let mut seen = Vec::new();
        arbtest::arbtest(|u| {
            seen.push(u.bytes(u.len())?.to_vec());
            Ok(())
        })
        .seed(seed)
        .run();
        seen
    }

    #[test]
    fn a_seed_stands_for_one_execution() {
        let (one, other) = (seed(), seed());
        assert_eq!(executions(one), executions(one));
        assert_ne!(executions(one), executions(other));
        assert!(!executions(one)[0].is_empty());
    }
}
