//! Pages in a browser: what a preflight is told, and what a page may read of an answer.

use crate::{
    access::call,
    harness::{Client, Era, Http, Reply, form, initialize, settings_for},
};
use serde_json::{Value, json};
use standin::Standin;
use std::sync::Arc;

const CHAT: &str = "https://chat.example.com";
const TOKEN: &str = "correct-horse-battery";

async fn server() -> Http {
    Http::start(&[
        ("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN),
        ("AUDIOBOOKSHELF_ALLOWED_ORIGINS", "https://chat.example.com, http://localhost:6274"),
    ])
    .await
}

/// What a browser sends before a call of a page.
async fn preflight(server: &Http, path: &str, origin: &str, method: &str, headers: &str) -> Reply {
    let asked =
        [("origin", origin), ("access-control-request-method", method), ("access-control-request-headers", headers)];
    server.send("OPTIONS", path, &asked, "").await
}

/// The rule of the Fetch standard, as far as it concerns an answer here.
fn lets_through(reply: &Reply, origin: &str, method: &str, headers: &[&str]) -> bool {
    let list = |name: &str| -> Vec<String> {
        reply.header(name).split(',').map(|entry| entry.trim().to_ascii_lowercase()).collect()
    };
    reply.status < 300
        && reply.header("access-control-allow-origin") == origin
        && list("access-control-allow-methods").contains(&method.to_ascii_lowercase())
        && headers.iter().all(|header| list("access-control-allow-headers").contains(&(*header).to_owned()))
}

fn says_nothing(reply: &Reply) -> bool {
    !reply.headers.keys().any(|name| name.as_str().starts_with("access-control-"))
}

#[tokio::test]
async fn a_preflight_of_a_listed_page_is_let_through() {
    let server = server().await;
    let headers = [
        "accept",
        "authorization",
        "content-type",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
    ];
    for origin in [CHAT, "http://localhost:6274"] {
        for path in ["/mcp", "/mcp/"] {
            for method in ["POST", "GET", "DELETE"] {
                // No token with it: a browser sends none.
                let reply = preflight(&server, path, origin, method, &headers.join(",")).await;
                assert!(
                    lets_through(&reply, origin, method, &headers),
                    "{origin} {path} {method}: {:?}",
                    reply.headers
                );
                assert_eq!((reply.status, reply.body.len()), (204, 0));
                assert_eq!(reply.header("vary"), "origin");
                assert_eq!(reply.header("access-control-allow-credentials"), "");
                assert_eq!(reply.header("content-length"), "", "204 has none");
            }
        }
    }
}

#[tokio::test]
async fn a_preflight_of_another_page_is_told_nothing() {
    let with_list = server().await;
    let without = Http::start(&[]).await;
    for origin in [
        "https://evil.example.com",
        "http://chat.example.com",
        "https://chat.example.com:8443",
        "https://chat.example.com.evil.example.com",
        "null",
        "http://localhost:1",
        "",
    ] {
        for server in [&with_list, &without] {
            let reply = preflight(server, "/mcp", origin, "POST", "authorization").await;
            assert_eq!(reply.status, 403, "{origin}");
            assert!(says_nothing(&reply), "{origin}: {:?}", reply.headers);
        }
    }
    let reply = without.send("OPTIONS", "/mcp", &[("origin", CHAT), ("host", "evil.example.com")], "").await;
    assert!(reply.status == 403 && says_nothing(&reply), "{:?}", reply.headers);
}

#[tokio::test]
async fn a_listed_page_can_read_every_answer() {
    let server = server().await;
    let right = ("authorization", "Bearer correct-horse-battery");
    let json = ("content-type", "application/json");
    let page = ("origin", CHAT);
    let hello = initialize("2025-11-25").to_string();
    let rows: [(&str, Reply); 6] = [
        ("a session", server.send("POST", "/mcp", &[json, page, right], hello.clone()).await),
        ("a result", call(&server, "/mcp", &[page, right]).await),
        ("no token", call(&server, "/mcp", &[page]).await),
        (
            "a notification",
            server.send("POST", "/mcp", &[json, page, right], r#"{"jsonrpc":"2.0","method":"x"}"#).await,
        ),
        ("a stream that is not there", server.send("GET", "/mcp", &[page], "").await),
        ("no metadata", server.send("GET", "/mcp/.well-known/openid-configuration", &[page], "").await),
    ];
    for (what, reply) in &rows {
        assert_eq!(reply.header("access-control-allow-origin"), CHAT, "{what}");
        assert_eq!(reply.header("vary"), "origin", "{what}");
        assert_eq!(reply.header("access-control-expose-headers"), "mcp-session-id, www-authenticate", "{what}");
        assert_eq!(reply.header("access-control-allow-credentials"), "", "{what}");
    }
    let statuses: Vec<u16> = rows.iter().map(|(_, reply)| reply.status).collect();
    assert_eq!(statuses, [200, 200, 401, 202, 405, 404]);
    assert!(!rows[0].1.header("mcp-session-id").is_empty());

    let quiet = server.send("POST", "/mcp", &[json, right], hello).await;
    assert!(quiet.status == 200 && says_nothing(&quiet), "{:?}", quiet.headers);
    assert_eq!(quiet.header("vary"), "origin", "or it could be given to a page from a store on the way");
}

/// The question goes out before there is an answer that could carry headers.
#[tokio::test]
async fn a_listed_page_can_read_a_stream() {
    let abs = Standin::start().await.unwrap();
    let mut settings = settings_for(&abs, "root").to_vec();
    settings.push(("AUDIOBOOKSHELF_ALLOWED_ORIGINS", CHAT.to_owned()));
    let server = Arc::new(Http::with(&settings).await);
    let client = Client::http(&server, Era::Legacy("2025-11-25"), form()).await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "delete_playlist", "arguments": {"playlist_id": standin::ids::ROAD_TRIP}}});
    let headers = [("mcp-session-id", client.session().to_owned()), ("origin", CHAT.to_owned())];
    let mut events = server.open(&headers, &message).await;
    assert!(events.is_stream());
    assert_eq!(events.headers["access-control-allow-origin"], CHAT);
    assert_eq!(events.headers["access-control-expose-headers"], "mcp-session-id, www-authenticate");
    let question: Value = events.message().await;
    assert_eq!(question["method"], "elicitation/create");
}
