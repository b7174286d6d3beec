//! A: the JSON-RPC envelope, and stdio.

use crate::harness::{Http, Reply, Stdio, initialize, modern, modern_headers};
use serde_json::{Value, json};
use standin::{Standin, ids};

/// What comes of one message: the lines on stdio before the answer to the next message, and the reply over HTTP.
async fn sent(message: &Value) -> (Vec<Value>, Reply) {
    let mut stdio = Stdio::start(&[]);
    stdio.send(message).await;
    let marker = json!({"jsonrpc": "2.0", "id": "marker", "method": "ping"});
    // Answers may overtake each other; the end of the input does not.
    stdio.send(&marker).await;
    let mut ended = stdio.end().await;
    assert_eq!(ended.code, Some(0));
    ended.lines.retain(|line| line["id"] != "marker");
    let server = Http::start(&[]).await;
    let reply = server.post(&[], message).await;
    (ended.lines, reply)
}

async fn is_silent(message: Value) {
    let (lines, reply) = sent(&message).await;
    assert_eq!(lines, [] as [Value; 0], "{message}");
    assert_eq!((reply.status, reply.body.len()), (202, 0), "{message}");
}

#[tokio::test]
async fn a1_initialize_without_an_id() {
    is_silent(json!({"jsonrpc": "2.0", "method": "initialize", "params": {}})).await;
}

#[tokio::test]
async fn a2_initialized_is_no_unknown_method() {
    is_silent(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
}

#[tokio::test]
async fn a3_an_accepted_notification_has_length_0() {
    let (_, reply) = sent(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    assert_eq!((reply.status, reply.header("content-length")), (202, "0"));
}

#[tokio::test]
async fn a4_an_accepted_notification_has_no_type() {
    let (_, reply) = sent(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    assert!(!reply.headers.contains_key("content-type"), "{:?}", reply.headers);
    assert!(!reply.headers.contains_key("transfer-encoding"), "{:?}", reply.headers);
}

#[tokio::test]
async fn a5_id_on_a_notification() {
    let (lines, reply) = sent(&json!({"jsonrpc": "2.0", "id": 1, "method": "notifications/initialized"})).await;
    for answer in [&lines[0], &reply.json()] {
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32600)), "{answer}");
    }
    assert_eq!((lines.len(), reply.status), (1, 400));
}

#[tokio::test]
async fn a6_ping_without_an_id() {
    is_silent(json!({"jsonrpc": "2.0", "method": "ping"})).await;
}

#[tokio::test]
async fn a7_id_null() {
    for method in ["ping", "tools/list", "initialize", "notifications/initialized"] {
        let (lines, reply) = sent(&json!({"jsonrpc": "2.0", "id": null, "method": method, "params": {}})).await;
        assert_eq!((lines.len(), reply.status), (1, 400), "{method}");
        for answer in [&lines[0], &reply.json()] {
            assert_eq!((answer.get("id"), &answer["error"]["code"]), (None, &json!(-32600)), "{answer}");
        }
    }
}

/// The id as it is written in the answer, over both transports and in both eras.
async fn written(id: Value) -> Vec<String> {
    let mut stdio = Stdio::start(&[]);
    let mut hello = initialize("2025-11-25");
    hello["id"] = id.clone();
    let found = modern(id, "server/discover", json!({}));
    let mut answers = vec![stdio.ask(&hello).await, stdio.ask(&found).await];
    let server = Http::start(&[]).await;
    answers.push(server.post(&[], &hello).await.json());
    answers.push(server.post(&modern_headers(&found), &found).await.json());
    assert!(answers.iter().all(|answer| answer["result"].is_object()), "{answers:?}");
    answers.iter().map(|answer| answer["id"].to_string()).collect()
}

#[tokio::test]
async fn a8_a_text_as_id() {
    assert_eq!(written(json!("init-1")).await, [r#""init-1""#; 4]);
}

#[tokio::test]
async fn a9_digits_in_a_text_as_id() {
    assert_eq!(written(json!("1")).await, [r#""1""#; 4]);
}

#[tokio::test]
async fn a10_id_0() {
    assert_eq!(written(json!(0)).await, ["0"; 4]);
}

#[tokio::test]
async fn a12_ping_before_initialize() {
    let (lines, reply) = sent(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).await;
    for answer in [&lines[0], &reply.json()] {
        assert_eq!(answer, &json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    }
    let ping = modern(2, "ping", json!({}));
    assert_eq!(Stdio::start(&[]).ask(&ping).await["error"]["code"], -32601);
    let reply = Http::start(&[]).await.post(&modern_headers(&ping), &ping).await;
    assert_eq!((reply.status, reply.code()), (404, -32601));
}

#[tokio::test]
async fn a14_arguments_absent_or_of_another_type() {
    let abs = Standin::start().await.unwrap();
    let mut server = Stdio::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]);
    for params in [json!({"name": "get_me"}), json!({"name": "get_me", "arguments": null})] {
        let answer = server.ask(&modern(1, "tools/call", params)).await;
        assert!(answer["result"]["structuredContent"].is_object(), "{answer}");
    }
    for arguments in [json!([]), json!(7), json!(true), json!("text")] {
        let answer = server.ask(&modern(1, "tools/call", json!({"name": "get_me", "arguments": arguments}))).await;
        assert_eq!(answer["error"]["code"], -32602, "{arguments}: {answer}");
    }
}

#[tokio::test]
async fn a15_params_that_are_no_object() {
    for params in [json!("list_libraries"), json!(["list_libraries"]), json!(7), json!(false)] {
        let message = json!({"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": params});
        let (lines, reply) = sent(&message).await;
        assert_eq!(lines.len(), 1);
        for answer in [&lines[0], &reply.json()] {
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("q"), &json!(-32602)), "{answer}");
        }
    }
}

/// In `isError`, as the revisions since 2025-11-25 want it, so that a model sees it.
#[tokio::test]
async fn a16_bad_arguments_are_never_replaced_by_defaults() {
    let abs = Standin::start().await.unwrap();
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]).await;
    for (bad, named) in [
        (json!({"library_id": ids::BOOKS, "limit": "many"}), "limit"),
        (json!({"library_id": ids::BOOKS, "descending": "perhaps"}), "descending"),
        (json!({"library_id": ids::BOOKS, "detail": "some"}), "detail"),
        (json!({"library_id": {"id": ids::BOOKS}}), "library_id"),
        (json!({}), "library_id"),
    ] {
        let text = server.error("list_library_items", bad.clone()).await;
        assert!(text.contains(&format!("{named}: ")), "{bad}: {text}");
    }
    assert!(abs.requests().is_empty(), "{:?}", abs.requests());
}

