//! Setting progress.

use super::super::param::{LIBRARY_ITEM_ID, Param};
use super::super::tool::{FieldKind::*, Tool, field};
use super::super::{Answer, Args, Context, Hints, Outcome, podcasts, progress::EPISODE_ID};
use super::plan::{Asked, Goal, Stored};
use crate::abs::{Failure, turn};
use crate::keep;
use crate::shape::{Keep, Record, at, episode, list, progress};
use policy::table;
use serde_json::Value;

/// More bodies than any goal takes.
const MAX_STEPS: usize = 4;

pub(super) static SET_MEDIA_PROGRESS: Tool = Tool {
    name: "set_media_progress",
    title: "Set progress",
    description: "Sets the user's position in one book or episode (current_time or progress), finished or hidden. A new position \
                  ends both; is_finished=false without one goes back to 0.",
    params: &[
        LIBRARY_ITEM_ID,
        EPISODE_ID,
        Param::number("current_time", 0.0, f64::MAX, "seconds").optional(),
        Param::number("progress", 0.0, 1.0, "").optional(),
        Param::switch("is_finished", ""),
        Param::switch("hide_from_continue_listening", ""),
    ],
    output: &[
        field("library_item_id", Text),
        field("episode_id", Text),
        field("media_progress_id", Text),
        field("progress", Object),
    ],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[
        &table::SET_PROGRESS,
        &table::SET_PROGRESS_EPISODE,
        &table::GET_PROGRESS,
        &table::GET_PROGRESS_EPISODE,
        &table::GET_ITEM,
        &table::GET_EPISODE,
        &table::GET_ME,
    ],
    narrower: "",
    run: |context, args| set_media_progress(context, args),
};

fn set_media_progress(context: &Context<'_>, args: &Args) -> Outcome {
    Asked::check(args).map_err(|why| Failure::message(format!("Nothing was sent to Audiobookshelf. {why}.")))?;
    let target = Target { context, item: args.text("library_item_id"), episode: args.text_if("episode_id") };
    let duration = target.duration()?;
    let asked = Asked::read(args, duration).map_err(|why| Failure::message(format!("Nothing was changed. {why}.")))?;

    let mut record = target.stored()?;
    let mut turn = None;
    if record.is_none() {
        turn = Some(turn::take(context.world, target.media()));
        // Somebody else may have made it meanwhile.
        record = target.stored()?;
    }
    let before = record.as_ref().map(Stored::read);
    let goal = Goal::new(asked, duration, before.as_ref());
    if before.is_some_and(|before| goal.is_out_of_reach(&before)) {
        return Err(Failure::message(OUT_OF_REACH));
    }
    let mut now = before;
    let mut steps = 0;
    while !now.is_some_and(|now| goal.met_by(&now)) && steps < MAX_STEPS {
        let step = goal.step(now.as_ref());
        target.send(&step.body).map_err(|failure| broken(failure, steps))?;
        turn = None;
        steps += 1;
        record = target.stored().map_err(unread)?;
        now = record.as_ref().map(Stored::read);
        // Whoever writes at the same time, a player perhaps, is not fought with.
        if !now.is_some_and(|now| step.landed(&now)) {
            break;
        }
    }
    drop(turn);
    let (Some(record), Some(after)) = (record, now) else {
        return Err(Failure::message(
            "Audiobookshelf accepted the change, but has no progress of this item now: somebody deleted it at the same time.",
        ));
    };
    let mut answer = Answer::plain(target.result(&record, &after))
        .note_if(steps == 0, "It was stored like this already; nothing was changed.")
        .note_if(!goal.met_by(&after), OTHERWISE);
    for surprise in goal.surprises(before.as_ref(), &after) {
        answer = answer.note(surprise);
    }
    Ok(answer)
}

const OUT_OF_REACH: &str = "Nothing was changed. is_finished: false cannot be had here, since the stored position is within 10 \
                            seconds of the end: Audiobookshelf would mark it as finished with any change.";

const OTHERWISE: &str = "This is not what was asked for. Another client wrote at the same time (a player does so every few \
                         seconds), or Audiobookshelf has several records of this item. Nothing more was tried.";

