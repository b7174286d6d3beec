//! Who may call over HTTP, on the wire, as far as a token settles it.

use crate::harness::{Http, Reply, modern, modern_headers};
use serde_json::json;
use standin::Standin;

pub const TOKEN: &str = "correct-horse-battery";

/// A reading call with further headers.
pub async fn call(server: &Http, path: &str, more: &[(&'static str, &str)]) -> Reply {
    let message = modern(7, "tools/call", json!({"name": "list_libraries", "arguments": {}}));
    let headers = modern_headers(&message);
    let mut all = vec![("content-type", "application/json")];
    all.extend(headers.iter().map(|(name, value)| (*name, value.as_str())));
    all.extend(more);
    server.send("POST", path, &all, message.to_string()).await
}

/// What it is, the path, the headers, and the status.
type Row<'a> = (&'a str, &'a str, Vec<(&'static str, &'a str)>, u16);

fn authorization(value: &str) -> (&'static str, &str) {
    ("authorization", value)
}

pub fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

#[tokio::test]
async fn what_a_server_with_a_token_makes_of_a_call() {
    let abs = Standin::start().await.unwrap();
    let server = Http::start(&[
        ("AUDIOBOOKSHELF_URL", &abs.url()),
        ("AUDIOBOOKSHELF_API_KEY", &abs.key("root")),
        ("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN),
    ])
    .await;
    let right = bearer(TOKEN);
    let longer = format!("{right}x");
    let spaced = format!("Bearer  {TOKEN}");
    let split = "Bearer correct-horse -battery";
    let basic = format!("Basic {TOKEN}");
    let encoded = "Basic Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
    let lower = format!("bearer {TOKEN}");
    let abs_key = bearer(&abs.key("root"));
    let query = format!("/mcp?token={TOKEN}&access_token={TOKEN}&authorization={TOKEN}");
    let rows: [Row<'_>; 20] = [
        ("the right token", "/mcp", vec![authorization(&right)], 200),
        ("the scheme in lower case, which is the same", "/mcp", vec![authorization(&lower)], 200),
        ("no token", "/mcp", vec![], 401),
        ("a wrong token", "/mcp", vec![authorization("Bearer wrong-horse-battery")], 401),
        ("a prefix of it", "/mcp", vec![authorization(&right[..right.len() - 1])], 401),
        ("more than it", "/mcp", vec![authorization(&longer)], 401),
        ("another case", "/mcp", vec![authorization("Bearer Correct-horse-battery")], 401),
        ("two spaces", "/mcp", vec![authorization(&spaced)], 401),
        ("a space inside", "/mcp", vec![authorization(split)], 401),
        ("no scheme", "/mcp", vec![authorization(TOKEN)], 401),
        ("the scheme alone", "/mcp", vec![authorization("Bearer")], 401),
        ("another scheme", "/mcp", vec![authorization(&basic)], 401),
        ("another scheme, encoded as it wants it", "/mcp", vec![authorization(encoded)], 401),
        ("the API key of Audiobookshelf", "/mcp", vec![authorization(&abs_key)], 401),
        ("twice, once right", "/mcp", vec![authorization(&right), authorization("Bearer x")], 401),
        ("in the query", &query, vec![], 401),
        ("in a cookie", "/mcp", vec![("cookie", "token=correct-horse-battery")], 401),
        ("a foreign Origin", "/mcp", vec![authorization(&right), ("origin", "https://evil.example.com")], 403),
        ("Origin: null", "/mcp", vec![authorization(&right), ("origin", "null")], 403),
        ("any Host, since the token is the proof", "/mcp", vec![authorization(&right), ("host", "mcp.lan")], 200),
    ];
    for (what, path, headers, want) in rows {
        abs.clear_requests();
        let reply = call(&server, path, &headers).await;
        assert_eq!(reply.status, want, "{what}");
        assert_eq!(abs.requests().is_empty(), want != 200, "{what}");
        assert_eq!(reply.json().get("result").is_some(), want == 200, "{what}");
        let challenge = reply.header("www-authenticate");
        assert_eq!(challenge.starts_with("Bearer realm="), want == 401, "{what}: {challenge}");
        // What would send a client looking for an authorization server.
        assert!(!challenge.contains("resource_metadata") && !challenge.contains("scope"), "{what}: {challenge}");
    }
    assert!(!server.stderr().contains("horse"), "{}", server.stderr());
}
