//! The stand-in against the shapes of what a real server answered: same statuses, same content types, same keys, same types.
//!
//! The shapes lie in `recorded-shapes.json`, made by the example `shapes`; the requests in `contract/requests.txt`.

mod support;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use standin::{Standin, ids};
use support::{
    client,
    group::group,
    names,
    shape::{Fields, Shape},
};

/// Kinds that cannot be asked for here, and why.
const NOT_ASKED: [(&str, &str); 3] = [
    ("GET /api/libraries/{book-library} 304", "needs the etag of an earlier answer: see tests/http.rs"),
    ("GET /api/me 304", "the same"),
    ("DELETE /api/playlists/{unknown} 200", "a playlist that the recordings never show"),
];

#[tokio::test]
async fn answers_have_the_recorded_shapes() {
    let recorded: BTreeMap<String, Value> = serde_json::from_str(include_str!("recorded-shapes.json")).unwrap();
    let mut fields = Fields::default();
    recorded.values().filter(|shape| !shape.is_null()).for_each(|shape| fields.learn(&Shape::from_json(shape), ""));
    let ours = answers().await;
    let mut problems = Vec::new();
    for (kind, (request, shape)) in &ours {
        match recorded.get(kind) {
            None => problems.push(format!("{request}\n    gives {kind}, which was never recorded")),
            Some(Value::Null) => {}
            Some(wanted) => {
                let mut misfits = Vec::new();
                shape.clone().unwrap_or_default().misfits(&Shape::from_json(wanted), &fields, "", &mut misfits);
                problems.extend(misfits.iter().map(|misfit| format!("{kind}\n    {misfit}")));
            }
        }
    }
    let asked: BTreeSet<&String> = ours.keys().collect();
    let not_asked = |kind: &str| NOT_ASKED.iter().any(|(start, _)| kind.starts_with(start));
    for kind in recorded.keys().filter(|kind| !asked.contains(kind) && !not_asked(kind)) {
        problems.push(format!("{kind}\n    recorded, and not among the answers here"));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Kind of request to one of its requests and the merged shape of all answers.
async fn answers() -> BTreeMap<String, (String, Option<Shape>)> {
    let abs = Standin::start().await.unwrap();
    let mut kinds: HashMap<String, String> = names::kinds().collect();
    for item in [ids::DRACULA, ids::ALICE, ids::NIGHT_SKY_2] {
        kinds.insert(ids::progress("root", item), "progress-record".into());
    }
    let mut answers: BTreeMap<String, (String, Option<Shape>)> = BTreeMap::new();
    for line in include_str!("contract/requests.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if line.starts_with("---") {
            abs.reset();
            continue;
        }
        let filled = names::fill(line);
        let mut words = filled.splitn(4, ' ');
        let (role, method, path) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let body = words.next().unwrap_or("");
        // An exclamation mark: sent as it is, though it is not JSON.
        let body = body.strip_prefix('!').unwrap_or(body);
        let bearer = format!("Bearer {}", if role == "none" { String::new() } else { abs.key(role) });
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let answer = client::send(abs.addr(), method, path, &headers, body).await;
        let answer = answer.unwrap_or_else(|_| panic!("{line}\n    killed it: {:?}", abs.cause_of_death()));
        let kind = group(method, path, &kinds, answer.status, &answer.content_type);
        let json = answer.status < 300 && answer.content_type.starts_with("application/json") && method != "HEAD";
        let shape = json.then(|| Shape::of(&answer.json()));
        match answers.remove(&kind) {
            Some((first, earlier)) => {
                let merged = match (earlier, shape) {
                    (Some(a), Some(b)) => Some(a.merge(b)),
                    (a, b) => a.or(b),
                };
                answers.insert(kind, (first, merged));
            }
            None => {
                answers.insert(kind, (line.to_owned(), shape));
            }
        }
    }
    answers
}
