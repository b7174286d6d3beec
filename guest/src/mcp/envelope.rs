//! JSON-RPC 2.0: telling requests, notifications and responses apart, and what is none of them.

use crate::keep;
use crate::shape::Keep;
use serde::de::{Deserialize, DeserializeSeed as _, Deserializer, Error as _};
use serde_json::{Map, Value};

/// Codes of JSON-RPC and of the 2026-07-28 revision (mcp-specification, schema.ts).
pub mod code {
    pub const PARSE_ERROR: i32 = -32700;
    pub const INVALID_REQUEST: i32 = -32600;
    pub const METHOD_NOT_FOUND: i32 = -32601;
    pub const INVALID_PARAMS: i32 = -32602;
    pub const INTERNAL_ERROR: i32 = -32603;
    pub const HEADER_MISMATCH: i32 = -32020;
    pub const MISSING_CLIENT_CAPABILITY: i32 = -32021;
    pub const UNSUPPORTED_VERSION: i32 = -32022;
}

/// A request id: a string or an integer, kept as it came, so that `"1"` stays `"1"` and `0` stays `0`.
pub type Id = Value;

#[derive(Debug, PartialEq)]
pub enum Message {
    Request { id: Id, method: String, params: Map<String, Value> },
    Notification { method: String, params: Map<String, Value> },
    Response { id: Id, outcome: Result<Value, Value> },
}

/// An error answer. `id` is absent where the request's could not be read: the schemas since 2025-11-25 have no null id.
#[derive(Debug, PartialEq)]
pub struct Fault {
    pub id: Option<Id>,
    pub code: i32,
    pub message: String,
    pub data: Option<Value>,
}

impl Fault {
    pub fn new(id: Option<Id>, code: i32, message: impl Into<String>) -> Fault {
        Fault { id, code, message: message.into(), data: None }
    }

    pub fn with_data(mut self, data: Value) -> Fault {
        self.data = Some(data);
        self
    }
}

/// Reads the bytes of a body or line. An array comes back as it is: whether it may is for the revision to say.
pub fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    serde_json::from_slice(bytes).map_err(|e| {
        let message = format!("Parse error: the body is not JSON ({})", position(&e));
        Fault::new(legible_id(bytes), code::PARSE_ERROR, message)
    })
}

/// The id of a message that is JSON but for something inside it, such as half of a surrogate pair: a client that waits for
/// its id waits for ever otherwise. What is skipped here is only skipped, not read.
fn legible_id(bytes: &[u8]) -> Option<Id> {
    serde_json::from_slice::<Outline>(bytes).ok()?.id.filter(is_id)
}

/// Id and method of a message, as they come. Of a member that stands there twice the last one counts, as everywhere here.
#[derive(Debug, Default, PartialEq)]
pub struct Outline {
    pub id: Option<Value>,
    pub method: Option<Value>,
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outline, D::Error> {
        const MEMBERS: Keep = keep! { id, method };
        match MEMBERS.deserialize(deserializer)? {
            Value::Object(mut message) => Ok(Outline { id: message.remove("id"), method: message.remove("method") }),
            _ => Err(D::Error::custom("a message is an object")),
        }
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}

fn position(e: &serde_json::Error) -> String {
    let what = match e.classify() {
        serde_json::error::Category::Eof => "it ends too early",
        _ => "syntax",
    };
    format!("{what}, line {} column {}", e.line(), e.column())
}

/// Sorts one JSON value into the three kinds of messages.
pub fn classify(value: Value) -> Result<Message, Fault> {
    let Value::Object(mut object) = value else {
        return Err(invalid(None, "a message is a JSON object"));
    };
    let raw_id = object.remove("id");
    let id = raw_id.clone().filter(is_id);
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(id, "\"jsonrpc\" must be \"2.0\""));
    }
    if raw_id.is_some() && id.is_none() {
        return Err(invalid(None, "\"id\" must be a string or an integer"));
    }
    match object.remove("method") {
        Some(Value::String(method)) => with_method(id, method, object.remove("params")),
        Some(_) => Err(invalid(id, "\"method\" must be a string")),
        None => response(id, object),
    }
}

fn with_method(id: Option<Id>, method: String, params: Option<Value>) -> Result<Message, Fault> {
    let params = match params {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(Fault::new(id, code::INVALID_PARAMS, "Invalid params: \"params\" must be an object")),
    };
    let is_notification = method.starts_with("notifications/");
    match id {
        Some(id) if is_notification => Err(invalid(Some(id), "a notification carries no \"id\"")),
        Some(id) => Ok(Message::Request { id, method, params }),
        None => Ok(Message::Notification { method, params }),
    }
}

fn response(id: Option<Id>, mut object: Map<String, Value>) -> Result<Message, Fault> {
    match (id, object.remove("result"), object.remove("error")) {
        (Some(id), Some(result), None) => Ok(Message::Response { id, outcome: Ok(result) }),
        (Some(id), None, Some(error)) => Ok(Message::Response { id, outcome: Err(error) }),
        (id, ..) => Err(invalid(id, "there is no \"method\", and no \"id\" with either \"result\" or \"error\"")),
    }
}

fn invalid(id: Option<Id>, why: &str) -> Fault {
    Fault::new(id, code::INVALID_REQUEST, format!("Invalid request: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault(text: &str) -> (Option<Value>, i32) {
        let fault = parse(text.as_bytes()).and_then(classify).expect_err(text);
        (fault.id, fault.code)
    }

    #[test]
    fn what_is_no_message() {
        let cases = [
            ("", None, code::PARSE_ERROR),
            ("{", None, code::PARSE_ERROR),
            ("Content-Length: 12", None, code::PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":"a","method":"x","params":{"q":"\ud800"}}"#, Some(json!("a")), code::PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"q":1e400}}"#, Some(json!(7)), code::PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":null,"method":"x","params":{"q":1e400}}"#, None, code::PARSE_ERROR),
            (r#"{"id":1,"id":"b","method":"x","params":{"q":1e400}}"#, Some(json!("b")), code::PARSE_ERROR),
            ("7", None, code::INVALID_REQUEST),
            ("{}", None, code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1}"#, Some(json!(1)), code::INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, Some(json!("a")), code::INVALID_REQUEST),
            (r#"{"id":"a","method":"ping"}"#, Some(json!("a")), code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, None, code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, None, code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, None, code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, Some(json!(1)), code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#, Some(json!(1)), code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}"#, Some(json!(1)), code::INVALID_PARAMS),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, Some(json!(1)), code::INVALID_PARAMS),
            (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, Some(json!(1)), code::INVALID_REQUEST),
        ];
        for (text, id, code) in cases {
            assert_eq!(fault(text), (id, code), "{text}");
        }
    }

    #[test]
    fn ids_stay_as_they_came() {
        for id in [json!("init-1"), json!("1"), json!(0), json!(-3), json!(u64::MAX), json!("")] {
            let message = classify(json!({"jsonrpc": "2.0", "id": id, "method": "ping"})).unwrap();
            assert_eq!(message, Message::Request { id, method: "ping".into(), params: Map::new() });
        }
    }
}
