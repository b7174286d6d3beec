//! What ABS answers with, down to the content types it mixes.

use serde_json::Value;

/// A handler's early returns are answers too.
pub(crate) type Answer = Result<Reply, Reply>;

#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Http {
        status: u16,
        content_type: Option<&'static str>,
        body: Vec<u8>,
    },
    /// An unhandled rejection: the process exits and nobody gets an answer.
    Crash(String),
}

const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";

impl Reply {
    pub(crate) fn json(value: &Value) -> Self {
        Self::Http { status: 200, content_type: Some(JSON), body: value.to_string().into_bytes() }
    }

    /// `res.sendStatus(200)`
    pub(crate) fn ok() -> Self {
        Self::Http { status: 200, content_type: Some(PLAIN), body: b"OK".to_vec() }
    }

    /// `res.sendStatus(404)`
    pub(crate) fn not_found() -> Self {
        Self::Http { status: 404, content_type: Some(PLAIN), body: b"Not Found".to_vec() }
    }

    pub(crate) fn forbidden() -> Self {
        Self::Http { status: 403, content_type: Some(PLAIN), body: b"Forbidden".to_vec() }
    }

    pub(crate) fn internal_error() -> Self {
        Self::Http { status: 500, content_type: Some(PLAIN), body: b"Internal Server Error".to_vec() }
    }

    pub(crate) fn unauthorized() -> Self {
        Self::Http { status: 401, content_type: None, body: b"Unauthorized".to_vec() }
    }

    pub(crate) fn empty(status: u16) -> Self {
        Self::Http { status, content_type: None, body: Vec::new() }
    }

    /// `res.status(400).send('…')`: a plain sentence that calls itself HTML.
    pub(crate) fn sentence(status: u16, text: &str) -> Self {
        Self::Http { status, content_type: Some(HTML), body: text.as_bytes().to_vec() }
    }

    pub(crate) fn bad(text: &str) -> Self {
        Self::sentence(400, text)
    }

    /// The page that express itself makes.
    pub(crate) fn page(status: u16, text: &str) -> Self {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        Self::sentence(
            status,
            &format!(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n\
                 <body>\n<pre>{text}</pre>\n</body>\n</html>\n"
            ),
        )
    }

    pub(crate) fn crash(cause: impl Into<String>) -> Self {
        Self::Crash(cause.into())
    }

    pub(crate) fn is_ok(&self) -> bool {
        matches!(self, Self::Http { status: 200, .. })
    }
}
