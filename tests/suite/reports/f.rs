//! F: WebAssembly hosts, and what they do to HTTP.

#[cfg(target_os = "linux")]
use super::private;
use crate::{
    access::call,
    harness::{Http, Scripted, Stdio, modern, modern_headers, settings_for},
};
use audiobookshelf_mcp::{
    cli::Command,
    environment::Environment,
    sandbox::{Limits, Sandbox},
    settings::Settings,
};
use serde_json::{Value, json};
use standin::{Standin, ids};
use std::time::Duration;
use tokio::net::TcpListener;

/// The component as it was built.
fn component() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/component/audiobookshelf_mcp.wasm");
    std::fs::read(path).unwrap_or_else(|e| panic!("{path}: {e}; cargo xtask component builds it"))
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Settings of a server on loopback.
fn settings(pairs: &[(&'static str, &str)]) -> Settings {
    let listen = "127.0.0.1:0".parse().unwrap();
    Settings::validate(&Environment::of(pairs), &Command::Serve { listen }).unwrap()
}

fn of(url: &str) -> Settings {
    settings(&[("AUDIOBOOKSHELF_URL", url), ("AUDIOBOOKSHELF_API_KEY", "the-key")])
}

/// A server whose component is told to ask somewhere else than its host lets it.
async fn led_astray(mut settings: Settings, origin: &str) -> Http {
    settings.config.0.insert("origin", origin.to_owned());
    settings.config.0.insert("credential", "host".to_owned());
    Http::here(Sandbox::start(&settings, Limits::default()).unwrap()).await
}

async fn is_kept_in(server: &Http, target: &Standin) {
    let text = server.error("list_libraries", json!({})).await;
    assert!(text.contains("the sandbox did not let the request out"), "{text}");
    assert!(target.requests().is_empty(), "{:?}", target.requests());
}

/// Twice what fits into the pipe between component and host.
#[tokio::test]
async fn f1_a_large_body_to_audiobookshelf() {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    let description = "ä".repeat(4000);
    server.ok("update_collection", json!({"collection_id": ids::SEA_AND_SHORE, "description": description})).await;
    assert_eq!(abs.state().collection(ids::SEA_AND_SHORE).unwrap().description.as_deref(), Some(description.as_str()));
    let sent = abs.requests().into_iter().find(|request| request.method == "PATCH").unwrap();
    assert!(sent.body.len() > 8000, "{}", sent.body.len());
}

/// One connection, three answers: none of them broke off, and nothing of one is in the next.
#[tokio::test]
async fn f3_an_answer_is_whole_and_the_connection_goes_on() {
    let server = Http::start(&[]).await;
    let message = modern(1, "tools/list", json!({})).to_string();
    let request = |more: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\n\
             mcp-method: tools/list\r\ncontent-length: {}\r\n{more}\r\n{message}",
            server.authority,
            message.len()
        )
    };
    let requests = [request(""), request(""), request("connection: close\r\n")].concat();
    let mut rest = server.raw(requests.as_bytes(), false).await;
    for _ in 0..3 {
        let (head, body) = rest.split_once("\r\n\r\n").expect("another answer");
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .unwrap_or_else(|| panic!("{head}"))
            .parse()
            .unwrap();
        assert!(length > 16 * 1024, "more than one piece");
        let answer: Value = serde_json::from_str(&body[..length]).unwrap();
        assert_eq!(answer["result"]["tools"].as_array().map(Vec::len), Some(44));
        rest = body[length..].to_owned();
    }
    assert_eq!(rest, "");
}

/// Every kind of body ends: a client that reads to the end gets there.
#[tokio::test]
async fn f4_every_body_ends() {
    let server = Http::start(&[]).await;
    for (method, path, body, status) in [
        ("POST", "/mcp", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, 200),
        ("POST", "/mcp", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, 202),
        ("POST", "/mcp", "{", 400),
        ("GET", "/mcp", "", 405),
        ("GET", "/elsewhere", "", 404),
    ] {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {}\r\n\r\n{body}",
            server.authority,
            body.len()
        );
        // And so does one that closed its own side, as shell pipes do.
        for shut in [false, true] {
            let answer = server.raw(request.as_bytes(), shut).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path} {body} {shut}: {answer}");
        }
    }
}

