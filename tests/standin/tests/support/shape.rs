//! The shape of a JSON value: which keys, of which types, and nothing of what it says.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

/// Recorded as a stub, and different from file to file anyway.
const IGNORED: [&str; 1] = ["metaTags"];
/// There for a book with an e-book, on every route, and not in every recording.
const SOMETIMES: [&str; 1] = ["ebookFormat"];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// `s`tring, `n`umber, `b`oolean, nothing (`z`).
    scalars: String,
    /// Key to shape and whether it is always there.
    object: Option<BTreeMap<String, (Shape, bool)>>,
    items: Option<Box<Shape>>,
}

impl Shape {
    pub fn of(value: &Value) -> Self {
        let scalar = |c: &str| Self { scalars: c.to_owned(), ..Self::default() };
        match value {
            Value::Null => scalar("z"),
            Value::Bool(_) => scalar("b"),
            Value::Number(_) => scalar("n"),
            Value::String(_) => scalar("s"),
            Value::Array(list) => {
                let mut items = Self::default();
                for (n, item) in list.iter().enumerate() {
                    let shape = Self::of(item);
                    items = if n == 0 { shape } else { items.merge(shape) };
                }
                Self { items: Some(Box::new(items)), ..Self::default() }
            }
            Value::Object(map) => {
                let mut fields: BTreeMap<String, (Self, bool)> = BTreeMap::new();
                for (key, value) in map.iter().filter(|(key, _)| !IGNORED.contains(&key.as_str())) {
                    let (key, named) = named(key);
                    let shape = Self::of(value);
                    let shape = fields.remove(&key).map_or_else(|| shape.clone(), |(old, _)| old.merge(shape.clone()));
                    fields.insert(key, (shape, named));
                }
                Self { object: Some(fields), ..Self::default() }
            }
        }
    }

    /// What either of two values may look like.
    pub fn merge(mut self, other: Self) -> Self {
        let mut scalars: Vec<char> = self.scalars.chars().chain(other.scalars.chars()).collect();
        scalars.sort_unstable();
        scalars.dedup();
        self.scalars = scalars.into_iter().collect();
        self.object = match (self.object, other.object) {
            (Some(a), Some(b)) => Some(merge_fields(a, b)),
            (a, b) => a.or(b),
        };
        self.items = match (self.items, other.items) {
            (Some(a), Some(b)) => Some(Box::new(if *a == Self::default() {
                *b
            } else if *b == Self::default() {
                *a
            } else {
                a.merge(*b)
            })),
            (a, b) => a.or(b),
        };
        self
    }

    /// Where `self` is not of this shape: a sentence each. A field may also be what a field of that name in an object of that
    /// name was in any other recording: whether a book has a publisher does not depend on the route.
    pub fn misfits(&self, wanted: &Self, fields: &Fields, at: &str, out: &mut Vec<String>) {
        let elsewhere = fields.get(at);
        let scalars = elsewhere.map_or("", |shape| &shape.scalars);
        for c in self.scalars.chars().filter(|c| !wanted.scalars.contains(*c) && !scalars.contains(*c)) {
            out.push(format!("{at}: {} where only {:?} was recorded", word(c), wanted.scalars));
        }
        if let Some(ours) = &self.items {
            match wanted.items.as_ref().or(elsewhere.and_then(|shape| shape.items.as_ref())) {
                Some(theirs) if **theirs == Self::default() => {}
                Some(theirs) => ours.misfits(theirs, fields, &format!("{at}[]"), out),
                None => out.push(format!("{at}: an array was never recorded")),
            }
        }
        if let Some(ours) = &self.object {
            match wanted.object.as_ref().or(elsewhere.and_then(|shape| shape.object.as_ref())) {
                Some(theirs) => misfits_of_fields(ours, theirs, fields, at, out),
                None => out.push(format!("{at}: an object was never recorded")),
            }
        }
    }

