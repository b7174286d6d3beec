//! CORS: which web pages may call from a browser, and what they may read of an answer.
//!
//! Exactly the origins that the operator listed, and nothing for all others, those of this machine included: whether a page
//! of another local program may read a library is not to be decided here. No answer allows credentials: a page has to show
//! the token itself, and what a browser would add unasked (cookies) means nothing here.

use super::access;
use super::http::{HttpRequest, HttpResponse};
use crate::settings::{Settings, Surface, WebOrigin};

/// What clients of both eras send.
const ALLOWED_HEADERS: &str = "accept, authorization, content-type, last-event-id, mcp-method, mcp-name, \
                               mcp-protocol-version, mcp-session-id";
/// GET and DELETE too, so that a page gets our 405 and not an error of the browser.
const ALLOWED_METHODS: &str = "GET, POST, DELETE";
const EXPOSED_HEADERS: &str = "mcp-session-id, www-authenticate";
/// Seconds. Less than what browsers cap it at; a list that was changed counts after ten minutes.
const MAX_AGE: &str = "600";

/// For every answer, whatever it is.
pub fn headers(request: &HttpRequest, settings: &Settings) -> Vec<(&'static str, String)> {
    if settings.surface == Surface::Stdio || settings.callers.origins.is_empty() {
        return Vec::new();
    }
    // Also where no page asked, or something on the way could give that answer to a page.
    let mut headers = vec![("vary", "origin".to_owned())];
    if let Some(origin) = listed(request, settings) {
        headers.push(("access-control-allow-origin", origin.to_owned()));
        headers.push(("access-control-expose-headers", EXPOSED_HEADERS.to_owned()));
    }
    headers
}

/// The answer to a request that only asks whether a page may call. Never a 401: browsers send no credentials with it.
pub fn preflight(request: &HttpRequest, settings: &Settings) -> Option<HttpResponse> {
    if settings.surface == Surface::Stdio || request.method != "OPTIONS" || request.header("origin").is_none() {
        return None;
    }
    if let Err(refused) = access::check_host(request, settings) {
        return Some(refused);
    }
    Some(match listed(request, settings) {
        Some(_) => HttpResponse::empty(204)
            .with("access-control-allow-methods", ALLOWED_METHODS)
            .with("access-control-allow-headers", ALLOWED_HEADERS)
            .with("access-control-max-age", MAX_AGE),
        None => access::foreign_origin(settings),
    })
}

/// The `Origin` as it came, where it is one of the list.
fn listed<'a>(request: &'a HttpRequest, settings: &Settings) -> Option<&'a str> {
    let text = request.single("origin").ok()??;
    let origin = WebOrigin::parse(text)?;
    settings.callers.origins.contains(&origin).then_some(text)
}