/// The headers of what reached Audiobookshelf for one reading and one writing call.
async fn received() -> (Standin, Vec<standin::Request>) {
    let abs = Standin::start().await.unwrap();
    let server = Http::with(&settings_for(&abs, "root")).await;
    let more = [
        ("host", "127.0.0.1"),
        ("connection", "keep-alive, x-hop"),
        ("x-hop", "1"),
        ("te", "trailers"),
        ("x-forwarded-host", "evil.example.com"),
        ("authorization", "Bearer mine"),
        ("cookie", "a=b"),
        ("expect", "100-continue"),
    ];
    assert_eq!(call(&server, "/mcp", &more).await.status, 200);
    server.ok("update_collection", json!({"collection_id": ids::SEA_AND_SHORE, "description": "d"})).await;
    let requests = abs.requests();
    assert!(requests.iter().any(|request| request.method == "PATCH"), "{requests:?}");
    (abs, requests)
}

fn values<'a>(request: &'a standin::Request, name: &str) -> Vec<&'a str> {
    request.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str()).collect()
}

#[tokio::test]
async fn f6_host_is_the_authority() {
    let (abs, requests) = received().await;
    for request in &requests {
        assert_eq!(values(request, "host"), [abs.addr().to_string()], "{request:?}");
    }
}

#[tokio::test]
async fn f7_host_is_sent() {
    let (_abs, requests) = received().await;
    assert!(requests.iter().all(|request| values(request, "host").len() == 1), "{requests:?}");
}

#[tokio::test]
async fn f8_nothing_of_the_callers_headers_is_passed_on() {
    let (abs, requests) = received().await;
    for request in &requests {
        for (name, value) in &request.headers {
            let known = ["accept", "authorization", "content-length", "content-type", "host"];
            assert!(known.contains(&name.to_ascii_lowercase().as_str()), "{name}: {value}");
        }
        assert_eq!(values(request, "authorization"), [format!("Bearer {}", abs.key("root"))]);
    }
}

#[tokio::test]
async fn f9_a_body_is_sent_with_its_length() {
    let (_abs, requests) = received().await;
    for request in requests.iter().filter(|request| request.method == "PATCH") {
        assert_eq!(values(request, "content-length"), [request.body.len().to_string()]);
        assert!(values(request, "transfer-encoding").is_empty() && values(request, "expect").is_empty());
        assert!(serde_json::from_str::<Value>(&request.body).unwrap().is_object());
    }
}

#[tokio::test]
async fn f11_connections_to_audiobookshelf_are_kept() {
    let upstream = Scripted::reply("200 OK", "application/json", "{\"libraries\":[]}").await;
    let server = Http::start(&upstream.settings()).await;
    for _ in 0..20 {
        server.ok("list_libraries", json!({})).await;
    }
    assert_eq!((upstream.heads().len(), upstream.connections()), (20, 1));
}

/// More broken connections than there are places for instances or connections: none of them stays taken.
#[tokio::test]
async fn f12_a_broken_connection_is_dropped_and_its_place_is_free() {
    let half = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\nconnection: close\r\n\r\n{";
    let upstream = Scripted::start(half).await;
    let server = Http::start(&upstream.settings()).await;
    for _ in 0..70 {
        let text = server.error("list_libraries", json!({})).await;
        assert!(text.contains("closed the connection"), "{text}");
    }
    assert_eq!((upstream.heads().len(), upstream.connections()), (70, 70));
}

/// The platform's own way to add an authority, which is what people do for their home network.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn f13_a_private_authority() {
    let upstream = private::serve();
    let url = format!("https://localhost:{}", upstream.port());
    let base = [("AUDIOBOOKSHELF_URL", url.as_str()), ("AUDIOBOOKSHELF_API_KEY", "the-key")];
    let text = Http::start(&base).await.error("list_libraries", json!({})).await;
    assert!(text.contains("certificate"), "{text}");
    let trusting = [base[0], base[1], ("SSL_CERT_FILE", private::AUTHORITY)];
    Http::start(&trusting).await.ok("list_libraries", json!({})).await;
    // The certificate is for localhost.
    let other = format!("https://127.0.0.2:{}", upstream.port());
    let text = Http::start(&[("AUDIOBOOKSHELF_URL", &other), base[1], trusting[2]]).await;
    let text = text.error("list_libraries", json!({})).await;
    assert!(text.contains("certificate"), "{text}");
}

