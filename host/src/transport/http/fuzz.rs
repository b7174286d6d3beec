//! Heads and bodies as bytes on a connection, through hyper and this module to the component's own code.

use super::inbound::{self, Rejected};
use ::http::{Request, Response, StatusCode, header::HOST};
use bytes::Bytes;
use fuzz::{Result, Unstructured, text};
use guest::mcp::http::HttpRequest;
use guest::world::{Gone, Incoming as Answer, Outgoing, SendError, Store, StoreError, World};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{cell::Cell, cell::RefCell, convert::Infallible};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const LIMIT: usize = 600;
const TOKEN: &str = "s3cret";

/// Serves this machine, or whoever has the token. Asked for anything, it has nothing.
struct Settled {
    token: bool,
    asked: Cell<bool>,
}

impl World for Settled {
    fn now_ms(&self) -> u64 {
        0
    }

    fn random(&self) -> [u8; 16] {
        [0; 16]
    }

    fn config(&self, key: &str) -> Option<String> {
        let value = match key {
            "origin" => "http://abs",
            "credential" => "host",
            "session_secret" => "secret",
            "surface" if !self.token => "loopback",
            "mcp_token" if self.token => TOKEN,
            _ => return None,
        };
        Some(value.to_owned())
    }

    fn log(&self, _line: &str) {}

    fn send(&self, _: Outgoing) -> std::result::Result<Answer, SendError> {
        self.asked.set(true);
        Err(SendError::Refused)
    }

