//! A client of the component within this process: messages in, the messages of the answer out, no socket between.

use super::events::Events;
use crate::sandbox::{Failure, GuestBody, OnLeave, Sandbox};
use bytes::Bytes;
use http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HOST},
};
use http_body_util::{BodyExt, Full, Limited};
use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

const SESSION: &str = "mcp-session-id";

/// Far above the ceiling that the component keeps to.
const MAX_ANSWER: usize = 8 * 1024 * 1024;

/// Carries the session from one message to the next.
pub struct InProcess {
    sandbox: Sandbox,
    session: Mutex<Option<HeaderValue>>,
}

/// The component did not answer in the way of MCP, or not to the end.
#[derive(Debug)]
pub struct NoAnswer;

impl InProcess {
    pub fn new(sandbox: Sandbox) -> Self {
        InProcess { sandbox, session: Mutex::default() }
    }

    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Gives one message to a fresh instance. Dropping the future or the replies ends the instance.
    pub async fn post(&self, message: Bytes) -> Result<Replies, Failure> {
        let response = self.sandbox.handle(self.request(message), OnLeave::Stop).await?;
        if let Some(session) = response.headers().get(SESSION) {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.clone());
        }
        Ok(Replies::new(response))
    }

    fn request(&self, message: Bytes) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(message));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = http::Uri::from_static("/mcp");
        let headers = request.headers_mut();
        headers.insert(HOST, HeaderValue::from_static("localhost"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if let Some(session) = &*self.session.lock().unwrap_or_else(PoisonError::into_inner) {
            headers.insert(SESSION, session.clone());
        }
        request
    }
}

/// The messages of one answer, as they come.
pub struct Replies {
    body: GuestBody,
    kind: Kind,
    ready: VecDeque<String>,
}

enum Kind {
    Json,
    Events(Events),
    /// 202 or 204, or all was read.
    Over,
    Foreign,
}

impl Replies {
    fn new(response: Response<GuestBody>) -> Self {
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let media_type = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        let kind = match (response.status(), media_type.as_str()) {
            (StatusCode::ACCEPTED | StatusCode::NO_CONTENT, _) => Kind::Over,
            (_, "application/json") => Kind::Json,
            (_, "text/event-stream") => Kind::Events(Events::default()),
            _ => Kind::Foreign,
        };
        Replies { body: response.into_body(), kind, ready: VecDeque::new() }
    }

    /// The next message, each one line. `None` when the answer is complete.
    pub async fn next(&mut self) -> Result<Option<String>, NoAnswer> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return one_line(message.as_bytes()).map(Some).ok_or(NoAnswer);
            }
            match &mut self.kind {
                Kind::Over => return Ok(None),
                Kind::Foreign => return Err(NoAnswer),
                Kind::Json => {
                    let whole = Limited::new(&mut self.body, MAX_ANSWER).collect().await.map_err(|_| NoAnswer)?;
                    self.kind = Kind::Over;
                    return one_line(&whole.to_bytes()).map(Some).ok_or(NoAnswer);
                }
                Kind::Events(events) => match self.body.frame().await {
                    Some(Ok(frame)) => {
                        if let Some(bytes) = frame.data_ref() {
                            self.ready.extend(events.take(bytes).map_err(|_| NoAnswer)?);
                        }
                    }
                    Some(Err(_)) => return Err(NoAnswer),
                    None => self.kind = Kind::Over,
                },
            }
        }
    }
}

/// A JSON text as one line. Line ends cannot be part of a JSON string, only of the space around values. `None` if the text
/// is no JSON: nothing else may reach a client.
fn one_line(text: &[u8]) -> Option<String> {
    serde_json::from_slice::<serde::de::IgnoredAny>(text).ok()?;
    let text = std::str::from_utf8(text).ok()?.trim();
    Some(text.replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn one_line_each() {
        assert_eq!(one_line(b" {\r\n \"a\": \"\\n\"\n}\n").as_deref(), Some("{   \"a\": \"\\n\" }"));
        assert_eq!(one_line(b"<html>"), None);
        assert_eq!(one_line(b""), None);
    }
}
