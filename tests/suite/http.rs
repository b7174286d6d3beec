//! Streamable HTTP over real sockets: each row of the status summary and of the error tables of both eras.

use crate::harness::{Http, Reply, initialize, modern, modern_headers};
use serde_json::{Value, json};

type Headers = Vec<(&'static str, String)>;

/// A modern `tools/list`, or a changed one.
async fn changed(server: &Http, change: impl FnOnce(&mut Headers, &mut Value)) -> Reply {
    let mut message = modern(7, "tools/call", json!({"name": "list_libraries", "arguments": {}}));
    let mut headers = modern_headers(&message);
    change(&mut headers, &mut message);
    let reply = server.post(&headers, &message).await;
    assert_eq!(reply.json()["id"], 7, "the id comes back, or clients drop the error: {}", reply.json());
    reply
}

fn set(headers: &mut Headers, name: &'static str, value: &str) {
    headers.retain(|(known, _)| *known != name);
    if !value.is_empty() {
        headers.push((name, value.to_owned()));
    }
}

fn outcome(reply: &Reply) -> (u16, i64) {
    (reply.status, reply.code())
}

#[tokio::test]
async fn modern_requests_that_are_refused() {
    let server = Http::start(&[]).await;
    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    let row = async |want: (u16, i64), what: &str, change: &dyn Fn(&mut Headers, &mut Value)| {
        let reply = changed(&server, change).await;
        assert_eq!(outcome(&reply), want, "{what}");
        assert_eq!(reply.header("content-type"), "application/json", "{what}");
    };
    row((400, -32602), "no _meta", &|_, m| m["params"] = json!({"name": "list_libraries"})).await;
    row((400, -32602), "no version", &|_, m| m["params"]["_meta"] = json!({CAPABILITIES: {}})).await;
    row((400, -32602), "no capabilities", &|_, m| m["params"]["_meta"] = json!({VERSION: "2026-07-28"})).await;
    row((400, -32020), "no version header", &|h, _| set(h, "mcp-protocol-version", "")).await;
    row((400, -32020), "another version header", &|h, _| set(h, "mcp-protocol-version", "2025-11-25")).await;
    row((400, -32020), "two version headers", &|h, _| h.push(("mcp-protocol-version", "2026-07-28".into()))).await;
    row((400, -32022), "an unknown version", &|h, m| {
        set(h, "mcp-protocol-version", "1900-01-01");
        m["params"]["_meta"][VERSION] = json!("1900-01-01");
    })
    .await;
    row((400, -32020), "no method header", &|h, _| set(h, "mcp-method", "")).await;
    row((400, -32020), "another method header", &|h, _| set(h, "mcp-method", "tools/list")).await;
    row((404, -32601), "an unknown method", &|h, m| {
        set(h, "mcp-method", "prompts/list");
        m["method"] = json!("prompts/list");
    })
    .await;
    row((404, -32601), "a method that is gone", &|h, m| {
        set(h, "mcp-method", "ping");
        m["method"] = json!("ping");
    })
    .await;
    row((400, -32020), "no name header", &|h, _| set(h, "mcp-name", "")).await;
    row((400, -32020), "another name header", &|h, _| set(h, "mcp-name", "get_me")).await;
    row((200, -32602), "an unknown tool", &|h, m| {
        set(h, "mcp-name", "drop_all");
        m["params"]["name"] = json!("drop_all");
    })
    .await;
    row((200, -32602), "arguments that are no object", &|_, m| m["params"]["arguments"] = json!([])).await;
}

#[tokio::test]
async fn bodies_that_are_no_request() {
    let server = Http::start(&[]).await;
    let json = ("content-type", "application/json");
    for (body, status, code) in [
        ("", 400, -32700),
        ("{", 400, -32700),
        ("7", 400, -32600),
        ("[]", 400, -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, 400, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, 400, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400, -32600),
    ] {
        let reply = server.send("POST", "/mcp", &[json], body).await;
        assert_eq!(outcome(&reply), (status, code), "{body}");
    }
    let reply = server.send("POST", "/mcp", &[json], vec![b' '; 1_100_000]).await;
    assert_eq!(reply.status, 413);
}

#[tokio::test]
async fn methods_paths_and_media_types() {
    let server = Http::start(&[]).await;
    let message = modern(1, "server/discover", json!({}));
    let headers = modern_headers(&message);
    let mut base: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let accept = ("accept", "application/json, text/event-stream");
    base.push(("content-type", "application/json; charset=utf-8"));
    let with = |more: &[(&'static str, &'static str)]| {
        let mut all = base.clone();
        all.extend(more);
        all
    };
    for (method, path, headers, want) in [
        ("POST", "/mcp", with(&[accept]), 200),
        ("POST", "/mcp/", with(&[accept]), 200),
        ("POST", "/mcp?x=1", with(&[accept]), 200),
        ("POST", "/mcp", with(&[]), 200),
        ("POST", "/mcp", with(&[("accept", "*/*")]), 200),
        ("POST", "/mcp", with(&[("accept", "application/json")]), 200),
        ("POST", "/mcp", with(&[("accept", "text/event-stream")]), 200),
        ("POST", "/mcp", with(&[("accept", "text/plain"), ("accept", "Application/JSON")]), 200),
        ("POST", "/mcp", with(&[("accept", "image/png")]), 406),
        ("GET", "/mcp", with(&[("accept", "text/event-stream")]), 405),
        ("DELETE", "/mcp", with(&[]), 405),
        ("PUT", "/mcp", with(&[]), 405),
        ("POST", "/", with(&[]), 404),
        ("POST", "/mcp/x", with(&[]), 404),
    ] {
        let reply = server.send(method, path, &headers, message.to_string()).await;
        assert_eq!(reply.status, want, "{method} {path} {headers:?}");
        assert!(want != 405 || reply.header("allow") == "POST", "405 says what is allowed");
    }
    let form = [("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(server.send("POST", "/mcp", &form, message.to_string()).await.status, 415);
}

#[tokio::test]
async fn accepted_notifications_are_202_and_empty() {
    let server = Http::start(&[]).await;
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": "srv-1", "result": {"action": "accept"}}),
    ] {
        let reply = server.post(&[], &message).await;
        assert_eq!((reply.status, reply.body.len()), (202, 0));
        assert_eq!((reply.header("content-type"), reply.header("content-length")), ("", "0"));
    }
    let answer = json!({"jsonrpc": "2.0", "id": "srv-1", "result": {}});
    assert_eq!(server.post(&[("mcp-protocol-version", "2026-07-28".into())], &answer).await.status, 400);
}

#[tokio::test]
async fn a_legacy_conversation() {
    let server = Http::start(&[]).await;
    let hello = server.post(&[], &initialize("2025-11-25")).await;
    let session = hello.header("mcp-session-id").to_owned();
    assert_eq!((hello.status, &hello.json()["id"]), (200, &json!("init")));
    let headers =
        |session: &str| vec![("mcp-session-id", session.to_owned()), ("mcp-protocol-version", "2025-11-25".to_owned())];
    let ask = async |session: &str, method: &str| {
        outcome(&server.post(&headers(session), &json!({"jsonrpc": "2.0", "id": 1, "method": method})).await)
    };
    assert_eq!(ask(&session, "tools/list").await, (200, 0));
    assert_eq!(ask(&session, "ping").await, (200, 0));
    assert_eq!(ask(&session, "prompts/list").await, (200, -32601));
    assert_eq!(ask("unknown", "tools/list").await.0, 404);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(server.post(&[], &list).await.status, 400, "no session");
    assert_eq!(
        server.post(&[("mcp-protocol-version", "1999-01-01".into())], &list).await.status,
        400,
        "unknown version"
    );
    assert_eq!(server.post(&[("mcp-protocol-version", "2026-07-28".into())], &list).await.code(), -32602);
}

#[tokio::test]
async fn answers_are_not_stored_on_the_way() {
    let server = Http::start(&[]).await;
    let message = modern(1, "tools/list", json!({}));
    assert_eq!(server.post(&modern_headers(&message), &message).await.header("cache-control"), "no-store");
}
