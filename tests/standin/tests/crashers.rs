//! Every recorded request that killed a real server kills this one, and none that came close does.

mod support;

use serde_json::json;
use standin::{Options, Standin, ids};
use support::{client, names};

/// Rows of `crashers.txt` that say `dies`.
const KILLERS: usize = 77;

#[tokio::test]
async fn every_recorded_killer_kills_and_nothing_else_does() {
    let abs = Standin::start().await.unwrap();
    let mut problems = Vec::new();
    let mut killers = 0;
    for line in include_str!("crashers.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let row = match line.strip_prefix("+ ") {
            Some(row) if abs.is_dead() => {
                abs.restart();
                row
            }
            Some(row) => row,
            None => {
                abs.reset();
                line
            }
        };
        let filled = names::fill(row);
        let mut words = filled.splitn(5, ' ');
        let mut word = || words.next().unwrap_or("");
        let (fate, role, method, path, body) = (word(), word(), word(), word(), word());
        let body = body.strip_prefix('!').unwrap_or(body);
        let bearer = format!("Bearer {}", if role == "none" { String::new() } else { abs.key(role) });
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let answer = client::send(abs.addr(), method, path, &headers, body).await;
        let answer = answer.map(|answer| answer.status.to_string());
        match (fate, answer) {
            ("dies", Err(_)) if abs.is_dead() && abs.cause_of_death().is_some() => killers += 1,
            ("dies", answer) => problems.push(format!("{row}\n    should kill, and gives {answer:?}")),
            (status, Ok(answer)) if answer == status => {}
            (_, answer) => problems.push(format!("{row}\n    gives {answer:?}, cause {:?}", abs.cause_of_death())),
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert_eq!(killers, KILLERS);
}

#[tokio::test]
async fn the_dead_answer_nobody_until_they_are_woken() {
    let abs = Standin::start().await.unwrap();
    assert!(client::call(&abs, "kid", "GET", "/api/items/%00", None).await.is_err());
    assert!(abs.is_dead());
    assert!(abs.cause_of_death().unwrap().contains("GET /api/items/%00"));
    for _ in 0..3 {
        assert!(client::call(&abs, "root", "GET", "/status", None).await.is_err());
    }
    assert_eq!(abs.requests().len(), 1, "what is dead hears nothing");
    abs.reset();
    assert!(!abs.is_dead());
    assert_eq!(abs.cause_of_death(), None);
    assert_eq!(client::call(&abs, "root", "GET", "/status", None).await.unwrap().status, 200);
}

#[tokio::test]
async fn open_connections_go_down_with_it() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let abs = Standin::start().await.unwrap();
    let mut idle = tokio::net::TcpStream::connect(abs.addr()).await.unwrap();
    idle.write_all(b"GET /ping HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut first = [0; 12];
    idle.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert!(client::call(&abs, "root", "GET", "/api/authors/%00", None).await.is_err());
    let mut rest = Vec::new();
    idle.read_to_end(&mut rest).await.expect("the connection is closed");
}

#[tokio::test]
async fn a_restart_keeps_the_data_and_cleans_the_poison() {
    let abs = Standin::start().await.unwrap();
    let queue = format!("/api/playlists/{}", ids::EPISODE_QUEUE);
    let poison = json!({"items": [{"libraryItemId": ids::NIGHT_SKY}]});
    let added = client::call(&abs, "root", "POST", &format!("{queue}/batch/add"), Some(&poison)).await.unwrap();
    assert_eq!(added.status, 200);
    assert!(client::call(&abs, "root", "GET", &queue, None).await.is_err());
    abs.restart();
    let answer = client::call(&abs, "root", "GET", &queue, None).await.unwrap();
    assert_eq!(answer.json()["items"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn a_request_without_a_key_cannot_kill() {
    let abs = Standin::start_with(Options::default()).await.unwrap();
    assert_eq!(client::call(&abs, "none", "GET", "/api/items/%00", None).await.unwrap().status, 401);
    assert_eq!(client::call(&abs, "inactive", "GET", "/api/items/%00", None).await.unwrap().status, 401);
    assert!(!abs.is_dead());
}
