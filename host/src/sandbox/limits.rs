//! How much may be taken, and what enforces it.
//!
//! | what | how |
//! |---|---|
//! | memory | a store limiter; an instance that wants more traps |
//! | computing | epochs interrupt the machine code every tick; the time spent is summed up |
//! | wall clock | a timer beside the instance: epochs do not reach one that waits in a host call |
//! | instances | slots in front of them, and a queue of bounded length in front of the slots |
//! | sizes | messages by the transports, before an instance exists; answers of Audiobookshelf by the egress |
//! | upstream time | timers around each request to Audiobookshelf |
//! | open questions | the component counts them, since it alone knows them; the host tells it how many |
//! | state | the key-value store refuses what is beyond its bounds |
//! | connections | `serve` counts them |

mod allocation;
mod computing;
mod slots;

pub(super) use allocation::Allocation;
pub(super) use computing::{Computing, Metered, Ticker};
pub(super) use slots::Slots;

use std::time::Duration;
use tokio::{sync::Notify, time::sleep};

/// Set by flags; `cli::LimitFlags` has the defaults and says why each is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of linear memory of one instance.
    pub memory: usize,
    /// Time of one instance on a processor.
    pub computing: Duration,
    /// Time of one instance altogether, upstream requests included.
    pub wall: Duration,
    /// On top of `wall` once the instance has put a question to a person.
    pub question: Duration,
    /// Instances at a time; those that wait for a person count.
    pub instances: usize,
    /// Requests that wait for one of them.
    pub waiting: usize,
    /// How long they wait.
    pub slot_wait: Duration,
    /// Questions that wait for a person; fewer than `instances`, since their answers need instances too.
    pub questions: usize,
    /// Bytes of an inbound message.
    pub body: usize,
    /// Bytes of an answer of Audiobookshelf.
    pub response: usize,
    /// Keys in the key-value store.
    pub state_keys: usize,
    /// Bytes in the key-value store, keys and values together.
    pub state_bytes: usize,
    /// Connections of clients to `serve`.
    pub connections: usize,
    /// For a request to Audiobookshelf: each phase of it and the whole, body included. Clients give up on a call after a
    /// minute, and a call may need several requests.
    pub upstream: Duration,
}

/// How long a person has to answer, and a little. The component ends its questions after five minutes by itself.
const QUESTION: Duration = Duration::from_secs(300);

impl Default for Limits {
    fn default() -> Self {
        crate::cli::LimitFlags::default().limits()
    }
}

impl Limits {
    pub(crate) const fn question_time() -> Duration {
        QUESTION
    }

    /// The longest that a request can run.
    pub fn longest(&self) -> Duration {
        self.slot_wait + self.wall + self.question
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

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
}
