//! Approvals, kept account of from outside: what the server asked, what it was answered, and what it then did.

use super::lawful::Call;
use super::world::Sent;
use policy::Method;
use serde_json::Value;

/// A question that was asked, until its answer is used.
struct Asked {
    tool: String,
    target: Value,
    proof: Proof,
}

#[derive(PartialEq)]
enum Proof {
    State(String),
    Token(String),
}

pub(super) struct Account {
    asked: Vec<Asked>,
    /// Whether clients that can be asked by dialog are.
    dialogs: bool,
}

impl Account {
    pub(super) fn new(dialogs: bool) -> Account {
        Account { asked: Vec::new(), dialogs }
    }

    /// Notes the question in a result.
    pub(super) fn note(&mut self, call: &Call, result: &Value) {
        let proof = match (result["requestState"].as_str(), token(result)) {
            (Some(state), _) => Proof::State(state.to_owned()),
            (None, Some(token)) => Proof::Token(token.to_owned()),
            (None, None) => return,
        };
        self.asked.push(Asked { tool: call.tool.clone(), target: target(call), proof });
    }

    /// Uses the approval that a call comes with, if it has one.
    pub(super) fn spend(&mut self, call: &Call) -> bool {
        let given = proofs(call, self.dialogs);
        let found = self
            .asked
            .iter()
            .position(|asked| asked.tool == call.tool && asked.target == target(call) && given.contains(&asked.proof));
        found.map(|at| self.asked.swap_remove(at)).is_some()
    }
}

/// What a call shows as an approval: a state with a plain yes, or a token of a client that is not asked.
fn proofs(call: &Call, dialogs: bool) -> Vec<Proof> {
    let mut proofs = Vec::new();
    let response = &call.params["inputResponses"]["approval"];
    if let Some(state) = call.params["requestState"].as_str()
        && response["action"] == "accept"
        && response["content"]["decision"] == "yes"
    {
        proofs.push(Proof::State(state.to_owned()));
    }
    let capabilities = &call.params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    let is_asked = dialogs && capabilities["elicitation"].as_object().is_some_and(|modes| modes.is_empty());
    if let Some(token) = call.arguments.get("confirm_token").and_then(Value::as_str)
        && !is_asked
    {
        proofs.push(Proof::Token(token.to_owned()));
    }
    proofs
}

/// The collection, playlist, record or item that it is about.
fn target(call: &Call) -> Value {
    let names = ["collection_id", "playlist_id", "media_progress_id", "library_item_id"];
    names.iter().find_map(|name| call.arguments.get(*name)).cloned().unwrap_or_default()
}

/// The token in the text of a result.
pub(super) fn token(result: &Value) -> Option<&str> {
    let (_, rest) = result["content"][0]["text"].as_str()?.split_once("confirm_token=\"")?;
    rest.split('"').next()
}

/// Whether a request takes something away, for a call of this tool.
pub(super) fn takes_away(tool: &str, sent: &Sent) -> bool {
    sent.route.method == Method::Delete
        || tool == "update_collection" && sent.body.get("books").is_some()
        || tool == "update_playlist" && sent.body.get("items").is_some()
}
