//! Arguments as models send them, validated before anything else happens.
//!
//! Lenient where the meaning is certain ("50" or 3.0 for an integer, null for an absent option), and otherwise an error that
//! names the argument, what is wrong with it, and what would be right.

use super::param::{Kind, MAX_LIST, Param};
use crate::shape::decimal;
use serde_json::{Map, Value};

/// Validated arguments of one call.
#[derive(Debug, Default)]
pub struct Args {
    values: Vec<(&'static str, Arg)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Arg {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    Ids(Vec<String>),
    Entries(Vec<Entry>),
}

/// One entry of a playlist: a book, or an episode of a podcast.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub library_item_id: String,
    pub episode_id: Option<String>,
}

impl Args {
    /// Every problem is reported, so that one more call is enough.
    pub fn parse(params: &'static [Param], mut given: Map<String, Value>) -> Result<Args, Vec<String>> {
        let mut problems = Vec::new();
        let mut values = Vec::new();
        // Some clients put their request metadata here.
        given.remove("_meta");
        for param in params {
            match given.remove(param.name).filter(|value| !param.kind.is_none(value)) {
                None if param.required => problems.push(format!("{}: is missing; {}", param.name, wanted(param))),
                None => values.extend(param.kind.default().map(|value| (param.name, value))),
                Some(value) => match param.kind.read(&value) {
                    Ok(value) => values.push((param.name, value)),
                    Err(why) => problems.push(format!("{}: {why}; {}", param.name, wanted(param))),
                },
            }
        }
        problems.extend(given.keys().map(|name| unknown(params, name)));
        if problems.is_empty() { Ok(Args { values }) } else { Err(problems) }
    }

