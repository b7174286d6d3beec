//! The questions of `table`, asked of the built program: the answer is there after three calls at most, and no id is guessed.

mod select;
mod table;

use crate::harness::{Http, settings_for};
use select::select;
use serde_json::{Value, json};
use standin::{Standin, sample};
use table::{Fact, Given, Question, questions};

const MOST_CALLS: usize = 3;

#[test]
fn forty_questions_of_three_calls_and_no_guessed_id() {
    let mut asked: Vec<&str> = questions().map(|question| question.asked).collect();
    asked.sort_unstable();
    asked.dedup();
    assert_eq!((asked.len(), questions().count()), (40, 40));
    for Question { asked, calls, answer } in questions() {
        assert!((1..=MOST_CALLS).contains(&calls.len()) && !answer.is_empty(), "{asked}");
        for (at, (name, given)) in
            calls.iter().enumerate().flat_map(|(at, call)| call.given.iter().map(move |g| (at, g)))
        {
            let from = match given {
                Given::Found(from, _) | Given::Entry(from, _) | Given::Token(from) => Some(*from),
                _ => None,
            };
            assert!(from.is_none_or(|from| from < at), "{asked} {name}: of a later call");
            let is_id = name.ends_with("_id") || name.ends_with("_ids") || matches!(*name, "items" | "confirm_token");
            assert_eq!(from.is_some(), is_id, "{asked} {name}");
        }
    }
}

#[tokio::test]
async fn every_question_has_its_answer() {
    let abs = Standin::start().await.expect("the stand-in starts");
    let settings = settings_for(&abs, "root");
    let server = Http::with(&settings).await;
    let mut wrong = Vec::new();
    for question in questions() {
        abs.reset();
        if let Err(why) = play(&server, question).await {
            wrong.push(format!("{}: {why}", question.asked));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

async fn play(server: &Http, question: &Question) -> Result<(), String> {
    let mut results: Vec<Value> = Vec::new();
    for call in question.calls {
        let mut arguments = json!({});
        for (name, given) in call.given {
            arguments[*name] = value(*given, &results).map_err(|why| format!("{} {name}: {why}", call.tool))?;
        }
        results.push(server.call(call.tool, arguments).await);
    }
    let last = results.last().ok_or("no call")?;
    if last.get("isError").is_some() {
        return Err(last.to_string());
    }
    let answer = &last["structuredContent"];
    match question.answer.iter().find(|fact| !is_in(**fact, answer)) {
        Some(missing) => Err(format!("{missing:?} is not in {answer}")),
        None => Ok(()),
    }
}

fn value(given: Given, results: &[Value]) -> Result<Value, String> {
    let found = |from: usize, path: &str| {
        let result = &results[from]["structuredContent"];
        select(result, path).ok_or_else(|| format!("{path} is not in {result}"))
    };
    match given {
        Given::Text(text) => Ok(text.into()),
        Given::Number(number) => Ok(number.into()),
        Given::True => Ok(true.into()),
        Given::Found(from, path) => found(from, path),
        Given::Entry(from, path) => Ok(json!([{"library_item_id": found(from, path)?}])),
        Given::Token(from) => {
            let text = results[from]["content"][0]["text"].as_str().unwrap_or_default();
            let token = text.split("confirm_token=\"").nth(1).and_then(|rest| rest.split('"').next());
            token.map(Value::from).ok_or_else(|| format!("no token in {text}"))
        }
        Given::YearOf(days) => sample::day(days)[..4].parse::<i64>().map(Value::from).map_err(|why| why.to_string()),
    }
}

fn is_in(fact: Fact, result: &Value) -> bool {
    let at = |path: &str| select(result, path).unwrap_or_default();
    match fact {
        Fact::Text(path, text) => at(path) == text,
        Fact::Number(path, number) => at(path).as_f64() == Some(number),
        Fact::True(path) => at(path) == true,
        Fact::False(path) => at(path) == false,
        Fact::Count(path, count) => at(path).as_array().map(Vec::len) == Some(count),
        Fact::Day(path, days) => at(path).as_str().is_some_and(|date| date.starts_with(&sample::day(days))),
        Fact::Absent(path) => select(result, path).is_none(),
    }
}