/// Not only sockets are out of reach: the way that there is leads to one host, whatever the component believes.
#[tokio::test]
async fn f14_the_way_out_leads_to_one_host() {
    let (allowed, other) = (Standin::start().await.unwrap(), Standin::start().await.unwrap());
    assert!(!contains(&component(), "wasi:sockets"));
    let server = led_astray(of(&allowed.url()), &other.url()).await;
    is_kept_in(&server, &other).await;
    let server = led_astray(of(&allowed.url()), &allowed.url()).await;
    server.error("list_libraries", json!({})).await;
    assert!(!allowed.requests().is_empty(), "the same detour to the right host arrives");
}

#[tokio::test]
async fn f15_no_host_set_is_no_host_allowed() {
    let abs = Standin::start().await.unwrap();
    for settings in [settings(&[]), settings(&[("AUDIOBOOKSHELF_URL", ""), ("AUDIOBOOKSHELF_API_KEY", "the-key")])] {
        is_kept_in(&led_astray(settings, &abs.url()).await, &abs).await;
    }
}

#[tokio::test]
async fn f16_patterns_in_place_of_an_address() {
    for url in [
        "localhost",
        "*",
        "self",
        "*://*.spin.internal",
        "http://*",
        "http://*.example.com",
        "*://localhost:13378",
        "http://localhost:*",
        "http://localhost:0",
        "insecure:allow-all",
    ] {
        let ended = Stdio::start(&[("AUDIOBOOKSHELF_URL", url)]).end().await;
        assert_eq!(ended.code, Some(1), "{url}");
        assert!(ended.stderr.contains("AUDIOBOOKSHELF_URL") && ended.stderr.contains("Write it like"), "{url}");
    }
    // And a port that is set counts, see f17.
}

#[tokio::test]
async fn f17_the_port_is_part_of_the_address() {
    let abs = Standin::start().await.unwrap();
    let ended = Stdio::start(&[("AUDIOBOOKSHELF_URL", "localhost:8080")]).end().await;
    assert!(ended.code == Some(1) && ended.stderr.contains("http://"), "{}", ended.stderr);
    let port = abs.addr().port();
    for other in ["http://127.0.0.1", "http://127.0.0.1:1", "http://127.0.0.1:8080"] {
        is_kept_in(&led_astray(of(other), &abs.url()).await, &abs).await;
    }
    // Nor is another spelling, scheme or neighbour of the same machine the same address.
    for origin in ["http://localhost", "http://127.0.0.2", "https://127.0.0.1"] {
        is_kept_in(&led_astray(of(&abs.url()), &format!("{origin}:{port}")).await, &abs).await;
    }
}

/// An Audiobookshelf that takes connections and says nothing.
async fn silent() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    (format!("http://{}", listener.local_addr().unwrap()), listener)
}

/// A server whose instances get so much.
async fn limited(url: &str, limits: Limits) -> Http {
    Http::here(Sandbox::start(&of(url), limits).unwrap()).await
}

async fn post(server: &Http, method: &str, params: Value) -> (u16, String) {
    let message = modern(1, method, params);
    let reply = server.post(&modern_headers(&message), &message).await;
    (reply.status, reply.json().to_string())
}

