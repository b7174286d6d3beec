//! The guard over the wire: each effect, each way of asking, each answer, and what an attacker tries.
//!
//! What counts is not what the server says but what the stand-in stores and which requests reached it.

mod attacks;
mod crossed;
pub mod effects;
mod flood;
mod names;
mod pushed;
mod real;
pub mod refusals;
mod stale;
pub mod tokens;
mod waiting;
pub mod ways;
mod yes;

use crate::harness::{Client, Host, Http, Question};
use effects::{Effect, Kept};
use serde_json::{Value, json};
use standin::Standin;
use std::{panic::resume_unwind, sync::Arc};
use tokio::task::JoinSet;

/// A stand-in, and what it held at first.
pub struct Bench {
    abs: Arc<Standin>,
    before: Kept,
    /// What the servers show to it.
    key: String,
}

impl Bench {
    pub async fn new() -> Arc<Bench> {
        let abs = Arc::new(Standin::start().await.expect("the stand-in starts"));
        let before = Kept::of(&abs);
        let key = abs.key("root");
        Arc::new(Bench { abs, before, key })
    }

    /// The same stand-in, for servers that do not take each other's approvals. On our own host each process is one; on Spin
    /// all that have the same key are replicas of each other, so it is another key of the same user.
    fn elsewhere(&self) -> Bench {
        let key = match crate::HOST {
            Host::Own => self.key.clone(),
            Host::Spin => self.abs.token("root"),
        };
        Bench { abs: Arc::clone(&self.abs), before: self.before.clone(), key }
    }

    pub fn settings(&self) -> [(&'static str, String); 2] {
        [("AUDIOBOOKSHELF_URL", self.abs.url()), ("AUDIOBOOKSHELF_API_KEY", self.key.clone())]
    }

    /// A server for it, with further settings.
    pub async fn serve(&self, more: &[(&'static str, &str)]) -> Arc<Http> {
        let mut settings = self.settings().to_vec();
        settings.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        Arc::new(Http::with(&settings).await)
    }

    /// Every request so far that could change anything.
    pub fn writes(&self) -> Vec<String> {
        let requests = self.abs.requests();
        let writes = requests.iter().filter(|request| request.method != "GET");
        writes.map(|request| format!("{} {}", request.method, request.path)).collect()
    }

    /// Nothing is changed, and nothing was tried.
    #[track_caller]
    pub fn untouched(&self, what: &str) {
        assert_eq!(self.writes(), [] as [String; 0], "{what}");
        assert!(Kept::of(&self.abs) == self.before, "{what}: changed without a request");
    }

    /// As at first, in data and log.
    pub fn reset(&self) {
        self.abs.reset();
        self.untouched("after a reset");
    }
}

/// The one answer that means yes.
pub fn yes() -> Value {
    json!({"action": "accept", "content": {"decision": "yes"}})
}

pub fn no() -> Value {
    json!({"action": "decline"})
}

/// A JSON-RPC response with the answer to a pushed question.
pub fn response(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

pub async fn together<F, T>(futures: impl IntoIterator<Item = F>) -> Vec<T>
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
    pub async fn ask(&self, client: &Client) -> Question {
        let question = client.call(self.tool, &self.arguments).await.asked();
        self.is_asked_in(question.text());
        question
    }

    #[track_caller]
    pub fn is_asked_in(&self, text: &str) {
        assert!(text.contains("This will "), "{}: {text}", self.tool);
        for part in &self.says {
            assert!(text.contains(part.as_str()), "{} does not say {part}: {text}", self.tool);
        }
    }
}
