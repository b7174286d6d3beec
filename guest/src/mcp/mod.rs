//! The protocol: JSON-RPC, two eras of MCP, Streamable HTTP.
//!
//! Every host hands each message to [`serve`]; stdio arrives here as HTTP too, with [`Surface::Stdio`] saying that there are
//! no MCP headers to check.

mod access;
mod cors;
pub mod envelope;
pub mod http;
mod identity;
mod legacy;
mod methods;
mod modern;
#[cfg_attr(feature = "conformance", path = "fixtures/mod.rs")]
mod offer;
mod reply;
mod revision;
mod session;

pub(crate) use reply::line;
pub use revision::Revision;

use crate::settings::{Problem, Settings, Surface};
use crate::world::World;
use access::Caller;
use envelope::{Fault, Message, code};
use http::{HttpRequest, HttpResponse};
use serde_json::Value;

/// What one message is served with.
struct Serving<'a> {
    world: &'a dyn World,
    settings: &'a Settings,
    caller: Caller,
    request: &'a HttpRequest,
}

/// Answers one HTTP request.
pub fn serve(world: &dyn World, request: HttpRequest) -> HttpResponse {
    let settings = match Settings::parse(|key| world.config(key)) {
        Ok(_) if world.config_failed() => {
            return http::check_target(&request)
                .err()
                .unwrap_or_else(|| misconfigured(&request, &[Problem::unreadable()]));
        }
        Ok(settings) => settings,
        Err(problems) => {
            return http::check_target(&request).err().unwrap_or_else(|| misconfigured(&request, &problems));
        }
    };
    world.head_with(cors::headers(&request, &settings));
    let caller = match admit(&request, &settings) {
        Ok(caller) => caller,
        Err(response) => return response,
    };
    let serving = Serving { world, settings: &settings, caller, request: &request };
    match envelope::parse(&request.body) {
        Err(fault) => reply::fault(400, fault),
        Ok(Value::Array(batch)) => legacy::batch(&serving, batch),
        Ok(value) => match envelope::classify(value) {
            Err(fault) => reply::fault(status_of(&fault), fault),
            Ok(message) => one(&serving, message),
        },
    }
}

/// All that needs no body. A preflight comes first: it carries no credentials, and is no call.
fn admit(request: &HttpRequest, settings: &Settings) -> Result<Caller, HttpResponse> {
    if let Some(preflight) = cors::preflight(request, settings) {
        return Err(preflight);
    }
    http::check_target(request)?;
    let caller = access::check(request, settings)?;
    http::check_media(request)?;
    Ok(caller)
}

/// Which era a message belongs to, first match wins. The era is never guessed from an error.
fn one(serving: &Serving<'_>, message: Message) -> HttpResponse {
    let header = serving.request.header("mcp-protocol-version");
    let header_is_modern = header.and_then(Revision::parse).is_some_and(Revision::is_modern);
    match message {
        Message::Request { id, method, params } => {
            if modern::is_declared(&params) || method == "server/discover" || header_is_modern {
                return modern::request(serving, id, &method, params);
            }
            if method != "initialize"
                && let Some(unknown) = header.filter(|text| Revision::parse(text).is_none())
            {
                return reply::fault(400, modern::unsupported_version(id, unknown, &Revision::ALL));
            }
            legacy::request(serving, id, &method, params)
        }
        Message::Notification { method, params } => {
            // The others tell nothing that is needed here, in any revision.
            if method == "notifications/cancelled" && !header_is_modern {
                legacy::cancelled(serving, &params);
            }
            HttpResponse::empty(202)
        }
        Message::Response { id, .. } if header_is_modern => reply::fault(
            400,
            Fault::new(Some(id), code::INVALID_REQUEST, "Invalid request: 2026-07-28 has no responses to the server"),
        ),
        Message::Response { id, outcome } => {
            legacy::answered(serving, &id, &outcome);
            // Whether it was wanted or not: a client cannot do anything about that.
            HttpResponse::empty(202)
        }
    }
}

/// Params that are no object concern one known request and are answered like other bad params, in-band.
fn status_of(fault: &Fault) -> u16 {
    if fault.code == code::INVALID_PARAMS { 200 } else { 400 }
}

/// A component cannot stop its host. It can say to each caller what is wrong, and do nothing else.
fn misconfigured(request: &HttpRequest, problems: &[Problem]) -> HttpResponse {
    let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let message = format!("The server's settings are not valid: {}", list.join(" "));
    match envelope::parse(&request.body).and_then(envelope::classify) {
        Ok(Message::Request { id, .. }) => reply::fault(200, Fault::new(Some(id), code::INTERNAL_ERROR, message)),
        Ok(_) => HttpResponse::empty(202),
        Err(fault) => reply::fault(400, fault),
    }
}

impl Serving<'_> {
    fn has_mcp_headers(&self) -> bool {
        self.settings.surface != Surface::Stdio
    }
}

#[cfg(test)]
mod tests;
