//! What to send, so that what is stored afterwards agrees. Nothing is asked of ABS here.
//!
//! What ABS does with a body (measured on 2.36.0):
//! * Position, duration and progress are three numbers of which it computes none from the others.
//! * A body that creates the record is stored as it is, except that whatever is finished has progress 1.
//! * In a body that changes one, progress counts only without `isFinished`, and not when it equals the share that the stored
//!   position already is of the stored duration: then the old progress stays, whatever that is.
//! * A position that changes ends «finished» and «hidden»: also when the same body says `isFinished`; not when it says hidden.
//! * `isFinished: false` sends whatever was finished back to 0, and drops a position in the same body.
//! * Any change within ten seconds of the end finishes.
//!
//! So some goals take several bodies, and each is worked out from what the one before left behind.

use super::super::Args;
use crate::shape::{at, decimal, time};
use serde_json::{Map, Value};

/// From how many seconds before the end on ABS counts something as finished.
const NEARLY_DONE: f64 = 10.0;

/// Below the precision of any player.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.0005
}

fn same_share(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn share(time: f64, duration: f64) -> f64 {
    if duration > 0.0 { (time / duration).clamp(0.0, 1.0) } else { 0.0 }
}

fn near_the_end(time: f64, duration: f64) -> bool {
    duration > 0.0 && duration - time < NEARLY_DONE
}

/// What a caller wants: what is not said stays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pub time: Option<f64>,
    pub finished: Option<bool>,
    pub hidden: Option<bool>,
}

impl Asked {
    /// What can be checked without knowing the item.
    pub(super) fn check(args: &Args) -> Result<(), String> {
        let numbers = ["current_time", "progress"].iter().any(|name| args.number_if(name).is_some());
        let flags = ["is_finished", "hide_from_continue_listening"].iter().any(|name| args.flag_if(name).is_some());
        if !numbers && !flags {
            return Err(
                "Give at least one of current_time, progress, is_finished and hide_from_continue_listening".into()
            );
        }
        match (args.flag_if("is_finished"), args.number_if("progress")) {
            (Some(true), Some(progress)) if progress < 1.0 => Err(format!(
                "is_finished: true contradicts progress {}, since what is finished has progress 1. Leave one of them \
                 out; a position can be kept with current_time",
                decimal(progress)
            )),
            _ => Ok(()),
        }
    }

    /// With the position in seconds, checked against the duration (0: no audio).
    pub(super) fn read(args: &Args, duration: f64) -> Result<Asked, String> {
        let seconds = time::seconds(&duration.into());
        let time = match (args.number_if("current_time"), args.number_if("progress")) {
            (None, None) => None,
            _ if duration <= 0.0 => {
                return Err("current_time, progress: there is no audio here, so there is no position to set. is_finished and \
                            hide_from_continue_listening can be set; the reading position of an ebook belongs to its reader"
                    .into());
            }
            // Durations are shown in tenths, so that the end may look later than it is.
            (Some(time), _) if time > duration + 0.1 => {
                return Err(format!(
                    "current_time: {} is beyond the end; the duration is {seconds} seconds",
                    decimal(time)
                ));
            }
            (Some(time), Some(progress)) if (time - progress * duration).abs() > (duration / 100.0).max(1.0) => {
                let meant = time::seconds(&(progress * duration).into());
                return Err(format!(
                    "current_time and progress contradict each other: {} of {seconds} seconds is {meant}, not {}. \
                     Give one of them",
                    decimal(progress),
                    decimal(time)
                ));
            }
            (Some(time), _) => Some(time.min(duration)),
            (None, Some(progress)) => Some(((progress * duration * 1000.0).round() / 1000.0).min(duration)),
        };
        let finished = args.flag_if("is_finished");
        if finished == Some(false) && time.is_some_and(|time| near_the_end(time, duration)) {
            return Err(format!(
                "is_finished: false contradicts a position within {} seconds of the end, which Audiobookshelf counts \
                 as finished; the duration is {seconds} seconds",
                decimal(NEARLY_DONE)
            ));
        }
        Ok(Asked { time, finished, hidden: args.flag_if("hide_from_continue_listening") })
    }
}

/// What ABS has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stored {
    pub time: f64,
    duration: f64,
    share: f64,
    pub finished: bool,
    pub hidden: bool,
}

impl Stored {
    /// ABS stores what clients send: a number may be a text.
    pub(super) fn read(record: &Value) -> Stored {
        let number = |name: &str| match at(record, name) {
            Value::String(text) => text.trim().parse().unwrap_or(0.0),
            value => value.as_f64().unwrap_or(0.0),
        };
        Stored {
            time: number("currentTime"),
            duration: number("duration"),
            share: number("progress"),
            finished: at(record, "isFinished") == true,
            hidden: at(record, "hideFromContinueListening") == true,
        }
    }
}

/// What is to be stored in the end.
#[derive(Debug)]
pub(super) struct Goal {
    time: f64,
    duration: f64,
    share: f64,
    finished: bool,
    hidden: bool,
    asked: Asked,
    /// Nothing but `hidden` is the caller's business.
    only_hidden: bool,
}

/// One body, and the position that it leaves behind unless somebody else writes too.
#[derive(Debug)]
pub(super) struct Step {
    pub body: Value,
    lands: f64,
}

impl Step {
    pub(super) fn landed(&self, on: &Stored) -> bool {
        same(self.lands, on.time)
    }
}

