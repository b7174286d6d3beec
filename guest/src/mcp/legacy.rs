//! Revisions 2025-03-26 to 2025-11-25: `initialize`, sessions, batches.

use super::envelope::{self, Fault, Id, Message, code};
use super::http::HttpResponse;
use super::methods::{self, Peer};
use super::revision::negotiate;
use super::session::Session;
use super::{Revision, Serving, identity, reply};
use crate::guard::{Client, Way, inbox};
use serde_json::{Map, Value, json};

const SESSION: &str = "mcp-session-id";

pub fn request(serving: &Serving<'_>, id: Id, method: &str, params: Map<String, Value>) -> HttpResponse {
    if method == "initialize" {
        return initialize(serving, &id, &params);
    }
    // Before the handshake too; with a session it also tells whether that is still known.
    if method == "ping" && serving.request.header(SESSION).is_none() {
        return reply::json(200, reply::result(&id, json!({})));
    }
    let session = match session(serving) {
        Ok(session) => session,
        Err(missing) => return missing.response(serving, id),
    };
    match answer(serving, session, &id, method, params) {
        Ok(message) => reply::json(200, message),
        // In-band: to clients of these revisions any other status is a failure of the transport.
        Err(fault) => reply::fault(200, fault),
    }
}

fn answer(
    serving: &Serving<'_>,
    session: Session,
    id: &Id,
    method: &str,
    params: Map<String, Value>,
) -> Result<String, Fault> {
    let peer = Peer { revision: session.revision, client: client(serving, session, id) };
    match method {
        "ping" => Ok(reply::result(id, json!({}))),
        "tools/list" => {
            methods::list_tools(serving, &peer, id, &params).map(|tools| reply::tools(id, Map::new(), &tools))
        }
        "tools/call" => methods::call_tool(serving, peer, id, params).map(|result| reply::result(id, result)),
        _ => Err(methods::unknown(id)),
    }
}

fn initialize(serving: &Serving<'_>, id: &Id, params: &Map<String, Value>) -> HttpResponse {
    let Some(wanted) = params.get("protocolVersion").and_then(Value::as_str) else {
        let message = "Invalid params: \"protocolVersion\" must be a string";
        return reply::fault(200, Fault::new(Some(id.clone()), code::INVALID_PARAMS, message));
    };
    let revision = negotiate(wanted);
    let elicitation = params.get("capabilities").and_then(|c| c.get("elicitation"));
    let session = Session { revision, elicitation: can_show_form(revision, elicitation) };
    let result = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": {"tools": {}},
        "serverInfo": identity::implementation(revision),
        "instructions": identity::INSTRUCTIONS,
    });
    reply::json(200, reply::result(id, result)).with(SESSION, session.seal(serving))
}

/// `{}` means form; `{"url":{}}` alone means no form. 2025-06-18 knew forms only, 2025-03-26 nothing.
fn can_show_form(revision: Revision, elicitation: Option<&Value>) -> bool {
    match (revision, elicitation) {
        (Revision::V2025_03_26, _) => false,
        (Revision::V2025_06_18, capability) => capability.is_some_and(Value::is_object),
        (_, capability) => super::modern::can_show_form(capability),
    }
}

/// How the guard can ask this client. A batch (2025-03-26) never can.
fn client(serving: &Serving<'_>, session: Session, request_id: &Id) -> Client {
    let way = match serving.request.header(SESSION) {
        Some(sealed) if session.elicitation => {
            Way::Push { session: inbox::session_mark(sealed), request_id: request_id.clone() }
        }
        _ => Way::Cannot,
    };
    Client { way, names_mode: session.revision >= Revision::V2025_11_25 }
}

/// A response to one of our questions, if the session is one of ours.
pub fn answered(serving: &Serving<'_>, id: &Id, outcome: &Result<Value, Value>) {
    if let Some(mark) = mark(serving) {
        inbox::answer(serving.world, &mark, id, outcome);
    }
}

/// `notifications/cancelled`: a call that waits for a person ends.
pub fn cancelled(serving: &Serving<'_>, params: &Map<String, Value>) {
    if let (Some(mark), Some(request_id)) = (mark(serving), params.get("requestId")) {
        inbox::cancel(serving.world, &mark, request_id);
    }
}

fn mark(serving: &Serving<'_>) -> Option<String> {
    let sealed = serving.request.header(SESSION)?;
    Session::open(serving, sealed).map(|_| inbox::session_mark(sealed))
}

enum NoSession {
    Missing,
    Unknown,
}

fn session(serving: &Serving<'_>) -> Result<Session, NoSession> {
    let sealed = serving.request.header(SESSION).ok_or(NoSession::Missing)?;
    Session::open(serving, sealed).ok_or(NoSession::Unknown)
}

impl NoSession {
    fn response(&self, serving: &Serving<'_>, id: Id) -> HttpResponse {
        let (status, code, message) = match self {
            // One process, one connection: the message came too early, or it is a modern one without its metadata.
            NoSession::Missing if !serving.has_mcp_headers() => (
                400,
                code::INVALID_PARAMS,
                "Invalid params: send initialize first, or the _meta fields of 2026-07-28 with each request",
            ),
            NoSession::Missing => (
                400,
                code::INVALID_REQUEST,
                "Bad request: no Mcp-Session-Id header. Send initialize first, or the _meta fields of 2026-07-28 with each request",
            ),
            // 404 is what makes a client initialize again.
            NoSession::Unknown => (404, code::INVALID_REQUEST, "Unknown or expired session: initialize again"),
        };
        reply::fault(status, Fault::new(Some(id), code, message))
    }
}

/// They are answered one after another within the time of one request; more could end with none answered, and writes done.
const MAX_BATCH: usize = 16;

/// An array of messages, which only 2025-03-26 had.
pub fn batch(serving: &Serving<'_>, batch: Vec<Value>) -> HttpResponse {
    let agreed = session(serving).ok().filter(|s| s.revision.has_batches());
    let Some(session) = agreed.filter(|_| (1..=MAX_BATCH).contains(&batch.len())) else {
        let message = format!("Invalid request: a batch takes 1 to {MAX_BATCH} messages and revision 2025-03-26");
        return reply::fault(400, Fault::new(None, code::INVALID_REQUEST, message));
    };
    let mut answers = Vec::new();
    for value in batch {
        match envelope::classify(value) {
            Err(fault) => answers.push(reply::error(fault)),
            Ok(Message::Request { id, method, .. }) if method == "initialize" => {
                let message = "Invalid request: initialize cannot be part of a batch";
                answers.push(reply::error(Fault::new(Some(id), code::INVALID_REQUEST, message)));
            }
            Ok(Message::Request { id, method, params }) => {
                answers.push(answer(serving, session, &id, &method, params).unwrap_or_else(reply::error));
            }
            Ok(Message::Notification { .. } | Message::Response { .. }) => {}
        }
    }
    if answers.is_empty() { HttpResponse::empty(202) } else { reply::json(200, format!("[{}]", answers.join(","))) }
}
