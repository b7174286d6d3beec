//! Revision 2026-07-28: every request stands alone and says itself which revision and capabilities it comes with.

use super::envelope::{Fault, Id, code};
use super::http::{HttpRequest, HttpResponse};
use super::methods::{self, Peer};
use super::{Revision, Serving, identity, reply};
use crate::guard::{Client, Way};
use base64::{Engine, engine::general_purpose::STANDARD as B64};
use serde_json::{Map, Value, json};

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// How long a client may keep the tool list, in milliseconds: it changes only when an operator changes a setting.
const TTL_MS: u64 = 300_000;

/// Whether a request declares itself to be of this era.
pub fn is_declared(params: &Map<String, Value>) -> bool {
    params.get("_meta").and_then(|meta| meta.get(VERSION_KEY)).is_some()
}

/// Serves a request of this era. The order of the checks is the specification's (and the conformance suite's).
pub fn request(serving: &Serving<'_>, id: Id, method: &str, params: Map<String, Value>) -> HttpResponse {
    let headers = serving.has_mcp_headers().then_some(serving.request);
    let peer = match declared(&id, &params).and_then(|(version, elicitation)| {
        let revision = revision(headers, &id, version)?;
        if let Some(request) = headers {
            same_header(request, &id, "mcp-method", method)?;
        }
        Ok(Peer { revision, client: client(elicitation, &params) })
    }) {
        Ok(peer) => peer,
        Err(fault) => return reply::fault(400, fault),
    };
    if method == "tools/call"
        && let (Some(request), Some(name)) = (headers, params.get("name").and_then(Value::as_str))
        && let Err(fault) = same_name(request, &id, name)
    {
        return reply::fault(400, fault);
    }
    let outcome = match method {
        "server/discover" => Ok(reply::result(&id, complete(discover()).into())),
        "tools/list" => methods::list_tools(serving, &peer, &id, &params)
            .map(|tools| reply::tools(&id, complete(cacheable()), &tools)),
        "tools/call" => {
            methods::call_tool(serving, peer, &id, params).map(|result| reply::result(&id, complete(result).into()))
        }
        _ => return reply::fault(404, methods::unknown(&id)),
    };
    match outcome {
        Ok(message) => reply::json(200, message),
        Err(fault) => reply::fault(if fault.code == code::MISSING_CLIENT_CAPABILITY { 400 } else { 200 }, fault),
    }
}

/// How the guard can ask: by ending the call with a question. The answer comes with the next one.
fn client(elicitation: bool, params: &Map<String, Value>) -> Client {
    let way = if elicitation {
        Way::Retry {
            state: params.get("requestState").and_then(Value::as_str).map(str::to_owned),
            responses: params.get("inputResponses").cloned(),
        }
    } else {
        Way::Cannot
    };
    Client { way, names_mode: true }
}

/// Version and elicitation capability from `_meta`.
fn declared<'a>(id: &Id, params: &'a Map<String, Value>) -> Result<(&'a str, bool), Fault> {
    let fault = |what: String| Fault::new(Some(id.clone()), code::INVALID_PARAMS, format!("Invalid params: {what}"));
    let meta = match params.get("_meta") {
        Some(Value::Object(meta)) => meta,
        Some(_) => return Err(fault("_meta must be an object".into())),
        None => return Err(fault(format!("_meta with {VERSION_KEY} and {CAPABILITIES_KEY} is missing"))),
    };
    let version = match meta.get(VERSION_KEY) {
        Some(Value::String(version)) => version,
        Some(_) => return Err(fault(format!("_meta field {VERSION_KEY} must be a string"))),
        None => return Err(fault(format!("_meta field {VERSION_KEY} is missing"))),
    };
    let capabilities = match meta.get(CAPABILITIES_KEY) {
        Some(Value::Object(capabilities)) => capabilities,
        Some(_) => return Err(fault(format!("_meta field {CAPABILITIES_KEY} must be an object"))),
        None => return Err(fault(format!("_meta field {CAPABILITIES_KEY} is missing"))),
    };
    const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    if let Some(level) = meta.get(LOG_LEVEL_KEY)
        && !level.as_str().is_some_and(|level| LEVELS.contains(&level))
    {
        return Err(fault(format!("_meta field {LOG_LEVEL_KEY} must be one of {}", LEVELS.join(", "))));
    }
    Ok((version, can_show_form(capabilities.get("elicitation"))))
}