#[tokio::test]
async fn a17_a_misspelt_argument_is_told_the_valid_ones() {
    let abs = Standin::start().await.unwrap();
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]).await;
    let text = server.error("list_library_items", json!({"libraryId": ids::BOOKS})).await;
    assert!(text.contains("did you mean library_id?"), "{text}");
    let text = server.error("list_library_items", json!({"library_id": ids::BOOKS, "tokenBudget": 5})).await;
    assert!(text.contains("tokenBudget") && text.contains("valid are library_id, page, limit"), "{text}");
    assert!(abs.requests().is_empty());
    server.ok("list_library_items", json!({"library_id": ids::BOOKS, "_meta": {"progressToken": 1}})).await;
}

#[tokio::test]
async fn a19_lines_end_with_a_line_feed_alone() {
    let input = format!("{}\n{}\r\n", initialize("2025-11-25"), modern(1, "tools/list", json!({})));
    let output = Stdio::bytes(&[], input.as_bytes()).await;
    assert!(output.ends_with(b"\n") && !output.contains(&b'\r'));
    assert_eq!(output.iter().filter(|byte| **byte == b'\n').count(), 2);
}

/// The harness takes every line of stdout that is no JSON for a failure; here is everything that is said at a start.
#[tokio::test]
async fn a20_what_is_said_to_people_goes_to_stderr() {
    let mut server = Stdio::start(&[
        ("ELICITATION", "false"),
        ("AUDIOBOOKSHELF_INSECURE_TLS", "true"),
        ("AUDIOBOOKSHELF_READONLY", "1"),
        ("AUDIOBOOKSHELF_URL", "http://127.0.0.1:9"),
        ("RUST_LOG", "trace"),
        ("RUST_BACKTRACE", "1"),
    ]);
    server.ask(&modern(1, "tools/call", json!({"name": "list_libraries"}))).await;
    let ended = server.end().await;
    assert_eq!((ended.code, ended.lines.len()), (Some(0), 0));
    for said in ["ELICITATION=false", "AUDIOBOOKSHELF_INSECURE_TLS=true", "AUDIOBOOKSHELF_READONLY is no setting"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}

/// The framing of language servers is not the framing here: each line that is no JSON is told so, and the rest is served.
#[tokio::test]
async fn a21_content_length_framing() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let input = format!("Content-Length: {}\r\n\r\n{ping}\n", ping.len());
    let output = String::from_utf8(Stdio::bytes(&[], input.as_bytes()).await).unwrap();
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!output.to_ascii_lowercase().contains("content-length"), "{output}");
    assert!(answers.contains(&json!({"jsonrpc": "2.0", "id": 1, "result": {}})), "{output}");
    assert!(answers.iter().any(|answer| answer["error"]["code"] == -32700), "{output}");
    assert_eq!(answers.len(), 2, "{output}");
}

/// Each in a text that is passed on as it is, and over both transports.
#[tokio::test]
async fn a23_line_separators_are_escaped() {
    let body = json!({"libraries": [{"id": "a", "name": "one\u{2028}two\u{2029}three", "mediaType": "book"}]});
    let upstream = crate::harness::Scripted::reply("200 OK", "application/json", &body.to_string()).await;
    let call = modern(1, "tools/call", json!({"name": "list_libraries", "arguments": {"detail": "full"}}));
    let stdio = Stdio::bytes(&upstream.settings(), format!("{call}\n").as_bytes()).await;
    let server = Http::start(&upstream.settings()).await;
    let http = server.post(&modern_headers(&call), &call).await.body;
    for raw in [stdio, http.to_vec()] {
        let raw = String::from_utf8(raw).unwrap();
        assert!(!raw.contains(['\u{2028}', '\u{2029}']), "{raw}");
        let answer: Value = serde_json::from_str(&raw).unwrap();
        let name = answer["result"]["structuredContent"]["libraries"][0]["name"].as_str().unwrap();
        assert!(name.starts_with("one") && name.ends_with("three"), "{name:?}");
    }
    // What a client writes comes back in an error, and may hold one too.
    let unknown = modern(1, "tools/call", json!({"name": "a\u{2028}b"}));
    let raw = String::from_utf8(Stdio::bytes(&[], format!("{unknown}\n").as_bytes()).await).unwrap();
    assert!(raw.contains("Unknown tool") && !raw.contains('\u{2028}'), "{raw}");
}
