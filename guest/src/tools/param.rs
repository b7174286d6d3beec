//! The parameters that tools take, each with its type, bounds and default.

use serde_json::{Value, json};

pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    /// Empty where name and type say all.
    pub about: &'static str,
    pub required: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// See `policy::valid_id`.
    Id,
    /// Free text without control characters; length in characters.
    Text { max: usize },
    Integer { min: i64, max: i64, default: Option<i64> },
    Flag,
    Choice { of: &'static [&'static str], default: Option<&'static str> },
}

impl Param {
    pub const fn id(name: &'static str, about: &'static str) -> Param {
        Param { name, kind: Kind::Id, about, required: true }
    }

    pub const fn text(name: &'static str, max: usize, about: &'static str) -> Param {
        Param { name, kind: Kind::Text { max }, about, required: true }
    }

    pub const fn integer(name: &'static str, min: i64, max: i64, about: &'static str) -> Param {
        Param { name, kind: Kind::Integer { min, max, default: None }, about, required: true }
    }

    /// An optional integer with a default.
    pub const fn count(name: &'static str, min: i64, max: i64, default: i64, about: &'static str) -> Param {
        Param { name, kind: Kind::Integer { min, max, default: Some(default) }, about, required: false }
    }

    /// Optional, false by default.
    pub const fn flag(name: &'static str, about: &'static str) -> Param {
        Param { name, kind: Kind::Flag, about, required: false }
    }

    pub const fn choice(name: &'static str, of: &'static [&'static str], about: &'static str) -> Param {
        Param { name, kind: Kind::Choice { of, default: None }, about, required: true }
    }

    pub const fn optional(self) -> Param {
        Param { required: false, ..self }
    }

    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Id => json!({"type": "string"}),
            Kind::Text { max } => json!({"type": "string", "maxLength": max}),
            Kind::Integer { min, max, default } => {
                let mut schema = json!({"type": "integer", "minimum": min, "maximum": max});
                if let Some(default) = default {
                    schema["default"] = default.into();
                }
                schema
            }
            Kind::Flag => json!({"type": "boolean", "default": false}),
            Kind::Choice { of, default } => {
                let mut schema = json!({"type": "string", "enum": of});
                if let Some(default) = default {
                    schema["default"] = default.into();
                }
                schema
            }
        };
        if !self.about.is_empty() {
            schema["description"] = self.about.into();
        }
        schema
    }
}

pub const DETAIL: Param = Param {
    name: "detail",
    kind: Kind::Choice { of: &["compact", "full"], default: Some("compact") },
    about: "",
    required: false,
};
pub const LIBRARY_ID: Param = Param::id("library_id", "");
pub const LIBRARY_ITEM_ID: Param = Param::id("library_item_id", "");
pub const PAGE: Param = Param::count("page", 0, 1_000_000, 0, "0-based");

/// `limit`, 1 to 100: bounded because ABS returns everything for 0 and exits on a huge one.
pub const fn limit(default: i64) -> Param {
    Param::count("limit", 1, 100, default, "")
}
