//! A client to whom every exchange may break off: it takes that for an outcome and not for a failure of the test.

use crate::harness::{modern, modern_headers};
use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{net::TcpStream, task::JoinHandle, time::timeout};

/// Longer than any exchange takes.
const LONG: Duration = Duration::from_secs(30);

/// An answer, as far as it has come.
pub struct Answer {
    pub session: String,
    is_stream: bool,
    body: Incoming,
    read: String,
    connection: JoinHandle<()>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// A modern tool call of a client that can be asked.
pub fn call(tool: &str, arguments: &Value, more: Value) -> (Vec<(&'static str, String)>, Value) {
    let mut params = more;
    params["name"] = tool.into();
    params["arguments"] = arguments.clone();
    let mut message = modern(1, "tools/call", params);
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    (modern_headers(&message), message)
}

/// Sends it; the head of the answer, if there is one.
pub async fn send(authority: &str, headers: &[(&'static str, String)], message: &Value) -> Option<Answer> {
    let exchange = async {
        let stream = TcpStream::connect(authority).await.ok()?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
        let connection = tokio::spawn(async { drop(connection.await) });
        let mut request = Request::post("/mcp").header("host", authority).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(Full::new(hyper::body::Bytes::from(message.to_string()))).expect("a valid request");
        let response = sender.send_request(request).await.ok()?;
        assert!(response.status().is_success(), "{} for {message}", response.status());
        let header = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap_or(""));
        let (session, is_stream) = (header("mcp-session-id").to_owned(), header("content-type") == "text/event-stream");
        Some(Answer { session, is_stream, body: response.into_body(), read: String::new(), connection })
    };
    timeout(LONG, exchange).await.expect("an answer or its end in time")
}

impl Answer {
    /// The next message, or nothing if it broke off.
    pub async fn message(&mut self) -> Option<Value> {
        loop {
            if self.is_stream
                && let Some((event, rest)) = self.read.split_once("\n\n")
            {
                let data = event.split_once("data: ").map(|(_, data)| data.to_owned());
                self.read = rest.to_owned();
                match data {
                    Some(data) => return Some(serde_json::from_str(&data).expect("an event is JSON")),
                    None => continue,
                }
            }
            match timeout(LONG, self.body.frame()).await.expect("more or the end in time") {
                Some(Ok(frame)) => self.read += std::str::from_utf8(frame.data_ref()?).expect("text"),
                Some(Err(_)) => return None,
                None if self.is_stream => return None,
                None => return serde_json::from_str(&self.read).ok(),
            }
        }
    }

    /// Reads it to its end, whatever it says; whether it is whole.
    pub async fn end(mut self) -> bool {
        loop {
            match timeout(LONG, self.body.frame()).await.expect("the end in time") {
                Some(Ok(_)) => {}
                Some(Err(_)) => return false,
                None => return true,
            }
        }
    }
}
