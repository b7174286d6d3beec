//! The server as a server: mounts, versions, conditional requests, the log, and answers that are stale.

mod support;

use serde_json::{Value, json};
use standin::{Options, Standin, ids};
use support::{client, names};

async fn status(abs: &Standin, role: &str, path: &str) -> u64 {
    client::call(abs, role, "GET", &names::fill(path), None).await.unwrap().status
}

#[tokio::test]
async fn it_is_mounted_where_it_is_told_to_be() {
    let abs = Standin::start().await.unwrap();
    assert_eq!(abs.url(), format!("http://{}", abs.addr()));
    for path in ["/api/me", "/audiobookshelf/api/me", "/API/Me", "//api/me/"] {
        assert_eq!(status(&abs, "root", path).await, 200, "{path}");
    }
    let options = Options { base_path: Some("/shelf".into()), ..Options::default() };
    let proxied = Standin::start_with(options).await.unwrap();
    assert!(proxied.url().ends_with("/shelf"));
    for (path, wanted) in
        [("/shelf/api/me", 200), ("/shelf/status", 200), ("/api/me", 404), ("/audiobookshelf/api/me", 404)]
    {
        assert_eq!(status(&proxied, "root", path).await, wanted, "{path}");
    }
}

#[tokio::test]
async fn an_older_version_lacks_the_newer_routes() {
    let options = Options { version: "2.26.0".into(), ..Options::default() };
    let abs = Standin::start_with(options).await.unwrap();
    let told = client::call(&abs, "none", "GET", "/status", None).await.unwrap().json();
    assert_eq!(told["serverVersion"], "2.26.0");
    for path in ["/api/me/progress", "/api/me/bookmarks", "/api/me/bookmarks/{DRACULA}"] {
        let answer = client::call(&abs, "root", "GET", &names::fill(path), None).await.unwrap();
        assert_eq!((answer.status, answer.body.contains("Cannot GET")), (404, true), "{path}");
    }
    assert_eq!(status(&abs, "root", "/api/me/progress/{DRACULA}").await, 200);
}

#[tokio::test]
async fn keys_open_in_two_ways_and_no_other() {
    let abs = Standin::start().await.unwrap();
    let key = abs.key("kid");
    let send =
        async |path: &str, headers: &[(&str, &str)]| client::send(abs.addr(), "GET", path, headers, "").await.unwrap();
    assert_eq!(send("/api/me", &[("authorization", &format!("bearer {key}"))]).await.status, 200);
    assert_eq!(send(&format!("/api/me?token={key}"), &[]).await.status, 200);
    for headers in [[("authorization", key.as_str())], [("x-api-key", key.as_str())]] {
        let refused = send("/api/me", &headers).await;
        assert_eq!((refused.status, refused.content_type.as_str(), refused.body.as_str()), (401, "", "Unauthorized"));
    }
    assert_eq!(status(&abs, "inactive", "/api/me").await, 401);
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let abs = Standin::start().await.unwrap();
    let stream = |extra: String| {
        let (addr, bearer) = (abs.addr(), format!("Bearer {}", abs.key("root")));
        async move {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            let mut stream = tokio::net::TcpStream::connect(addr).await.unwrap();
            let request = format!(
                "GET /api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: {bearer}\r\n{extra}\r\n"
            );
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            answer
        }
    };
    let first = stream(String::new()).await;
    let etag = first.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let second = stream(format!("if-none-match: {etag}\r\n")).await;
    assert!(second.starts_with("HTTP/1.1 304"), "{second}");
}

#[tokio::test]
async fn the_log_tells_what_was_sent_and_by_whom() {
    let abs = Standin::start().await.unwrap();
    assert!(abs.requests().is_empty());
    let path = format!("/api/me/progress/{}?x=1", ids::EMMA);
    client::call(&abs, "kid", "PATCH", &path, Some(&json!({"currentTime": 1, "userId": ids::ROOT}))).await.unwrap();
    let log = abs.requests();
    assert_eq!(
        (log[0].method.as_str(), log[0].path.as_str(), log[0].user.as_deref()),
        ("PATCH", path.as_str(), Some("kid"))
    );
    assert!(log[0].body.contains("currentTime"));
    assert!(log[0].headers.iter().any(|(name, _)| name == "content-type"));
    assert_eq!(abs.state().foreign_columns(), ["userId"]);
    abs.clear_requests();
    assert!(abs.requests().is_empty());
}

