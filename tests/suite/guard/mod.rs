//! The guard over the wire: each effect, each way of asking, each answer, and what an attacker tries.
//!
//! What counts is not what the server says but what the stand-in stores and which requests reached it.

mod attacks;
mod crossed;
mod effects;
mod flood;
mod killed;
mod names;
mod pushed;
mod real;
mod refusals;
mod stale;
mod tokens;
mod waiting;
mod ways;
mod yes;

use crate::harness::{Client, Http, Question, settings_for};
use effects::{Effect, Kept};
use serde_json::{Value, json};
use standin::Standin;
use std::{panic::resume_unwind, sync::Arc};
use tokio::task::JoinSet;

/// A stand-in, and what it held at first.
struct Bench {
    abs: Standin,
    before: Kept,
}

impl Bench {
    async fn new() -> Arc<Bench> {
        let abs = Standin::start().await.expect("the stand-in starts");
        let before = Kept::of(&abs);
        Arc::new(Bench { abs, before })
    }

    /// A server for it, with further settings.
    async fn serve(&self, more: &[(&'static str, &str)]) -> Arc<Http> {
        let mut settings = settings_for(&self.abs, "root").to_vec();
        settings.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        Arc::new(Http::with(&settings).await)
    }

    /// Every request so far that could change anything.
    fn writes(&self) -> Vec<String> {
        let requests = self.abs.requests();
        let writes = requests.iter().filter(|request| request.method != "GET");
        writes.map(|request| format!("{} {}", request.method, request.path)).collect()
    }

    /// Nothing is changed, and nothing was tried.
    #[track_caller]
    fn untouched(&self, what: &str) {
        assert_eq!(self.writes(), [] as [String; 0], "{what}");
        assert!(Kept::of(&self.abs) == self.before, "{what}: changed without a request");
    }

    /// As at first, in data and log.
    fn reset(&self) {
        self.abs.reset();
        self.untouched("after a reset");
    }
}

/// The one answer that means yes.
fn yes() -> Value {
    json!({"action": "accept", "content": {"decision": "yes"}})
}

fn no() -> Value {
    json!({"action": "decline"})
}

/// A JSON-RPC response with the answer to a pushed question.
fn response(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

async fn together<F, T>(futures: impl IntoIterator<Item = F>) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let mut running: JoinSet<T> = futures.into_iter().collect();
    let mut done = Vec::new();
    while let Some(outcome) = running.join_next().await {
        match outcome {
            Ok(value) => done.push(value),
            Err(failed) => resume_unwind(failed.into_panic()),
        }
    }
    done
}

impl Effect {
    /// Makes the call, which must ask and say what it is about.
    async fn ask(&self, client: &Client) -> Question {
        let question = client.call(self.tool, &self.arguments).await.asked();
        self.is_asked_in(question.text());
        question
    }

    #[track_caller]
    fn is_asked_in(&self, text: &str) {
        assert!(text.contains("This will "), "{}: {text}", self.tool);
        for part in &self.says {
            assert!(text.contains(part.as_str()), "{} does not say {part}: {text}", self.tool);
        }
    }
}
