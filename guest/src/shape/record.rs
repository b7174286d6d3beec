//! Compact records: only members that have a value, in the order in which a reader wants them.

use serde_json::{Map, Value};

static NULL: Value = Value::Null;

/// The value at a dotted path, or null.
pub fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').try_fold(value, |value, key| value.get(key)).unwrap_or(&NULL)
}

pub fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    at(value, path).as_str().filter(|text| !text.is_empty())
}

/// The elements of the array at a path; none where there is no array.
pub fn list<'a>(value: &'a Value, path: &str) -> &'a [Value] {
    at(value, path).as_array().map_or(&[], Vec::as_slice)
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(Map<String, Value>);

impl Record {
    pub fn new() -> Record {
        Record::default()
    }

    /// Sets a member, unless the value says nothing: null, empty text, empty list, empty object.
    pub fn put(mut self, name: &str, value: impl Into<Value>) -> Record {
        let value = value.into();
        let says_nothing = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(object) => object.is_empty(),
            Value::Bool(_) | Value::Number(_) => false,
        };
        if !says_nothing {
            self.0.insert(name.to_owned(), value);
        }
        self
    }

    /// Sets a member even to an empty list: where «none» is the answer.
    pub fn put_list(mut self, name: &str, list: impl IntoIterator<Item = impl Into<Value>>) -> Record {
        self.0.insert(name.to_owned(), list.into_iter().map(Into::into).collect::<Vec<Value>>().into());
        self
    }

    /// Sets a flag only where it is true.
    pub fn flag(self, name: &str, value: &Value) -> Record {
        if value == &Value::Bool(true) { self.put(name, true) } else { self }
    }

    /// Copies members of the same name.
    pub fn copy(self, from: &Value, names: &[&str]) -> Record {
        names.iter().fold(self, |record, name| record.put(name, at(from, name).clone()))
    }

    /// Adds the members of another record.
    pub fn and(mut self, other: Record) -> Record {
        self.0.extend(other.0);
        self
    }

    /// Leaves a member out.
    pub fn without(mut self, name: &str) -> Record {
        self.0.shift_remove(name);
        self
    }

    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }
}

impl From<Record> for Value {
    fn from(record: Record) -> Value {
        Value::Object(record.0)
    }
}
