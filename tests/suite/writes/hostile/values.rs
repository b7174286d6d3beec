//! For every argument of all tools, one after the other, values that Audiobookshelf would not survive, and the like.

use super::{Attempts, Bench, bench::UNKNOWN};
use crate::listing::reads;
use crate::writes::world::run;
use serde_json::{Value, json};

/// What is no value of this argument at all.
fn malformed(property: &Value, good: &Value) -> Vec<Value> {
    let objects = [json!({}), json!({"a": 1}), json!({"length": 1})];
    let lists = [json!([]), json!([null]), json!([[]]), json!([{"a": 1}])];
    let odd = objects.into_iter().chain(lists);
    match property["type"].as_str().unwrap() {
        "string" if property["enum"].is_array() => odd.chain([json!("x&limit=0"), json!(7)]).collect(),
        "string" if property["maxLength"].is_u64() => {
            let long = "x".repeat(property["maxLength"].as_u64().unwrap() as usize + 1);
            odd.chain(["a\0b", "\0", "\u{1b}[0m", &long].map(|text| json!(text))).chain([json!(7)]).collect()
        }
        "string" => {
            let id = good.as_str().unwrap_or(UNKNOWN);
            let texts = ["\0", "%00", "..", "%2e%2e", "a%2fb", "x?include=a&include=b", "x&filter[]=a", "", " ", "ä"];
            odd.chain(texts.map(|text| json!(text)))
                .chain([
                    json!(format!("{id}\0")),
                    json!(format!("{id}%00")),
                    json!(format!("{id}/")),
                    json!([id]),
                    json!(7),
                ])
                .collect()
        }
        "integer" => odd
            .chain([json!(1e18), json!(u64::MAX), json!(i64::MAX), json!(1e21), json!(-1), json!(1.5), json!([1])])
            .chain(["9223372036854775808", "1e21", "1e400", "NaN", "abc", ""].map(|text| json!(text)))
            .collect(),
        "number" => odd
            .chain([json!(-1), json!([1]), json!(true)])
            .chain(["Infinity", "-Infinity", "NaN", "1e400", "abc", ""].map(|text| json!(text)))
            .collect(),
        "boolean" => odd.chain([json!(1), json!("yes"), json!([true])]).collect(),
        "array" => {
            let one = &good[0];
            odd.chain(["abc", "[null]", "[]", "{\"length\":1}", "null", "[[]]"].map(|text| json!(text)))
                .chain([json!([one, null]), json!([one, 7]), json!([one, []]), json!([[one]]), json!([one, one])])
                .chain([json!(["a\0"]), json!([one, "\0"]), json!([""]), json!(7), json!(true)])
                .chain(if one.is_object() { entries(one) } else { vec![json!([{"id": one}]), json!([{"id": {}}])] })
                .collect()
        }
        other => panic!("an argument of type {other}"),
    }
}

/// Malformed entries of a playlist.
fn entries(one: &Value) -> Vec<Value> {
    let id = &one["library_item_id"];
    let item = |item: Value| json!([{"library_item_id": item}]);
    let episode = |episode: Value| json!([{"library_item_id": id, "episode_id": episode}]);
    let mut lists: Vec<Value> =
        [json!({"a": 1}), json!(null), json!([id]), json!(7), json!("a\0"), json!("")].map(item).into();
    lists.extend([json!({"a": 1}), json!([]), json!(7), json!("a\0"), json!("\0"), json!("")].map(episode));
    lists.extend([json!([id]), json!([{"libraryItemId": id}]), json!([one, id])]);
    lists
}

/// Ids by their looks, which nothing has.
fn strangers(good: &Value) -> Vec<String> {
    let id = good.as_str().unwrap_or(UNKNOWN);
    let looks = ["-", "...", "0", "1e400", "null", "undefined", "NaN", "true", "constructor", "__proto__", "no-series"];
    let made = [UNKNOWN.to_owned(), format!("{id}x"), id[1..].to_owned(), "a".repeat(255)];
    // The same in capitals is another one; unless it has no letters.
    let upper = Some(id.to_uppercase()).filter(|upper| upper != id);
    looks.map(str::to_owned).into_iter().chain(made).chain(upper).collect()
}

#[tokio::test]
async fn one_hostile_argument_among_good_ones() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        for tool in world.schemas() {
            let (name, writes) = (tool["name"].as_str().unwrap(), !reads(tool));
            let bench = Bench::new(&world).await;
            let good = bench.good(&world, tool);
            for (argument, property) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
                let with = |value: &Value| {
                    let mut arguments = good.clone();
                    arguments[argument] = value.clone();
                    arguments
                };
                let book = &world.shelf.books[0].id;
                let fine = match (argument.as_str(), &good[argument]) {
                    ("items", Value::Null) => json!([{"library_item_id": book}]),
                    ("library_item_ids", Value::Null) => json!([book]),
                    (_, value) => value.clone(),
                };
                for value in malformed(property, &fine) {
                    let arguments = with(&value);
                    match attempts.once(name, &arguments).await {
                        Err(text) => {
                            assert!(
                                text.starts_with("Nothing was sent to Audiobookshelf."),
                                "{name} {arguments}: {text}"
                            );
                            assert!(text.contains(&format!("{argument}: ")), "{name} {arguments}: {text}");
                        }
                        Ok(result) => panic!("{name} {arguments} was taken: {result}"),
                    }
                }
                let is_id =
                    property["type"] == "string" && property["maxLength"].is_null() && property["enum"].is_null();
                for stranger in strangers(&fine).into_iter().filter(|_| is_id) {
                    let arguments = with(&json!(stranger));
                    if writes {
                        attempts.refused(name, &arguments, "").await;
                    } else {
                        drop(attempts.once(name, &arguments).await);
                    }
                }
            }
        }
        attempts.end(2000);
    })
    .await;
}
