//! The protocol, natively: one message in, status and message out. The same tables run over real sockets in tests/.

use super::Revision;
use super::envelope::code;
use super::http::{HttpRequest, HttpResponse};
use crate::testing::Fake;
use serde_json::{Value, json};

type Headers = Vec<(&'static str, String)>;

fn http() -> Fake {
    Fake::new().config("surface", "loopback")
}

/// A modern request and the headers that belong to it.
fn modern(method: &str, mut params: Value) -> (Headers, Value) {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut headers = vec![("mcp-protocol-version", "2026-07-28".to_owned()), ("mcp-method", method.to_owned())];
    if let Some(name) = params["name"].as_str() {
        headers.push(("mcp-name", name.to_owned()));
    }
    (headers, json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
}

fn send(fake: &Fake, headers: &[(&'static str, String)], body: &Value) -> (u16, Value) {
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let response = fake.post(&headers, &body.to_string());
    let message = if response.body.is_empty() { Value::Null } else { serde_json::from_slice(&response.body).unwrap() };
    (response.status, message)
}

fn initialize(fake: &Fake, version: &str) -> (String, Value) {
    let body = json!({"jsonrpc": "2.0", "id": "init-1", "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {"elicitation": {}}, "clientInfo": {"name": "c", "version": "1"}}});
    let response = fake.post(&[], &body.to_string());
    assert_eq!(response.status, 200);
    let session = response.headers.iter().find(|(name, _)| *name == "mcp-session-id").unwrap().1.clone();
    (session, serde_json::from_slice(&response.body).unwrap())
}

fn legacy(fake: &Fake, session: &str, body: &Value) -> (u16, Value) {
    send(fake, &[("mcp-session-id", session.to_owned())], body)
}

#[test]
fn discover() {
    let (headers, body) = modern("server/discover", json!({}));
    let (status, message) = send(&http(), &headers, &body);
    let result = &message["result"];
    assert_eq!((status, &message["id"]), (200, &json!(7)));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]));
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert!(result["ttlMs"].is_u64() && result["cacheScope"] == "public" && result["instructions"].is_string());
    let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!((&info["name"], &info["title"]), (&json!("audiobookshelf"), &json!("Audiobookshelf")));
    let icon = info["icons"][0]["src"].as_str().unwrap();
    assert!(icon.starts_with("data:image/svg+xml,") && !icon.contains(' '), "a URI: {icon}");
}

#[test]
fn initialize_negotiates_and_shapes_by_revision() {
    for (wanted, agreed, title, icons) in [
        ("2025-11-25", "2025-11-25", true, true),
        ("2025-06-18", "2025-06-18", true, false),
        ("2025-03-26", "2025-03-26", false, false),
        ("2024-11-05", "2025-11-25", true, true),
        ("2026-07-28", "2025-11-25", true, true),
    ] {
        let (session, message) = initialize(&http(), wanted);
        let result = &message["result"];
        assert_eq!((&message["id"], &result["protocolVersion"]), (&json!("init-1"), &json!(agreed)), "{wanted}");
        assert_eq!(result["serverInfo"].get("title").is_some(), title, "{wanted}");
        assert_eq!(result["serverInfo"].get("icons").is_some(), icons, "{wanted}");
        assert!(result.get("resultType").is_none());
        assert!(session.bytes().all(|b| (0x21..=0x7E).contains(&b)));
    }
}

#[test]
fn the_tool_list_is_the_same_every_time_and_shaped_by_revision() {
    let fake = http();
    let (headers, body) = modern("tools/list", json!({}));
    let (_, first) = send(&fake, &headers, &body);
    assert_eq!(first, send(&fake, &headers, &body).1);
    assert_eq!(first["result"]["cacheScope"], "private");
    let tool = &first["result"]["tools"][0];
    assert_eq!(tool["name"], "list_libraries");
    assert!(tool["title"].is_string() && tool["outputSchema"]["type"] == "object");
    let (session, _) = initialize(&fake, "2025-03-26");
    let (_, old) = legacy(&fake, &session, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let tool = &old["result"]["tools"][0];
    assert!(tool.get("title").is_none() && tool.get("outputSchema").is_none() && tool["annotations"].is_object());
    assert!(old["result"].get("ttlMs").is_none());
}

/// Section 7 of the specification digest and the checks of a modern POST, in their order.
#[test]
fn modern_errors() {
    let call = || modern("tools/call", json!({"name": "list_libraries", "arguments": {}}));
    let change = |change: &dyn Fn(&mut Headers, &mut Value)| {
        let (mut headers, mut body) = call();
        change(&mut headers, &mut body);
        let (status, message) = send(&http(), &headers, &body);
        assert_eq!(message["id"], 7, "{message}");
        (status, message["error"]["code"].as_i64().unwrap_or_default() as i32)
    };
    let set = |headers: &mut Headers, name: &'static str, value: Option<&str>| {
        headers.retain(|(n, _)| *n != name);
        headers.extend(value.map(|v| (name, v.to_owned())));
    };
    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

    assert_eq!(change(&|_, b| b["params"] = json!({"name": "x"})), (400, code::INVALID_PARAMS), "no _meta");
    assert_eq!(change(&|_, b| b["params"]["_meta"] = json!(7)), (400, code::INVALID_PARAMS), "_meta is no object");
    assert_eq!(
        change(&|_, b| b["params"]["_meta"][VERSION] = json!(7)),
        (400, code::INVALID_PARAMS),
        "version is no string"
    );
    assert_eq!(
        change(&|_, b| b["params"]["_meta"] = json!({VERSION: "2026-07-28"})),
        (400, code::INVALID_PARAMS),
        "no capabilities"
    );
    assert_eq!(
        change(&|_, b| b["params"]["_meta"][CAPABILITIES] = json!([])),
        (400, code::INVALID_PARAMS),
        "capabilities are no object"
    );
    assert_eq!(change(&|h, _| set(h, "mcp-protocol-version", None)), (400, code::HEADER_MISMATCH), "no version header");
    assert_eq!(
        change(&|h, _| set(h, "mcp-protocol-version", Some("2025-11-25"))),
        (400, code::HEADER_MISMATCH),
        "other version header"
    );
    assert_eq!(
        change(&|h, _| h.push(("mcp-protocol-version", "2026-07-28".into()))),
        (400, code::HEADER_MISMATCH),
        "twice"
    );
    let unknown = |version: &'static str| {
        change(&move |h, b| {
            set(h, "mcp-protocol-version", Some(version));
            b["params"]["_meta"][VERSION] = json!(version);
        })
    };
    assert_eq!(unknown("1900-01-01"), (400, code::UNSUPPORTED_VERSION));
    assert_eq!(unknown("2025-11-25"), (400, code::UNSUPPORTED_VERSION), "the modern shape with a legacy version");
    assert_eq!(change(&|h, _| set(h, "mcp-method", None)), (400, code::HEADER_MISMATCH), "no method header");
    assert_eq!(change(&|h, _| set(h, "mcp-method", Some("Tools/Call"))), (400, code::HEADER_MISMATCH), "case counts");
    for method in [
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "prompts/list",
        "resources/list",
        "tasks/get",
        "subscriptions/listen",
        "x",
    ] {
        let got = change(&|h, b| {
            set(h, "mcp-method", Some(method));
            b["method"] = json!(method);
        });
        assert_eq!(got, (404, code::METHOD_NOT_FOUND), "{method}");
    }
    assert_eq!(change(&|h, _| set(h, "mcp-name", None)), (400, code::HEADER_MISMATCH), "no name header");
    assert_eq!(change(&|h, _| set(h, "mcp-name", Some("other"))), (400, code::HEADER_MISMATCH), "other name");
    assert_eq!(change(&|h, _| set(h, "mcp-name", Some("=?base64?!!?="))), (400, code::HEADER_MISMATCH), "bad base64");
    let named = |name: &'static str| {
        change(&move |h, b| {
            set(h, "mcp-name", Some(name));
            b["params"]["name"] = json!(name);
        })
    };
    assert_eq!(named("drop_all"), (200, code::INVALID_PARAMS), "unknown tool");
    assert_eq!(change(&|_, b| b["params"]["name"] = json!(null)), (200, code::INVALID_PARAMS), "no name");
    for arguments in [json!([]), json!(7), json!("x"), json!(true)] {
        assert_eq!(
            change(&|_, b| b["params"]["arguments"] = arguments.clone()),
            (200, code::INVALID_PARAMS),
            "{arguments}"
        );
    }
    assert_eq!(
        change(&|_, b| b["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("loud")),
        (400, code::INVALID_PARAMS)
    );
    let (headers, mut body) = modern("tools/list", json!({}));
    body["params"]["cursor"] = json!("");
    assert_eq!(send(&http(), &headers, &body).1["error"]["code"], code::INVALID_PARAMS);
}

#[test]
fn an_unsupported_version_is_told_what_is_supported() {
    let (mut headers, mut body) = modern("tools/list", json!({}));
    headers[0].1 = "1900-01-01".into();
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let data = &send(&http(), &headers, &body).1["error"]["data"];
    assert_eq!(data["requested"], "1900-01-01");
    assert_eq!(data["supported"], json!(Revision::ALL.map(Revision::as_str)));
    // Without _meta only the header says it.
    let bare = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    let (status, message) = send(&http(), &[("mcp-protocol-version", "1999-01-01".into())], &bare);
    assert_eq!((status, &message["error"]["code"]), (400, &json!(code::UNSUPPORTED_VERSION)));
    let (status, message) = send(&http(), &[("mcp-protocol-version", "2026-07-28".into())], &bare);
    assert_eq!((status, &message["error"]["code"]), (400, &json!(code::INVALID_PARAMS)));
    let (status, message) = send(&http(), &[], &json!({"jsonrpc": "2.0", "id": 7, "method": "server/discover"}));
    assert_eq!((status, &message["error"]["code"]), (400, &json!(code::INVALID_PARAMS)));
}

#[test]
fn a_wrapped_name_is_decoded_before_it_is_compared() {
    let (mut headers, body) = modern("tools/call", json!({"name": "list_libraries", "arguments": {}}));
    headers[2].1 = "=?base64?bGlzdF9saWJyYXJpZXM=?=".into();
    let fake = http().json("GET /api/libraries", json!({"libraries": []}));
    assert_eq!(send(&fake, &headers, &body).1["result"]["structuredContent"]["libraries"], json!([]));
}

#[test]
fn legacy_errors_travel_in_band() {
    let fake = http();
    let (session, _) = initialize(&fake, "2025-11-25");
    let ask = |method: &str, params: Value| {
        let (status, message) =
            legacy(&fake, &session, &json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": params}));
        assert_eq!(message["id"], "q");
        (status, message["error"]["code"].as_i64().unwrap_or_default() as i32)
    };
    for method in
        ["prompts/list", "resources/list", "completion/complete", "logging/setLevel", "tasks/list", "nonsense"]
    {
        assert_eq!(ask(method, json!({})), (200, code::METHOD_NOT_FOUND), "{method}");
    }
    assert_eq!(ask("tools/call", json!({"name": "nothing"})), (200, code::INVALID_PARAMS));
    assert_eq!(ask("tools/call", json!({})), (200, code::INVALID_PARAMS));
    assert_eq!(ask("tools/list", json!({"cursor": "x"})), (200, code::INVALID_PARAMS));
    assert_eq!(ask("tools/list", json!("x")), (200, code::INVALID_PARAMS));
    assert_eq!(ask("initialize", json!({})), (200, code::INVALID_PARAMS));
    assert_eq!(ask("ping", json!({})), (200, 0));
}

#[test]
fn sessions_are_needed_and_cannot_be_made_up() {
    let fake = http();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(send(&fake, &[], &list).0, 400);
    assert_eq!(legacy(&fake, "made-up", &list).0, 404);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(legacy(&fake, "made-up", &ping).0, 404, "or a client would keep a session that is gone");
    let (session, _) = initialize(&fake, "2025-11-25");
    assert_eq!(legacy(&fake, &session, &list).0, 200);
    assert_eq!(legacy(&fake, &session, &ping).0, 200);
    assert_eq!(
        legacy(&http().config("session_secret", "another key"), &session, &list).0,
        404,
        "a restart with another key"
    );
    assert_eq!(
        send(&fake, &[], &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
        (200, json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
    );
}

#[test]
fn batches_belong_to_2025_03_26() {
    let fake = http();
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 3, "method": "nothing"},
        7,
    ]);
    let (old, _) = initialize(&fake, "2025-03-26");
    let (status, answers) = legacy(&fake, &old, &batch);
    let codes: Vec<Value> = answers.as_array().unwrap().iter().map(|a| a["error"]["code"].clone()).collect();
    assert_eq!(status, 200);
    assert_eq!(
        codes,
        [json!(null), json!(code::INVALID_REQUEST), json!(code::METHOD_NOT_FOUND), json!(code::INVALID_REQUEST)]
    );
    assert_eq!(legacy(&fake, &old, &json!([{"jsonrpc": "2.0", "method": "notifications/x"}])), (202, Value::Null));
    assert_eq!(legacy(&fake, &old, &json!([])).0, 400);
    let pings = |count: usize| Value::Array(vec![json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}); count]);
    assert_eq!(legacy(&fake, &old, &pings(16)).0, 200);
    let (status, message) = legacy(&fake, &old, &pings(17));
    assert_eq!((status, &message["error"]["code"]), (400, &json!(code::INVALID_REQUEST)));
    let (new, _) = initialize(&fake, "2025-06-18");
    assert_eq!(legacy(&fake, &new, &batch).1["error"]["code"], code::INVALID_REQUEST);
    assert_eq!(send(&fake, &[], &batch).0, 400);
}

#[test]
fn notifications_and_responses_get_no_answer() {
    let fake = http();
    for body in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "initialize", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "ping"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": "srv-1", "result": {"action": "accept"}}),
    ] {
        let response = fake.post(&[], &body.to_string());
        assert_eq!((response.status, response.body.len(), response.headers.len()), (202, 0, 0), "{body}");
    }
    let answer = json!({"jsonrpc": "2.0", "id": "srv-1", "result": {}});
    assert_eq!(send(&fake, &[("mcp-protocol-version", "2026-07-28".into())], &answer).0, 400);
}

