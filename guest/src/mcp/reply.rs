//! JSON-RPC answers as HTTP responses.

use super::envelope::{Fault, Id};
use super::http::HttpResponse;
use serde_json::{Map, Value, json};

/// One message, on one line.
pub fn result(id: &Id, result: Value) -> String {
    line(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// A result with the tools, a JSON array that goes into the message as it is.
pub fn tools(id: &Id, rest: Map<String, Value>, tools: &str) -> String {
    let comma = if rest.is_empty() { "" } else { "," };
    let mut message = result(id, rest.into());
    // The result is the last member: its end and the message's.
    message.truncate(message.len() - 2);
    message + comma + "\"tools\":" + tools + "}}"
}

pub fn error(fault: Fault) -> String {
    let mut error = Map::new();
    error.insert("code".into(), fault.code.into());
    error.insert("message".into(), fault.message.into());
    if let Some(data) = fault.data {
        error.insert("data".into(), data);
    }
    let mut message = Map::new();
    message.insert("jsonrpc".into(), "2.0".into());
    if let Some(id) = fault.id {
        message.insert("id".into(), id);
    }
    message.insert("error".into(), error.into());
    line(&message.into())
}

pub fn fault(status: u16, fault: Fault) -> HttpResponse {
    json(status, error(fault))
}

pub fn json(status: u16, body: String) -> HttpResponse {
    HttpResponse { status, headers: Vec::new(), body: body.into_bytes() }
        .with("content-type", "application/json")
        .with("cache-control", "no-store")
}

/// JSON on one line for every reader. U+2028 and U+2029 are legal inside JSON strings, but some stdio and event-stream
/// readers split lines at them.
pub(crate) fn line(value: &Value) -> String {
    let text = value.to_string();
    if text.contains(['\u{2028}', '\u{2029}']) {
        text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_separators_are_escaped() {
        assert_eq!(line(&json!("a\u{2028}b\u{2029}\n")), r#""a\u2028b\u2029\n""#);
    }
}
