//! What became of each of several books.

use super::super::Context;
use super::{TIME_MS, named, not_written};
use crate::abs::Failure;
use crate::shape::Record;
use serde_json::{Value, json};

pub(super) const OUT_OF_TIME: &str = "not tried: the call took too long; call again with what is left";

pub(super) struct Tally<'a> {
    collection: &'a str,
    /// «added» or «removed».
    verb: &'static str,
    pub(super) done: Vec<&'a str>,
    pub(super) skipped: Vec<(&'a str, &'static str)>,
    started_ms: u64,
}

impl<'a> Tally<'a> {
    pub(super) fn new(context: &Context<'_>, collection: &'a str, verb: &'static str) -> Tally<'a> {
        Tally { collection, verb, done: Vec::new(), skipped: Vec::new(), started_ms: context.world.now_ms() }
    }

    pub(super) fn is_late(&self, context: &Context<'_>) -> bool {
        context.world.now_ms().saturating_sub(self.started_ms) > TIME_MS
    }

    pub(super) fn skip(&mut self, id: &'a str, reason: &'static str) {
        self.skipped.push((id, reason));
    }

    /// Takes back what was reported done and is not.
    pub(super) fn recheck(&mut self, is_done: impl Fn(&str) -> bool, otherwise: &'static str) {
        let (done, not_done) = std::mem::take(&mut self.done).into_iter().partition(|id| is_done(id));
        self.done = done;
        let not_done: Vec<&str> = not_done;
        self.skipped.extend(not_done.into_iter().map(|id| (id, otherwise)));
    }

    pub(super) fn record(&self) -> Record {
        let skipped: Vec<Value> =
            self.skipped.iter().map(|(id, reason)| json!({"library_item_id": id, "reason": reason})).collect();
        Record::new()
            .put("collection_id", self.collection)
            .put_list(self.verb, self.done.iter().copied())
            .put("skipped", skipped)
    }

    /// In a sentence: each that was skipped, and why.
    pub(super) fn reasons(&self) -> String {
        self.skipped.iter().map(|(id, reason)| format!("{id}: {reason}")).collect::<Vec<_>>().join("; ")
    }

    /// The request for the first of `left` failed, and no other was begun.
    pub(super) fn broken_off(&self, left: &[String], failure: Failure) -> Failure {
        let refused = !failure.may_be_done();
        if self.done.is_empty() && refused {
            return not_written(failure);
        }
        let (failed, untried) = left.split_at(1.min(left.len()));
        let verb = self.verb;
        let mut text = if self.done.is_empty() {
            format!("It is not known what became of collection {}. None is known to be {verb}.", self.collection)
        } else {
            format!("Only a part was done. Of collection {}, {verb}: {}.", self.collection, named(&self.done))
        };
        if refused {
            text.push_str(&format!(" Not {verb}: {}.", named(left)));
        } else {
            text.push_str(&format!(
                " Not known whether {verb}: {}; get_collection shows whether it is there.",
                named(failed)
            ));
            if !untried.is_empty() {
                text.push_str(&format!(" Not tried: {}.", named(untried)));
            }
        }
        if !self.skipped.is_empty() {
            text.push_str(&format!(" Skipped: {}.", self.reasons()));
        }
        Failure::message(format!("{text} {failure}"))
    }
}
