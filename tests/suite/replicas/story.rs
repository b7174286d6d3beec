//! One approval at a time, each with its story.

use super::farm::Farm;
use crate::guard::{
    effects::{self, Kept},
    response, yes,
};
use crate::harness::{Client, Era, form, settings_for};
use serde_json::json;
use standin::Standin;

const LEGACY: Era = Era::Legacy("2025-11-25");

struct Stage {
    abs: Standin,
    farm: Farm,
}

impl Stage {
    async fn new() -> Stage {
        let abs = Standin::start().await.unwrap();
        let farm = Farm::start(settings_for(&abs, "root")).await;
        Stage { abs, farm }
    }

    fn writes(&self) -> Vec<String> {
        let requests = self.abs.requests();
        let writes = requests.iter().filter(|request| request.method != "GET");
        writes.map(|request| format!("{} {}", request.method, request.path)).collect()
    }
}

/// The two messages of an approval are two connections one after the other, so they go to different replicas.
#[tokio::test]
async fn asked_at_one_and_answered_at_the_other() {
    let stage = Stage::new().await;
    for era in [Era::Modern, LEGACY] {
        for effect in effects::all() {
            stage.abs.reset();
            let before = Kept::of(&stage.abs);
            let client = Client::http(&stage.farm.server, era, form()).await;
            let count = stage.farm.proxy.served();
            let question = effect.ask(&client).await;
            assert_eq!(stage.writes(), [""; 0], "before the yes");
            client.answer(question, &yes()).await.done();
            let served: Vec<usize> =
                stage.farm.proxy.served().iter().zip(count).map(|(now, then)| now - then).collect();
            assert_eq!(served, [1, 1], "{era:?} {}", effect.tool);
            assert_eq!(stage.writes(), effect.writes, "{era:?} {}", effect.tool);
            let mut expected = before;
            (effect.change)(&mut expected);
            assert_eq!(Kept::of(&stage.abs), expected);
        }
    }
}

/// However often it is shown, and wherever: one approval, one deed.
#[tokio::test]
async fn shown_again_at_every_replica() {
    let stage = Stage::new().await;
    let client = Client::http(&stage.farm.server, Era::Modern, form()).await;
    for effect in effects::all() {
        stage.abs.reset();
        let question = effect.ask(&client).await;
        let state = question.state().to_owned();
        client.answer(question, &yes()).await.done();
        stage.abs.reset();
        for _ in 0..4 {
            let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
            client.call_with(effect.tool, &effect.arguments, params).await.asked();
        }
        assert_eq!(stage.writes(), [""; 0], "{}", effect.tool);
    }
}

/// The replica that asked dies. Its question was in the client's hands, and the other one takes the answer.
#[tokio::test]
async fn the_replica_that_asked_dies_before_the_answer() {
    let stage = Stage::new().await;
    let client = Client::http(&stage.farm.server, Era::Modern, form()).await;
    for (at, effect) in effects::all().iter().enumerate().take(2) {
        stage.abs.reset();
        let question = effect.ask(&client).await;
        stage.farm.kill(at).await;
        client.answer(question, &yes()).await.done();
        assert_eq!(stage.writes(), effect.writes, "{}", effect.tool);
        stage.farm.revive(at).await;
    }
}

/// A pushed question dies with the replica whose stream it is on: the client sees the stream break off, a late yes does
/// nothing, and a fresh call asks a fresh question.
#[tokio::test]
async fn the_replica_where_the_call_waits_dies() {
    let stage = Stage::new().await;
    let effect = effects::of("delete_collection");
    for at in [0, 1] {
        stage.abs.reset();
        let client = Client::http(&stage.farm.server, LEGACY, form()).await;
        let served = stage.farm.proxy.served();
        let mut question = effect.ask(&client).await;
        let waits = (0..2).find(|at| stage.farm.proxy.served()[*at] > served[*at]).expect("one of them");
        stage.farm.kill(waits).await;
        assert!(question.broke_off().await, "the client can tell");
        client.post(&response(question.id(), &yes())).await;
        assert_eq!(stage.writes(), [""; 0], "round {at}");
        let fresh = effect.ask(&client).await;
        assert_ne!(fresh.id(), question.id());
        client.answer(fresh, &yes()).await.done();
        assert_eq!(stage.writes(), effect.writes);
        stage.farm.revive(waits).await;
    }
}
