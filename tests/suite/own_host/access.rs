//! Our host knows the address it listens on and tells the component, which then says who may call without a token.

use crate::{
    access::{TOKEN, bearer, call},
    harness::{Http, Stdio},
};
use audiobookshelf_mcp::{
    cli::Command,
    environment::Environment,
    sandbox::{Limits, Sandbox},
    settings::Settings,
};
use serde_json::{Value, json};
use standin::Standin;

/// Every way to write that one means this machine.
const LOOPBACK: [&str; 12] = [
    "127.0.0.1",
    "127.0.0.1:8787",
    "127.9.9.9",
    "localhost",
    "localhost:8787",
    "LOCALHOST",
    "LocalHost:1",
    "localhost.",
    "[::1]",
    "[::1]:8787",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
];

/// What looks like it and is not.
const NOT_LOOPBACK: [&str; 10] = [
    "evil.example.com",
    "127.0.0.1.evil.example.com",
    "localhost.evil.example.com",
    "127.example.com",
    "0.0.0.0",
    "[::]",
    "2130706433",
    "127.1",
    "192.0.2.7",
    "xn--localhost",
];

#[tokio::test]
async fn the_token_may_lie_in_a_file() {
    let path = std::env::temp_dir().join(format!("audiobookshelf-mcp-token-{}", std::process::id()));
    std::fs::write(&path, format!("{TOKEN}\n")).unwrap();
    let server = Http::start(&[("AUDIOBOOKSHELF_MCP_TOKEN_FILE", path.to_str().unwrap())]).await;
    std::fs::remove_file(&path).unwrap();
    assert_eq!(call(&server, "/mcp", &[]).await.status, 401);
    assert_eq!(call(&server, "/mcp", &[("authorization", &bearer(TOKEN))]).await.status, 200);
}

