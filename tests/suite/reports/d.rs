//! D: the HTTP edge.

use crate::{
    access::call,
    harness::{Client, Era, Http, Stdio, form, initialize, modern, modern_headers, settings_for},
};
use serde_json::{Value, json};
use standin::Standin;
use std::sync::Arc;

const JSON: (&str, &str) = ("content-type", "application/json");

/// `tools/list` of either era, with these headers on top.
async fn list(server: &Http, path: &str, more: &[(&'static str, &'static str)]) -> u16 {
    let message = modern(1, "tools/list", json!({}));
    let own = modern_headers(&message);
    let mut headers: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    headers.extend(more);
    let reply = server.send("POST", path, &headers, message.to_string()).await;
    if reply.status == 200 {
        assert_eq!(reply.json()["result"]["tools"].as_array().map(Vec::len), Some(44));
        assert_eq!(reply.header("content-type"), "application/json");
    }
    reply.status
}

#[tokio::test]
async fn d1_with_and_without_a_slash() {
    let server = Http::start(&[]).await;
    for path in ["/mcp", "/mcp/"] {
        assert_eq!(list(&server, path, &[JSON]).await, 200, "{path}");
        let hello = server.send("POST", path, &[JSON], initialize("2025-11-25").to_string()).await;
        assert_eq!((hello.status, hello.header("location")), (200, ""), "{path}");
    }
}

#[tokio::test]
async fn d2_whatever_is_accepted() {
    let server = Http::start(&[]).await;
    let accept = |value| ("accept", value);
    for more in [
        &[][..],
        &[accept("*/*")],
        &[accept("application/json")],
        &[accept("text/event-stream")],
        &[accept("APPLICATION/json, Text/Event-Stream")],
        &[accept("application/json;q=0.9,text/event-stream;q=0.8")],
        &[accept("text/html"), accept("application/json")],
        &[accept("application/json"), accept("text/event-stream")],
        &[accept("application/*")],
        &[accept("")],
    ] {
        assert_eq!(list(&server, "/mcp", &[&[JSON], more].concat()).await, 200, "{more:?}");
    }
}

#[tokio::test]
async fn d3_content_type_with_parameters() {
    let server = Http::start(&[]).await;
    for value in [
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON ; charset=\"utf-8\"",
        "application/json;",
    ] {
        assert_eq!(list(&server, "/mcp", &[("content-type", value)]).await, 200, "{value}");
    }
    for value in ["application/jsonp", "text/json", "text/plain; x=application/json"] {
        assert_eq!(list(&server, "/mcp", &[("content-type", value)]).await, 415, "{value}");
    }
}

#[tokio::test]
async fn d4_get_is_not_allowed() {
    let server = Http::start(&[]).await;
    let session = server.post(&[], &initialize("2025-11-25")).await.header("mcp-session-id").to_owned();
    let stream = ("accept", "text/event-stream");
    for headers in [
        vec![stream],
        vec![stream, ("mcp-session-id", &session), ("mcp-protocol-version", "2025-11-25")],
        vec![stream, ("mcp-session-id", &session), ("last-event-id", "1")],
        vec![stream, ("mcp-protocol-version", "2026-07-28")],
    ] {
        for path in ["/mcp", "/mcp/"] {
            let reply = server.send("GET", path, &headers, "").await;
            assert_eq!((reply.status, reply.header("allow")), (405, "POST"), "{headers:?}");
        }
    }
}

#[tokio::test]
async fn d5_get_without_a_stream_in_mind() {
    let server = Http::start(&[]).await;
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "text/html")], &[("accept", "application/json")]] {
        let reply = server.send("GET", "/mcp", headers, "").await;
        assert_eq!((reply.status, reply.header("content-type")), (405, "application/json"), "{headers:?}");
    }
}

async fn for_pages() -> Http {
    Http::start(&[
        ("AUDIOBOOKSHELF_ALLOWED_ORIGINS", "https://chat.example.com"),
        ("AUDIOBOOKSHELF_MCP_TOKEN", "correct-horse-battery"),
    ])
    .await
}

