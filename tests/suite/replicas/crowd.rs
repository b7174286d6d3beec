//! Two hundred approvals at once, while replicas die under them and others take their places.
//!
//! Audiobookshelf never changes here: each approval finds what it wants to delete, before and after, so that the mark of the
//! spent approval is all that stands between it and a second deed.

use super::{
    farm::Farm,
    wire::{self, Answer},
};
use crate::guard::yes;
use crate::harness::{Scripted, initialize};
use serde_json::{Value, json};
use standin::ids;
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::{sync::watch, task::JoinSet};

const APPROVALS: usize = 200;
/// So many at a time: some that call twice, some that wait.
const MODERN: usize = 5;
const LEGACY: usize = 3;
/// A replica dies whenever so many more are through.
const EACH: usize = 12;

#[derive(Debug, PartialEq)]
enum End {
    Executed,
    /// Something broke off, and the next call asked anew.
    AskedAgain,
}

struct Crowd {
    farm: Farm,
    next: AtomicUsize,
    through: watch::Sender<usize>,
    broken: AtomicUsize,
}

impl Crowd {
    fn arguments(at: usize) -> Value {
        json!({"playlist_id": format!("list-{at}")})
    }

    async fn send(&self, headers: &[(&'static str, String)], message: &Value) -> Option<Answer> {
        wire::send(&self.farm.proxy.authority, headers, message).await
    }

    /// The answer to a message that can be sent until there is one.
    async fn insist(&self, headers: &[(&'static str, String)], message: &Value) -> (String, Value) {
        for _ in 0..100 {
            if let Some(mut answer) = self.send(headers, message).await
                && let Some(said) = answer.message().await
            {
                return (answer.session.clone(), said);
            }
            self.broken.fetch_add(1, Ordering::SeqCst);
        }
        panic!("no answer to {message}");
    }

    /// The next approval, until all were given.
    fn take(&self) -> Option<usize> {
        let at = self.next.fetch_add(1, Ordering::SeqCst);
        (at < APPROVALS).then_some(at)
    }

    fn done(&self) {
        self.through.send_modify(|through| *through += 1);
    }

    /// Asks, then shows the approval until something comes of it. Also gives the approval.
    async fn modern(&self, at: usize) -> (End, Option<Value>) {
        let (headers, message) = wire::call("delete_playlist", &Crowd::arguments(at), json!({}));
        let (_, asked) = self.insist(&headers, &message).await;
        let state = asked["result"]["requestState"].clone();
        assert!(state.is_string(), "{asked}");
        let approval = json!({"requestState": state, "inputResponses": {"approval": yes()}});
        let (headers, message) = wire::call("delete_playlist", &Crowd::arguments(at), approval.clone());
        let (_, said) = self.insist(&headers, &message).await;
        (self.end(&said["result"]), Some(approval))
    }

    fn end(&self, result: &Value) -> End {
        if result["resultType"] == "input_required" {
            return End::AskedAgain;
        }
        assert!(result["content"].is_array() && result.get("isError").is_none(), "{result}");
        End::Executed
    }

    /// Waits on a stream, and answers on another connection.
    async fn legacy(&self, at: usize) -> (End, Option<Value>) {
        let mut hello = initialize("2025-11-25");
        hello["params"]["capabilities"] = json!({"elicitation": {"form": {}}});
        let (session, _) = self.insist(&[], &hello).await;
        let headers = [("mcp-session-id", session), ("mcp-protocol-version", "2025-11-25".to_owned())];
        let (mut stream, id) = self.question(&headers, at).await;
        self.answer(&headers, &id, &yes()).await;
        if let Some(said) = stream.message().await {
            return (self.end(&said["result"]), None);
        }
        self.broken.fetch_add(1, Ordering::SeqCst);
        let (stream, fresh) = self.question(&headers, at).await;
        assert_ne!(fresh, id);
        self.answer(&headers, &fresh, &json!({"action": "decline"})).await;
        stream.end().await;
        (End::AskedAgain, None)
    }

    async fn question(&self, headers: &[(&'static str, String)], at: usize) -> (Answer, Value) {
        let params = json!({"name": "delete_playlist", "arguments": Crowd::arguments(at)});
        let message = json!({"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": params});
        for _ in 0..100 {
            if let Some(mut stream) = self.send(headers, &message).await
                && let Some(asked) = stream.message().await
            {
                assert_eq!(asked["method"], "elicitation/create", "{asked}");
                return (stream, asked["id"].clone());
            }
            self.broken.fetch_add(1, Ordering::SeqCst);
        }
        panic!("nobody asks");
    }

    async fn answer(&self, headers: &[(&'static str, String)], id: &Value, result: &Value) {
        let message = json!({"jsonrpc": "2.0", "id": id, "result": result});
        for _ in 0..100 {
            if let Some(answer) = self.send(headers, &message).await
                && answer.end().await
            {
                return;
            }
            self.broken.fetch_add(1, Ordering::SeqCst);
        }
        panic!("nobody takes the answer");
    }

    /// Kills one and then the other, each time that some more are through.
    async fn kill(&self) -> usize {
        let mut through = self.through.subscribe();
        let mut kills = 0;
        while kills * EACH + EACH < APPROVALS {
            through.wait_for(|through| *through >= kills * EACH).await.expect("the crowd is there");
            self.farm.kill(kills % 2).await;
            self.farm.revive(kills % 2).await;
            kills += 1;
        }
        kills
    }
}

fn deeds(upstream: &Scripted) -> BTreeMap<String, usize> {
    let mut deeds = BTreeMap::new();
    for head in upstream.heads().iter().filter(|head| head.starts_with("DELETE ")) {
        let path = head.split(' ').nth(1).expect("a target").to_owned();
        *deeds.entry(path).or_default() += 1;
    }
    deeds
}

#[tokio::test]
async fn two_hundred_approvals_and_dying_replicas() {
    let entry = json!({"libraryItemId": ids::ALICE, "episodeId": null});
    let playlist = json!({"id": ids::ROAD_TRIP, "libraryId": ids::BOOKS, "items": [entry]}).to_string();
    let upstream = Scripted::reply("200 OK", "application/json", &playlist).await;
    let settings =
        [("AUDIOBOOKSHELF_URL", upstream.url.clone()), ("AUDIOBOOKSHELF_API_KEY", "the-key-of-both".to_owned())];
    let crowd = Arc::new(Crowd {
        farm: Farm::start(settings).await,
        next: AtomicUsize::new(0),
        through: watch::Sender::new(0),
        broken: AtomicUsize::new(0),
    });
    let mut workers = JoinSet::new();
    for worker in 0..MODERN + LEGACY {
        let crowd = Arc::clone(&crowd);
        workers.spawn(async move {
            let mut ends = Vec::new();
            while let Some(at) = crowd.take() {
                let (end, approval) = if worker < MODERN { crowd.modern(at).await } else { crowd.legacy(at).await };
                ends.push((at, end, approval));
                crowd.done();
            }
            ends
        });
    }
    let (kills, ends) = tokio::join!(crowd.kill(), workers.join_all());
    let ends: Vec<_> = ends.into_iter().flatten().collect();
    assert_eq!(ends.len(), APPROVALS);

    let before = deeds(&upstream);
    let (mut executed, mut asked_again) = (0, 0);
    for (at, end, _) in &ends {
        let deeds = before.get(&format!("/api/playlists/list-{at}")).copied().unwrap_or(0);
        match end {
            End::Executed => {
                executed += 1;
                assert_eq!(deeds, 1, "list-{at}: said to be done");
            }
            End::AskedAgain => {
                asked_again += 1;
                assert!(deeds <= 1, "list-{at}: done {deeds} times");
            }
        }
    }
    let broken = crowd.broken.load(Ordering::SeqCst);
    assert!(asked_again <= broken, "nobody is asked twice without a reason");
    assert!(broken > 0 && kills > 0, "nothing was broken off: {kills} kills, {broken} exchanges");
    assert!(executed >= APPROVALS / 2, "{executed} done, {asked_again} asked again");
    // Whoever shows an approval again, for whatever reason, is asked.
    for (at, _, approval) in ends.iter().filter_map(|(at, end, approval)| Some((at, end, approval.clone()?))) {
        let (headers, message) = wire::call("delete_playlist", &Crowd::arguments(*at), approval);
        let (_, said) = crowd.insist(&headers, &message).await;
        assert_eq!(crowd.end(&said["result"]), End::AskedAgain, "list-{at}");
    }
    assert_eq!(deeds(&upstream), before);
    println!(
        "{APPROVALS} approvals, {kills} replicas killed, {broken} exchanges broken off: {executed} done once, {asked_again} asked again"
    );
}
