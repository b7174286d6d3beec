//! Progress: three numbers of which Audiobookshelf computes none from the others. Whatever is asked, they agree.

use super::world::{World, run};
use serde_json::{Value, json};

struct Target {
    item: String,
    episode: Option<String>,
    duration: f64,
}

fn targets(world: &World) -> [Target; 2] {
    let (book, episode) = (&world.shelf.books[0], &world.shelf.episodes[0]);
    [
        Target { item: book.id.clone(), episode: None, duration: book.duration },
        Target { item: world.shelf.podcast.clone(), episode: Some(episode.id.clone()), duration: episode.duration },
    ]
}

impl Target {
    fn arguments(&self, asked: &Value) -> Value {
        let mut arguments = asked.clone();
        arguments["library_item_id"] = json!(self.item);
        arguments["episode_id"] = json!(self.episode);
        arguments
    }

    async fn stored(&self, world: &World) -> Vec<Value> {
        world.progress_of(&self.item, self.episode.as_deref()).await
    }

    /// Puts there what another client may have left.
    async fn prepare(&self, world: &World, before: &Value) {
        world.forget_progress(&self.item, self.episode.as_deref()).await;
        if !before.is_null() {
            let episode = self.episode.as_ref().map_or_else(String::new, |id| format!("/{id}"));
            world.direct.send("PATCH", &format!("/api/me/progress/{}{episode}", self.item), before).await;
        }
    }
}

fn records(d: f64) -> [Value; 4] {
    [
        Value::Null,
        json!({"currentTime": d * 0.4, "duration": d, "progress": 0.4}),
        json!({"currentTime": d * 0.5, "duration": d, "isFinished": true}),
        // By a client that sends a position alone.
        json!({"currentTime": d * 0.6, "hideFromContinueListening": true}),
    ]
}

fn calls(d: f64) -> Vec<Value> {
    vec![
        json!({"current_time": d * 0.25}),
        json!({"progress": 0.5}),
        json!({"current_time": d * 0.25, "progress": 0.25}),
        json!({"current_time": 0}),
        json!({"progress": 0}),
        json!({"current_time": d}),
        json!({"current_time": d - 5.0}),
        json!({"progress": 1}),
        json!({"is_finished": true}),
        json!({"is_finished": false}),
        json!({"is_finished": true, "current_time": d * 0.3}),
        json!({"is_finished": false, "current_time": d * 0.3}),
        json!({"is_finished": false, "current_time": d * 0.5}),
        json!({"is_finished": false, "progress": 0}),
        json!({"is_finished": true, "progress": 1}),
        json!({"is_finished": true, "hide_from_continue_listening": false}),
        json!({"hide_from_continue_listening": true, "current_time": d * 0.2}),
        json!({"hide_from_continue_listening": true, "is_finished": false}),
        json!({"hide_from_continue_listening": false, "progress": 0.7}),
    ]
}

#[tokio::test]
async fn what_is_stored_agrees_with_itself_and_with_what_was_asked() {
    run(|world| async move {
        let mut tried = 0;
        for target in targets(&world) {
            for before in records(target.duration) {
                for asked in calls(target.duration) {
                    let what = format!("{asked} on {before} of {} s", target.duration);
                    target.prepare(&world, &before).await;
                    let result = world.ok("set_media_progress", target.arguments(&asked)).await;
                    let stored = target.stored(&world).await;
                    assert_eq!(stored.len(), 1, "{what}: {stored:?}");
                    agrees(&what, &target, &before, &asked, &stored[0]);
                    let got = world.ok("get_media_progress", target.arguments(&json!({}))).await;
                    same(&what, &result, &got, &stored[0]);
                    tried += 1;
                }
            }
        }
        println!("{tried} combinations");
        assert_eq!(tried, 2 * 4 * 19);
    })
    .await;
}

fn agrees(what: &str, target: &Target, before: &Value, asked: &Value, stored: &Value) {
    let number = |name: &str| stored[name].as_f64().unwrap_or_else(|| panic!("{what}: {name} in {stored}"));
    let (time, duration, share) = (number("currentTime"), number("duration"), number("progress"));
    let finished = stored["isFinished"] == true;
    let near = |a: f64, b: f64| (a - b).abs() < 0.001;
    let what = format!("{what} became {stored}");
    // Hiding alone is no statement about a position.
    let says_position = ["current_time", "progress"].iter().any(|name| asked.get(name).is_some());
    let leaves_it = !says_position && asked["is_finished"] != true && !before["currentTime"].is_null();
    if !(leaves_it && before["isFinished"] != true) {
        assert!(near(duration, target.duration), "{what}");
        assert!(near(share, if finished { 1.0 } else { time / duration }), "{what}");
    }
    let asked_time = asked["current_time"].as_f64().or(asked["progress"].as_f64().map(|p| p * target.duration));
    if let Some(asked) = asked_time {
        assert!(near(time, asked), "{what}");
    }
    let was_finished = before["isFinished"] == true;
    match (asked["is_finished"].as_bool(), asked_time) {
        (Some(finished_asked), _) => assert_eq!(finished, finished_asked, "{what}"),
        // Within ten seconds of the end ABS decides.
        (None, Some(time)) if target.duration - time < 10.0 => {}
        (None, Some(time)) => {
            let moved = before["currentTime"].as_f64().is_none_or(|old| !near(old, time));
            assert_eq!(finished, was_finished && !moved, "{what}");
        }
        (None, None) => assert_eq!(finished, was_finished, "{what}"),
    }
    if let Some(hidden) = asked["hide_from_continue_listening"].as_bool() {
        assert_eq!(stored["hideFromContinueListening"], hidden, "{what}");
    }
}

