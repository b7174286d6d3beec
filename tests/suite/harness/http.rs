//! `audiobookshelf-mcp serve`, and a client that can say anything HTTP can.

use super::{Events, PATIENCE, modern, modern_headers, program, signal};
use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::{
    process::Stdio,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpStream,
    process::Child,
    task::JoinHandle,
    time::timeout,
};

/// A running server.
pub struct Http {
    /// `127.0.0.1:<port>`.
    pub authority: String,
    child: Child,
    stderr: Arc<Mutex<String>>,
}

pub struct Reply {
    pub status: u16,
    pub headers: hyper::HeaderMap,
    pub body: Bytes,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap_or(""))
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {:?}", self.body))
    }

    /// The JSON-RPC error code, or 0.
    pub fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or(0)
    }
}

impl Http {
    pub async fn start(settings: &[(&str, &str)]) -> Http {
        Http::run(&[], settings).await
    }

    /// With these flags as well.
    pub async fn run(flags: &[&str], settings: &[(&str, &str)]) -> Http {
        Http::listen("127.0.0.1:0", flags, settings).await
    }

    pub async fn listen(address: &str, flags: &[&str], settings: &[(&str, &str)]) -> Http {
        let mut child = program(&[&["serve", "--listen", address], flags].concat(), settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let stderr = Arc::new(Mutex::new(String::new()));
        let authority = timeout(PATIENCE, async {
            loop {
                let line = lines.next_line().await.expect("stderr is text").expect("the server says where it listens");
                if let Some((_, rest)) = line.split_once("listening on http://") {
                    break rest.trim_end_matches("/mcp").to_owned();
                }
                stderr.lock().unwrap().push_str(&(line + "\n"));
            }
        })
        .await
        .expect("the server starts in time");
        let log = Arc::clone(&stderr);
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                log.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        Http { authority, child, stderr }
    }

    /// Against this Audiobookshelf.
    pub async fn with(abs: &[(&'static str, String)]) -> Http {
        let settings: Vec<(&str, &str)> = abs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Http::start(&settings).await
    }

    pub fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Waits for the end of the process. Gives its exit code, or none when a signal ended it.
    pub async fn ended(mut self) -> Option<i32> {
        timeout(PATIENCE, self.child.wait()).await.expect("it ends in time").expect("a status").code()
    }

    pub fn stderr(&self) -> String {
        self.stderr.lock().unwrap().clone()
    }

    /// Any request. `Host` is the server's own unless `headers` has one.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Reply {
        let exchange = async {
            let (response, _connection) = self.begin(method, path, headers, body.into()).await;
            let (head, body) = response.into_parts();
            let body = body.collect().await.expect("a whole body").to_bytes();
            Reply { status: head.status.as_u16(), headers: head.headers, body }
        };
        timeout(PATIENCE, exchange).await.expect("the server answers in time")
    }

    /// A request on a connection of its own, and the head of the answer.
    async fn begin(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> (Response<Incoming>, Connection) {
        let stream = TcpStream::connect(&self.authority).await.expect("the server accepts");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("it speaks HTTP");
        let connection = Connection(tokio::spawn(async {
            let _ = connection.await;
        }));
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("host", &self.authority);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body)).expect("a valid request");
        (sender.send_request(request).await.expect("an answer"), connection)
    }

    /// A POST of JSON whose answer is read as it comes.
    pub async fn open(&self, headers: &[(&str, String)], body: &Value) -> Events {
        let all = usual(headers);
        let begin = self.begin("POST", "/mcp", &all, body.to_string().into());
        let (response, connection) = timeout(PATIENCE, begin).await.expect("the server answers in time");
        Events::new(response, connection)
    }

    /// A POST of JSON with the usual headers and these.
    pub async fn post(&self, headers: &[(&str, String)], body: &Value) -> Reply {
        let all = usual(headers);
        self.send("POST", "/mcp", &all, body.to_string()).await
    }

    /// A modern request; its result.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let message = modern(1, method, params);
        let reply = self.post(&modern_headers(&message), &message).await;
        let mut answer = reply.json();
        assert_eq!(reply.status, 200, "{answer}");
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    /// A modern tool call; the whole `CallToolResult`.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The structured result of a call that must succeed.
    pub async fn ok(&self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments.clone()).await;
        assert!(result.get("isError").is_none(), "{tool} {arguments}: {result}");
        result["structuredContent"].take()
    }

    /// The text of a call that must fail.
    pub async fn error(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments.clone()).await;
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }
}

/// A connection, closed when it is dropped.
pub(super) struct Connection(JoinHandle<()>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The headers of every POST, and these.
fn usual<'a>(headers: &'a [(&str, String)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    all.extend(headers.iter().map(|(name, value)| (*name, value.as_str())));
    all
}