/// What the progress is of.
struct Target<'a> {
    context: &'a Context<'a>,
    item: &'a str,
    episode: Option<&'a str>,
}

impl Target<'_> {
    /// Whose record it is in ABS.
    fn media(&self) -> &str {
        self.episode.unwrap_or(self.item)
    }

    /// In seconds, 0 without audio. Makes sure that the item is there, that this user may see it (ABS writes progress of
    /// what it hides), and that it is of the kind that the arguments say.
    fn duration(&self) -> Result<f64, Failure> {
        const BOOK: Keep = keep! { mediaType, media { duration } };
        const EPISODE: Keep = keep! { duration, audioFile { duration } };
        let reply = match self.episode {
            Some(episode) => match self.context.get(&table::GET_EPISODE, &[self.item, episode], &[], &EPISODE) {
                Ok(record) => record,
                Err(failure) => {
                    return Err(match podcasts::explained(self.context, self.item, failure) {
                        Failure::Message(text) => Failure::message(format!("Nothing was changed. {text}")),
                        failure => failure,
                    });
                }
            },
            None => {
                let reply = self.context.get(&table::GET_ITEM, &[self.item], &[("expanded", "1")], &BOOK);
                reply.map_err(|failure| failure.or_not_found(NO_ITEM))?
            }
        };
        if at(&reply, "mediaType") == "podcast" {
            return Err(Failure::message(NO_EPISODE));
        }
        let duration = match self.episode {
            Some(_) => episode::duration(&reply),
            None => at(&reply, "media.duration"),
        };
        Ok(duration.as_f64().unwrap_or(0.0).max(0.0))
    }

    fn stored(&self) -> Result<Option<Value>, Failure> {
        const ALL: Keep = keep! { mediaProgress: progress::KEEP };
        let of_target = |record: &Value| at(record, "episodeId").as_str() == self.episode;
        let reply = match self.episode {
            Some(episode) => {
                self.context.get(&table::GET_PROGRESS_EPISODE, &[self.item, episode], &[], &progress::KEEP)
            }
            None => self.context.get(&table::GET_PROGRESS, &[self.item], &[], &progress::KEEP),
        };
        match reply {
            Ok(record) if of_target(&record) => Ok(Some(record)),
            // That of an episode which some client stored under this book's id.
            Ok(_) => {
                let me = self.context.get(&table::GET_ME, &[], &[], &ALL)?;
                let own = |record: &&Value| at(record, "libraryItemId") == self.item && of_target(record);
                Ok(list(&me, "mediaProgress").iter().find(own).cloned())
            }
            // In ABS's own words: a page would be that of something in front of it.
            Err(Failure::Status { status: 404, text: Some(_), .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn send(&self, body: &Value) -> Result<Value, Failure> {
        match self.episode {
            Some(episode) => self.context.send(&table::SET_PROGRESS_EPISODE, &[self.item, episode], body),
            None => self.context.send(&table::SET_PROGRESS, &[self.item], body),
        }
    }

    /// As get_media_progress has it; hidden is said either way.
    fn result(&self, record: &Value, stored: &Stored) -> Record {
        let shown =
            progress::compact(record).without("ebook_location").put("hide_from_continue_listening", stored.hidden);
        Record::new()
            .put("library_item_id", self.item)
            .put("episode_id", self.episode)
            .put("media_progress_id", at(record, "id").clone())
            .put("progress", shown)
    }
}

const NO_ITEM: &str = "Nothing was changed: there is no such item. library_item_id is the id that search_library and \
                       list_library_items show; ids of media, episodes or progress records are others.";

const NO_EPISODE: &str = "Nothing was changed. episode_id: is missing. This item is a podcast, and progress belongs to its \
                          episodes. get_library_item and list_recent_episodes show them.";

fn broken(failure: Failure, steps: usize) -> Failure {
    if steps == 0 {
        return failure.of_write("get_media_progress");
    }
    Failure::message(format!(
        "Only a part was done: the position may be close to what was asked for and finished may not be. get_media_progress \
         shows what is stored; the call can be repeated.\n{failure}"
    ))
}

fn unread(failure: Failure) -> Failure {
    Failure::message(format!(
        "Audiobookshelf accepted the change, but what is stored now could not be read. get_media_progress shows it.\n{failure}"
    ))
}
