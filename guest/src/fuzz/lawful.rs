//! What any answer must be, and what a valid call is, read from the bytes a second time.

use crate::mcp::http::HttpResponse;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Checks an answer, and gives its messages.
pub(super) fn answer(request: &[u8], response: &HttpResponse) -> Vec<Value> {
    let shown = || format!("{} {}", response.status, String::from_utf8_lossy(&response.body));
    if response.status == 202 {
        assert!(response.body.is_empty() && response.headers.is_empty(), "{}", shown());
        return Vec::new();
    }
    if matches!(response.status, 204 | 404) && !response.headers.iter().any(|header| header.1 == "application/json") {
        // A preflight, and a path where nothing is: neither speaks MCP, and neither may look as if it did.
        assert!(!response.body.contains(&b'{'), "{}", shown());
        return Vec::new();
    }
    assert!([200, 400, 401, 403, 404, 405, 406, 415].contains(&response.status), "{}", shown());
    assert!(
        response.headers.iter().any(|header| *header == ("content-type", "application/json".into())),
        "{}",
        shown()
    );
    assert!(!response.body.contains(&b'\n') && !response.body.contains(&b'\r'), "{}", shown());
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_else(|_| panic!("{}", shown()));
    let Ids(ids) = serde_json::from_slice(request).unwrap_or_default();
    let messages = match body {
        Value::Array(messages) => {
            assert!(request.trim_ascii_start().starts_with(b"[") && !messages.is_empty(), "{}", shown());
            messages
        }
        message => vec![message],
    };
    for message in &messages {
        assert_eq!(message["jsonrpc"], "2.0", "{}", shown());
        match (message.get("result"), message.get("error")) {
            (Some(result), None) => assert!(result.is_object() && message.get("id").is_some(), "{}", shown()),
            (None, Some(error)) => assert!(error["code"].is_i64() && error["message"].is_string(), "{}", shown()),
            _ => panic!("{}", shown()),
        }
        if let Some(id) = message.get("id") {
            assert!(ids.contains(id) && (id.is_string() || id.is_i64() || id.is_u64()), "made up: {}", shown());
        }
    }
    messages
}

/// Every id in a message or batch, those of repeated keys included.
#[derive(Default)]
struct Ids(Vec<Value>);

impl<'de> Deserialize<'de> for Ids {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ids, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Ids;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message or an array of them")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ids, A::Error> {
        let mut ids = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == "id" {
                ids.push(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Ids(ids))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ids, A::Error> {
        let mut ids = Vec::new();
        while let Some(value) = seq.next_element::<Value>()? {
            ids.extend(value.get("id").cloned());
        }
        Ok(Ids(ids))
    }
}

/// One valid `tools/call`.
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) params: Value,
}

/// The valid calls in a body.
pub(super) fn calls(body: &[u8]) -> Vec<Call> {
    let messages = match serde_json::from_slice(body) {
        Ok(Value::Array(messages)) => messages,
        Ok(message) => vec![message],
        Err(_) => Vec::new(),
    };
    messages.into_iter().filter_map(call).collect()
}

fn call(message: Value) -> Option<Call> {
    let id = message.get("id")?;
    let is_request = message["jsonrpc"] == "2.0" && (id.is_string() || id.is_i64() || id.is_u64());
    let params = &message["params"];
    let arguments = match &params["arguments"] {
        Value::Null => Map::new(),
        Value::Object(arguments) => arguments.clone(),
        Value::String(text) => serde_json::from_str(text).ok()?,
        _ => return None,
    };
    let tool = params["name"].as_str()?.to_owned();
    (is_request && message["method"] == "tools/call").then(|| Call { tool, arguments, params: params.clone() })
}
