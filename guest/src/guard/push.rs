//! 2025-06-18 and 2025-11-25: the question goes out on the call's own stream, and the call waits. The answer comes as another
//! message, over HTTP at another instance, and reaches this one through the store.
//!
//! A minute may pass, and what the question was about may have changed. So a yes is no approval yet: the tool runs again from
//! its start, and the yes counts if it comes to the same question.

use super::{Answer, Granted, Guard, NO_STORE, NotYet, PATIENCE_MS, Question, form, inbox, ledger, refused};
use serde_json::{Value, json};

/// How often the store is looked at.
const POLL_MS: u64 = 100;

/// How often something is sent while nothing happens, so that proxies keep the stream and a closed one is noticed:
/// within the two seconds that our host leaves a call whose client went away, or its question would stay in the store.
const HEARTBEAT_MS: u64 = 1_500;

/// Open questions of one session, so that no client keeps the others from asking.
const MAX_OWN: usize = 8;

pub(super) fn decide(
    guard: &Guard<'_>,
    question: &Question,
    names_mode: bool,
    session: &str,
    request_id: &Value,
) -> NotYet {
    match ask(guard, question, names_mode, session, request_id) {
        Ok((expiry, nonce)) => NotYet::Granted(Granted { binding: question.binding.hex(), expiry, nonce }),
        Err(why) => why,
    }
}

/// Expiry and nonce of a question that was answered with yes.
fn ask(
    guard: &Guard<'_>,
    question: &Question,
    names_mode: bool,
    session: &str,
    request_id: &Value,
) -> Result<(u64, String), NotYet> {
    let Answered { expiry, nonce, result } = elicit(guard, form(question, names_mode), session, request_id)?;
    match Answer::read(&result).unwrap_or(Answer::Unclear) {
        Answer::Yes => Ok((expiry, nonce)),
        answer => Err(answer.refusal()),
    }
}

pub(super) struct Answered {
    expiry: u64,
    nonce: String,
    /// An `ElicitResult`, as the client wrote it.
    pub(super) result: Value,
}

/// Shows a form and waits for what is said to it.
pub(super) fn elicit(guard: &Guard<'_>, form: Value, session: &str, request_id: &Value) -> Result<Answered, NotYet> {
    let no_store = |_| NotYet::Refused(NO_STORE.into());
    ledger::sweep(guard.world).map_err(no_store)?;
    let (expiry, nonce) = (guard.expiry(), guard.nonce());
    let open = inbox::Open { expiry, nonce: &nonce };
    let (all, own) = inbox::count_open(guard.world, session).map_err(no_store)?;
    if all >= guard.max_questions || own >= MAX_OWN {
        return Err(refused("too many questions are waiting for an answer already"));
    }
    inbox::open(guard.world, open, session, request_id).map_err(no_store)?;
    let result = wait(guard, form, open);
    inbox::close(guard.world, open);
    Ok(Answered { expiry, result: result?, nonce })
}

fn wait(guard: &Guard<'_>, form: Value, open: inbox::Open<'_>) -> Result<Value, NotYet> {
    let gone = |_| refused("the client closed the stream before there was an answer");
    let ask = json!({"jsonrpc": "2.0", "id": open.message_id(), "method": "elicitation/create", "params": form});
    guard.world.push(&event(&ask)).map_err(gone)?;
    let mut waited = 0;
    while waited < PATIENCE_MS {
        if let Some(arrived) = inbox::take(guard.world, open) {
            return match arrived {
                inbox::Arrived::Result(result) => {
                    // A client that closed the stream took its question back, whatever it said afterwards.
                    guard.world.push(": answered\n\n").map_err(gone)?;
                    Ok(result)
                }
                inbox::Arrived::Error => Err(refused("the client answered the question with an error")),
                inbox::Arrived::Cancelled => Err(refused("the call was cancelled")),
            };
        }
        guard.world.sleep(POLL_MS);
        waited += POLL_MS;
        if guard.world.config("closing").is_some() {
            return Err(refused("the server is being stopped, and the answer could not get in any more"));
        }
        if waited % HEARTBEAT_MS == 0 {
            guard.world.push(": waiting for a person\n\n").map_err(gone)?;
        }
    }
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": open.message_id(), "reason": "no answer in time"}});
    // Whether anybody still listens changes nothing any more.
    let _ = guard.world.push(&event(&cancel));
    Err(refused("there was no answer within 5 minutes"))
}

fn event(message: &Value) -> String {
    format!("event: message\ndata: {}\n\n", crate::mcp::line(message))
}
