//! The key is in the component's configuration, and goes to Audiobookshelf and nowhere else.

use crate::harness::{Client, Era, Http, Scripted, form, modern, modern_headers};
use crate::listing::{sample_arguments, tools};
use serde_json::json;
use standin::{Standin, ids};
use std::sync::Arc;

const KEY: &str = "k3y-that-nobody-may-see";

#[tokio::test]
async fn it_is_never_in_an_answer_or_in_the_log() {
    let answers = [
        ("401 Unauthorized", "text/plain", "Unauthorized"),
        ("500 Internal Server Error", "text/html", "<html></html>"),
        ("400 Bad Request", "text/plain", "you sent authorization: Bearer k3y-that-nobody-may-see"),
        ("200 OK", "application/json", "{\"libraries\": [{\"id\": \"a\", \"name\": \"k3y-that-nobody-may-see\"}]}"),
        ("200 OK", "text/html", "<html>log in</html>"),
        ("200 OK", "application/json", "{\"libraries\": []}"),
    ];
    for (status, content_type, body) in answers {
        let upstream = Scripted::reply(status, content_type, body).await;
        // With the end of the line that `--variable api_key=@file` takes along.
        let key = format!("{KEY}\n");
        let server =
            Http::start(&[("AUDIOBOOKSHELF_URL", upstream.url.as_str()), ("AUDIOBOOKSHELF_API_KEY", &key)]).await;
        for tool in tools(&server).await {
            let name = tool["name"].as_str().unwrap();
            for arguments in [sample_arguments(&tool), json!({}), json!({"x": "{{ api_key }}"})] {
                let message = modern(1, "tools/call", json!({"name": name, "arguments": arguments}));
                let reply = server.post(&modern_headers(&message), &message).await;
                let text = String::from_utf8_lossy(&reply.body).into_owned();
                assert!(!text.contains(KEY), "{name} {arguments}: {text}");
                assert!(!format!("{:?}", reply.headers).contains(KEY));
            }
        }
        assert!(!server.stderr().contains(KEY), "{}", server.stderr());
        let heads = upstream.heads().concat();
        assert!(heads.contains(&format!("authorization: Bearer {KEY}\r\n")), "it does reach Audiobookshelf");
    }
}

/// What is sealed with the key does not show it, and what it seals is good at every replica: here, after a restart.
#[tokio::test]
async fn seals_come_from_the_key() {
    let abs = Standin::start().await.unwrap();
    let (url, key) = (abs.url(), abs.key("root"));
    let settings = [("AUDIOBOOKSHELF_URL", url.as_str()), ("AUDIOBOOKSHELF_API_KEY", key.as_str())];
    let (first, second) = (Arc::new(Http::start(&settings).await), Arc::new(Http::start(&settings).await));
    let era = Era::Legacy("2025-11-25");
    let session = Client::http(&first, era, form()).await.session().to_owned();
    assert!(!session.contains(&key));
    let arguments = json!({"playlist_id": ids::ROAD_TRIP});
    let question = Client::resume(&second, era, form(), session).call("delete_playlist", &arguments).await.asked();
    drop(question);
    let asked = Client::http(&first, Era::Modern, form()).await.call("delete_playlist", &arguments).await.asked();
    assert!(!asked.state().contains(&key));
    let answer = json!({"action": "accept", "content": {"decision": "yes"}});
    let replica = Client::http(&second, Era::Modern, form()).await;
    assert!(replica.answer(asked, &answer).await.done().get("isError").is_none());
    assert!(abs.state().playlist(ids::ROAD_TRIP).is_none());
}
