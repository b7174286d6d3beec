//! Questions over stdio, while they wait.

use crate::guard::{
    Bench, effects, no,
    refusals::in_each,
    ways::{DIALOGS, How, Transport},
    yes,
};
use serde_json::json;

/// A process that waits for a person is there for everything else.
#[tokio::test]
async fn stdio_goes_on() {
    for way in DIALOGS.iter().filter(|way| way.how == How::Push && way.transport == Transport::Stdio) {
        let bench = Bench::new().await;
        let client = way.client(&bench).await;
        let effect = effects::of("remove_items_from_playlist");
        let question = effect.ask(&client).await;
        assert_eq!(client.ask("ping", json!({})).await, json!({}));
        let libraries = client.ask("tools/call", json!({"name": "list_libraries"})).await;
        assert!(libraries["content"][0]["text"].as_str().unwrap().contains(standin::ids::BOOKS), "{libraries}");
        assert_eq!(client.ask("tools/list", json!({})).await["tools"].as_array().map(Vec::len), Some(44));
        // Another question, answered before the first one.
        let other = effects::of("delete_playlist").ask(&client).await;
        assert_ne!(other.id(), question.id());
        assert!(client.answer(other, &no()).await.refused().contains("declined"));
        bench.untouched(&format!("{way:?}"));
        client.answer(question, &yes()).await.done();
        assert_eq!(bench.writes(), effect.writes);
    }
}

/// Over stdio a cancelled call ends at once, and its question with it.
#[tokio::test]
async fn cancelled_questions_do_not_count() {
    for way in DIALOGS.iter().filter(|way| way.how == How::Push && way.transport == Transport::Stdio) {
        let bench = Bench::new().await;
        let client = way.client(&bench).await;
        for _ in 0..100 {
            let question = effects::of("update_collection").ask(&client).await;
            client.cancel(question.call()).await;
            // The notification was served when a later message is answered.
            for _ in 0..2 {
                client.ask("ping", json!({})).await;
            }
        }
        bench.untouched(&format!("{way:?}"));
    }
}

/// Over stdio the stream is the process: when its client has said all it will, nobody is left to say yes.
#[tokio::test]
async fn a_process_whose_client_left() {
    for way in DIALOGS.iter().filter(|way| way.how == How::Push && way.transport == Transport::Stdio) {
        in_each(way, |way, effect, client| async move {
            let question = effect.ask(&client).await;
            let ended = client.end().await;
            assert_eq!((ended.code, ended.lines.len()), (Some(0), 1), "{way:?}: {}", ended.stderr);
            let last = &ended.lines[0];
            assert_eq!(&last["id"], question.call(), "{last}");
            assert!(last["error"]["message"].as_str().unwrap().contains("nothing was changed"), "{last}");
            1
        })
        .await;
    }
}