#[test]
fn stdio_has_no_headers_to_check() {
    let fake = Fake::new();
    let (_, body) = modern("tools/list", json!({}));
    assert!(send(&fake, &[], &body).1["result"]["tools"].is_array());
    let early = send(&fake, &[], &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).1;
    assert_eq!(early["error"]["code"], code::INVALID_PARAMS);
    assert!(early["error"]["message"].as_str().unwrap().contains("initialize"));
}

#[test]
fn arguments_that_are_no_object_but_mean_one() {
    for arguments in [json!(null), json!({}), json!("{}")] {
        let fake = Fake::new().json("GET /api/libraries", json!({"libraries": []}));
        assert_eq!(fake.ok("list_libraries", arguments)["libraries"], json!([]));
    }
}

#[test]
fn without_settings_each_call_says_what_to_set() {
    let fake = Fake::new().config("origin", "").config("credential", "");
    let text = fake.error("list_libraries", json!({}));
    assert!(text.contains("AUDIOBOOKSHELF_URL") && text.contains("AUDIOBOOKSHELF_API_KEY"), "{text}");
    let text = Fake::new().config("credential", "").error("list_libraries", json!({}));
    assert!(!text.contains("AUDIOBOOKSHELF_URL") && text.contains("AUDIOBOOKSHELF_API_KEY"), "{text}");
}

