//! The guard: nothing that cannot be reconstructed is taken away unless a person said yes, to exactly that.
//!
//! One call walks [`Question`] → decision → [`ledger`] → [`Approval`]. An [`Approval`] can be made nowhere else, and the
//! requests that take something away cannot be sent without one (`Context::send_approved`). How a person is asked depends on
//! the client:
//!
//! | client | way |
//! |---|---|
//! | 2026-07-28, can show a form | [`retry`]: the call ends with a question and a sealed state; the client calls again |
//! | 2025-06-18 and 2025-11-25, can show a form | [`push`]: the question goes out on the call's own stream |
//! | cannot, or `ELICITATION=false` | [`token`]: the call is made twice |
//!
//! No way is a proof that a person was there: the first two rely on the client to ask one, the third on nobody. Their texts
//! say so.

mod binding;
pub mod inbox;
mod ledger;
mod push;
mod question;
mod retry;
pub mod seal;
mod token;

pub use binding::Binding;
pub use question::Question;

use crate::settings::Settings;
use crate::world::World;
use seal::Sealer;
use serde_json::{Map, Value};

/// How long a person has, and how long an approval may be used, in milliseconds.
pub const PATIENCE_MS: u64 = 5 * 60 * 1000;

/// Proof that this one call was approved and that the approval is spent. Made by [`decide`] alone, and good for one tool
/// call: it cannot be copied.
#[derive(Debug)]
pub struct Approval(());

/// Why there is no approval.
#[derive(Clone, Debug, PartialEq)]
pub enum NotYet {
    /// The person was not asked yet: this is the `InputRequiredResult` that asks.
    Ask(Value),
    /// The person said yes while the call waited. The tool has to run again, with [`Way::Granted`].
    Granted(Granted),
    /// Said no, did not answer, or could not be asked. The text says so, and that nothing was changed.
    Refused(String),
}

/// A yes to one question, not spent yet. Made by [`push`] alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Granted {
    binding: String,
    expiry: u64,
    nonce: String,
}

/// What is known of the client whose call this is.
#[derive(Clone, Debug)]
pub struct Client {
    pub way: Way,
    /// The member `mode` exists since 2025-11-25.
    pub names_mode: bool,
}

/// How this client can be asked.
#[derive(Clone, Debug)]
pub enum Way {
    Retry {
        /// From the request; attacker-controlled.
        state: Option<String>,
        responses: Option<Value>,
    },
    Push {
        /// Whose answers count, see [`inbox::session_mark`].
        session: String,
        /// Of the call, so that a cancellation of it is found.
        request_id: Value,
    },
    /// It was asked, and the answer was yes.
    Granted(Granted),
    Cannot,
}

impl Client {
    /// A client that can be asked nothing.
    pub const fn mute() -> Client {
        Client { way: Way::Cannot, names_mode: false }
    }
}

/// Gets a decision. `confirm_token` is the argument of that name; a client that can be asked is asked, whatever it says.
pub fn decide(
    world: &dyn World,
    settings: &Settings,
    client: &Client,
    question: &Question,
    confirm_token: Option<&str>,
) -> Result<Approval, NotYet> {
    let guard =
        Guard { world, sealer: Sealer { secret: &settings.approval_secret }, max_questions: settings.max_questions };
    if settings.approval_secret.is_empty() {
        return Err(NotYet::Refused("Nothing was changed: the server has no secret to seal approvals with.".into()));
    }
    match &client.way {
        _ if !settings.elicitation => token::decide(&guard, question, confirm_token, token::Reason::Operator),
        Way::Cannot => token::decide(&guard, question, confirm_token, token::Reason::Client),
        Way::Retry { state, responses } => retry::decide(&guard, question, state.as_deref(), responses.as_ref()),
        Way::Push { session, request_id } => {
            Err(push::decide(&guard, question, client.names_mode, session, request_id))
        }
        Way::Granted(granted) if granted.binding != question.binding.hex() => Err(refused(
            "what it is about changed while the person was being asked. If it is still wanted, make the call again",
        )),
        Way::Granted(granted) => {
            guard.spend(granted.expiry, &granted.nonce)?.ok_or_else(|| refused("this answer was used before"))
        }
    }
}

/// What a person says to any form, on the ways on which approvals are asked for. Of use to the fixtures alone: no tool of the
/// product asks for anything but a yes.
#[cfg(feature = "conformance")]
pub(crate) fn elicit(world: &dyn World, client: &Client, form: Value) -> Result<Value, NotYet> {
    let guard = Guard { world, sealer: Sealer { secret: &[] }, max_questions: 8 };
    match &client.way {
        Way::Push { session, request_id } => Ok(push::elicit(&guard, form, session, request_id)?.result),
        _ => Err(refused("this client cannot be asked while the call waits")),
    }
}

struct Guard<'a> {
    world: &'a dyn World,
    sealer: Sealer<'a>,
    /// Pushed questions that may wait at a time.
    max_questions: usize,
}

impl Guard<'_> {
    fn expiry(&self) -> u64 {
        self.world.now_ms() + PATIENCE_MS
    }

    fn nonce(&self) -> String {
        self.world.random().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Marks a nonce as used. Only the first caller gets an approval.
    fn spend(&self, expiry: u64, nonce: &str) -> Result<Option<Approval>, NotYet> {
        match ledger::spend(self.world, expiry, nonce) {
            Ok(true) => Ok(Some(Approval(()))),
            Ok(false) => Ok(None),
            Err(_) => Err(NotYet::Refused(NO_STORE.into())),
        }
    }
}

const NO_STORE: &str = "Nothing was changed: the server cannot remember which approvals were used, since its key-value store \
is missing or refuses it. On Spin the component needs key_value_stores = [\"default\"].";

/// What a person's answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    Declined,
    Cancelled,
    /// `accept` without the one value that means yes.
    Unclear,
}

impl Answer {
    /// Reads an `ElicitResult`. Yes is `accept` and the exact value, and nothing else.
    fn read(result: &Value) -> Option<Answer> {
        match result.get("action")?.as_str()? {
            "accept" => {
                let yes = result.get("content").and_then(|content| content.get(question::FIELD))
                    == Some(&question::YES.into());
                Some(if yes { Answer::Yes } else { Answer::Unclear })
            }
            "decline" => Some(Answer::Declined),
            "cancel" => Some(Answer::Cancelled),
            _ => None,
        }
    }

    fn refusal(self) -> NotYet {
        let why = match self {
            Answer::Yes => unreachable!("a yes is no refusal"),
            Answer::Declined => "the person declined",
            Answer::Cancelled => "the person closed the question without an answer",
            Answer::Unclear => "the answer was not the one that means yes",
        };
        refused(why)
    }
}

fn refused(why: &str) -> NotYet {
    NotYet::Refused(format!("Nothing was changed: {why}. Do not ask again unless the person wants it."))
}

/// The parameters of `elicitation/create`.
fn form(question: &Question, names_mode: bool) -> Value {
    let mut params = Map::new();
    if names_mode {
        params.insert("mode".into(), "form".into());
    }
    params.insert("message".into(), question.text().into());
    params.insert("requestedSchema".into(), question::schema());
    params.into()
}

#[cfg(test)]
mod tests;
