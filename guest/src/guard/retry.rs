//! 2026-07-28: the call ends with the question; the client asks a person and makes the same call again, with the answer and
//! the state that ties it to the question.

use super::seal::Purpose;
use super::{Answer, Approval, Guard, NotYet, Question, form};
use serde_json::{Value, json};

/// The key of our one input request.
const KEY: &str = "approval";

/// A state that does not open, has expired, was used, or opens onto another target counts as no answer: the likeliest cause
/// is no attack but a gateway that put the server to sleep while the person was reading. So: a fresh question.
pub(super) fn decide(
    guard: &Guard<'_>,
    question: &Question,
    state: Option<&str>,
    responses: Option<&Value>,
) -> Result<Approval, NotYet> {
    let answered = state.and_then(|sealed| {
        let content = guard.sealer.open(Purpose::Question, guard.world.now_ms(), sealed)?;
        let nonce = content.value["n"].as_str()?.to_owned();
        let answer = Answer::read(responses?.get(KEY)?)?;
        (content.value["b"] == question.binding.hex()).then_some((content.expires_ms, nonce, answer))
    });
    match answered {
        None => Err(ask(guard, question)),
        Some((expires, nonce, Answer::Yes)) => match guard.spend(expires, &nonce)? {
            Some(approval) => Ok(approval),
            None => Err(ask(guard, question)),
        },
        Some((expires, nonce, answer)) => {
            // Answered is answered: the same question takes no yes any more. The refusal does not depend on this.
            let _ = guard.spend(expires, &nonce);
            Err(answer.refusal())
        }
    }
}

fn ask(guard: &Guard<'_>, question: &Question) -> NotYet {
    let content = json!({"b": question.binding.hex(), "n": guard.nonce()});
    NotYet::Ask(json!({
        "resultType": "input_required",
        "inputRequests": {KEY: {"method": "elicitation/create", "params": form(question, true)}},
        "requestState": guard.sealer.seal(Purpose::Question, guard.expiry(), content),
    }))
}
