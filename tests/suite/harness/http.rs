//! The server over HTTP, on the host under test, and a client that can say anything HTTP can.

use super::{Events, Host, PATIENCE, Process, Secret, Spin, modern, modern_headers, program};
use audiobookshelf_mcp::sandbox::Sandbox;
use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    process::Command,
    task::JoinHandle,
    time::timeout,
};

/// A running server.
pub struct Http {
    /// `127.0.0.1:<port>`.
    pub authority: String,
    secret: Secret,
    /// None where the server runs in the process of the test.
    process: Option<Process>,
    _here: Option<Connection>,
}

/// What a server says once it can be asked, before its address.
const LISTENING: &str = "listening on http://";

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
    /// On the host under test.
    pub async fn start(settings: &[(&str, &str)]) -> Http {
        match crate::HOST {
            Host::Own => Http::run(&[], settings).await,
            Host::Spin => Http::on(&Spin::default(), settings).await,
        }
    }

    /// On Spin, in a certain way.
    pub async fn on(spin: &Spin, settings: &[(&str, &str)]) -> Http {
        Http::of(spin.command(settings), Secret::of(settings)).await
    }

    /// On our own host, with these flags as well.
    pub async fn run(flags: &[&str], settings: &[(&str, &str)]) -> Http {
        Http::listen("127.0.0.1:0", flags, settings).await
    }

    pub async fn listen(address: &str, flags: &[&str], settings: &[(&str, &str)]) -> Http {
        let arguments = [&["serve", "--listen", address], flags].concat();
        Http::of(program(&arguments, settings), Secret::of(settings)).await
    }

    /// Any program that says on stderr where it listens.
    pub async fn of(mut command: Command, secret: Secret) -> Http {
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let process = Process::start(command, secret.clone());
        let stderr = process.stderr_when(|text| text.lines().any(|line| line.contains(LISTENING))).await;
        let (_, rest) = stderr.split_once(LISTENING).expect("the address");
        let authority = rest.lines().next().unwrap_or_default().trim_end_matches("/mcp").to_owned();
        Http { authority, secret, process: Some(process), _here: None }
    }

    /// One that listens there already.
    pub fn at(authority: String, secret: Secret) -> Http {
        Http { authority, secret, process: None, _here: None }
    }

    /// Our own host and component in this process, told what no command line can say.
    pub async fn here(sandbox: Sandbox) -> Http {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let authority = listener.local_addr().expect("an address").to_string();
        let serving = Connection(tokio::spawn(audiobookshelf_mcp::transport::http::serve(sandbox, listener)));
        Http { _here: Some(serving), ..Http::at(authority, Secret::default()) }
    }

    /// Bytes out, and with `shut` the end of them, and all that comes back until the server closes.
    pub async fn raw(&self, bytes: &[u8], shut: bool) -> String {
        let exchange = async {
            let mut stream = TcpStream::connect(&self.authority).await.expect("the server accepts");
            stream.write_all(bytes).await.expect("the server reads");
            if shut {
                stream.shutdown().await.expect("one side is closed");
            }
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.expect("an answer and its end");
            self.secret.must_not_be_in("an answer", &answer);
            String::from_utf8_lossy(&answer).into_owned()
        };
        timeout(PATIENCE, exchange).await.expect("the server closes in time")
    }

    /// Against this Audiobookshelf.
    pub async fn with(abs: &[(&'static str, String)]) -> Http {
        let settings: Vec<(&str, &str)> = abs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Http::start(&settings).await
    }

    /// Ends it as nothing else does: without a moment to put its things in order.
    pub async fn kill(&mut self) {
        self.signal("KILL");
        self.process.as_mut().expect("it has a process of its own").wait().await;
    }

    pub fn process(&self) -> &Process {
        self.process.as_ref().expect("it has a process of its own")
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        self.process().signal(name);
    }

    /// Waits for the end of the process. Gives its exit code, or none when a signal ended it.
    pub async fn ended(mut self) -> Option<i32> {
        self.process.as_mut().expect("it has a process of its own").wait().await.code()
    }

    /// Without the line that says where it listens.
    pub fn stderr(&self) -> String {
        let text = self.process().stderr();
        text.lines().filter(|line| !line.contains(LISTENING)).flat_map(|line| [line, "\n"]).collect()
    }

    /// Any request. `Host` is the server's own unless `headers` has one.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Reply {
        let (reply, whole) = self.attempt(method, path, headers, body).await;
        assert!(whole, "the answer broke off");
        reply
    }

    /// Likewise, also when the answer breaks off: what there is of it, and whether that is all.
    pub async fn attempt(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> (Reply, bool) {
        let exchange = async {
            let (response, _connection) = self.begin(method, path, headers, body.into()).await;
            let (head, mut body) = response.into_parts();
            let (mut bytes, mut whole) = (Vec::new(), true);
            while let Some(frame) = body.frame().await {
                match frame.map(|frame| frame.into_data()) {
                    Ok(Ok(data)) => bytes.extend_from_slice(&data),
                    Ok(Err(_)) => {}
                    Err(_) => whole = false,
                }
            }
            (Reply { status: head.status.as_u16(), headers: head.headers, body: bytes.into() }, whole)
        };
        let (reply, whole) = timeout(PATIENCE, exchange).await.expect("the server answers in time");
        self.secret.must_not_be_in("the body of an answer", &reply.body);
        (reply, whole)
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
        let response = sender.send_request(request).await.expect("an answer");
        self.secret.must_not_be_in("the head of an answer", format!("{:?}", response.headers()).as_bytes());
        (response, connection)
    }

    /// A POST of JSON whose answer is read as it comes.
    pub async fn open(&self, headers: &[(&str, String)], body: &Value) -> Events {
        let all = usual(headers);
        let begin = self.begin("POST", "/mcp", &all, body.to_string().into());
        let (response, connection) = timeout(PATIENCE, begin).await.expect("the server answers in time");
        Events::new(response, connection, self.secret.clone())
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

/// A connection, or a server of them, closed when it is dropped.
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
