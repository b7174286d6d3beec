//! The messages that are sent, and the requests around them.

use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

/// On stdio, in the revision that every server of today speaks.
pub fn initialize() -> Value {
    let client = json!({"name": "bench", "version": env!("CARGO_PKG_VERSION")});
    request("initialize", json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": client}))
}

pub fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

pub fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

pub fn call(tool: &str, arguments: &Value) -> Value {
    request("tools/call", json!({"name": tool, "arguments": arguments}))
}

/// A message that stands alone, for HTTP: no handshake in front of what is measured.
pub struct Modern {
    method: &'static str,
    name: Option<String>,
    body: String,
}

impl Modern {
    pub fn list() -> Modern {
        Modern::new("tools/list", None, json!({}))
    }

    pub fn ping() -> Modern {
        // Of the older revision, which has one and needs no metadata for it.
        Modern { method: "ping", name: None, body: request("ping", json!({})).to_string() }
    }

    pub fn call(tool: &str, arguments: &Value) -> Modern {
        Modern::new("tools/call", Some(tool), json!({"name": tool, "arguments": arguments}))
    }

    fn new(method: &'static str, name: Option<&str>, mut params: Value) -> Modern {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        Modern { method, name: name.map(str::to_owned), body: request(method, params).to_string() }
    }

    pub fn body(&self) -> &str {
        &self.body
    }

    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json, text/event-stream".to_owned()),
        ];
        if self.method != "ping" {
            headers.push(("mcp-protocol-version", MODERN.to_owned()));
            headers.push(("mcp-method", self.method.to_owned()));
        }
        headers.extend(self.name.clone().map(|name| ("mcp-name", name)));
        headers
    }

    /// All bytes of the request on a kept connection.
    pub fn bytes(&self, host: &str) -> Vec<u8> {
        let mut head = format!("POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n", self.body.len());
        for (name, value) in self.headers() {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        [head.as_bytes(), b"\r\n", self.body.as_bytes()].concat()
    }
}