    /// `"sz"`, `{"o": {"key": …, "rare?": …}}`, `{"t": "z", "a": …}`.
    pub fn to_json(&self) -> Value {
        if self.object.is_none() && self.items.is_none() {
            return Value::from(self.scalars.clone());
        }
        let mut out = Map::new();
        if !self.scalars.is_empty() {
            out.insert("t".into(), Value::from(self.scalars.clone()));
        }
        if let Some(fields) = &self.object {
            let fields = fields
                .iter()
                .map(|(key, (shape, always))| (format!("{key}{}", if *always { "" } else { "?" }), shape.to_json()));
            out.insert("o".into(), Value::Object(fields.collect()));
        }
        if let Some(items) = &self.items {
            out.insert("a".into(), items.to_json());
        }
        Value::Object(out)
    }

    pub fn from_json(value: &Value) -> Self {
        if let Value::String(scalars) = value {
            return Self { scalars: scalars.clone(), ..Self::default() };
        }
        let fields = value["o"].as_object().map(|fields| {
            let field = |(key, shape): (&String, &Value)| {
                let name = key.strip_suffix('?').unwrap_or(key);
                (name.to_owned(), (Self::from_json(shape), name == key))
            };
            fields.iter().map(field).collect()
        });
        Self {
            scalars: value["t"].as_str().unwrap_or_default().to_owned(),
            object: fields,
            items: value.get("a").map(|items| Box::new(Self::from_json(items))),
        }
    }
}

fn misfits_of_fields(
    ours: &BTreeMap<String, (Shape, bool)>,
    theirs: &BTreeMap<String, (Shape, bool)>,
    fields: &Fields,
    at: &str,
    out: &mut Vec<String>,
) {
    for (key, (shape, _)) in ours {
        match theirs.get(key) {
            Some((theirs, _)) => shape.misfits(theirs, fields, &format!("{at}.{key}"), out),
            None if SOMETIMES.contains(&key.as_str()) => {}
            None => out.push(format!("{at}.{key}: never recorded")),
        }
    }
    for (key, _) in theirs.iter().filter(|(_, (_, always))| *always) {
        if !ours.get(key).is_some_and(|(_, always)| *always) {
            out.push(format!("{at}.{key}: always recorded, and sometimes missing here"));
        }
    }
}

/// What every field looked like in all recordings, by its own name and that of what it is in.
#[derive(Debug, Default)]
pub struct Fields(HashMap<String, Shape>);

impl Fields {
    pub fn learn(&mut self, shape: &Shape, at: &str) {
        let known = self.0.remove(name(at));
        self.0.insert(name(at).to_owned(), known.map_or_else(|| shape.clone(), |known| known.merge(shape.clone())));
        if let Some(items) = &shape.items {
            self.learn(items, &format!("{at}[]"));
        }
        for (key, (field, _)) in shape.object.iter().flatten() {
            self.learn(field, &format!("{at}.{key}"));
        }
    }

    fn get(&self, at: &str) -> Option<&Shape> {
        self.0.get(name(at))
    }
}

/// `.results[].media.metadata.isbn` → `metadata.isbn`
fn name(at: &str) -> &str {
    at.rmatch_indices('.').nth(1).map_or(at, |(dot, _)| &at[dot + 1..])
}

fn merge_fields(
    mut a: BTreeMap<String, (Shape, bool)>,
    mut b: BTreeMap<String, (Shape, bool)>,
) -> BTreeMap<String, (Shape, bool)> {
    let mut out = BTreeMap::new();
    for (key, (shape, always)) in std::mem::take(&mut a) {
        let merged = match b.remove(&key) {
            Some((other, too)) => (shape.merge(other), always && too),
            None => (shape, false),
        };
        out.insert(key, merged);
    }
    out.extend(b.into_iter().map(|(key, (shape, _))| (key, (shape, false))));
    out
}

/// Keys that are data stand for their kind, and any number of them may be there.
fn named(key: &str) -> (String, bool) {
    const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let date = key.len() == 10 && key.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if is_uuid(key) {
        ("{id}".into(), false)
    } else if date {
        ("{date}".into(), false)
    } else if WEEKDAYS.contains(&key) {
        ("{weekday}".into(), false)
    } else {
        (key.to_owned(), true)
    }
}

pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(n, b)| match n {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

fn word(scalar: char) -> &'static str {
    match scalar {
        's' => "a string",
        'n' => "a number",
        'b' => "a boolean",
        _ => "null",
    }
}
