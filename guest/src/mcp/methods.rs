//! The methods that both eras have: `tools/list` and `tools/call`.

use super::access::Caller;
use super::envelope::{Fault, Id, code};
use super::{Revision, Serving, offer};
use crate::guard::Client;
use serde_json::{Map, Value, json};

/// What is known of the client, from its session or from the request itself.
#[derive(Clone, Debug)]
pub struct Peer {
    pub revision: Revision,
    /// How a person can be asked through it.
    pub client: Client,
}

pub fn unknown(id: &Id) -> Fault {
    Fault::new(Some(id.clone()), code::METHOD_NOT_FOUND, "Method not found")
}

fn invalid_params(id: &Id, what: &str) -> Fault {
    Fault::new(Some(id.clone()), code::INVALID_PARAMS, format!("Invalid params: {what}"))
}

/// The tools, as a JSON array.
pub fn list_tools(serving: &Serving<'_>, peer: &Peer, id: &Id, params: &Map<String, Value>) -> Result<String, Fault> {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(invalid_params(id, "there is one page of tools, and no \"cursor\" leads to another"));
    }
    Ok(offer::list(serving, peer.revision))
}

pub fn call_tool(serving: &Serving<'_>, peer: Peer, id: &Id, mut params: Map<String, Value>) -> Result<Value, Fault> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(invalid_params(id, "\"name\" must be the name of a tool"));
    };
    let Some(tool) = offer::find(serving, &name) else {
        return Err(invalid_params(id, &format!("Unknown tool: {}", name.chars().take(64).collect::<String>())));
    };
    let arguments = match params.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(arguments)) => arguments,
            _ => return Err(invalid_params(id, "\"arguments\" must be an object")),
        },
        Some(_) => return Err(invalid_params(id, "\"arguments\" must be an object")),
    };
    match serving.caller {
        Caller::Trusted => {
            let outcome = offer::run(serving, &peer, tool, arguments, &params);
            outcome.map_err(|fault| Fault { id: Some(id.clone()), ..fault })
        }
        Caller::Unproven => Ok(json!({"content": [{"type": "text", "text": unproven(serving)}], "isError": true})),
    }
}

/// Says everything that is missing, at once.
fn unproven(serving: &Serving<'_>) -> String {
    let text = serving.settings.naming(UNPROVEN);
    if serving.settings.is_configured() { text } else { format!("{text} {}", serving.settings.set_up()) }
}

const UNPROVEN: &str = "This server does not serve anybody yet: nothing proves who is calling. Its operator has to set \
AUDIOBOOKSHELF_MCP_TOKEN, a secret that clients send as \"Authorization: Bearer\", or, where something in front of it \
already authenticates every caller, the variable allow_unauthenticated to exactly true.";
