//! The HTTP half of Streamable HTTP: requests and responses as plain values, and the rules that need no body.

use super::envelope::{Fault, code};
use super::reply;

/// An HTTP request, as far as MCP looks at it.
#[derive(Debug, Default)]
pub struct HttpRequest {
    pub method: String,
    /// Without the query.
    pub path: String,
    /// `host[:port]`, from the `Host` header or the request line.
    pub authority: Option<String>,
    /// Names in lower case, in the order received.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl HttpRequest {
    /// The first value of a header, without surrounding white space.
    pub fn header(&self, name: &'static str) -> Option<&str> {
        self.values(name).next()
    }

    /// A header that may stand only once. `Err` when it stands more often: two readers could see two values.
    pub fn single(&self, name: &'static str) -> Result<Option<&str>, Repeated> {
        let mut values = self.values(name);
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(Repeated),
        }
    }

    fn values(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.headers.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.trim())
    }
}

/// A header stands more than once.
#[derive(Debug)]
pub struct Repeated;

#[derive(Debug, Default)]
pub struct HttpResponse {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl HttpResponse {
    pub fn empty(status: u16) -> HttpResponse {
        HttpResponse { status, headers: Vec::new(), body: Vec::new() }
    }

    /// For whoever does not speak MCP.
    pub fn plain(status: u16, text: &str) -> HttpResponse {
        HttpResponse { status, headers: Vec::new(), body: text.into() }
            .with("content-type", "text/plain; charset=utf-8")
            .with("cache-control", "no-store")
    }

    /// An error that is no answer to any message.
    pub fn refuse(status: u16, message: &str) -> HttpResponse {
        reply::fault(status, Fault::new(None, code::INVALID_REQUEST, message))
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> HttpResponse {
        self.headers.push((name, value.into()));
        self
    }
}

/// `/healthz`: whether the component answers. Says nothing about Audiobookshelf or the settings. Our host answers it before
/// it gets here.
fn health(request: &HttpRequest) -> HttpResponse {
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return HttpResponse::empty(405).with("allow", "GET, HEAD");
    }
    HttpResponse::plain(200, "ok")
}

/// As much of a message as is read, unless the host says otherwise (our own does, and reads no further itself; Spin has no
/// bound). The largest valid call takes a twentieth of it.
pub const MAX_MESSAGE: usize = 1024 * 1024;

/// Path and method. What is not for the endpoint is answered here.
pub fn check_target(request: &HttpRequest) -> Result<(), HttpResponse> {
    if request.path == "/healthz" {
        return Err(health(request));
    }
    if !matches!(request.path.as_str(), "/mcp" | "/mcp/") {
        // Clients that were refused look for OAuth metadata below /.well-known/. Plain text cannot be taken for it.
        return Err(HttpResponse::plain(404, "Not found. The MCP endpoint is /mcp.\n"));
    }
    if request.method != "POST" {
        // Neither a GET stream (nothing is ever pushed outside a call) nor DELETE (a session is a sealed
        // capability, there is no row to remove) exists here, in any revision.
        return Err(HttpResponse::refuse(405, "Method not allowed: this endpoint takes POST").with("allow", "POST"));
    }
    Ok(())
}

/// `Content-Type` and `Accept`.
pub fn check_media(request: &HttpRequest) -> Result<(), HttpResponse> {
    let content_type = request.header("content-type").map(media_type);
    if content_type.as_deref() != Some("application/json") {
        return Err(HttpResponse::refuse(415, "Unsupported media type: the body must be application/json"));
    }
    if !accepts_json(request) {
        return Err(HttpResponse::refuse(406, "Not acceptable: answers are application/json or text/event-stream"));
    }
    Ok(())
}

/// Clients owe both media types, and proxies and scripts send less; the specification puts no duty on the server.
fn accepts_json(request: &HttpRequest) -> bool {
    let mut ranges = request.values("accept").flat_map(|value| value.split(',')).map(media_type).peekable();
    ranges.peek().is_none()
        || ranges.any(|range| {
            matches!(range.as_str(), "application/json" | "text/event-stream" | "*/*" | "application/*" | "text/*" | "")
        })
}

fn media_type(value: &str) -> String {
    value.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
        let request = HttpRequest {
            method: method.into(),
            path: path.into(),
            headers: headers.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect(),
            ..HttpRequest::default()
        };
        check_target(&request).and_then(|()| check_media(&request)).map_or_else(|response| response.status, |()| 200)
    }

    #[test]
    fn what_the_endpoint_takes() {
        let json = ("content-type", "application/json");
        let cases = [
            ("POST", "/mcp", vec![json], 200),
            ("POST", "/mcp/", vec![json], 200),
            ("POST", "/", vec![json], 404),
            ("POST", "/mcp/x", vec![json], 404),
            ("GET", "/healthz", vec![], 200),
            ("HEAD", "/healthz", vec![], 200),
            ("POST", "/healthz", vec![json], 405),
            ("GET", "/healthz/", vec![], 404),
            ("GET", "/mcp", vec![json], 405),
            ("DELETE", "/mcp", vec![json], 405),
            ("POST", "/mcp", vec![("content-type", "Application/JSON; charset=utf-8")], 200),
            ("POST", "/mcp", vec![("content-type", "text/plain")], 415),
            ("POST", "/mcp", vec![], 415),
            ("POST", "/mcp", vec![json, ("accept", "*/*")], 200),
            ("POST", "/mcp", vec![json, ("accept", "Text/Event-Stream;q=0.5")], 200),
            ("POST", "/mcp", vec![json, ("accept", "text/html"), ("accept", "application/json")], 200),
            ("POST", "/mcp", vec![json, ("accept", "text/html, image/png")], 406),
        ];
        for (method, path, headers, want) in cases {
            assert_eq!(status(method, path, &headers), want, "{method} {path} {headers:?}");
        }
    }
}
