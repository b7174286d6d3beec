//! Answers and attacks, without any client or ABS in between. A row is what somebody tries and what comes of it.

use super::seal::{Purpose, Sealer};
use super::*;
use crate::testing::Fake;
use serde_json::json;

const SECRET: &str = "secret";

fn question(tool: &str, id: &str, members: &[&str]) -> Question {
    let binding = Binding::new(tool).id(id).set(members.iter().map(ToString::to_string));
    Question::new(binding, "This will remove {} book(s) from collection {}.", &[&members.len().to_string(), id])
}

fn usual() -> Question {
    question("remove", "col", &["a", "b"])
}

fn settings(fake: &Fake) -> Settings {
    Settings::parse(|key| World::config(fake, key)).unwrap()
}

fn run(fake: &Fake, client: &Client, question: &Question, token: Option<&str>) -> Result<(), NotYet> {
    let decide = |client: &Client| decide(fake, &settings(fake), client, question, token).map(|_| ());
    match decide(client) {
        // As `tools::call` does it.
        Err(NotYet::Granted(granted)) => decide(&Client { way: Way::Granted(granted), names_mode: true }),
        other => other,
    }
}

fn retrying(state: Option<&str>, responses: Value) -> Client {
    let responses = if responses.is_null() { None } else { Some(responses) };
    Client { way: Way::Retry { state: state.map(str::to_owned), responses }, names_mode: true }
}

fn yes() -> Value {
    json!({"approval": {"action": "accept", "content": {"decision": "yes"}}})
}

fn is_question(outcome: &Result<(), NotYet>) -> bool {
    matches!(outcome, Err(NotYet::Ask(ask)) if ask["requestState"].is_string())
}