/// The elicitation capability: `{}` means form, `{"url":{}}` alone means no form.
pub fn can_show_form(elicitation: Option<&Value>) -> bool {
    elicitation.and_then(Value::as_object).is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
}

fn revision(headers: Option<&HttpRequest>, id: &Id, version: &str) -> Result<Revision, Fault> {
    if let Some(request) = headers {
        same_header(request, id, "mcp-protocol-version", version)?;
    }
    match Revision::parse(version) {
        Some(revision) if revision.is_modern() => Ok(revision),
        // Known, but not in this shape: the older ones begin with initialize.
        Some(_) => Err(unsupported_version(id.clone(), version, &[Revision::V2026_07_28])),
        None => Err(unsupported_version(id.clone(), version, &Revision::ALL)),
    }
}

pub fn unsupported_version(id: Id, requested: &str, supported: &[Revision]) -> Fault {
    let supported: Vec<&str> = supported.iter().map(|r| r.as_str()).collect();
    Fault::new(Some(id), code::UNSUPPORTED_VERSION, "Unsupported protocol version")
        .with_data(json!({"supported": supported, "requested": requested}))
}

/// A header that repeats part of the body, exactly and once: gateways route by it.
fn same_header(request: &HttpRequest, id: &Id, name: &'static str, body: &str) -> Result<(), Fault> {
    let mismatch =
        |what: &str| Err(Fault::new(Some(id.clone()), code::HEADER_MISMATCH, format!("Header {name} {what}")));
    match request.single(name) {
        Err(_) => mismatch("is there more than once"),
        Ok(None) => mismatch("is missing"),
        Ok(Some(value)) if value != body => mismatch("does not match the body"),
        Ok(Some(_)) => Ok(()),
    }
}

/// `Mcp-Name`, which may be wrapped as `=?base64?…?=`.
fn same_name(request: &HttpRequest, id: &Id, name: &str) -> Result<(), Fault> {
    let wrapped =
        request.header("mcp-name").and_then(|v| v.strip_prefix("=?base64?")).and_then(|v| v.strip_suffix("?="));
    match wrapped {
        None => same_header(request, id, "mcp-name", name),
        Some(wrapped)
            if request.single("mcp-name").is_ok() && B64.decode(wrapped).is_ok_and(|d| d == name.as_bytes()) =>
        {
            Ok(())
        }
        Some(_) => Err(Fault::new(Some(id.clone()), code::HEADER_MISMATCH, "Header mcp-name does not match the body")),
    }
}

fn discover() -> Value {
    let versions: Vec<&str> = Revision::ALL.iter().map(|r| r.as_str()).collect();
    let mut result = json!({
        "supportedVersions": versions,
        "capabilities": {"tools": {}},
        "instructions": identity::INSTRUCTIONS,
        "_meta": {SERVER_INFO_KEY: identity::implementation(Revision::V2026_07_28)},
    });
    result["ttlMs"] = TTL_MS.into();
    result["cacheScope"] = "public".into();
    result
}

/// The list depends on the operator's choice of tools, which is nobody else's.
fn cacheable() -> Value {
    json!({"ttlMs": TTL_MS, "cacheScope": "private"})
}

fn complete(result: Value) -> Map<String, Value> {
    let mut complete = Map::new();
    complete.insert("resultType".into(), "complete".into());
    if let Value::Object(result) = result {
        complete.extend(result);
    }
    complete.entry("_meta").or_insert_with(|| json!({SERVER_INFO_KEY: identity::brief()}));
    complete
}