#[test]
fn settings_that_are_not_valid_are_said_to_every_caller() {
    let fake = http().config("elicitation", "maybe");
    let (headers, body) = modern("tools/list", json!({}));
    let (_, message) = send(&fake, &headers, &body);
    assert_eq!((&message["id"], &message["error"]["code"]), (&json!(7), &json!(code::INTERNAL_ERROR)));
    assert!(message["error"]["message"].as_str().unwrap().contains("exactly true or false"));
}

#[test]
fn a_caller_nobody_vouches_for_may_look_and_not_call() {
    let fake = Fake::new().config("surface", "");
    let (headers, body) = modern("tools/list", json!({}));
    assert!(send(&fake, &headers, &body).1["result"]["tools"].is_array());
    let (headers, body) = modern("tools/call", json!({"name": "list_libraries", "arguments": {}}));
    let result = &send(&fake, &headers, &body).1["result"];
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("SPIN_VARIABLE_MCP_TOKEN") && !text.contains("SPIN_VARIABLE_ORIGIN"), "{text}");
    let fake = Fake::new().config("surface", "").config("credential", "");
    let text = send(&fake, &headers, &body).1["result"]["content"][0]["text"].to_string();
    assert!(text.contains("SPIN_VARIABLE_MCP_TOKEN") && text.contains("SPIN_VARIABLE_API_KEY"), "{text}");
}