#[tokio::test]
async fn f18_an_instance_that_waits_is_stopped_too() {
    let (url, _listener) = silent().await;
    let server = limited(&url, Limits { wall: Duration::from_millis(300), ..Limits::default() }).await;
    // 15 seconds would be the end of the request to Audiobookshelf.
    let started = std::time::Instant::now();
    let (status, _) = post(&server, "tools/call", json!({"name": "list_libraries"})).await;
    assert_eq!(status, 504);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(post(&server, "tools/list", json!({})).await.0, 200, "the next one is served");
}

#[tokio::test]
async fn f19_out_of_time_is_no_crash() {
    let (url, _listener) = silent().await;
    let server = limited(&url, Limits { wall: Duration::from_millis(300), ..Limits::default() }).await;
    let (status, said) = post(&server, "tools/call", json!({"name": "list_libraries"})).await;
    assert_eq!(status, 504);
    assert!(said.contains("took too long") && !said.contains("failed"), "{said}");
}

#[tokio::test]
async fn f21_memory_and_computing_are_limited() {
    let body = json!({"libraries": vec![json!({"id": "a", "name": "n".repeat(50), "mediaType": "book"}); 20_000]});
    let upstream = Scripted::reply("200 OK", "application/json", &body.to_string()).await;
    for limits in [
        Limits { memory: 8 * 1024 * 1024, ..Limits::default() },
        Limits { computing: Duration::from_millis(1), ..Limits::default() },
    ] {
        let server = limited(&upstream.url, limits.clone()).await;
        let (status, said) = post(&server, "tools/call", json!({"name": "list_libraries"})).await;
        assert_eq!(status, 500, "{limits:?}: {said}");
        let reply = server.send("GET", "/healthz", &[], "").await;
        assert_eq!(reply.status, 200, "the server goes on");
    }
    let server = limited(&upstream.url, Limits::default()).await;
    assert_eq!(post(&server, "tools/call", json!({"name": "list_libraries"})).await.0, 200, "what is usual is enough");
}

#[tokio::test]
async fn f22_the_component_wants_no_environment() {
    let component = component();
    for import in
        ["wasi:cli/environment", "wasi:filesystem", "wasi:sockets", "wasi:cli/stdout", "wasi_snapshot_preview1"]
    {
        assert!(!contains(&component, import), "{import}");
    }
    assert!(contains(&component, "wasi:cli/stderr"), "it has a voice for its operator");
}

#[tokio::test]
async fn f23_the_component_is_of_wasi_0_2() {
    let component = component();
    assert!(contains(&component, "wasi:http/incoming-handler@0.2."));
    for other in ["@0.3.", "wasi:http/handler", "wasi:http/service"] {
        assert!(!contains(&component, other), "{other}");
    }
}

#[tokio::test]
async fn f25_authorities() {
    let server = Http::start(&[]).await;
    for (authority, served) in [
        ("localhost", true),
        ("LOCALHOST:80", true),
        ("[::1]", true),
        ("[::1]:8787", true),
        ("127.0.0.1:65535", true),
        ("localhost:", false),
        ("localhost:abc", false),
        ("localhost:65536", false),
        ("localhost:0", false),
        (":80", false),
        ("[::1", false),
        ("[::1]x", false),
        ("::1", false),
        ("user@localhost", false),
        ("localhost/x", false),
        ("", false),
    ] {
        let status = call(&server, "/mcp", &[("host", authority)]).await.status;
        assert!(if served { status == 200 } else { matches!(status, 400 | 403) }, "{authority}: {status}");
    }
    for authority in ["example.com:", ":abc", "example.com:65536", "[::1", "[::1]:", "u:p@example.com", ""] {
        let url = format!("http://{authority}");
        let ended = Stdio::start(&[("AUDIOBOOKSHELF_URL", &url)]).end().await;
        assert_eq!(ended.code, Some(1), "{url}");
    }
    for url in ["http://[::1]:13378", "http://[::1]", "https://EXAMPLE.com:443"] {
        assert_eq!(Stdio::start(&[("AUDIOBOOKSHELF_URL", url)]).end().await.code, Some(0), "{url}");
    }
}
