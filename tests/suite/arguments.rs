//! Wrong arguments, for every tool: an error that names the argument, before any request leaves.

use crate::harness::Http;
use crate::listing::{sample_arguments, tools};
use serde_json::{Value, json};
use standin::Standin;

/// Values that are wrong for a parameter, whatever it means.
fn wrong_values(name: &str, property: &Value) -> Vec<Value> {
    match property["type"].as_str().unwrap() {
        "integer" => {
            let (min, max) = (property["minimum"].as_i64().unwrap(), property["maximum"].as_i64().unwrap());
            vec![
                json!(min - 1),
                json!(max + 1),
                json!("12px"),
                json!(""),
                json!("1.5"),
                json!(1.5),
                json!("NaN"),
                json!([1]),
                json!({}),
                json!(1e300),
            ]
        }
        "number" => {
            vec![json!(-1), json!("1h"), json!(""), json!("NaN"), json!("inf"), json!(true), json!([1]), json!({})]
        }
        "array" => {
            let many: Vec<Value> = (0..300).map(|i| json!(format!("id-{i}"))).collect();
            vec![
                json!([]),
                json!("x"),
                json!("[]"),
                json!({}),
                json!(7),
                json!([7]),
                json!([null]),
                json!(["../x"]),
                json!([""]),
                json!(many),
                json!(["a", "a"]),
            ]
        }
        "boolean" => vec![json!("yes"), json!(1), json!([]), json!("")],
        "string" if property["enum"].is_array() => vec![json!("everything"), json!(1), json!([]), json!(true)],
        "string" if property["maxLength"].is_u64() => {
            let long = "x".repeat(property["maxLength"].as_u64().unwrap() as usize + 1);
            let mut values = vec![json!(long), json!(7), json!(["a"]), json!({}), json!("a\u{0}b"), json!("a\u{1b}b")];
            // Blank prose is prose, and a blank token is none.
            if !matches!(name, "description" | "confirm_token") {
                values.push(json!(" "));
            }
            values
        }
        "string" => [
            "../x", "..", ".", "a/b", "%2e%2e", "a%00", "a\u{0}", "a\nb", "", " ", "a b", "a;b", "a\\b", "ä", "a?b=c",
            "a#b",
        ]
        .map(|text| json!(text))
        .into_iter()
        .chain([json!(7), json!(["a"]), json!({}), json!(true), json!("x".repeat(256))])
        .collect(),
        other => panic!("a parameter of type {other}"),
    }
}

#[tokio::test]
async fn every_wrong_argument_is_named_and_nothing_is_sent() {
    let abs = Standin::start().await.unwrap();
    let server = Http::start(&[("AUDIOBOOKSHELF_URL", &abs.url()), ("AUDIOBOOKSHELF_API_KEY", &abs.key("root"))]).await;
    let mut tried = 0;
    for tool in tools(&server).await {
        let name = tool["name"].as_str().unwrap();
        let good = sample_arguments(&tool);
        let mut expect = async |arguments: Value, named: &str| {
            let text = server.error(name, arguments.clone()).await;
            assert!(text.contains(named), "{name} {arguments}: {text}");
            assert!(text.starts_with("Nothing was sent to Audiobookshelf."), "{name} {arguments}: {text}");
            tried += 1;
        };
        let mut unknown = good.clone();
        unknown["confirm"] = json!(true);
        expect(unknown, "confirm").await;
        for required in tool["inputSchema"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            for missing in [None, Some(Value::Null)] {
                let mut arguments = good.clone();
                match missing {
                    None => drop(arguments.as_object_mut().unwrap().remove(required)),
                    Some(null) => arguments[required] = null,
                }
                expect(arguments, &format!("{required}: is missing")).await;
            }
        }
        for (param, property) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
            for wrong in wrong_values(param, property) {
                let mut arguments = good.clone();
                arguments[param] = wrong;
                expect(arguments, &format!("{param}: ")).await;
            }
        }
    }
    println!("{tried} calls with wrong arguments");
    assert!(tried > 500, "{tried}");
    let sent: Vec<String> = abs.requests().iter().map(|request| format!("{request:?}")).collect();
    assert!(sent.is_empty(), "{sent:?}");
}
