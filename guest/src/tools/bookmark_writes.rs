//! Changing bookmarks. Item and time together are what identifies one, and ABS compares times exactly: they are never
//! rounded on their way.

use super::bookmarks::stored;
use super::param::{CONFIRM_TOKEN, LIBRARY_ITEM_ID, Param};
use super::tool::{Field, FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::{Failure, turn};
use crate::guard::{Binding, Question};
use crate::keep;
use crate::shape::{Keep, Record, at, decimal, sort_by, text, time};
use crate::world::SendError;
use policy::{Seg, table};
use serde_json::{Value, json};

pub const TOOLS: &[&Tool] = &[&CREATE_BOOKMARK, &UPDATE_BOOKMARK, &DELETE_BOOKMARK];

/// Some thirty years: longer than anything, and far from where a number would need an exponent.
const TIME: Param = Param::number("time", 0.0, 1e9, "seconds");
const EXACT_TIME: Param = Param::number("time", 0.0, 1e9, "exactly as list_bookmarks shows it");
const TITLE: Param = Param::text("title", 255, "");

const OUTPUT: &[Field] = &[field("library_item_id", Text), field("time", Number), field("created", Text)];

/// Times that are named in an error, at most.
const NAMED: usize = 30;

static CREATE_BOOKMARK: Tool = Tool {
    name: "create_bookmark",
    title: "Create a bookmark",
    description: "Adds a bookmark at a position of a book or podcast. Refused where there is one already: \
                  update_bookmark changes titles.",
    params: &[LIBRARY_ITEM_ID, TIME, TITLE],
    output: OUTPUT,
    hints: Hints { destructive: false, idempotent: true },
    routes: &[&table::CREATE_BOOKMARK, &table::GET_ITEM, &table::LIST_ITEM_BOOKMARKS, &table::GET_ME],
    narrower: "",
    run: |context, args| create_bookmark(context, args),
};

fn create_bookmark(context: &Context<'_>, args: &Args) -> Outcome {
    let (item, at_time) = (args.text("library_item_id"), Time::read(args)?);
    if let Some(duration) = duration(context, item)?
        && at_time.seconds > duration
    {
        return Err(Failure::message(format!(
            "Nothing was changed. time: {} is beyond the end; the duration is {} seconds.",
            at_time.text,
            time::seconds(&duration.into())
        )));
    }
    let _turn = turn::take(context.world, &format!("bookmark-{}-{item}", at_time.text));
    if stored(context, Some(item))?.iter().any(|bookmark| at_time.is_taken_by(at(bookmark, "time"))) {
        return Err(Failure::message(format!(
            "Nothing was changed: there is a bookmark at {} seconds already. update_bookmark changes its title.",
            at_time.text
        )));
    }
    let body = json!({"time": at_time.json(), "title": args.text("title")});
    let reply = context
        .send(&table::CREATE_BOOKMARK, &[item], &body)
        .map_err(|failure| failure.or_not_found(NO_ITEM).of_write("list_bookmarks"))?;
    Ok(Answer::plain(result(item, &reply)))
}

static UPDATE_BOOKMARK: Tool = Tool {
    name: "update_bookmark",
    title: "Rename a bookmark",
    description: "Replaces the title of the bookmark at exactly that time. It cannot be moved: create another one.",
    params: &[LIBRARY_ITEM_ID, EXACT_TIME, TITLE],
    output: OUTPUT,
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::UPDATE_BOOKMARK, &table::LIST_ITEM_BOOKMARKS, &table::GET_ME],
    narrower: "",
    run: |context, args| update_bookmark(context, args),
};

fn update_bookmark(context: &Context<'_>, args: &Args) -> Outcome {
    let (item, at_time) = (args.text("library_item_id"), Time::read(args)?);
    at_time.find(&stored(context, Some(item))?)?;
    let body = json!({"time": at_time.json(), "title": args.text("title")});
    let reply = context.send(&table::UPDATE_BOOKMARK, &[item], &body).map_err(gone)?;
    Ok(Answer::plain(result(item, &reply)))
}

static DELETE_BOOKMARK: Tool = Tool {
    name: "delete_bookmark",
    title: "Delete a bookmark",
    description: "Deletes the bookmark at exactly that time. Asks a person.",
    params: &[LIBRARY_ITEM_ID, EXACT_TIME, CONFIRM_TOKEN],
    output: &[
        field("library_item_id", Text),
        field("time", Number),
        field("deleted", Flag),
        field("bookmarks_left", Integer),
    ],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::DELETE_BOOKMARK, &table::LIST_ITEM_BOOKMARKS, &table::GET_ME],
    narrower: "",
    run: |context, args| delete_bookmark(context, args),
};

