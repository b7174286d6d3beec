//! What the bridge must know of a message: whether it is a request, which, whether it cancels one, and whom it answers.

use guest::mcp::envelope::{self, Outline};
use serde_json::Value;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Message {
    /// Of a request; answers have an id too, but no method.
    pub(super) request: Option<Value>,
    pub(super) is_initialize: bool,
    /// The request that this notification cancels.
    pub(super) cancels: Option<Value>,
}

/// Whether a message of the component is the answer to a request.
pub(super) fn answers(text: &str, request: &Value) -> bool {
    serde_json::from_str::<Outline>(text).is_ok_and(|o| o.method.is_none() && o.id.as_ref() == Some(request))
}

/// Whether a message of the component asks the client for something.
pub(super) fn asks(text: &str) -> bool {
    serde_json::from_str::<Outline>(text).is_ok_and(|o| o.method.is_some() && o.id.is_some())
}

impl Message {
    /// Understands nothing of a message that is none; the component says what is wrong with it.
    pub(super) fn read(line: &[u8]) -> Message {
        // As text first: what is skipped while reading is not looked at, and the component refuses a line with such bytes.
        let text = std::str::from_utf8(line).unwrap_or_default();
        let Ok(Outline { id, method: Some(Value::String(method)) }) = serde_json::from_str(text) else {
            return Message::default();
        };
        let cancels = if method == "notifications/cancelled" { cancelled(line) } else { None };
        // The component's rule: a request with another id is answered without one.
        let request = id.filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        Message { is_initialize: request.is_some() && method == "initialize", request, cancels }
    }
}

/// The request that a cancellation is about, if the component would take it as one.
fn cancelled(line: &[u8]) -> Option<Value> {
    match envelope::parse(line).and_then(envelope::classify) {
        Ok(envelope::Message::Notification { mut params, .. }) => params.remove("requestId"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages() {
        let read = |text: &str| Message::read(text.as_bytes());
        let request = |id: Value| Message { request: Some(id), ..Message::default() };
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#), request(json!(0)));
        assert_eq!(read(r#"{"id":"1","method":"tools/call","params":[1]}"#), request(json!("1")));
        assert!(read(r#"{"id":1,"method":"initialize","params":{}}"#).is_initialize);
        assert!(!read(r#"{"method":"initialize"}"#).is_initialize);
        let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"x"}}"#;
        assert_eq!(read(cancel).cancels, Some(json!("a")));
        assert_eq!(read(cancel).request, None);
        // The component goes by the last one, too.
        assert_eq!(read(r#"{"id":1,"id":"b","method":7,"method":"x"}"#), request(json!("b")));
        for nothing in [
            r#"{"id":1,"result":{}}"#,
            r#"{"id":null,"method":"x"}"#,
            r#"{"id":1.5,"method":"x"}"#,
            r#"{"id":18446744073709551616,"method":"x"}"#,
            r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            r#"{"method":"x","params":{"requestId":1}}"#,
            r#"[{"id":1,"method":"x"}]"#,
            r#"[1,"x",{}]"#,
            r#"{"id":1,"method":2}"#,
            "no json",
        ] {
            assert_eq!(read(nothing), Message::default(), "{nothing}");
        }
    }

    #[test]
    fn answers_have_the_id_and_no_method() {
        assert!(answers(r#"{"id":1,"result":{}}"#, &json!(1)) && answers(r#"{"error":{},"id":"a"}"#, &json!("a")));
        assert!(!answers(r#"{"id":1,"method":"elicitation/create"}"#, &json!(1)));
        assert!(!answers(r#"{"id":"1","result":{}}"#, &json!(1)) && !answers(r#"{"method":"n"}"#, &json!(1)));
    }
}
