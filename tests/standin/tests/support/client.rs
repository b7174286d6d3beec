//! A client that sends what it is told to, and notices when nobody answers.

use std::{io, net::SocketAddr};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[derive(Debug)]
pub struct Response {
    pub status: u64,
    pub content_type: String,
    pub body: String,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// One request on a connection of its own. An error means that the connection ended without an answer.
pub async fn send(
    addr: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> io::Result<Response> {
    let mut stream = TcpStream::connect(addr).await?;
    let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    parse(&String::from_utf8_lossy(&answer)).ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "no answer"))
}

fn parse(answer: &str) -> Option<Response> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let content_type = lines
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        .map_or_else(String::new, |(_, value)| value.to_owned());
    Some(Response { status, content_type, body: body.to_owned() })
}

/// With the key of a role and, where there is a body, as JSON.
pub async fn call(
    abs: &standin::Standin,
    role: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> io::Result<Response> {
    let bearer = if role == "none" { String::new() } else { format!("Bearer {}", abs.key(role)) };
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut headers = Vec::new();
    if !bearer.is_empty() {
        headers.push(("authorization", bearer.as_str()));
    }
    if !body.is_empty() {
        headers.push(("content-type", "application/json"));
    }
    send(abs.addr(), method, path, &headers, &body).await
}