/// The results of writing and of reading show what is stored.
fn same(what: &str, set: &Value, got: &Value, stored: &Value) {
    for result in [set, got] {
        let (progress, what) = (&result["progress"], format!("{what}: {result} shows {stored}"));
        assert_eq!(result["media_progress_id"], stored["id"], "{what}");
        assert_eq!(progress["is_finished"], stored["isFinished"], "{what}");
        let hidden = progress["hide_from_continue_listening"] == true;
        assert_eq!(hidden, stored["hideFromContinueListening"] == true, "{what}");
        if !progress["current_time"].is_null() {
            assert_eq!(progress["current_time"].as_f64(), stored["currentTime"].as_f64(), "{what}");
            let percent = stored["progress"].as_f64().unwrap() * 100.0;
            assert!((progress["percent"].as_f64().unwrap() - percent).abs() <= 0.1, "{what}");
        }
    }
}

#[tokio::test]
async fn what_contradicts_itself_changes_nothing() {
    run(|world| async move {
        for target in targets(&world) {
            let d = target.duration;
            let before = json!({"currentTime": d * 0.4, "duration": d, "progress": 0.4});
            target.prepare(&world, &before).await;
            let stored = target.stored(&world).await;
            for (asked, part) in [
                (json!({}), "at least one of"),
                (json!({"is_finished": true, "progress": 0.5}), "contradicts progress"),
                (json!({"is_finished": false, "progress": 1}), "contradicts a position"),
                (json!({"is_finished": false, "current_time": d - 3.0}), "contradicts a position"),
                (json!({"current_time": d * 0.2, "progress": 0.9}), "contradict each other"),
                (json!({"current_time": d + 5.0}), "beyond the end"),
                (json!({"current_time": 1e300}), "beyond the end"),
            ] {
                let text = world.server.error("set_media_progress", target.arguments(&asked)).await;
                assert!(text.starts_with("Nothing was") && text.contains(part), "{asked}: {text}");
            }
            assert_eq!(target.stored(&world).await, stored);
        }
    })
    .await;
}

/// Ten at once make as many records in ABS itself.
#[tokio::test]
async fn ten_parallel_calls_leave_one_record() {
    run(|world| async move {
        for target in targets(&world) {
            target.prepare(&world, &Value::Null).await;
            let calls: Vec<_> = (1..=10)
                .map(|tenth| {
                    let world = std::sync::Arc::clone(&world);
                    let arguments = target.arguments(&json!({"progress": f64::from(tenth) / 20.0}));
                    tokio::spawn(async move { world.ok("set_media_progress", arguments).await })
                })
                .collect();
            for call in calls {
                call.await.expect("every call succeeds");
            }
            let stored = target.stored(&world).await;
            assert_eq!(stored.len(), 1, "{stored:?}");
            let (time, share) = (&stored[0]["currentTime"], &stored[0]["progress"]);
            assert!((time.as_f64().unwrap() / target.duration - share.as_f64().unwrap()).abs() < 0.001, "{stored:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn deleting_takes_one_record_and_no_other() {
    run(|world| async move {
        let [book, episode] = targets(&world);
        for target in [&book, &episode] {
            target.prepare(&world, &json!({"currentTime": 20, "duration": target.duration, "progress": 0.1})).await;
        }
        let id = book.stored(&world).await[0]["id"].clone();
        let result = world.approved("delete_media_progress", json!({"media_progress_id": id})).await;
        assert_eq!((&result["deleted"], &result["library_item_id"]), (&json!(true), &json!(book.item)));
        assert_eq!((book.stored(&world).await.len(), episode.stored(&world).await.len()), (0, 1));
        assert_eq!(world.ok("get_media_progress", book.arguments(&json!({}))).await["started"], false);
        // The usual mistake.
        let text = world.server.error("delete_media_progress", json!({"media_progress_id": episode.episode})).await;
        assert!(text.contains(episode.stored(&world).await[0]["id"].as_str().unwrap()), "{text}");
        assert!(!text.contains("confirm_token"), "{text}");
    })
    .await;
}