    fn head_with(&self, _: Vec<(&'static str, String)>) {}

    fn push(&self, _: &str) -> std::result::Result<(), Gone> {
        Err(Gone)
    }

    fn sleep(&self, _: u64) {}

    fn store(&self) -> &dyn Store {
        self
    }
}

impl Store for Settled {
    fn get(&self, _: &str) -> std::result::Result<Option<Vec<u8>>, StoreError> {
        Err(StoreError)
    }

    fn set(&self, _: &str, _: &[u8]) -> std::result::Result<(), StoreError> {
        Err(StoreError)
    }

    fn delete(&self, _: &str) -> std::result::Result<(), StoreError> {
        Err(StoreError)
    }

    fn keys(&self) -> std::result::Result<Vec<String>, StoreError> {
        Err(StoreError)
    }

    fn increment(&self, _: &str) -> std::result::Result<i64, StoreError> {
        Err(StoreError)
    }
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_libraries","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const LINES: [&str; 22] = [
    "Host: localhost",
    "Host: evil.example.com",
    "Host: [::1]:8787",
    "Host:",
    "Origin: http://localhost:6274",
    "Origin: https://evil.example.com",
    "Origin: null",
    "Authorization: Bearer s3cret",
    "Authorization: Bearer s3creT",
    "Authorization: Basic czNjcmV0",
    "Content-Type: text/plain",
    "Accept: text/html",
    "Transfer-Encoding: chunked",
    "Content-Length: 5",
    "Content-Length: 18446744073709551616",
    "Content-Length: 601",
    "Expect: 100-continue",
    "Connection: close, Authorization, Host, Content-Type",
    "Connection: keep-alive, Upgrade",
    "Upgrade: h2c",
    "Mcp-Session-Id: v1.e30.AAAA",
    " folded",
];

fn bytes(u: &mut Unstructured<'_>, token: bool) -> Result<Vec<u8>> {
    let usual = u.ratio(3, 4)?;
    let mut one = |of: &[&'static str]| if usual { Ok(of[0]) } else { u.choose(of).copied() };
    let target = one(&["/mcp", "/mcp/?a=b", "http://localhost/mcp", "http://evil/mcp", "*", "/"])?;
    let method = one(&["POST", "GET", "CONNECT", "BREW"])?;
    let version = one(&["1.1", "1.0", "2.0"])?;
    let mut lines = vec!["Content-Type: application/json".to_owned(), "Mcp-Method: tools/call".to_owned()];
    lines.extend(["Mcp-Protocol-Version: 2026-07-28".to_owned(), "Mcp-Name: list_libraries".to_owned()]);
    if u.ratio(7, 8)? {
        lines.push("Host: localhost".to_owned());
        lines.push(format!("Content-Length: {}", CALL.len()));
    }
    if token && u.ratio(2, 3)? {
        lines.push(format!("Authorization: Bearer {TOKEN}"));
    }
    for _ in 0..u.int_in_range(0..=5_usize)?.saturating_sub(2) {
        let at = u.int_in_range(0..=lines.len())?;
        lines.insert(at, (*u.choose(&LINES)?).to_owned());
    }
    if u.ratio(1, 3)? {
        let at = u.int_in_range(0..=lines.len() - 1)?;
        lines[at] = text::changed(u, &lines[at])?;
    }
    let mut bytes = format!("{method} {target} HTTP/{version}\r\n{}\r\n\r\n{CALL}", lines.join("\r\n")).into_bytes();
    if u.ratio(1, 4)? {
        text::changed_bytes(u, &mut bytes)?;
    }
    if u.ratio(1, 8)? {
        bytes.extend_from_within(..);
    }
    Ok(bytes)
}

/// The rule for callers, once more.
fn may(request: &Request<Full<Bytes>>, token: bool) -> bool {
    let all =
        |name: &str| -> Vec<&[u8]> { request.headers().get_all(name).iter().map(|value| value.as_bytes()).collect() };
    let is_here = |host: &str| {
        let host = host.to_ascii_lowercase();
        ["localhost", "127.", "[::1]", "[::ffff:127."].iter().any(|name| host.starts_with(name))
            && !host.contains("evil")
    };
    let local = |origin: &[u8]| {
        let origin = String::from_utf8_lossy(origin);
        origin.split_once("://").is_some_and(|(scheme, host)| scheme.starts_with("http") && is_here(host))
    };
    let origins = all("origin");
    if token {
        let given = all("authorization");
        let is_it = given.len() == 1
            && given[0].to_ascii_lowercase().starts_with(b"bearer ")
            && given[0].ends_with(TOKEN.as_bytes());
        return is_it && origins.is_empty();
    }
    is_here(&String::from_utf8_lossy(request.headers()[HOST].as_bytes()))
        && origins.len() <= 1
        && origins.into_iter().all(local)
}

fn check(request: &Request<Full<Bytes>>) {
    let headers = request.headers();
    assert_eq!(headers.get_all(HOST).iter().count(), 1, "{request:?}");
    assert!(request.uri().authority().is_none(), "{request:?}");
    for name in ["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "proxy-authorization"] {
        assert!(!headers.contains_key(name), "{request:?}");
    }
}

async fn answer(world: &Settled, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let request = match inbound::prepare(request, LIMIT).await {
        Ok(request) => request,
        Err(rejected) => {
            let statuses = [(Rejected::TooLarge, 413), (Rejected::Authority, 400), (Rejected::Broken, 400)];
            let (_, status) = statuses.iter().find(|(known, _)| *known == rejected).expect("nothing is slow here");
            return plain(*status, Bytes::new());
        }
    };
    check(&request);
    let may = may(&request, world.token);
    let shown = format!("{request:?}");
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("in memory").to_bytes();
    assert!(body.len() <= LIMIT, "{shown}");
    // As the edge of the component does it.
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let others = parts.headers.iter().filter(|(name, _)| **name != HOST);
    let request = HttpRequest {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        authority: Some(lossy(parts.headers[HOST].as_bytes())),
        headers: others.map(|(name, value)| (name.to_string(), lossy(value.as_bytes()))).collect(),
        body: body.to_vec(),
    };
    let response = guest::mcp::serve(world, request);
    assert!(may || !world.asked.get(), "got in: {shown}");
    assert!(response.status < 500, "{shown}");
    plain(response.status, response.body.into())
}

fn plain(status: u16, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
}

#[test]
fn no_head_and_no_body_gets_further_than_it_may() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let seen = RefCell::new([0_u64; 2]);
    fuzz::run(|u| {
        let world = Settled { token: u.arbitrary()?, asked: Cell::new(false) };
        let input = bytes(u, world.token)?;
        let (mut client, server) = tokio::io::duplex(64 * 1024);
        let service = service_fn(|request| async { Ok::<_, Infallible>(answer(&world, request).await) });
        let mut output = Vec::new();
        runtime.block_on(async {
            client.write_all(&input).await.expect("it has room");
            client.shutdown().await.expect("it is open");
            // An error is bytes that are no HTTP.
            let connection = http1::Builder::new().serve_connection(TokioIo::new(server), service);
            let (_, read) = tokio::join!(connection, client.read_to_end(&mut output));
            read.expect("memory can be read");
        });
        assert!(output.is_empty() || output.starts_with(b"HTTP/1."), "{:?}", String::from_utf8_lossy(&output));
        seen.borrow_mut()[usize::from(world.asked.get())] += 1;
        Ok(())
    });
    let [refused, admitted] = seen.into_inner();
    println!("{admitted} got in, {refused} did not");
}