/// Number of finished books as the filtered list tells it.
async fn finished(abs: &Standin, suffix: &str) -> Value {
    let path =
        names::fill(&format!("/api/libraries/{{BOOKS}}/items?filter=progress.{{b64:finished}}&limit=50{suffix}"));
    client::call(abs, "root", "GET", &path, None).await.unwrap().json()["total"].clone()
}

#[tokio::test]
async fn lists_stay_stale_after_progress_until_something_else_is_written() {
    let abs = Standin::start().await.unwrap();
    let shelves = names::fill("/api/libraries/{BOOKS}/personalized");
    let recent = names::fill("/api/libraries/{PODCASTS}/recent-episodes?limit=50");
    let read = async |path: &str| client::call(&abs, "root", "GET", path, None).await.unwrap().body;
    let (shelves_before, recent_before) = (read(&shelves).await, read(&recent).await);
    assert_eq!(finished(&abs, "").await, 3);
    let done = json!({"isFinished": true});
    for path in ["/api/me/progress/{EMMA}", "/api/me/progress/{NIGHT_SKY}/{NIGHT_SKY_4}"] {
        client::call(&abs, "root", "PATCH", &names::fill(path), Some(&done)).await.unwrap();
    }
    assert_eq!(finished(&abs, "").await, 3, "stale");
    assert_eq!(finished(&abs, "&_=1").await, 4, "another url is another entry");
    assert_ne!(read(&shelves).await, shelves_before, "the home page is not stale");
    assert_ne!(read(&recent).await, recent_before, "nor are the recent episodes");
    let bookmark = json!({"time": 1, "title": "x"});
    client::call(&abs, "kid", "POST", &names::fill("/api/me/item/{EMMA}/bookmark"), Some(&bookmark)).await.unwrap();
    assert_eq!(finished(&abs, "").await, 4, "any other write clears everything, anybody's");
}

#[tokio::test]
async fn the_cache_is_each_users_own_and_older_servers_have_none() {
    let abs = Standin::start().await.unwrap();
    finished(&abs, "").await;
    let path = names::fill("/api/libraries/{BOOKS}/items?filter=progress.{b64:finished}&limit=50");
    let kids = client::call(&abs, "kid", "GET", &path, None).await.unwrap().json();
    assert_eq!(kids["total"], 1);
    let old = Standin::start_with(Options { version: "2.26.0".into(), ..Options::default() }).await.unwrap();
    finished(&old, "").await;
    let path = names::fill("/api/me/progress/{EMMA}");
    client::call(&old, "root", "PATCH", &path, Some(&json!({"isFinished": true}))).await.unwrap();
    assert_eq!(finished(&old, "").await, 4);
}

#[tokio::test]
async fn it_stops_when_it_is_dropped() {
    let abs = Standin::start().await.unwrap();
    let addr = abs.addr();
    drop(abs);
    tokio::task::yield_now().await;
    assert!(client::send(addr, "GET", "/ping", &[], "").await.is_err());
}

#[tokio::test]
async fn a_bookmark_is_known_by_its_time_however_it_is_written() {
    let abs = Standin::start().await.unwrap();
    let path = names::fill("/api/me/item/{EMMA}/bookmark");
    let send = async |method: &str, path: &str, body: Value| {
        client::call(&abs, "root", method, path, Some(&body)).await.unwrap()
    };
    send("POST", &path, json!({"time": 100, "title": "One"})).await;
    send("POST", &path, json!({"time": 100, "title": "Again"})).await;
    assert_eq!(send("PATCH", &path, json!({"time": "100", "title": "By string"})).await.json()["time"], 100);
    assert_eq!(abs.state().bookmarks("root").iter().filter(|b| b.library_item_id == ids::EMMA).count(), 1);
    send("POST", &path, json!({"time": "77", "title": "Stuck"})).await;
    let gone = client::call(&abs, "root", "DELETE", &format!("{path}/77"), None).await.unwrap();
    assert_eq!((gone.status, gone.body.as_str()), (200, "OK"));
    assert!(abs.state().bookmarks("root").iter().any(|b| b.title == "Stuck"), "a string time survives");
}