impl Goal {
    pub(super) fn new(asked: Asked, media_duration: f64, before: Option<&Stored>) -> Goal {
        let old = before.copied().unwrap_or_default();
        let has_that = match asked.finished {
            None => true,
            Some(false) => !old.finished,
            Some(true) => false,
        };
        let only_hidden = before.is_some() && asked.time.is_none() && has_that;
        let duration = if only_hidden || media_duration <= 0.0 { old.duration } else { media_duration };
        let time = match asked.time {
            Some(time) if !same(time, old.time) => time,
            None if asked.finished == Some(false) && old.finished => 0.0,
            _ => old.time,
        };
        let moved = !same(time, old.time);
        let finished = asked.finished.unwrap_or(old.finished && (!moved || near_the_end(time, duration)));
        let share = match (only_hidden, finished) {
            (true, _) => old.share,
            (false, true) => 1.0,
            (false, false) => share(time, duration),
        };
        let hidden = asked.hidden.unwrap_or(old.hidden && !moved);
        Goal { time, duration, share, finished, hidden, asked, only_hidden }
    }

    pub(super) fn met_by(&self, now: &Stored) -> bool {
        let as_meant = now.finished == self.finished && same_share(now.share, self.share);
        let by_itself = self.near(self.time) && now.finished && same_share(now.share, 1.0);
        same(now.time, self.time)
            && same(now.duration, self.duration)
            && now.hidden == self.hidden
            && (as_meant || by_itself)
    }

    /// Whether the only way there leads past «finished», which was not wanted.
    pub(super) fn is_out_of_reach(&self, now: &Stored) -> bool {
        self.only_hidden && self.asked.finished == Some(false) && self.near(now.time) && !self.met_by(now)
    }

    /// The next body on the way from what is stored.
    pub(super) fn step(&self, now: Option<&Stored>) -> Step {
        let Some(now) = now else { return self.create() };
        if self.only_hidden {
            return self.send(&[], now.time);
        }
        if now.finished && !self.finished && self.time == 0.0 {
            return self.send(&[("isFinished", false.into())], 0.0);
        }
        if !same(now.time, self.time) {
            return self.place(self.time);
        }
        if self.finished && !now.finished {
            return self.send(&[("isFinished", true.into())], now.time);
        }
        let to_unfinish = now.finished && !self.finished;
        let would_be_ignored = !same_share(now.share, self.share)
            && same(now.duration, self.duration)
            && same_share(share(now.time, now.duration), self.share);
        if to_unfinish || would_be_ignored {
            return self.place(self.aside());
        }
        self.send(&[("progress", number(self.share))], now.time)
    }

    fn create(&self) -> Step {
        let mut body = vec![("currentTime", number(self.time)), ("progress", number(self.share))];
        if self.finished {
            body.push(("isFinished", true.into()));
        }
        self.send(&body, self.time)
    }

    /// Sets the position, with the progress that it is; at the end of something finished, that is 1.
    fn place(&self, time: f64) -> Step {
        let share = if self.finished && self.near(time) { 1.0 } else { share(time, self.duration) };
        self.send(&[("currentTime", number(time)), ("progress", number(share))], time)
    }

    /// A position close by that does not finish, to come back from: only a change does what is wanted.
    fn aside(&self) -> f64 {
        if self.time > 0.0 {
            (self.time - 1.0).max(self.time / 2.0)
        } else {
            ((self.duration - NEARLY_DONE) / 2.0).clamp(0.0, 1.0)
        }
    }

    fn send(&self, members: &[(&str, Value)], lands: f64) -> Step {
        let mut body: Map<String, Value> =
            members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        if !self.only_hidden && self.duration > 0.0 {
            body.insert("duration".into(), number(self.duration));
        }
        if self.hidden || self.asked.hidden.is_some() {
            body.insert("hideFromContinueListening".into(), self.hidden.into());
        }
        Step { body: body.into(), lands }
    }

    fn near(&self, time: f64) -> bool {
        near_the_end(time, self.duration)
    }

    /// What a caller could not expect, in sentences.
    pub(super) fn surprises(&self, before: Option<&Stored>, after: &Stored) -> Vec<&'static str> {
        let old = before.copied().unwrap_or_default();
        let (asked, moved) = (self.asked, !same(old.time, after.time));
        let near = near_the_end(after.time, after.duration);
        let by_itself = after.finished && (asked.finished == Some(false) || !old.finished && asked.finished.is_none());
        let told = [
            (by_itself, "Audiobookshelf marked it as finished by itself, as it does within 10 seconds of the end."),
            (
                asked.finished == Some(false) && asked.time.is_none() && old.finished && !after.finished,
                "The position went back to 0: to keep one, give current_time together with is_finished=false.",
            ),
            (
                asked.finished.is_none() && old.finished && !after.finished,
                "It is no longer finished, since the position changed.",
            ),
            (
                asked.finished == Some(true) && old.finished && moved && !near,
                "The date of finishing is that of this call now: the change of position ended the old one.",
            ),
            (
                asked.time.is_some() && near && !after.finished,
                "It is not finished, though close to the end: is_finished=true does that.",
            ),
            (
                asked.hidden.is_none() && old.hidden && !after.hidden,
                "It shows in Continue Listening again, since the position changed.",
            ),
        ];
        told.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text).collect()
    }
}

/// Whole numbers without a fraction.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { (value as i64).into() } else { value.into() }
}
