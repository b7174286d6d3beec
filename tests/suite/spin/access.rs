//! Closed until somebody says otherwise: a component on Spin cannot know where its callers are.

use crate::harness::{Http, modern, modern_headers, settings_for};
use serde_json::json;
use standin::Standin;

/// What a tool call comes to: its HTTP status, and whether its result is a success.
async fn call(server: &Http, more: &[(&'static str, &str)]) -> (u16, bool) {
    let message = modern(1, "tools/call", json!({"name": "list_libraries", "arguments": {}}));
    let mut headers = modern_headers(&message);
    headers.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    let reply = server.post(&headers, &message).await;
    (reply.status, reply.status == 200 && reply.json()["result"]["structuredContent"].is_object())
}

async fn served(abs: &Standin, more: &[(&str, &str)]) -> Http {
    let [(_, origin), (_, key)] = settings_for(abs, "root");
    let mut settings = vec![("SPIN_VARIABLE_ORIGIN", origin.as_str()), ("SPIN_VARIABLE_API_KEY", key.as_str())];
    settings.extend(more);
    Http::start(&settings).await
}

#[tokio::test]
async fn closed_by_default_whatever_the_caller_says_about_itself() {
    let abs = Standin::start().await.unwrap();
    let server = served(&abs, &[]).await;
    for claim in [
        ("host", "localhost"),
        ("host", "127.0.0.1:3000"),
        ("host", "[::1]"),
        ("spin-client-addr", "127.0.0.1:1"),
        ("x-forwarded-for", "127.0.0.1"),
        ("forwarded", "for=127.0.0.1"),
        ("authorization", "Bearer undefined"),
        ("authorization", &format!("Bearer {}", abs.key("root"))),
        ("cookie", "authenticated=true"),
    ] {
        assert_eq!(call(&server, &[claim]).await, (200, false), "{claim:?}");
    }
    assert!(abs.requests().is_empty(), "nothing was asked for anybody");
    for value in ["TRUE", "1", "yes", " true", "false"] {
        let server = served(&abs, &[("SPIN_VARIABLE_ALLOW_UNAUTHENTICATED", value)]).await;
        assert_eq!(call(&server, &[]).await, (200, false), "{value:?} opens nothing");
    }
    let open = served(&abs, &[("SPIN_VARIABLE_ALLOW_UNAUTHENTICATED", "true")]).await;
    assert_eq!(call(&open, &[("host", "mcp.example.com")]).await, (200, true));
    assert_eq!(call(&open, &[("origin", "http://evil.example.com")]).await.0, 403, "a web page is no caller");
}

#[tokio::test]
async fn the_token_opens() {
    let abs = Standin::start().await.unwrap();
    // As it comes out of `--variable mcp_token=@file`.
    let server = served(&abs, &[("SPIN_VARIABLE_MCP_TOKEN", "s3cret-s3cret-s3cret\n")]).await;
    assert_eq!(call(&server, &[("authorization", "Bearer s3cret-s3cret-s3cret")]).await, (200, true));
    let key = format!("Bearer {}", abs.key("root"));
    for wrong in ["Bearer s3cret-s3cret-s3cre", "Basic s3cret-s3cret-s3cret", "s3cret-s3cret-s3cret", "Bearer", &key] {
        assert_eq!(call(&server, &[("authorization", wrong)]).await.0, 401, "{wrong}");
    }
    assert_eq!(call(&server, &[("host", "localhost")]).await.0, 401, "no way around it");
    assert!(!server.stderr().contains("s3cret"));
}

/// The lists narrow and widen what the token opens; they never take its place.
#[tokio::test]
async fn names_and_pages_that_the_operator_listed() {
    let abs = Standin::start().await.unwrap();
    let lists = [
        ("SPIN_VARIABLE_ALLOWED_HOSTS", "mcp.example.com"),
        ("SPIN_VARIABLE_ALLOWED_ORIGINS", "https://chat.example.com"),
    ];
    let token = ("SPIN_VARIABLE_MCP_TOKEN", "s3cret-s3cret-s3cret");
    let server = served(&abs, &[lists[0], lists[1], token]).await;
    let (right, here) = (("authorization", "Bearer s3cret-s3cret-s3cret"), ("host", "mcp.example.com"));
    let page = ("origin", "https://chat.example.com");
    assert_eq!(call(&server, &[right, here]).await, (200, true));
    assert_eq!(call(&server, &[right, here, page]).await, (200, true));
    assert_eq!(call(&server, &[right, here, ("origin", "https://evil.example.com")]).await.0, 403);
    assert_eq!(call(&server, &[right, ("host", "localhost")]).await.0, 403, "no name is more than another here");
    assert_eq!(call(&server, &[here, page]).await.0, 401);
    let without = served(&abs, &lists).await;
    assert_eq!(call(&without, &[here, page]).await, (200, false), "a listed name proves nobody");
    let reply = without.send("POST", "/mcp", &[("host", "localhost")], "{}").await;
    let said = reply.json()["error"]["message"].to_string();
    assert!(reply.status == 403 && said.contains("SPIN_VARIABLE_ALLOWED_HOSTS"), "{said}");
}
