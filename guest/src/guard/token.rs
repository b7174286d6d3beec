//! The two-call token, for clients that cannot be asked and operators who switched the dialog off.

use super::seal::Purpose;
use super::{Approval, Guard, NotYet, Question};
use serde_json::json;

/// Who is the reason that nobody is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    Client,
    Operator,
}

pub(super) fn decide(
    guard: &Guard<'_>,
    question: &Question,
    given: Option<&str>,
    reason: Reason,
) -> Result<Approval, NotYet> {
    let opened = given.and_then(|sealed| {
        let content = guard.sealer.open(Purpose::Token, guard.world.now_ms(), sealed)?;
        let nonce = content.value["n"].as_str()?.to_owned();
        (content.value["b"] == question.binding.hex()).then_some((content.expires_ms, nonce))
    });
    if let Some((expires, nonce)) = opened
        && let Some(approval) = guard.spend(expires, &nonce)?
    {
        return Ok(approval);
    }
    Err(NotYet::Refused(text(guard, question, given.is_some(), reason)))
}

fn text(guard: &Guard<'_>, question: &Question, retried: bool, reason: Reason) -> String {
    let content = json!({"b": question.binding.hex(), "n": guard.nonce()});
    let token = guard.sealer.seal(Purpose::Token, guard.expiry(), content);
    let reason = match reason {
        Reason::Client => "This client cannot show a dialog (it does not declare elicitation), so no person was asked.",
        Reason::Operator => {
            "No person was asked: the operator of this server (audiobookshelf-mcp) switched the dialog off with ELICITATION=false."
        }
    };
    let retried =
        if retried { "The confirm_token did not fit: expired, used before, or for other arguments. " } else { "" };
    format!(
        "Nothing was changed yet. {retried}{}\n\n{reason} To proceed, call this tool again with the same arguments and \
         confirm_token=\"{token}\". The token is valid for 5 minutes and can be used once. It proves that the call was made \
         twice with the same arguments, and nothing more: let the person decide before you use it.",
        question.text()
    )
}