fn delete_bookmark(context: &Context<'_>, args: &Args) -> Outcome {
    let (item, at_time) = (args.text("library_item_id"), Time::read(args)?);
    let bookmarks = stored(context, Some(item))?;
    at_time.find(&bookmarks)?;
    // Bound to the title, of which only the fingerprint counts: what is lost is what somebody typed.
    let title =
        bookmarks.iter().find(|bookmark| at_time.is(at(bookmark, "time"))).and_then(|known| text(known, "title"));
    let question = Question::new(
        Binding::new("delete_bookmark").id(item).id(&at_time.text).id(title.unwrap_or_default()),
        "This will delete the bookmark at {} seconds of library item {}. The title that somebody typed for it is lost: \
         create_bookmark can make one at that position again, but cannot bring back the title. The item itself and the progress \
         in it are not changed.",
        &[&at_time.text, item],
    );
    let approval = context.approve(&question, args)?;
    context.send_approved(&approval, &table::DELETE_BOOKMARK, &[item, &at_time.text], None).map_err(gone)?;
    // ABS answers "OK" as well when it finds the bookmark by one comparison and does not delete it by another.
    let left = stored(context, Some(item)).map_err(|failure| {
        Failure::message(format!(
            "Audiobookshelf answered that the bookmark is deleted, but whether it is could not be read; list_bookmarks shows \
             it. {failure}"
        ))
    })?;
    if left.iter().any(|bookmark| at_time.is(at(bookmark, "time"))) {
        return Err(Failure::message(
            "Nothing was changed: Audiobookshelf answered that the bookmark is deleted, but it is still there.",
        ));
    }
    let result = Record::new()
        .put("library_item_id", item)
        .put("time", at_time.json())
        .put("deleted", true)
        .put("bookmarks_left", left.len());
    Ok(Answer::plain(result))
}

/// As ABS answered; the title is that of the call.
fn result(item: &str, bookmark: &Value) -> Record {
    Record::new()
        .put("library_item_id", item)
        .put("time", at(bookmark, "time").clone())
        .put("created", time::iso(at(bookmark, "createdAt")))
}

fn gone(failure: Failure) -> Failure {
    failure
        .or_not_found("Nothing was changed: the bookmark, or its item, was deleted meanwhile.")
        .of_write("list_bookmarks")
}

const NO_ITEM: &str = "Nothing was changed: there is no such item. library_item_id is the id that search_library and \
                       list_library_items show.";

/// Of a book, where it is known. Makes sure that the item is there and this user's to see.
fn duration(context: &Context<'_>, item: &str) -> Result<Option<f64>, Failure> {
    const KEEP: Keep = keep! { mediaType, media { duration } };
    match context.get(&table::GET_ITEM, &[item], &[("expanded", "1")], &KEEP) {
        Ok(item) if at(&item, "mediaType") == "podcast" => Ok(None),
        Ok(item) => Ok(at(&item, "media.duration").as_f64().filter(|duration| *duration > 0.0)),
        // A podcast with very many episodes. ABS checks the rest itself.
        Err(Failure::Unreachable(SendError::TooLarge)) => Ok(None),
        Err(failure) => Err(failure.or_not_found(NO_ITEM)),
    }
}

/// When: as a number, and as the plain decimal that stands in a path and in a question.
struct Time {
    seconds: f64,
    text: String,
}

impl Time {
    fn read(args: &Args) -> Result<Time, Failure> {
        // Adding nothing makes a negative zero a plain one.
        let seconds = args.number_if("time").unwrap_or_default() + 0.0;
        // Never with an exponent; and the shortest text that reads as this number.
        let text = decimal(seconds);
        if !Seg::Seconds.admits(&text) {
            return Err(Failure::message(
                "Nothing was sent to Audiobookshelf. time: it has too many decimals; valid are up to 20.",
            ));
        }
        Ok(Time { seconds, text })
    }

    fn json(&self) -> Value {
        if self.seconds.fract() == 0.0 { (self.seconds as u64).into() } else { self.seconds.into() }
    }

    fn is(&self, stored: &Value) -> bool {
        stored.as_f64() == Some(self.seconds)
    }

    /// By ABS's own comparison, which takes a text, a flag and an empty list for numbers.
    fn is_taken_by(&self, stored: &Value) -> bool {
        let number = match stored {
            Value::String(text) if text.trim().is_empty() => Some(0.0),
            Value::String(text) => text.trim().parse().ok(),
            Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
            Value::Array(list) if list.is_empty() => Some(0.0),
            other => other.as_f64(),
        };
        number == Some(self.seconds)
    }

    /// Makes sure that one of these is at exactly this time.
    fn find(&self, bookmarks: &[Value]) -> Result<(), Failure> {
        if bookmarks.iter().any(|bookmark| self.is(at(bookmark, "time"))) {
            return Ok(());
        }
        if bookmarks.iter().any(|bookmark| self.is_taken_by(at(bookmark, "time"))) {
            return Err(Failure::message(format!(
                "Nothing was changed. time: another client stored {} not as a number, and Audiobookshelf does not delete such a \
                 bookmark. It can be changed only where it was made.",
                self.text
            )));
        }
        let mut times: Vec<f64> = bookmarks.iter().filter_map(|bookmark| at(bookmark, "time").as_f64()).collect();
        sort_by(&mut times, f64::total_cmp);
        let shown: Vec<String> = times.iter().take(NAMED).copied().map(decimal).collect();
        let there = match times.len() {
            0 => "this item has none, or library_item_id is not one of this server's".into(),
            len if len > NAMED => format!("the first of {len} are at {}; list_bookmarks shows all", shown.join(", ")),
            _ => format!("there are bookmarks at {}", shown.join(", ")),
        };
        Err(Failure::message(format!(
            "Nothing was changed. time: there is no bookmark at exactly {} seconds; {there}.",
            self.text
        )))
    }
}

#[cfg(test)]
mod tests;