#[test]
fn a_tool_that_is_switched_off_is_unknown() {
    let fake = Fake::new().config("deny_tools", "list_libraries");
    let (_, body) = modern("tools/call", json!({"name": "list_libraries"}));
    assert_eq!(send(&fake, &[], &body).1["error"]["code"], code::INVALID_PARAMS);
}

#[test]
fn every_result_says_that_it_is_complete_and_from_whom() {
    let fake = Fake::new().json("GET /api/libraries", json!({"libraries": []}));
    let result = fake.call("list_libraries", json!({}));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "audiobookshelf");
}

#[test]
fn a_page_of_the_list_gets_what_it_needs_and_others_nothing() {
    let fake = || http().config("allowed_origins", "https://chat.example.com");
    let answer = |fake: &Fake, method: &str, path: &str, headers: &[(&str, &str)]| {
        fake.serve(HttpRequest {
            method: method.into(),
            path: path.into(),
            authority: Some("localhost".into()),
            headers: headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            body: b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".to_vec(),
        })
    };
    let header = |response: &HttpResponse, name: &str| {
        let mut values = response.headers.iter().filter(|(n, _)| *n == name).map(|(_, v)| v.clone());
        let value = values.next();
        assert!(values.next().is_none(), "{name} twice");
        value
    };
    let json = ("content-type", "application/json");
    let chat = ("origin", "https://chat.example.com");
    let (token, plain) = (fake().config("mcp_token", "0123456789abcdef"), http());
    type Row<'a> = (&'a str, &'a Fake, &'a str, &'a str, &'a [(&'a str, &'a str)], u16, bool);
    let rows: [Row<'_>; 12] = [
        ("an answer", &fake(), "POST", "/mcp", &[json, chat], 200, true),
        ("an error", &fake(), "POST", "/mcp", &[chat], 415, true),
        ("not found", &fake(), "GET", "/.well-known/oauth-protected-resource/mcp", &[chat], 404, true),
        ("no token", &token, "POST", "/mcp", &[json, chat], 401, true),
        ("a preflight", &fake(), "OPTIONS", "/mcp", &[chat], 204, true),
        ("a preflight where there is a token", &token, "OPTIONS", "/mcp", &[chat], 204, true),
        ("a preflight elsewhere", &fake(), "OPTIONS", "/.well-known/openid-configuration", &[chat], 204, true),
        ("a foreign preflight", &fake(), "OPTIONS", "/mcp", &[("origin", "https://evil")], 403, false),
        ("a local preflight", &fake(), "OPTIONS", "/mcp", &[("origin", "http://localhost:1")], 403, false),
        ("a local page", &fake(), "POST", "/mcp", &[json, ("origin", "http://localhost:1")], 200, false),
        ("no list", &plain, "OPTIONS", "/mcp", &[chat], 403, false),
        ("no page", &fake(), "OPTIONS", "/mcp", &[], 405, false),
    ];
    for (what, fake, method, path, headers, status, allowed) in rows {
        let response = answer(fake, method, path, headers);
        assert_eq!(response.status, status, "{what}");
        let origin = header(&response, "access-control-allow-origin");
        assert_eq!(origin.as_deref(), allowed.then_some("https://chat.example.com"), "{what}");
        assert_eq!(header(&response, "vary").is_some(), what != "no list", "{what}");
        let exposed = header(&response, "access-control-expose-headers").unwrap_or_default();
        assert_eq!(exposed.contains("mcp-session-id"), allowed, "{what}");
        assert_eq!(header(&response, "access-control-allow-credentials"), None, "{what}");
        let headers = header(&response, "access-control-allow-headers").unwrap_or_default();
        for name in
            ["mcp-protocol-version", "authorization", "mcp-session-id", "mcp-method", "mcp-name", "content-type"]
        {
            assert_eq!(headers.contains(name), status == 204, "{what}: {name}");
        }
    }
}

/// On Spin a look-up may fail. What cannot be read may be what forbids something, so that nothing is served.
#[test]
fn a_setting_that_cannot_be_read_is_not_one_that_is_not_set() {
    let fake = http();
    fake.break_config();
    let (headers, body) = modern("tools/call", json!({"name": "list_libraries"}));
    let (status, answer) = send(&fake, &headers, &body);
    assert_eq!((status, answer["id"].clone()), (200, body["id"].clone()), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("cannot be read"), "{answer}");
}
