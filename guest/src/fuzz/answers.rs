//! Answers of ABS, changed in any way, through every tool: what comes out keeps its size, types and label.

use super::world::{CANARY, Wild};
use super::{calls, guarded};
use crate::testing::Fake;
use crate::tools::{self, CEILING, LABEL, Tool};
use serde_json::{Value, json};

#[test]
fn a_result_keeps_its_promises_whatever_abs_answers() {
    fuzz::run(|u| {
        let world = Wild::new(u, Fake::new())?;
        let (tool, mut arguments) = if u.ratio(1, 4)? {
            calls::guarded(u)?
        } else {
            let tool = calls::tool(u)?;
            (tool, calls::arguments(u, tool)?)
        };
        let call = |arguments: &Value| {
            let body = calls::modern(1, tool.name, arguments.clone(), json!({})).to_string();
            let mut answer: Value = serde_json::from_slice(&world.post(&[], body.as_bytes()).body).expect("JSON");
            let result = answer["result"].take();
            lawful(tool, &result);
            result
        };
        let result = call(&arguments);
        if let Some(token) = guarded::token(&result) {
            arguments["confirm_token"] = token.into();
            call(&arguments);
        }
        Ok(())
    });
}

fn lawful(tool: &Tool, result: &Value) {
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{}: {result}", tool.name));
    let head: String = text.chars().take(2000).collect();
    let json = text.strip_prefix(LABEL).map(str::trim_start).unwrap_or(text);
    assert!(json.len() <= CEILING, "{}: {} bytes: {head}", tool.name, json.len());
    let label = text.find(LABEL);
    if let Some(theirs) = text.find(CANARY) {
        assert!(label.is_some_and(|label| label < theirs), "{}: no label: {head}", tool.name);
    }
    visible(tool, &Value::from(text));
    if result["isError"] == true {
        assert!(result.get("structuredContent").is_none(), "{}: {head}", tool.name);
        return;
    }
    let structured = &result["structuredContent"];
    visible(tool, structured);
    assert_eq!(structured["untrusted"] == true, label == Some(0), "{}: {head}", tool.name);
    let mut said = structured.clone();
    let members = said.as_object_mut().expect("an object");
    members.retain(|name, _| name != "untrusted" && name != "source");
    assert_eq!(serde_json::from_str::<Value>(json).ok(), Some(said), "{}: {head}", tool.name);
    let listing = tools::entry(tool);
    for (name, schema) in listing["outputSchema"]["properties"].as_object().into_iter().flatten() {
        if let Some(value) = structured.get(name) {
            assert!(is_of(value, schema), "{}: {name} is no {schema}: {head}", tool.name);
        }
    }
}

/// As much of JSON Schema as our schemas use.
fn is_of(value: &Value, schema: &Value) -> bool {
    match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some("array") => value.as_array().is_some_and(|list| list.iter().all(|value| is_of(value, &schema["items"]))),
        other => panic!("unknown type {other:?}"),
    }
}

/// Nothing in it that a person does not see, in texts and names of members.
fn visible(tool: &Tool, value: &Value) {
    let check = |text: &str| {
        let hidden = |c: &char| {
            c.is_control() && *c != '\n' && *c != '\t'
                || ('\u{202a}'..='\u{202e}').contains(c)
                || ('\u{2066}'..='\u{2069}').contains(c)
                || ('\u{e0000}'..='\u{e007f}').contains(c)
                || ['\u{200b}', '\u{feff}'].contains(c)
        };
        let found = text.chars().find(hidden);
        assert!(found.is_none(), "{}: {found:?} in {:?}", tool.name, text.chars().take(2000).collect::<String>());
    };
    match value {
        Value::String(text) => check(text),
        Value::Array(list) => list.iter().for_each(|value| visible(tool, value)),
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            check(name);
            visible(tool, value);
        }),
        _ => {}
    }
}
