//! Standard input and output: one message a line, nothing else on stdout, a clean end.

use crate::harness::{Abs, Stdio, initialize, modern};
use serde_json::{Value, json};

fn code(message: &Value) -> i64 {
    message["error"]["code"].as_i64().unwrap_or(0)
}

#[tokio::test]
async fn a_piped_conversation_is_two_lines_and_exit_0() {
    let mut server = Stdio::start(&[]);
    server.send(initialize("2025-11-25")).await;
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    server.send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).await;
    let ended = server.end().await;
    assert_eq!((ended.code, ended.lines.len()), (Some(0), 2), "{}", ended.stderr);
    assert_eq!(ended.lines[0]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(ended.lines[1]["result"]["tools"].as_array().unwrap().len(), 44);
}

#[tokio::test]
async fn modern_requests_need_no_handshake() {
    let abs = Abs::start().await;
    let settings = abs.settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut server = Stdio::start(&settings);
    let found = server.ask(&modern("p", "server/discover", json!({}))).await;
    assert_eq!((&found["id"], &found["result"]["resultType"]), (&json!("p"), &json!("complete")));
    let listed = server.ask(&modern(1, "tools/call", json!({"name": "list_libraries"}))).await;
    assert!(!listed["result"]["structuredContent"]["libraries"].as_array().unwrap().is_empty(), "{listed}");
    // And the handshake still works afterwards, in the same process.
    assert_eq!(server.ask(&initialize("2025-06-18")).await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(server.end().await.code, Some(0));
}

#[tokio::test]
async fn what_gets_no_answer_gets_none() {
    let mut server = Stdio::start(&[]);
    for silent in [
        r#"{"jsonrpc":"2.0","method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"nobody-asked","result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        "",
        "   ",
        "\r",
    ] {
        server.send(silent).await;
    }
    let ended = server.end().await;
    assert_eq!((ended.code, ended.lines), (Some(0), vec![]), "{}", ended.stderr);
}

#[tokio::test]
async fn errors_keep_the_id_where_there_is_one() {
    let mut server = Stdio::start(&[]);
    let cases = [
        ("{", json!(null), -32700),
        ("Content-Length: 20", json!(null), -32700),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":"x","method":"tools/list","params":"no"}"#, json!("x"), -32602),
        (r#"{"jsonrpc":"2.0","id":0,"method":"tools/list"}"#, json!(0), -32602),
        (r#"{"jsonrpc":"2.0","id":"1","method":"server/discover"}"#, json!("1"), -32602),
    ];
    for (line, id, want) in cases {
        server.send(line).await;
        let answer = server.next().await;
        assert_eq!((&answer["id"], code(&answer)), (&id, want), "{line}: {answer}");
        assert!(!id.is_null() || answer.get("id").is_none(), "no null id: {answer}");
    }
    server.ask(&initialize("2025-11-25")).await;
    for (line, id, want) in [
        (r#"{"jsonrpc":"2.0","id":-5,"method":"nonsense"}"#, json!(-5), -32601),
        (r#"{"jsonrpc":"2.0","id":"a b","method":"tools/call","params":{"name":"nothing"}}"#, json!("a b"), -32602),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_me","arguments":[1]}}"#,
            json!(7),
            -32602,
        ),
    ] {
        server.send(line).await;
        let answer = server.next().await;
        assert_eq!((&answer["id"], code(&answer)), (&id, want), "{line}: {answer}");
    }
    assert_eq!(server.end().await.code, Some(0));
}

/// Each of these is refused as a whole; with its id where that can be made out, since the client waits for it. Once.
#[tokio::test]
async fn a_message_with_something_unreadable_inside_gets_one_answer() {
    let mut server = Stdio::start(&[]);
    for (inside, id) in [(br#""\ud800""#.as_slice(), json!(1)), (b"1e400", json!(2)), (b"\"\xff\"", json!(3))] {
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{"x":"#);
        server.send_bytes(&[start.as_bytes(), inside, b"}}"].concat()).await;
        let answer = server.next().await;
        assert_eq!((code(&answer), &answer["id"]), (-32700, &id), "{answer}");
    }
    let ended = server.end().await;
    assert_eq!((ended.code, ended.lines), (Some(0), vec![]));
}

#[tokio::test]
async fn ping_works_before_the_handshake_and_not_in_the_new_revision() {
    let mut server = Stdio::start(&[]);
    assert_eq!(
        server.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "ping"})).await,
        json!({"jsonrpc": "2.0", "id": 0, "result": {}})
    );
    assert_eq!(code(&server.ask(&modern(1, "ping", json!({}))).await), -32601);
}

#[tokio::test]
async fn batches_in_the_revision_that_has_them() {
    let mut server = Stdio::start(&[]);
    server.ask(&initialize("2025-03-26")).await;
    let answers = server.ask(&json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}])).await;
    let ids: Vec<&Value> = answers.as_array().unwrap().iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!(2)]);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_the_next_one_is_served() {
    let mut server = Stdio::start(&[]);
    server
        .send(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "a".repeat(1_100_000)))
        .await;
    let refused = server.next().await;
    assert_eq!(code(&refused), -32600, "{refused}");
    assert_eq!(server.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})).await["id"], 2);
}

#[tokio::test]
async fn the_end_of_input_ends_a_call_that_waits_for_a_person() {
    let abs = standin::Standin::start().await.unwrap();
    let mut server = Stdio::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]);
    let mut hello = initialize("2025-11-25");
    hello["params"]["capabilities"] = json!({"elicitation": {}});
    server.ask(&hello).await;
    let arguments = json!({"playlist_id": standin::ids::ROAD_TRIP});
    let call = json!({"name": "delete_playlist", "arguments": arguments});
    let asked = server.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})).await;
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let started = std::time::Instant::now();
    let ended = server.end().await;
    assert_eq!((ended.code, ended.lines.len()), (Some(0), 1), "{:?}", ended.lines);
    assert!(ended.lines[0]["error"]["message"].as_str().unwrap().contains("nothing was changed"));
    // The plain limit of a call is a minute; this does not wait for it.
    assert!(started.elapsed().as_secs() < 20);
    assert!(abs.state().playlist(standin::ids::ROAD_TRIP).is_some());
}

/// An Audiobookshelf that takes a request and never answers it.
async fn silent_abs() -> (String, tokio::task::JoinHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    (url, task)
}

#[tokio::test]
async fn a_cancelled_call_is_never_answered_and_holds_up_nothing() {
    let (url, abs) = silent_abs().await;
    let mut server = Stdio::start(&[("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", "the-key")]);
    server.ask(&initialize("2025-11-25")).await;
    server.send(json!({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {"name": "get_me"}})).await;
    // Others are served meanwhile.
    assert_eq!(server.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})).await["id"], 2);
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}})).await;
    assert_eq!(server.ask(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"})).await["id"], 3);
    let ended = server.end().await;
    assert_eq!((ended.code, ended.lines), (Some(0), vec![]), "{}", ended.stderr);
    abs.abort();
}

#[tokio::test]
async fn what_was_asked_before_the_end_of_input_is_answered() {
    let abs = standin::Standin::start().await.unwrap();
    let mut server = Stdio::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]);
    for id in 0..8 {
        server.send(modern(id, "tools/call", json!({"name": "list_libraries"}))).await;
    }
    let ended = server.end().await;
    let mut ids: Vec<i64> = ended.lines.iter().map(|line| line["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!((ended.code, ids), (Some(0), (0..8).collect()), "{}", ended.stderr);
}
