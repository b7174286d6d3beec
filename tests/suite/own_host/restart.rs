//! Approvals end with the process that asked for them: the ledger of those that were used is in its memory.

use crate::guard::{Bench, effects, yes};
use crate::harness::{Client, Era, form};

/// A restart forgets approvals and keeps sessions.
#[tokio::test]
async fn a_server_started_anew() {
    let bench = Bench::new().await;
    let (first, second) = (bench.serve(&[]).await, bench.serve(&[]).await);
    let effect = effects::of("update_playlist");
    let before = Client::http(&first, Era::Modern, form()).await;
    let question = effect.ask(&before).await;
    let after = Client::http(&second, Era::Modern, form()).await;
    let again = after.answer(question, &yes()).await.asked();
    effect.is_asked_in(again.text());
    bench.untouched("an approval of another process");

    let era = Era::Legacy("2025-11-25");
    let session = Client::http(&first, era, form()).await.session().to_owned();
    let resumed = Client::resume(&second, era, form(), session);
    let question = effect.ask(&resumed).await;
    resumed.answer(question, &yes()).await.done();
    assert_eq!(bench.writes(), effect.writes, "the session is known, and can be asked");
}
