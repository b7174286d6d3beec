//! A tool's entry in `tools/list`, written as it is sent.
//!
//! Clients ask for the list at each start, and it is the longest thing that this server says by itself: so it goes straight into
//! the answer instead of by way of a tree of values. No word in it needs escaping, which a test holds.

#![allow(clippy::single_char_add_str, reason = "a char would be encoded anew for each quotation mark")]

use super::param::{Kind, MAX_LIST, Param};
use super::tool::{Field, FieldKind, Tool};
use crate::shape::decimal;

/// A JSON array. `structured` is false for revisions that know neither titles nor output schemas.
pub fn list<'a>(tools: impl Iterator<Item = &'a Tool>, structured: bool) -> String {
    // All of them with some room, so that it does not move while it grows.
    let mut out = String::with_capacity(32 * 1024);
    out.push_str("[");
    each(&mut out, tools, |out, tool| write(out, tool, structured));
    out.push_str("]");
    out
}

fn write(out: &mut String, tool: &Tool, structured: bool) {
    out.push_str("{");
    text(out, "\"name\":", tool.name);
    if structured {
        text(out, ",\"title\":", tool.title);
    }
    text(out, ",\"description\":", tool.description);
    input_schema(out, tool.params);
    if structured {
        output_schema(out, tool.output);
    }
    out.push_str(",\"annotations\":{\"readOnlyHint\":");
    flag(out, !tool.writes());
    out.push_str(",\"destructiveHint\":");
    flag(out, tool.hints.destructive);
    out.push_str(",\"idempotentHint\":");
    flag(out, tool.hints.idempotent);
    out.push_str(",\"openWorldHint\":false}}");
}

fn input_schema(out: &mut String, params: &[Param]) {
    out.push_str(",\"inputSchema\":{\"type\":\"object\"");
    if params.is_empty() {
        out.push_str(",\"additionalProperties\":false");
    } else {
        out.push_str(",\"properties\":{");
        each(out, params, |out, param| {
            string(out, param.name);
            out.push_str(":");
            schema(out, param);
        });
        out.push_str("}");
    }
    if params.iter().any(|param| param.required) {
        out.push_str(",\"required\":[");
        each(out, params.iter().filter(|param| param.required), |out, param| string(out, param.name));
        out.push_str("]");
    }
    out.push_str("}");
}

/// Bounds and defaults that a caller has to know. What is the least, false or compact unless told otherwise needs no saying,
/// and an argument or member that is not declared is refused by name (see `Args`).
fn schema(out: &mut String, param: &Param) {
    out.push_str("{");
    text(out, "\"type\":", json_type(param.kind));
    match param.kind {
        Kind::Id | Kind::Flag { .. } => {}
        Kind::Text { max } | Kind::Token { max } | Kind::Prose { max } => number(out, ",\"maxLength\":", max as f64),
        Kind::Integer { min, max, default } => {
            number(out, ",\"minimum\":", min as f64);
            number(out, ",\"maximum\":", max as f64);
            if let Some(default) = default.filter(|default| *default != min) {
                number(out, ",\"default\":", default as f64);
            }
        }
        Kind::Number { min, max } => {
            number(out, ",\"minimum\":", min);
            if max < f64::MAX {
                number(out, ",\"maximum\":", max);
            }
        }
        Kind::Ids | Kind::Entries => {
            number(out, ",\"minItems\":", 1.0);
            number(out, ",\"maxItems\":", MAX_LIST as f64);
            out.push_str(",\"items\":");
            out.push_str(match param.kind {
                Kind::Ids => "{\"type\":\"string\"}",
                _ => {
                    "{\"type\":\"object\",\"properties\":{\"library_item_id\":{\"type\":\"string\"},\
                     \"episode_id\":{\"type\":\"string\"}},\"required\":[\"library_item_id\"]}"
                }
            });
        }
        Kind::Choice { of, .. } => {
            out.push_str(",\"enum\":[");
            each(out, of, |out, choice| string(out, choice));
            out.push_str("]");
        }
    }
    if !param.about.is_empty() {
        text(out, ",\"description\":", param.about);
    }
    out.push_str("}");
}

fn json_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Id | Kind::Text { .. } | Kind::Token { .. } | Kind::Prose { .. } | Kind::Choice { .. } => "string",
        Kind::Integer { .. } => "integer",
        Kind::Number { .. } => "number",
        Kind::Flag { .. } => "boolean",
        Kind::Ids | Kind::Entries => "array",
    }
}

/// Open, so that a result may also carry `note`, `truncated`, `removed`, `untrusted` and `source`. Members are named where
/// a result has several lists or records; a single one is seen at a glance, and every byte here is paid at each start.
fn output_schema(out: &mut String, fields: &[Field]) {
    let has_parts = |kind| matches!(kind, FieldKind::Object | FieldKind::Objects | FieldKind::Texts);
    out.push_str(",\"outputSchema\":{\"type\":\"object\"");
    if fields.iter().filter(|field| has_parts(field.kind)).count() > 1 {
        out.push_str(",\"properties\":{");
        each(out, fields, |out, field| {
            string(out, field.name);
            out.push_str(match field.kind {
                FieldKind::Text => ":{\"type\":\"string\"}",
                FieldKind::Integer => ":{\"type\":\"integer\"}",
                FieldKind::Number => ":{\"type\":\"number\"}",
                FieldKind::Flag => ":{\"type\":\"boolean\"}",
                FieldKind::Object => ":{\"type\":\"object\"}",
                FieldKind::Objects => ":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}",
                FieldKind::Texts => ":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
            });
        });
        out.push_str("}");
    }
    out.push_str("}");
}

/// What `write` writes of each, with commas between.
fn each<T>(out: &mut String, items: impl IntoIterator<Item = T>, write: impl Fn(&mut String, T)) {
    let start = out.len();
    for item in items {
        if out.len() > start {
            out.push_str(",");
        }
        write(out, item);
    }
}

/// A member, with its quoted name and whatever stands before that.
fn text(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    string(out, value);
}

fn number(out: &mut String, name: &str, value: f64) {
    out.push_str(name);
    out.push_str(&decimal(value));
}

fn flag(out: &mut String, value: bool) {
    out.push_str(if value { "true" } else { "false" });
}

fn string(out: &mut String, value: &str) {
    out.push_str("\"");
    out.push_str(value);
    out.push_str("\"");
}

/// One tool's entry as clients read it.
#[cfg(test)]
pub fn entry(tool: &Tool) -> serde_json::Value {
    let list = list(std::iter::once(tool), true);
    serde_json::from_str::<serde_json::Value>(&list).unwrap_or_else(|error| panic!("{}: {error}", tool.name))[0].take()
}

#[cfg(test)]
mod tests {
    use super::entry;
    use crate::tools::all;

    #[test]
    fn every_entry_is_json_and_says_what_the_tool_says() {
        for tool in all() {
            let entry = entry(tool);
            assert_eq!((&entry["name"], &entry["title"]), (&tool.name.into(), &tool.title.into()));
            assert_eq!(entry["description"], tool.description);
            let properties = entry["inputSchema"]["properties"].as_object();
            assert_eq!(properties.map_or(0, |properties| properties.len()), tool.params.len(), "{}", tool.name);
            for param in tool.params {
                let schema = &entry["inputSchema"]["properties"][param.name];
                assert_eq!(schema["description"].as_str().unwrap_or_default(), param.about, "{}", param.name);
            }
        }
    }
}
