//! Who gets in: the rules for `Host`, `Origin`, token and media types, stated once more.

use super::world::Wild;
use super::{calls, lawful};
use crate::mcp::http::HttpRequest;
use crate::testing::Fake;
use fuzz::{Result, Unstructured, text};
use serde_json::json;

/// Long enough to be taken: with a shorter one every caller would hear of the settings alone.
const TOKEN: &str = "s3cret-Token-s3cret";

/// A value of these, sometimes changed, sometimes anything.
fn like(u: &mut Unstructured<'_>, known: &[&str]) -> Result<String> {
    let known = *u.choose(known)?;
    match u.int_in_range(0..=5)? {
        0 => text::odd(u),
        1 | 2 => text::changed(u, known),
        _ => Ok(known.to_owned()),
    }
}

fn request(u: &mut Unstructured<'_>) -> Result<HttpRequest> {
    let bearer = format!("Bearer {TOKEN}");
    let known: [(&str, &[&str]); 9] = [
        ("content-type", &["application/json", "Application/JSON; charset=utf-8", "text/plain"]),
        ("accept", &["*/*", "application/json, text/event-stream", "text/html", "image/png;q=0.1"]),
        (
            "origin",
            &["http://localhost:6274", "http://127.0.0.1", "https://[::1]:1", "https://evil.example.com", "null"],
        ),
        ("authorization", &[&bearer, "Bearer", "Basic czNjcmV0", "Bearer s3cret"]),
        ("mcp-protocol-version", &["2026-07-28", "2025-11-25", "1"]),
        ("mcp-method", &["tools/call"]),
        ("mcp-name", &["list_libraries", "=?base64?bGlzdF9saWJyYXJpZXM=?="]),
        ("mcp-session-id", &["v1.e30.AAAA", ""]),
        ("x-forwarded-host", &["localhost"]),
    ];
    // What a client sends that does everything right.
    let usual = ["content-type", "authorization", "mcp-protocol-version", "mcp-method", "mcp-name"];
    let mut headers = Vec::new();
    for (name, values) in known {
        let is_usual = usual.contains(&name);
        if is_usual && u.ratio(2, 3)? {
            headers.push((name.to_owned(), values[0].to_owned()));
        } else if u.ratio(1, 4)? {
            for _ in 0..u.int_in_range(1..=2)? {
                headers.push((name.to_owned(), like(u, values)?));
            }
        }
    }
    let authorities =
        ["localhost:8787", "127.0.0.1", "[::1]:80", "localhost.evil", "evil.example.com", "127.0.0.1.nip.io"];
    Ok(HttpRequest {
        method: if u.ratio(7, 8)? { "POST".into() } else { like(u, &["GET", "post", "DELETE"])? },
        path: if u.ratio(7, 8)? { "/mcp".into() } else { like(u, &["/mcp", "/mcp/", "/"])? },
        authority: if u.ratio(7, 8)? { Some(like(u, &authorities)?) } else { None },
        headers,
        body: calls::modern(1, "list_libraries", json!({}), json!({})).to_string().into_bytes(),
    })
}

/// Names of this machine, with or without a port.
fn is_here(authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.len() < 6 && port.parse::<u16>().is_ok_and(|port| port > 0) => host,
        _ => authority,
    };
    let host = host.to_ascii_lowercase();
    let v6 = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::parse::<std::net::Ipv6Addr>);
    match (v6, host.parse::<std::net::Ipv4Addr>()) {
        (Some(Ok(v6)), _) => v6.is_loopback() || v6.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback()),
        (None, Ok(v4)) => v4.octets()[0] == 127,
        _ => host == "localhost" || host == "localhost.",
    }
}

#[test]
fn who_must_not_get_in_does_not() {
    fuzz::run(|u| {
        let surface = *u.choose(&["loopback", "network", "stdio"])?;
        let has_token = u.arbitrary()?;
        let mut fake = Fake::new().config("surface", surface);
        if has_token {
            fake = fake.config("mcp_token", TOKEN);
        }
        let world = Wild::new(u, fake)?;
        let request = request(u)?;
        let shown = format!("{surface}, token: {has_token}, {request:?}");
        let all = |name: &str| -> Vec<String> {
            let values = request.headers.iter().filter(|(known, _)| known == name);
            values.map(|(_, value)| value.trim().to_owned()).collect()
        };
        let (origins, tokens) = (all("origin"), all("authorization"));
        let local = |origin: &String| {
            let origin = origin.to_ascii_lowercase();
            let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            surface == "loopback" && rest.is_some_and(is_here)
        };
        let proven = if has_token {
            tokens.len() == 1
                && tokens[0]
                    .split_once(' ')
                    .is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && token == TOKEN)
        } else {
            surface == "loopback" && request.authority.as_deref().is_some_and(is_here)
        };
        let may = surface == "stdio" || proven && origins.len() <= 1 && origins.iter().all(local);
        let body = request.body.clone();
        let is_mcp = request.method == "POST" && matches!(request.path.as_str(), "/mcp" | "/mcp/");
        let response = world.serve(request);
        lawful::answer(&body, &response);
        let asked = !world.sent().is_empty();
        assert!(may && is_mcp || !asked, "got in: {shown}");
        // And the other way round, so that this cannot hold by refusing everybody.
        assert!(!(may && is_mcp && matches!(response.status, 401 | 403)), "{}: {shown}", response.status);
        Ok(())
    });
}
