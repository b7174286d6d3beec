//! Open questions and their answers, in the store: `ask/<expiry>/<nonce>` while one waits, `answer/<expiry>/<nonce>` once
//! somebody answered.

use crate::world::{StoreError, World};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The name of an open question. Its nonce is unguessable, and still only its own session may answer it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<'a> {
    pub expiry: u64,
    pub nonce: &'a str,
}

impl<'a> Open<'a> {
    /// The JSON-RPC id of the question, by which its answer is found.
    pub(super) fn message_id(self) -> String {
        format!("ask-{}-{}", self.expiry, self.nonce)
    }

    fn from_message_id(id: &'a str) -> Option<Open<'a>> {
        let (expiry, nonce) = id.strip_prefix("ask-")?.split_once('-')?;
        let plain = nonce.len() == 32 && nonce.bytes().all(|b| b.is_ascii_hexdigit());
        let open = Open { expiry: expiry.parse().ok().filter(|_| plain)?, nonce };
        // One way to write it, so that every id but its own is unknown.
        (open.message_id() == id).then_some(open)
    }

    fn key(self, prefix: &str) -> String {
        format!("{prefix}/{}/{}", self.expiry, self.nonce)
    }
}

pub(super) enum Arrived {
    /// An `ElicitResult`, as the client wrote it.
    Result(Value),
    Error,
    Cancelled,
}

/// A session as the store knows it: not the session id itself, which is a capability.
pub fn session_mark(session_id: &str) -> String {
    Sha256::digest(session_id).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How many questions are open, of everybody and of this session.
pub(super) fn count_open(world: &dyn World, session: &str) -> Result<(usize, usize), StoreError> {
    let (mut all, mut own) = (0, 0);
    for key in world.store().keys()?.iter().filter(|key| key.starts_with("ask/")) {
        all += 1;
        let entry = world.store().get(key)?.and_then(|entry| serde_json::from_slice::<Value>(&entry).ok());
        own += usize::from(entry.is_some_and(|entry| entry["session"] == session));
    }
    Ok((all, own))
}

pub(super) fn open(world: &dyn World, open: Open<'_>, session: &str, request_id: &Value) -> Result<(), StoreError> {
    let entry = json!({"session": session, "request": request_id});
    world.store().set(&open.key("ask"), entry.to_string().as_bytes())
}

/// Removes the question and whatever was said to it. Best effort: what stays is swept when it expires.
pub(super) fn close(world: &dyn World, open: Open<'_>) {
    let _ = world.store().delete(&open.key("ask"));
    let _ = world.store().delete(&open.key("answer"));
}

/// What was said, once something was. A store that fails for a moment is asked again.
pub(super) fn take(world: &dyn World, open: Open<'_>) -> Option<Arrived> {
    let answer = world.store().get(&open.key("answer")).ok().flatten()?;
    let answer: Value = serde_json::from_slice(&answer).ok()?;
    Some(match (answer.get("result"), answer.get("cancelled")) {
        (Some(result), _) => Arrived::Result(result.clone()),
        (None, Some(_)) => Arrived::Cancelled,
        (None, None) => Arrived::Error,
    })
}

/// A JSON-RPC response arrived. It counts if the question is open, the session is the one that was asked, and it is the
/// first; anything else is dropped without a word.
pub fn answer(world: &dyn World, session: &str, id: &Value, outcome: &Result<Value, Value>) {
    let Some(open) = id.as_str().and_then(Open::from_message_id) else { return };
    let said = match outcome {
        Ok(result) => json!({"result": result}),
        Err(_) => json!({"error": true}),
    };
    if asked(world, open).is_some_and(|entry| entry["session"] == session) {
        put(world, open, &said);
    }
}

/// `notifications/cancelled` for a call of this session that waits for a person.
pub fn cancel(world: &dyn World, session: &str, request_id: &Value) {
    for key in world.store().keys().unwrap_or_default() {
        let Some((expiry, nonce)) = key.strip_prefix("ask/").and_then(|rest| rest.split_once('/')) else { continue };
        let Ok(expiry) = expiry.parse() else { continue };
        let open = Open { expiry, nonce };
        if asked(world, open).is_some_and(|entry| entry["session"] == session && entry["request"] == *request_id) {
            put(world, open, &json!({"cancelled": true}));
            // It is not open any more, whether the call still runs to see this or ended with its client's wish.
            let _ = world.store().delete(&key);
        }
    }
}

fn asked(world: &dyn World, open: Open<'_>) -> Option<Value> {
    if open.expiry <= world.now_ms() {
        return None;
    }
    serde_json::from_slice(&world.store().get(&open.key("ask")).ok()??).ok()
}

/// First come, first served: two answers at once cannot both count.
fn put(world: &dyn World, open: Open<'_>, said: &Value) {
    if world.store().increment(&open.key("claim")).is_ok_and(|count| count == 1) {
        let _ = world.store().set(&open.key("answer"), said.to_string().as_bytes());
    }
}