fn refusal(outcome: Result<(), NotYet>) -> String {
    match outcome {
        Err(NotYet::Refused(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// The state of a first question.
fn asked(fake: &Fake, question: &Question) -> String {
    match run(fake, &retrying(None, Value::Null), question, None) {
        Err(NotYet::Ask(ask)) => ask["requestState"].as_str().unwrap().to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_question_is_one_required_choice_and_names_ids_and_counts() {
    let Err(NotYet::Ask(ask)) = run(&Fake::new(), &retrying(None, Value::Null), &usual(), None) else { panic!() };
    assert_eq!(ask["resultType"], "input_required");
    let request = &ask["inputRequests"]["approval"];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["message"], "This will remove 2 book(s) from collection col.");
    let schema = &request["params"]["requestedSchema"];
    assert_eq!(schema["required"], json!(["decision"]));
    assert_eq!(schema["properties"]["decision"]["enum"], json!(["no", "yes"]));
    assert!(ask.get("ttlMs").is_none());
}

#[test]
fn a_yes_is_accept_and_the_exact_value() {
    let fake = Fake::new();
    for (response, said) in [
        (json!({"action": "decline"}), "declined"),
        (json!({"action": "cancel"}), "without an answer"),
        (json!({"action": "accept"}), "not the one that means yes"),
        (json!({"action": "accept", "content": {}}), "not the one that means yes"),
        (json!({"action": "accept", "content": null}), "not the one that means yes"),
        (json!({"action": "accept", "content": {"decision": "no"}}), "not the one that means yes"),
        (json!({"action": "accept", "content": {"decision": "YES"}}), "not the one that means yes"),
        (json!({"action": "accept", "content": {"decision": true}}), "not the one that means yes"),
        (json!({"action": "accept", "content": {"decision": ["yes"]}}), "not the one that means yes"),
        (json!({"action": "accept", "content": {"confirm": "yes"}}), "not the one that means yes"),
        (json!({"action": "decline", "content": {"decision": "yes"}}), "declined"),
    ] {
        let state = asked(&fake, &usual());
        let text = refusal(run(&fake, &retrying(Some(&state), json!({"approval": response})), &usual(), None));
        assert!(text.starts_with("Nothing was changed") && text.contains(said), "{response}: {text}");
    }
    // Not an answer at all: asked again.
    for responses in [
        json!(null),
        json!({}),
        json!([]),
        json!("yes"),
        json!({"other": {"action": "accept"}}),
        json!({"approval": true}),
        json!({"approval": {}}),
        json!({"approval": {"action": "ok"}}),
        json!({"approval": {"action": 1}}),
    ] {
        let state = asked(&fake, &usual());
        assert!(is_question(&run(&fake, &retrying(Some(&state), responses.clone()), &usual(), None)), "{responses}");
    }
    let state = asked(&fake, &usual());
    assert_eq!(run(&fake, &retrying(Some(&state), yes()), &usual(), None), Ok(()));
    // Answered is answered: a no is not turned into a yes afterwards. Said again it is still a no.
    let (state, no) = (asked(&fake, &usual()), json!({"approval": {"action": "decline"}}));
    for _ in 0..2 {
        assert!(refusal(run(&fake, &retrying(Some(&state), no.clone()), &usual(), None)).contains("declined"));
        assert!(is_question(&run(&fake, &retrying(Some(&state), yes()), &usual(), None)));
    }
}

/// Each row: a state that must count as no answer, so that a fresh question follows, and neither an error nor the deed.
#[test]
fn states_that_do_not_fit_lead_to_a_fresh_question() {
    let fake = Fake::new();
    let state = asked(&fake, &usual());
    let mut rows: Vec<(&str, Question, String)> = vec![
        ("for another id", question("remove", "other", &["a", "b"]), state.clone()),
        ("for a superset", question("remove", "col", &["a", "b", "c"]), state.clone()),
        ("for a subset", question("remove", "col", &["a"]), state.clone()),
        ("for another tool", question("delete", "col", &["a", "b"]), state.clone()),
        ("no seal at all", usual(), "yes".into()),
        ("empty", usual(), String::new()),
        ("very long", usual(), "v1.".to_owned() + &"A".repeat(1_000_000)),
    ];
    let ordered = |members: &[&str]| Binding::new("order").id("col").order(members.iter().map(ToString::to_string));
    let in_order = |members: &[&str]| Question::new(ordered(members), "?", &[]);
    rows.push(("another order", in_order(&["b", "a"]), asked(&fake, &in_order(&["a", "b"]))));
    for end in [1, state.len() / 2, state.len() - 1] {
        rows.push(("truncated", usual(), state[..end].to_owned()));
    }
    for at in 0..state.len() {
        let mut bytes = state.clone().into_bytes();
        bytes[at] ^= 1;
        rows.push(("one bit changed", usual(), String::from_utf8(bytes).unwrap()));
    }
    let content = json!({"b": usual().binding.hex(), "n": "0".repeat(32)});
    let far = fake.now_ms() + PATIENCE_MS;
    let seal =
        |secret: &str, purpose, expires| Sealer { secret: secret.as_bytes() }.seal(purpose, expires, content.clone());
    rows.push(("a session's seal", usual(), seal(SECRET, Purpose::Session, far)));
    rows.push(("a token", usual(), seal(SECRET, Purpose::Token, far)));
    rows.push(("from another key", usual(), seal("other", Purpose::Question, far)));
    rows.push(("expired", usual(), seal(SECRET, Purpose::Question, fake.now_ms())));
    for (what, question, state) in rows {
        let outcome = run(&fake, &retrying(Some(&state), yes()), &question, None);
        assert!(is_question(&outcome), "{what}: {outcome:?}");
    }
    // And the one they were all made from still works, once.
    assert_eq!(run(&fake, &retrying(Some(&state), yes()), &usual(), None), Ok(()));
    assert!(is_question(&run(&fake, &retrying(Some(&state), yes()), &usual(), None)), "replayed");
}

#[test]
fn an_approval_expires_and_is_forgotten() {
    let fake = Fake::new();
    let state = asked(&fake, &usual());
    fake.let_pass(PATIENCE_MS - 1);
    assert_eq!(run(&fake, &retrying(Some(&state), yes()), &usual(), None), Ok(()));
    assert_eq!(fake.stored().len(), 1);
    let late = asked(&fake, &usual());
    fake.let_pass(PATIENCE_MS);
    assert!(is_question(&run(&fake, &retrying(Some(&late), yes()), &usual(), None)));
    // The mark outlives the approval: somebody may have looked at the seal a moment ago, or by a clock that is behind.
    let next = asked(&fake, &usual());
    assert_eq!(run(&fake, &retrying(Some(&next), yes()), &usual(), None), Ok(()));
    assert_eq!(fake.stored().len(), 2, "the older mark is still there");
    fake.let_pass(PATIENCE_MS);
    let last = asked(&fake, &usual());
    assert_eq!(run(&fake, &retrying(Some(&last), yes()), &usual(), None), Ok(()));
    assert_eq!(fake.stored().len(), 2, "the oldest mark was swept");
}

/// Two replicas on one store, of which one is ahead: what it sweeps must not be what the other still takes for valid.
#[test]
fn a_clock_that_is_ahead_makes_no_approval_good_twice() {
    for ahead in [1, 10_000, PATIENCE_MS - 1] {
        let fake = Fake::new();
        let state = asked(&fake, &usual());
        assert_eq!(run(&fake, &retrying(Some(&state), yes()), &usual(), None), Ok(()));
        fake.let_pass(PATIENCE_MS - 1 + ahead);
        ledger::sweep(&fake).unwrap();
        fake.turn_back(ahead);
        assert!(is_question(&run(&fake, &retrying(Some(&state), yes()), &usual(), None)), "{ahead}");
    }
    // Further ahead than marks are kept: its seals are not taken at all.
    let fake = Fake::new();
    fake.let_pass(PATIENCE_MS + 1);
    let state = asked(&fake, &usual());
    fake.turn_back(PATIENCE_MS + 1);
    assert!(is_question(&run(&fake, &retrying(Some(&state), yes()), &usual(), None)));
}

fn token_of(text: &str) -> String {
    text.split("confirm_token=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[test]
fn the_token_is_for_those_who_cannot_be_asked_and_says_what_it_proves() {
    let fake = Fake::new();
    let first = refusal(run(&fake, &Client::mute(), &usual(), None));
    for part in [
        "Nothing was changed yet.",
        "This will remove 2 book(s)",
        "5 minutes",
        "once",
        "nothing more",
        "This client cannot",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let token = token_of(&first);
    for (what, other) in
        [("another target", question("remove", "col", &["a"])), ("another tool", question("x", "col", &["a", "b"]))]
    {
        assert!(refusal(run(&fake, &Client::mute(), &other, Some(&token))).contains("did not fit"), "{what}");
    }
    let state = asked(&fake, &usual());
    for wrong in ["", "made-up", &token[..token.len() - 1], &state] {
        assert!(refusal(run(&fake, &Client::mute(), &usual(), Some(wrong))).contains("did not fit"), "{wrong}");
    }
    assert_eq!(run(&fake, &Client::mute(), &usual(), Some(&token)), Ok(()));
    assert!(refusal(run(&fake, &Client::mute(), &usual(), Some(&token))).contains("did not fit"), "used twice");
    let late = token_of(&refusal(run(&fake, &Client::mute(), &usual(), None)));
    fake.let_pass(PATIENCE_MS);
    assert!(refusal(run(&fake, &Client::mute(), &usual(), Some(&late))).contains("did not fit"), "expired");
}

#[test]
fn a_client_that_can_be_asked_is_asked_whatever_token_it_shows() {
    let fake = Fake::new();
    let token = token_of(&refusal(run(&fake, &Client::mute(), &usual(), None)));
    for token in [token.as_str(), "made-up"] {
        assert!(is_question(&run(&fake, &retrying(None, Value::Null), &usual(), Some(token))));
        assert!(is_question(&run(&fake, &retrying(Some(token), yes()), &usual(), Some(token))));
    }
}

#[test]
fn with_the_dialog_off_the_operator_is_named_and_nobody_is_asked() {
    let fake = Fake::new().config("elicitation", "false");
    for client in [retrying(None, Value::Null), Client::mute(), pushing("s")] {
        let text = refusal(run(&fake, &client, &usual(), None));
        assert!(
            text.contains("ELICITATION=false") && text.contains("audiobookshelf-mcp") && !text.contains("This client"),
            "{text}"
        );
        assert_eq!(run(&fake, &client, &usual(), Some(&token_of(&text))), Ok(()));
    }
    assert!(fake.pushed().is_empty());
    // An answer to a dialog that was never shown is none.
    let text = refusal(run(&fake, &retrying(Some("x"), yes()), &usual(), None));
    assert!(text.contains("confirm_token"));
}

fn pushing(session: &str) -> Client {
    Client { way: Way::Push { session: session.to_owned(), request_id: json!("call-1") }, names_mode: true }
}

/// A call that waits, and what is done meanwhile.
fn pushed(act: impl Fn(&Fake) + Send + 'static) -> (Fake, Result<(), NotYet>) {
    let fake = Fake::new();
    fake.when_waiting(act);
    let outcome = run(&fake, &pushing("session-a"), &usual(), None);
    (fake, outcome)
}

fn question_id(fake: &Fake) -> Value {
    let event = fake.pushed()[0].clone();
    let message: Value = serde_json::from_str(event.split_once("data: ").unwrap().1.trim()).unwrap();
    assert_eq!((&message["jsonrpc"], &message["method"]), (&json!("2.0"), &json!("elicitation/create")));
    message["id"].clone()
}

fn accept() -> Result<Value, Value> {
    Ok(json!({"action": "accept", "content": {"decision": "yes"}}))
}

#[test]
fn a_pushed_question_waits_for_its_own_session() {
    let (fake, outcome) = pushed(|fake| inbox::answer(fake, "session-a", &question_id(fake), &accept()));
    assert_eq!(outcome, Ok(()));
    assert!(
        fake.stored().iter().all(|key| !key.starts_with("ask/") && !key.starts_with("answer/")),
        "{:?}",
        fake.stored()
    );

    for (what, session, id) in [
        ("another session", "session-b", None),
        ("an unknown question", "session-a", Some(json!("ask-1-00000000000000000000000000000000"))),
        ("no question", "session-a", Some(json!(7))),
    ] {
        let (_, outcome) = pushed(move |fake| {
            inbox::answer(fake, session, &id.clone().unwrap_or_else(|| question_id(fake)), &accept())
        });
        assert!(refusal(outcome).contains("no answer within 5 minutes"), "{what}");
    }
}

#[test]
fn a_pushed_yes_is_for_what_was_asked_and_for_once() {
    let fake = Fake::new();
    fake.when_waiting(|fake| inbox::answer(fake, "session-a", &question_id(fake), &accept()));
    let outcome = decide(&fake, &settings(&fake), &pushing("session-a"), &usual(), None);
    let Err(NotYet::Granted(granted)) = outcome else { panic!("{outcome:?}") };
    let again = Client { way: Way::Granted(granted), names_mode: true };
    for (what, other) in
        [("more", question("remove", "col", &["a", "b", "c"])), ("another", question("delete", "col", &["a", "b"]))]
    {
        let text = refusal(run(&fake, &again, &other, None));
        assert!(text.starts_with("Nothing was changed") && text.contains("changed while"), "{what}: {text}");
    }
    assert_eq!(run(&fake, &again, &usual(), None), Ok(()));
    assert!(refusal(run(&fake, &again, &usual(), None)).contains("used before"));
}

#[test]
fn the_first_answer_counts() {
    let (_, outcome) = pushed(|fake| {
        let id = question_id(fake);
        inbox::answer(fake, "session-a", &id, &Ok(json!({"action": "decline"})));
        inbox::answer(fake, "session-a", &id, &accept());
    });
    assert!(refusal(outcome).contains("declined"));
}

#[test]
fn what_ends_the_wait_without_a_yes() {
    type Act = Box<dyn Fn(&Fake) + Send>;
    let rows: [(&str, Act); 6] = [
        ("error", Box::new(|fake| inbox::answer(fake, "session-a", &question_id(fake), &Err(json!({"code": -32601}))))),
        (
            "not the one that means yes",
            Box::new(|fake| inbox::answer(fake, "session-a", &question_id(fake), &Ok(json!("yes")))),
        ),
        ("cancelled", Box::new(|fake| inbox::cancel(fake, "session-a", &json!("call-1")))),
        ("closed the stream", Box::new(Fake::close_stream)),
        (
            "closed the stream",
            Box::new(|fake| {
                fake.close_stream();
                inbox::answer(fake, "session-a", &question_id(fake), &accept());
            }),
        ),
        ("no answer within 5 minutes", Box::new(|_| ())),
    ];
    for (said, act) in rows {
        let (fake, outcome) = pushed(act);
        let text = refusal(outcome);
        assert!(text.starts_with("Nothing was changed") && text.contains(said), "{text}");
        assert!(fake.stored().iter().all(|key| key.starts_with("claim/")), "{said}: {:?}", fake.stored());
    }
    // Cancelling another call, or from another session, ends nothing.
    for (session, call) in [("session-a", "call-2"), ("session-b", "call-1")] {
        let (_, outcome) = pushed(move |fake| inbox::cancel(fake, session, &json!(call)));
        assert!(refusal(outcome).contains("no answer within 5 minutes"));
    }
}

#[test]
fn the_stream_is_kept_alive_and_the_client_told_that_the_time_is_over() {
    let (fake, _) = pushed(|_| ());
    let pushed = fake.pushed();
    assert!(pushed.iter().filter(|event| event.starts_with(':')).count() > 10);
    assert!(pushed.last().unwrap().contains("notifications/cancelled"));
    assert!(pushed.iter().all(|event| event.ends_with("\n\n")));
}

#[test]
fn older_clients_get_no_mode() {
    let fake = Fake::new();
    let mut client = pushing("s");
    client.names_mode = false;
    let _ = run(&fake, &client, &usual(), None);
    assert!(!fake.pushed()[0].contains("\"mode\""));
}

#[test]
fn only_so_many_questions_wait_at_a_time() {
    let fake = Fake::new();
    let far = fake.now_ms() + PATIENCE_MS;
    for i in 0..8 {
        fake.store().set(&format!("ask/{far}/{i}"), br#"{"session":"s"}"#).unwrap();
    }
    assert!(refusal(run(&fake, &pushing("s"), &usual(), None)).contains("too many questions"));
    fake.when_waiting(|fake| inbox::answer(fake, "t", &question_id(fake), &accept()));
    assert_eq!(run(&fake, &pushing("t"), &usual(), None), Ok(()), "another session is not kept from asking");
    let far = fake.now_ms() + PATIENCE_MS;
    for i in 8..32 {
        fake.store().set(&format!("ask/{far}/{i}"), b"{}").unwrap();
    }
    assert!(refusal(run(&fake, &pushing("t"), &usual(), None)).contains("too many questions"));
    assert!(refusal(run(&fake, &pushing("s"), &usual(), None)).contains("too many questions"));
    fake.let_pass(PATIENCE_MS);
    assert!(refusal(run(&fake, &pushing("s"), &usual(), None)).contains("no answer"), "expired ones are swept");
}

#[test]
fn without_a_store_nothing_is_approved() {
    for client in [retrying(None, Value::Null), Client::mute(), pushing("s")] {
        let fake = Fake::new();
        let first = run(&fake, &client, &usual(), None);
        fake.break_store();
        let second = match first {
            Err(NotYet::Ask(ask)) => run(&fake, &retrying(ask["requestState"].as_str(), yes()), &usual(), None),
            Err(NotYet::Refused(text)) if text.contains("confirm_token") => {
                run(&fake, &client, &usual(), Some(&token_of(&text)))
            }
            _ => run(&fake, &client, &usual(), None),
        };
        assert!(refusal(second).contains("key-value store"));
    }
}