    fn find(&self, name: &str) -> Option<&Arg> {
        self.values.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// A required id or text, or an option with a default.
    pub fn text(&self, name: &str) -> &str {
        self.text_if(name).unwrap_or_default()
    }

    pub fn text_if(&self, name: &str) -> Option<&str> {
        match self.find(name) {
            Some(Arg::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A required integer, or one with a default.
    pub fn integer(&self, name: &str) -> i64 {
        self.integer_if(name).unwrap_or_default()
    }

    pub fn integer_if(&self, name: &str) -> Option<i64> {
        match self.find(name) {
            Some(Arg::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    pub fn flag(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Arg::Flag(true)))
    }

    pub fn number_if(&self, name: &str) -> Option<f64> {
        match self.find(name) {
            Some(Arg::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// An option without a default: absent is not false.
    pub fn flag_if(&self, name: &str) -> Option<bool> {
        match self.find(name) {
            Some(Arg::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    pub fn ids(&self, name: &str) -> Option<&[String]> {
        match self.find(name) {
            Some(Arg::Ids(ids)) => Some(ids),
            _ => None,
        }
    }

    pub fn entries(&self, name: &str) -> Option<&[Entry]> {
        match self.find(name) {
            Some(Arg::Entries(entries)) => Some(entries),
            _ => None,
        }
    }

    /// `detail: "full"`.
    pub fn full(&self) -> bool {
        self.text("detail") == "full"
    }
}

impl Kind {
    /// Whether a value means that the argument is absent.
    fn is_none(self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) => true,
            (Kind::Token { .. }, Value::String(text)) => text.trim().is_empty(),
            _ => false,
        }
    }

    fn default(self) -> Option<Arg> {
        match self {
            Kind::Integer { default, .. } => default.map(Arg::Integer),
            Kind::Choice { default, .. } => default.map(|text| Arg::Text(text.to_owned())),
            Kind::Flag { default } => default.map(Arg::Flag),
            Kind::Id | Kind::Text { .. } | Kind::Token { .. } | Kind::Prose { .. } => None,
            Kind::Number { .. } | Kind::Ids | Kind::Entries => None,
        }
    }

    fn read(self, value: &Value) -> Result<Arg, String> {
        match (self, value) {
            (Kind::Id, Value::String(_)) => id(value).map(Arg::Text),
            (Kind::Text { max } | Kind::Token { max }, Value::String(text)) => text_value(text, max),
            (Kind::Prose { max }, Value::String(text)) => prose(text, max),
            (Kind::Number { min, max }, _) => match number(value) {
                Some(number) if (min..=max).contains(&number) => Ok(Arg::Number(number)),
                Some(number) => Err(format!("{} is out of range", decimal(number))),
                None => Err(format!("{} is not a number", shown(value))),
            },
            (Kind::Ids, _) => list(value, id).map(Arg::Ids),
            (Kind::Entries, _) => list(value, entry).map(Arg::Entries),
            (Kind::Integer { min, max, .. }, _) => match integer(value) {
                Some(number) if (min..=max).contains(&number) => Ok(Arg::Integer(number)),
                Some(number) => Err(format!("{number} is out of range")),
                None => Err(format!("{} is not an integer", shown(value))),
            },
            (Kind::Flag { .. }, Value::Bool(flag)) => Ok(Arg::Flag(*flag)),
            (Kind::Flag { .. }, Value::String(text)) if text == "true" => Ok(Arg::Flag(true)),
            (Kind::Flag { .. }, Value::String(text)) if text == "false" => Ok(Arg::Flag(false)),
            (Kind::Choice { of, .. }, Value::String(text)) if of.contains(&text.as_str()) => {
                Ok(Arg::Text(text.clone()))
            }
            (Kind::Choice { .. }, Value::String(_)) => Err(format!("{} is not a valid choice", shown(value))),
            _ => Err(format!("{} has the wrong type", shown(value))),
        }
    }
}

fn text_value(text: &str, max: usize) -> Result<Arg, String> {
    if text.trim().is_empty() {
        return Err("it is blank".into());
    }
    if text.chars().any(char::is_control) {
        // ABS 2.36 exits on a NUL in a query or filter value.
        return Err("it has control characters".into());
    }
    if text.chars().count() > max {
        return Err("it is too long".into());
    }
    Ok(Arg::Text(text.to_owned()))
}

fn id(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) if policy::valid_id(text) => Ok(text.clone()),
        _ => Err(format!("{} is not an id", shown(value))),
    }
}

fn prose(text: &str, max: usize) -> Result<Arg, String> {
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err("it has control characters".into());
    }
    if text.chars().count() > max {
        return Err("it is too long".into());
    }
    Ok(Arg::Text(text.to_owned()))
}

/// An array, or one that a client sent as JSON in a string.
fn list<T: PartialEq>(value: &Value, read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, String> {
    let decoded = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let Some(entries) = decoded.as_ref().unwrap_or(value).as_array() else {
        return Err(format!("{} is not an array", shown(value)));
    };
    if entries.is_empty() || entries.len() > MAX_LIST {
        return Err(format!("it has {} entries", entries.len()));
    }
    let mut out = Vec::with_capacity(entries.len());
    for (position, entry) in entries.iter().enumerate() {
        let read = read(entry).map_err(|why| format!("entry {position}: {why}"))?;
        if out.contains(&read) {
            return Err(format!("entry {position} is there twice"));
        }
        out.push(read);
    }
    Ok(out)
}

fn entry(value: &Value) -> Result<Entry, String> {
    let decoded = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let Some(object) = decoded.as_ref().unwrap_or(value).as_object() else {
        return Err(format!("{} is not an object", shown(value)));
    };
    if let Some(name) = object.keys().find(|name| !matches!(name.as_str(), "library_item_id" | "episode_id")) {
        return Err(format!("{} is unknown", shown(&Value::from(name.as_str()))));
    }
    let library_item_id = object.get("library_item_id").ok_or("library_item_id is missing").map_err(str::to_owned)?;
    let episode_id = object.get("episode_id").filter(|episode| !episode.is_null());
    Ok(Entry { library_item_id: id(library_item_id)?, episode_id: episode_id.map(id).transpose()? })
}

/// A number, or one in a string; NaN and infinity are none.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(n) => n.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// An integer, a float without a fraction, or an integer in a string.
fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(n) => n.as_i64().or_else(|| {
            let float = n.as_f64()?;
            // Exact up to 2^53, which is far above every bound.
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// What a parameter takes, as the end of an error sentence.
fn wanted(param: &Param) -> String {
    let kind = match param.kind {
        Kind::Id => "an id as a result of this server shows it (letters, digits, '.', '_', '-')".into(),
        Kind::Text { max } | Kind::Token { max } => {
            format!("a text of 1 to {max} characters, without control characters")
        }
        Kind::Integer { min, max, .. } => format!("an integer from {min} to {max}"),
        Kind::Prose { max } => format!("a text of up to {max} characters"),
        Kind::Number { min, max } if max < f64::MAX => format!("a number from {} to {}", decimal(min), decimal(max)),
        Kind::Number { min, .. } => format!("a number of at least {}", decimal(min)),
        Kind::Ids => format!("an array of 1 to {MAX_LIST} different ids"),
        Kind::Entries => {
            format!("an array of 1 to {MAX_LIST} different objects with library_item_id and, for podcasts, episode_id")
        }
        Kind::Flag { .. } => "true or false".into(),
        Kind::Choice { of, .. } => format!("one of {}", of.join(", ")),
    };
    format!("valid is {kind}")
}

fn unknown(params: &[Param], name: &str) -> String {
    let plain = |text: &str| text.chars().filter(|c| *c != '_' && *c != '-').collect::<String>().to_lowercase();
    let shown = shown(&Value::from(name));
    match params.iter().find(|param| plain(param.name) == plain(name)) {
        Some(near) => format!("{shown}: unknown argument; did you mean {}?", near.name),
        None if params.is_empty() => format!("{shown}: unknown argument; this tool takes none"),
        None => {
            let names: Vec<&str> = params.iter().map(|param| param.name).collect();
            format!("{shown}: unknown argument; valid are {}", names.join(", "))
        }
    }
}

/// A value inside an error: short, on one line.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::param::{DETAIL, LIBRARY_ID, PAGE, limit};
    use super::*;
    use serde_json::json;

    const PARAMS: &[Param] =
        &[LIBRARY_ID, PAGE, limit(25), Param::text("q", 10, "").optional(), Param::flag("descending", ""), DETAIL];

    fn parse(mut given: Value) -> Result<Args, String> {
        if given.get("library_id").is_none() {
            given["library_id"] = "lib".into();
        }
        let Value::Object(given) = given else { unreachable!("tests give objects") };
        Args::parse(PARAMS, given).map_err(|problems| problems.join(" | "))
    }

    #[test]
    fn defaults_and_null() {
        let args = parse(json!({"q": null, "limit": null})).unwrap();
        assert_eq!((args.integer("limit"), args.integer("page"), args.text_if("q")), (25, 0, None));
        assert!(!args.full() && !args.flag("descending"));
    }

    #[test]
    fn integers_as_models_write_them() {
        for good in [json!(50), json!("50"), json!(50.0), json!(" 50 ")] {
            assert_eq!(parse(json!({"limit": good})).unwrap().integer("limit"), 50, "{good}");
        }
        for bad in [
            json!("12px"),
            json!(""),
            json!("1.5"),
            json!("NaN"),
            json!(1.5),
            json!(0),
            json!(101),
            json!(1e18),
            json!([5]),
            json!(true),
        ] {
            let problem = parse(json!({"limit": bad})).unwrap_err();
            assert!(problem.starts_with("limit: ") && problem.contains("from 1 to 100"), "{bad}: {problem}");
        }
    }

    #[test]
    fn ids_that_would_leave_their_segment_go_nowhere() {
        for bad in ["../x", "a/b", "%2e%2e", ".", "..", "", "a\u{0}", "a b", "ü"] {
            let problem = parse(json!({"library_id": bad})).unwrap_err();
            assert!(problem.starts_with("library_id: "), "{bad:?}: {problem}");
        }
        assert!(parse(json!({"library_id": 7})).unwrap_err().contains("wrong type"));
        assert!(parse(json!({"library_id": null})).unwrap_err().contains("is missing"));
    }

    #[test]
    fn texts_flags_choices() {
        assert_eq!(parse(json!({"q": "Dune"})).unwrap().text_if("q"), Some("Dune"));
        for bad in [json!(" "), json!("a\u{0}b"), json!("a\nb"), json!("12345678901"), json!(5), json!({})] {
            assert!(parse(json!({"q": bad})).unwrap_err().starts_with("q: "), "{bad}");
        }
        assert!(parse(json!({"descending": "true"})).unwrap().flag("descending"));
        assert!(parse(json!({"descending": "yes"})).is_err());
        assert!(parse(json!({"detail": "everything"})).unwrap_err().contains("one of compact, full"));
    }

    #[test]
    fn a_blank_token_is_none() {
        const TOKEN: &[Param] = &[super::super::param::CONFIRM_TOKEN];
        let parse = |value: Value| Args::parse(TOKEN, json!({"confirm_token": value}).as_object().unwrap().clone());
        for none in [json!(null), json!(""), json!(" \n")] {
            assert_eq!(parse(none.clone()).unwrap().text_if("confirm_token"), None, "{none}");
        }
        assert_eq!(parse(json!("v1.a.b")).unwrap().text_if("confirm_token"), Some("v1.a.b"));
        assert!(parse(json!(true)).is_err() && parse(json!("x".repeat(1025))).is_err());
    }

    #[test]
    fn lists_as_models_write_them() {
        const LISTS: &[Param] = &[Param::ids("ids", "").optional(), super::super::param::ITEMS.optional()];
        let parse = |given: Value| {
            let Value::Object(given) = given else { unreachable!("tests give objects") };
            Args::parse(LISTS, given).map_err(|problems| problems.join(" | "))
        };
        for good in [json!(["a", "b"]), json!("[\"a\",\"b\"]")] {
            assert_eq!(parse(json!({"ids": good})).unwrap().ids("ids").unwrap(), ["a", "b"], "{good}");
        }
        let many: Vec<String> = (0..300).map(|i| format!("id{i}")).collect();
        for bad in [
            json!([]),
            json!("a"),
            json!("[]"),
            json!(["a", "a"]),
            json!(["../x"]),
            json!([1]),
            json!([null]),
            json!({"a": 1}),
            json!(many),
        ] {
            assert!(parse(json!({"ids": bad})).unwrap_err().starts_with("ids: "), "{bad}");
        }
        let entries = parse(json!({"items": [{"library_item_id": "a", "episode_id": null}, "{\"library_item_id\":\"b\",\"episode_id\":\"e\"}"]})).unwrap();
        let entry = |item: &str, episode: Option<&str>| Entry {
            library_item_id: item.into(),
            episode_id: episode.map(str::to_owned),
        };
        assert_eq!(entries.entries("items").unwrap(), [entry("a", None), entry("b", Some("e"))]);
        for bad in [
            json!([{}]),
            json!(["a"]),
            json!([{"library_item_id": "a", "id": "x"}]),
            json!([{"libraryItemId": "a"}]),
            json!([{"library_item_id": "a", "episode_id": "a/b"}]),
        ] {
            assert!(parse(json!({"items": bad})).unwrap_err().starts_with("items: "), "{bad}");
        }
    }

    #[test]
    fn numbers_as_models_write_them() {
        const NUMBER: &[Param] = &[Param::number("time", 0.0, f64::MAX, "")];
        let parse = |value: Value| Args::parse(NUMBER, json!({"time": value}).as_object().unwrap().clone());
        for (good, want) in [(json!(77), 77.0), (json!(12.5), 12.5), (json!("12.5"), 12.5), (json!("1e3"), 1000.0)] {
            assert_eq!(parse(good).unwrap().number_if("time"), Some(want));
        }
        for bad in [json!(-1), json!("NaN"), json!("inf"), json!(""), json!("1h"), json!(true), json!(null), json!([1])]
        {
            assert!(parse(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_arguments_name_the_valid_ones() {
        assert!(parse(json!({"libraryId": "x"})).unwrap_err().contains("did you mean library_id?"));
        assert!(
            parse(json!({"foo": 1})).unwrap_err().contains("valid are library_id, page, limit, q, descending, detail")
        );
        assert!(parse(json!({"_meta": {}})).is_ok());
    }
}
