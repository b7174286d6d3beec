//! The answer to a POST, event by event. Dropping it closes the connection.

use super::{PATIENCE, Secret, http::Connection};
use http_body_util::BodyExt;
use hyper::{HeaderMap, Response, body::Incoming};
use serde_json::Value;
use tokio::time::timeout;

pub struct Events {
    pub headers: HeaderMap,
    body: Incoming,
    read: String,
    secret: Secret,
    _connection: Connection,
}

#[derive(Debug, PartialEq)]
pub enum Event {
    /// What keeps the stream alive.
    Comment(String),
    Message(Value),
}

impl Events {
    pub(super) fn new(response: Response<Incoming>, connection: Connection, secret: Secret) -> Events {
        let (head, body) = response.into_parts();
        assert_eq!(head.status, 200);
        Events { headers: head.headers, body, read: String::new(), secret, _connection: connection }
    }

    pub fn is_stream(&self) -> bool {
        self.headers["content-type"] == "text/event-stream"
    }

    /// The next event; none once the stream is complete.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                self.secret.must_not_be_in("an event", event.as_bytes());
                let event = event_of(event);
                self.read = rest.to_owned();
                return Some(event);
            }
            let frame = timeout(PATIENCE, self.body.frame()).await.expect("an event in time")?;
            let bytes = frame.expect("the stream does not break off").into_data().expect("no trailers");
            self.read += std::str::from_utf8(&bytes).expect("each piece is text");
        }
    }

    /// Whether nothing but signs of life comes until the end.
    pub async fn breaks_off(&mut self) -> bool {
        loop {
            match timeout(PATIENCE, self.body.frame()).await.expect("an end in time") {
                None | Some(Err(_)) => return !self.read.contains("data:"),
                Some(Ok(frame)) => {
                    let bytes = frame.into_data().expect("no trailers");
                    self.read += std::str::from_utf8(&bytes).expect("each piece is text");
                }
            }
        }
    }

    /// The next message, which must come.
    pub async fn message(&mut self) -> Value {
        loop {
            if let Event::Message(message) = self.next().await.expect("a message before the end") {
                return message;
            }
        }
    }

    /// An answer that is no stream.
    pub async fn json(self) -> Value {
        let body = timeout(PATIENCE, self.body.collect()).await.expect("in time").expect("a whole body").to_bytes();
        self.secret.must_not_be_in("the body of an answer", &body);
        serde_json::from_slice(&body).unwrap_or_else(|e| panic!("{e}: {body:?}"))
    }
}

fn event_of(text: &str) -> Event {
    if let Some(comment) = text.strip_prefix(':') {
        assert!(!comment.contains('\n'), "one comment at a time: {text}");
        return Event::Comment(comment.trim().to_owned());
    }
    let (name, data) = text.split_once('\n').expect("a name and data");
    assert_eq!(name, "event: message");
    let data = data.strip_prefix("data: ").filter(|data| !data.contains('\n')).expect("one line of data");
    Event::Message(serde_json::from_str(data).unwrap_or_else(|e| panic!("{e}: {data}")))
}