const PAGE: (&str, &str) = ("origin", "https://chat.example.com");

#[tokio::test]
async fn d6_preflight_for_the_headers_of_the_protocol() {
    let asked = [
        PAGE,
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type,mcp-protocol-version"),
    ];
    let reply = for_pages().await.send("OPTIONS", "/mcp", &asked, "").await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, PAGE.1));
    for name in ["authorization", "content-type", "mcp-protocol-version"] {
        assert!(reply.header("access-control-allow-headers").split(", ").any(|n| n == name), "{name}");
    }
}

#[tokio::test]
async fn d7_preflight_needs_no_token_and_gives_no_credentials() {
    let server = for_pages().await;
    let reply = server.send("OPTIONS", "/mcp", &[PAGE, ("access-control-request-method", "DELETE")], "").await;
    assert_eq!(reply.status, 204);
    assert!(reply.header("access-control-allow-methods").contains("DELETE"));
    for name in ["mcp-method", "mcp-name", "mcp-session-id", "last-event-id"] {
        assert!(reply.header("access-control-allow-headers").split(", ").any(|n| n == name), "{name}");
    }
    assert!(!reply.headers.contains_key("access-control-allow-credentials"));
    let foreign = server.send("OPTIONS", "/mcp", &[("origin", "https://evil.example.com")], "").await;
    assert_eq!(foreign.status, 403);
    assert!(!foreign.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn d8_a_page_can_read_the_session_of_the_answer() {
    let right = ("authorization", "Bearer correct-horse-battery");
    let hello = initialize("2025-11-25").to_string();
    let reply = for_pages().await.send("POST", "/mcp", &[JSON, PAGE, right], hello).await;
    assert_eq!((reply.status, reply.header("vary")), (200, "origin"));
    assert!(reply.header("access-control-expose-headers").contains("mcp-session-id"));
    assert!(!reply.header("mcp-session-id").is_empty());
}

#[tokio::test]
async fn d9_a_foreign_host_on_loopback() {
    let server = Http::start(&[]).await;
    for host in ["attacker.com", "attacker.com:80", "localhost.attacker.com"] {
        let reply = server.send("POST", "/mcp", &[JSON, ("host", host)], initialize("2025-11-25").to_string()).await;
        assert_eq!((reply.status, reply.header("mcp-session-id")), (403, ""), "{host}");
    }
}

#[tokio::test]
async fn d12_origin_null_and_none_and_an_open_address() {
    let server = Http::start(&[]).await;
    assert_eq!(call(&server, "/mcp", &[("origin", "null")]).await.status, 403);
    assert_eq!(call(&server, "/mcp", &[]).await.status, 200);
    for address in ["0.0.0.0:0", "[::]:0"] {
        let ended = Stdio::run(&["serve", "--listen", address], &[]).end().await;
        assert_eq!(ended.code, Some(1), "{address}");
        assert!(ended.stderr.contains("AUDIOBOOKSHELF_MCP_TOKEN is not set"), "{}", ended.stderr);
    }
}

#[tokio::test]
async fn d13_the_version_header_unknown_or_absent() {
    let server = Http::start(&[]).await;
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for version in ["1999-01-01", "2024-11-05", "latest", ""] {
        let reply = server.post(&[("mcp-protocol-version", version.to_owned())], &ask).await;
        assert_eq!(reply.status, 400, "{version}");
    }
    // 2025-03-26 knows no such header, and has batches; other sessions know their version themselves.
    for (version, want) in [("2025-03-26", 200), ("2025-06-18", 400), ("2025-11-25", 400)] {
        let session = server.post(&[], &initialize(version)).await.header("mcp-session-id").to_owned();
        let headers = [("mcp-session-id", session)];
        assert_eq!(server.post(&headers, &ask).await.status, 200, "{version}");
        assert_eq!(server.post(&headers, &json!([ask])).await.status, want, "{version}");
    }
}

#[tokio::test]
async fn d14_initialize_with_an_unknown_version() {
    let server = Http::start(&[]).await;
    for wanted in ["2024-11-05", "2026-07-28", "2030-01-01", "1.0", "DRAFT-2026-v1", ""] {
        let reply = server.post(&[], &initialize(wanted)).await;
        let answer = reply.json();
        assert_eq!((reply.status, &answer["result"]["protocolVersion"]), (200, &json!("2025-11-25")), "{wanted}");
        assert!(answer["result"].get("resultType").is_none(), "{wanted}: {answer}");
        let session = [("mcp-session-id", reply.header("mcp-session-id").to_owned())];
        let listed = server.post(&session, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
        assert!(listed.status == 200 && listed.json()["result"].get("ttlMs").is_none(), "{wanted}");
    }
}

#[tokio::test]
async fn d15_discover_first_on_stdio() {
    let mut server = Stdio::start(&[]);
    let found = server.ask(&modern("probe", "server/discover", json!({}))).await;
    assert_eq!(found["result"]["supportedVersions"][0], "2026-07-28");
    let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover"});
    assert_eq!(server.ask(&bare).await["error"]["code"], -32602);
    assert_eq!(server.ask(&initialize("2025-11-25")).await["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(server.end().await.code, Some(0));
    // A probe of its own process, which then ends.
    let mut probe = Stdio::start(&[]);
    probe.ask(&modern(1, "server/discover", json!({}))).await;
    assert_eq!(probe.end().await.code, Some(0));
}

/// Sessions are sealed, not stored: a restart forgets none. One that is not ours is 404, which makes a client initialize
/// again, for a ping too; and the revision without sessions does not look at it.
#[tokio::test]
async fn d16_a_session_after_a_restart() {
    let settings = [("AUDIOBOOKSHELF_API_KEY", "a-key-of-audiobookshelf")];
    let before = Http::start(&settings).await;
    let session = before.post(&[], &initialize("2025-11-25")).await.header("mcp-session-id").to_owned();
    drop(before);
    let after = Http::start(&settings).await;
    let status = async |session: &str, method: &str| {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method});
        after.post(&[("mcp-session-id", session.to_owned())], &message).await.status
    };
    for method in ["tools/list", "ping"] {
        assert_eq!(status(&session, method).await, 200, "{method}");
        for stale in ["7f9c2ba4e88f827d616045507605853e", "v1.e30.AAAA", &session[1..]] {
            assert_eq!(status(stale, method).await, 404, "{method} {stale}");
        }
    }
    assert_eq!(list(&after, "/mcp", &[JSON, ("mcp-session-id", "7f9c2ba4e88f827d616045507605853e")]).await, 200);
    let hello = after.post(&[("mcp-session-id", "stale".into())], &initialize("2025-11-25")).await;
    assert_eq!(hello.status, 200, "initialize needs no session");
}

#[tokio::test]
async fn d17_an_answer_to_a_question_nobody_asked() {
    let server = Http::start(&[]).await;
    let session = server.post(&[], &initialize("2025-11-25")).await.header("mcp-session-id").to_owned();
    let answer = json!({"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {}}});
    // More than there are instances: none of them waits for anything.
    for _ in 0..70 {
        for headers in [&[][..], &[("mcp-session-id", session.clone())], &[("mcp-session-id", "stale".into())]] {
            let reply = server.post(headers, &answer).await;
            assert_eq!((reply.status, reply.body.len()), (202, 0));
        }
    }
    assert_eq!(list(&server, "/mcp", &[JSON]).await, 200);
}

/// Byte by byte: the question, and at the end the answer, which a client that looks for blank lines must not miss.
#[tokio::test]
async fn d19_every_event_ends_with_a_blank_line() {
    let abs = Standin::start().await.unwrap();
    let server = Arc::new(Http::with(&settings_for(&abs, "root")).await);
    let client = Client::http(&server, Era::Legacy("2025-11-25"), form()).await;
    let message = json!({"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": {
        "name": "delete_playlist", "arguments": {"playlist_id": standin::ids::ROAD_TRIP}}})
    .to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nmcp-session-id: {}\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{message}",
        server.authority,
        client.session(),
        message.len()
    );
    let answer = server.raw(request.as_bytes(), false);
    tokio::pin!(answer);
    let call = json!("q");
    let raw = loop {
        tokio::select! {
            raw = &mut answer => break raw,
            () = client.cancel(&call) => {}
        }
    };
    let (head, chunked) = raw.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    let body = unchunked(chunked);
    let events: Vec<&str> = body.split_terminator("\n\n").collect();
    assert!(body.ends_with("\n\n") && !body.contains('\r'), "{body:?}");
    let messages: Vec<Value> = events
        .iter()
        .filter_map(|event| event.strip_prefix("event: message\ndata: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(messages[0]["method"], "elicitation/create");
    assert_eq!(messages.last().unwrap()["id"], "q");
    assert!(events.iter().all(|event| event.starts_with(':') || event.starts_with("event: message\ndata: ")), "{body}");
}

/// A chunked body, put together.
fn unchunked(mut chunks: &str) -> String {
    let mut body = String::new();
    loop {
        let (length, rest) = chunks.split_once("\r\n").expect("a chunk begins with its length");
        let length = usize::from_str_radix(length, 16).expect("in hexadecimal");
        if length == 0 {
            return body;
        }
        body += &rest[..length];
        chunks = rest[length..].strip_prefix("\r\n").expect("a chunk ends");
    }
}

/// LibreChat asks without the header first, and takes the answer for OAuth unless it is told otherwise.
#[tokio::test]
async fn d21_a_probe_without_the_token() {
    let server = Http::start(&[("AUDIOBOOKSHELF_MCP_TOKEN", "correct-horse-battery")]).await;
    for probe in ["HEAD", "GET"] {
        let reply = server.send(probe, "/mcp", &[], "").await;
        assert_eq!((reply.status, reply.header("www-authenticate")), (405, ""), "{probe}");
    }
    let reply = server.send("POST", "/mcp", &[], "").await;
    assert_eq!((reply.status, reply.header("www-authenticate")), (401, "Bearer realm=\"audiobookshelf-mcp\""));
    let metadata = server.send("GET", "/.well-known/oauth-protected-resource/mcp", &[], "").await;
    assert_eq!(metadata.status, 404);
    assert!(include_str!("../../../docs/http.md").contains("requiresOAuth: false"));
}

#[tokio::test]
async fn d22_a_token_that_is_set_is_checked() {
    let server = Http::start(&[("AUDIOBOOKSHELF_MCP_TOKEN", "correct-horse-battery")]).await;
    assert_eq!(call(&server, "/mcp", &[]).await.status, 401);
    assert_eq!(call(&server, "/mcp", &[("authorization", "Bearer correct-horse-batterx")]).await.status, 401);
    assert_eq!(call(&server, "/mcp", &[("authorization", "Bearer correct-horse-battery")]).await.status, 200);
    let ended = Stdio::run(&["serve", "--listen", "127.0.0.1:0"], &[("AUDIOBOOKSHELF_MCP_TOKEN", "")]).end().await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("AUDIOBOOKSHELF_MCP_TOKEN is empty"), "{}", ended.stderr);
}

#[tokio::test]
async fn d23_a_body_without_end_and_a_name_that_is_not_served() {
    let server = Http::start(&[]).await;
    let announced = [JSON, ("content-length", "1073741824"), ("expect", "100-continue")];
    let head: String = announced.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!("POST /mcp HTTP/1.1\r\nhost: {}\r\n{head}\r\n", server.authority);
    assert!(server.raw(request.as_bytes(), false).await.starts_with("HTTP/1.1 413"));
    let reply = server.send("POST", "/mcp", &[JSON], vec![b'x'; 2 * 1024 * 1024]).await;
    assert_eq!(reply.status, 413);
    let reply = call(&server, "/mcp", &[("host", "abs-mcp:8787")]).await;
    assert_eq!(reply.status, 403);
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("AUDIOBOOKSHELF_ALLOWED_HOSTS"));
    let told = Http::start(&[("AUDIOBOOKSHELF_ALLOWED_HOSTS", "abs-mcp")]).await;
    assert_eq!(call(&told, "/mcp", &[("host", "abs-mcp:8787")]).await.status, 200);
}