#[tokio::test]
async fn settings_of_callers_that_stop_the_start() {
    let folder = std::env::temp_dir().join(format!("audiobookshelf-mcp-tokens-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (empty, blank, short) = (file("empty", ""), file("blank", " \n"), file("short", "hunter2\n"));
    let (token, token_file) = ("AUDIOBOOKSHELF_MCP_TOKEN", "AUDIOBOOKSHELF_MCP_TOKEN_FILE");
    let (hosts, origins) = ("AUDIOBOOKSHELF_ALLOWED_HOSTS", "AUDIOBOOKSHELF_ALLOWED_ORIGINS");
    for (what, name, value, want) in [
        ("an empty token", token, "", token),
        ("a blank one", token, "  ", token),
        ("a short one", token, "hunter2", "16 characters"),
        ("one with a blank inside", token, "hunter2 hunter2 hunter2", "blank inside"),
        ("one with its scheme", token, "Bearer hunter2hunter2hunter2", "Bearer"),
        ("no file name", token_file, "", token_file),
        ("a token in place of its file", token_file, "hunter2", token_file),
        ("an empty file", token_file, empty.as_str(), token_file),
        ("a blank file", token_file, blank.as_str(), token_file),
        ("a file with a short one", token_file, short.as_str(), "16 characters"),
        ("every host", hosts, "*", "no wildcard"),
        ("an address in place of a host", hosts, "http://hunter2.example.com", hosts),
        ("the second entry", hosts, "mcp.example.com, hunter2/", "entry 2"),
        ("no entry", hosts, " , ", "no entry"),
        ("every origin", origins, "*", "no wildcard"),
        ("the origin of nobody", origins, "null", origins),
        ("an origin without its scheme", origins, "hunter2.example.com", origins),
        ("a page in place of its origin", origins, "https://hunter2.example.com/chat", origins),
    ] {
        let ended = Stdio::run(&["serve", "--listen", "127.0.0.1:0"], &[(name, value)]).end().await;
        assert_eq!(ended.code, Some(1), "{what}");
        assert!(ended.stderr.contains(want), "{what}: {}", ended.stderr);
        assert!(!ended.stderr.contains("hunter2"), "{what} is repeated: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{what}: {}", ended.stderr);
    }
    let both = [(token, TOKEN), (token_file, short.as_str())];
    let ended = Stdio::run(&["serve", "--listen", "127.0.0.1:0"], &both).end().await;
    assert!(ended.code == Some(1) && ended.stderr.contains("both set"), "{}", ended.stderr);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn without_a_token_only_loopback_names() {
    let server = Http::start(&[]).await;
    for host in LOOPBACK {
        assert_eq!(call(&server, "/mcp", &[("host", host)]).await.status, 200, "{host}");
    }
    for host in NOT_LOOPBACK {
        let reply = call(&server, "/mcp", &[("host", host)]).await;
        assert_eq!(reply.status, 403, "{host}");
        let said = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(said.contains("AUDIOBOOKSHELF_ALLOWED_HOSTS"), "{said}");
    }
    for (origin, want) in [
        ("http://localhost:6274", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:3000", 200),
        ("null", 403),
        ("", 403),
        ("file://", 403),
        ("http://evil.example.com", 403),
        ("http://127.0.0.1.evil.example.com", 403),
        ("http://localhost@evil.example.com", 403),
        ("chrome-extension://localhost", 403),
    ] {
        let reply = call(&server, "/mcp", &[("origin", origin)]).await;
        assert_eq!(reply.status, want, "{origin}");
        assert!(want == 200 || reply.json()["error"]["message"].to_string().contains("AUDIOBOOKSHELF_ALLOWED_ORIGINS"));
    }
    // A page that is this server's own by name, after its name was made to mean 127.0.0.1.
    let rebound = [("host", "evil.example.com"), ("origin", "http://evil.example.com")];
    assert_eq!(call(&server, "/mcp", &rebound).await.status, 403);
}

/// In a container or behind a proxy the server listens on loopback or on all addresses, and is called by another name.
#[tokio::test]
async fn names_that_the_operator_listed() {
    let hosts = ("AUDIOBOOKSHELF_ALLOWED_HOSTS", "mcp.example.com, nas:8787");
    let rows = [
        ("mcp.example.com", true),
        ("MCP.example.com:443", true),
        ("nas:8787", true),
        ("nas", false),
        ("nas:80", false),
        ("evil.example.com", false),
        ("mcp.example.com.evil.example.com", false),
    ];
    let open = Http::start(&[hosts]).await;
    let guarded = Http::start(&[hosts, ("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN)]).await;
    for (host, served) in rows {
        let want = if served { 200 } else { 403 };
        assert_eq!(call(&open, "/mcp", &[("host", host)]).await.status, want, "{host}");
        let with = [("host", host), ("authorization", "Bearer correct-horse-battery")];
        assert_eq!(call(&guarded, "/mcp", &with).await.status, want, "{host} with the token");
        let want = if served { 401 } else { 403 };
        assert_eq!(call(&guarded, "/mcp", &[("host", host)]).await.status, want, "{host} without");
    }
    assert_eq!(call(&open, "/mcp", &[]).await.status, 200, "loopback beside the list");
}

/// A host that says nothing about where it listens, as Spin is one, with these settings for the component.
async fn elsewhere(abs: &Standin, config: &[(&'static str, &str)]) -> Http {
    let (url, key) = (abs.url(), abs.key("root"));
    let environment = Environment::of(&[("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", &key)]);
    let listen = "127.0.0.1:0".parse().unwrap();
    let mut settings = Settings::validate(&environment, &Command::Serve { listen }).unwrap();
    settings.config.0.remove("surface");
    settings.config.0.extend(config.iter().map(|(key, value)| (*key, (*value).to_owned())));
    Http::here(Sandbox::start(&settings, Limits::default()).unwrap()).await
}

#[tokio::test]
async fn where_nobody_vouches_for_anything_no_name_helps() {
    let abs = Standin::start().await.unwrap();
    for config in [&[][..], &[("allow_unauthenticated", "1")], &[("allow_unauthenticated", "TRUE")]] {
        let server = elsewhere(&abs, config).await;
        for host in LOOPBACK.iter().chain(&NOT_LOOPBACK) {
            let reply = call(&server, "/mcp", &[("host", host)]).await;
            let result = &reply.json()["result"];
            assert_eq!((reply.status, &result["isError"]), (200, &json!(true)), "{host}");
            let text = result["content"][0]["text"].as_str().unwrap();
            for name in ["SPIN_VARIABLE_MCP_TOKEN", "allow_unauthenticated"] {
                assert!(text.contains(name), "{host}: {text}");
            }
            assert_eq!(call(&server, "/mcp", &[("host", host), ("origin", "http://localhost")]).await.status, 403);
        }
        assert_eq!(server.ask("tools/list", json!({})).await["tools"].as_array().map(Vec::len), Some(44));
    }
    assert!(abs.requests().is_empty(), "{:?}", abs.requests());
    let open = elsewhere(&abs, &[("allow_unauthenticated", "true")]).await;
    assert_eq!(call(&open, "/mcp", &[]).await.json()["result"].get("isError"), None);
    assert!(!abs.requests().is_empty());
}

/// There the component alone checks: there is no program that could refuse to start.
#[tokio::test]
async fn where_nobody_vouches_for_anything_the_token_is_the_proof() {
    let abs = Standin::start().await.unwrap();
    // As Spin hands a file on.
    let server = elsewhere(&abs, &[("mcp_token", "correct-horse-battery\n")]).await;
    assert_eq!(call(&server, "/mcp", &[]).await.status, 401);
    let right = bearer(TOKEN);
    assert_eq!(call(&server, "/mcp", &[("authorization", &right)]).await.json()["result"].get("isError"), None);
    let server = elsewhere(&abs, &[("mcp_token", TOKEN), ("allowed_hosts", "mcp.example.com")]).await;
    assert_eq!(call(&server, "/mcp", &[("authorization", &right), ("host", "localhost")]).await.status, 403);
    assert_eq!(call(&server, "/mcp", &[("authorization", &right), ("host", "mcp.example.com")]).await.status, 200);
    abs.clear_requests();
    for (key, bad) in [("mcp_token", "hunter2"), ("mcp_token", " \n"), ("allowed_hosts", "*"), ("allowed_origins", "*")]
    {
        let server = elsewhere(&abs, &[("allow_unauthenticated", "true"), (key, bad)]).await;
        let reply = call(&server, "/mcp", &[("authorization", "Bearer hunter2")]).await.json();
        let said = reply["error"]["message"].as_str().unwrap_or_else(|| panic!("{key}={bad} serves: {reply}"));
        assert!(said.contains("settings are not valid") && !said.contains("hunter2"), "{said}");
    }
    assert!(abs.requests().is_empty());
}

/// Clients that were refused look for OAuth. They find nothing, at once, and nothing that looks like metadata.
#[tokio::test]
async fn there_is_no_oauth_to_discover() {
    let server = Http::start(&[("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN)]).await;
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
        "/mcp/.well-known/openid-configuration",
        "/register",
        "/authorize",
        "/token",
    ] {
        for method in ["GET", "POST"] {
            let reply = server.send(method, path, &[("accept", "application/json")], "{}").await;
            assert_eq!(reply.status, 404, "{method} {path}");
            assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8", "{method} {path}");
            assert!(serde_json::from_slice::<Value>(&reply.body).is_err(), "{method} {path}: {:?}", reply.body);
            assert_eq!((reply.header("www-authenticate"), reply.header("location")), ("", ""), "{method} {path}");
        }
    }
}
