//! A tool as one declarative value. Schema, validation, annotations, registration and documentation all follow from it.

use super::answer::Answer;
use super::args::Args;
use super::param::Param;
use crate::abs::{Context, Failure};
use policy::{Access, Route};
use serde_json::{Map, Value};

/// What a tool's function gives back.
pub type Outcome = Result<Answer, Failure>;

pub type Run = for<'a> fn(&'a Context<'a>, &'a Args) -> Outcome;

pub struct Tool {
    /// Fixed: people have prompts and allow lists that use it.
    pub name: &'static str,
    pub title: &'static str,
    /// For the model: what it answers, and what to know before calling it. Nothing that `instructions` says already.
    pub description: &'static str,
    pub params: &'static [Param],
    /// Members of the structured result whose types are kept to, in whole records of ABS as well.
    pub output: &'static [Field],
    pub hints: Hints,
    /// Everything that the tool may ask of ABS; access follows from it.
    pub routes: &'static [&'static Route],
    /// What to call instead when a result had to be cut, for a tool without `limit` and `page`.
    pub narrower: &'static str,
    pub run: Run,
}

/// The annotations that do not follow from the routes. Advice to clients; nothing here relies on them.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// Removes or overwrites something.
    pub destructive: bool,
    /// Repeating the same call changes nothing more.
    pub idempotent: bool,
}

impl Hints {
    pub const READ: Hints = Hints { destructive: false, idempotent: true };
}

/// A member of the structured result. Members that ABS has no value for are left out, so none is required.
pub struct Field {
    pub name: &'static str,
    pub kind: FieldKind,
}

#[derive(Clone, Copy)]
pub enum FieldKind {
    Text,
    Integer,
    Number,
    Flag,
    Object,
    Objects,
    Texts,
}

pub const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind }
}

impl Tool {
    pub fn writes(&self) -> bool {
        self.routes.iter().any(|route| route.access == Access::Write)
    }

    /// Whether it can take something away and therefore asks a person (the guard).
    pub fn asks(&self) -> bool {
        self.has_param("confirm_token")
    }

    pub fn has_param(&self, name: &str) -> bool {
        self.params.iter().any(|param| param.name == name)
    }

    /// Removes what is not of the type that the output schema promises, and names the members. ABS's own answers have none of
    /// it, but clients that validate would refuse the whole result.
    pub fn remove_misfits(&self, data: &mut Map<String, Value>) -> Vec<&'static str> {
        let mut misfits = Vec::new();
        for field in self.output {
            let Some(value) = data.get_mut(field.name) else { continue };
            let before = value.as_array().map(Vec::len);
            if let (Some(kind), Value::Array(list)) = (field.kind.entries(), &mut *value) {
                list.retain(|entry| kind.admits(entry));
            }
            let is_misfit = !field.kind.admits(value);
            if is_misfit || before != value.as_array().map(Vec::len) {
                misfits.push(field.name);
            }
            if is_misfit {
                data.remove(field.name);
            }
        }
        misfits
    }
}

impl FieldKind {
    fn admits(self, value: &Value) -> bool {
        match self {
            FieldKind::Text => value.is_string(),
            FieldKind::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            FieldKind::Number => value.is_number(),
            FieldKind::Flag => value.is_boolean(),
            FieldKind::Object => value.is_object(),
            FieldKind::Objects | FieldKind::Texts => value.is_array(),
        }
    }

    /// For the entries of a list.
    fn entries(self) -> Option<FieldKind> {
        match self {
            FieldKind::Objects => Some(FieldKind::Object),
            FieldKind::Texts => Some(FieldKind::Text),
            _ => None,
        }
    }
}
