//! Messages of both eras.

use serde_json::{Value, json};

/// A 2026-07-28 request, without its HTTP headers.
pub fn modern(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "suite", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// The headers that go with a modern message.
pub fn modern_headers(message: &Value) -> Vec<(&'static str, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut headers = vec![("mcp-protocol-version", "2026-07-28".to_owned()), ("mcp-method", text(&message["method"]))];
    if message["params"]["name"].is_string() {
        headers.push(("mcp-name", text(&message["params"]["name"])));
    }
    headers
}

pub fn initialize(version: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "suite", "version": "1"}}})
}
