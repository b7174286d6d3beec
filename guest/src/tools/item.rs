//! One library item: a book or podcast in detail, and a book's chapters.

use super::param::{DETAIL, LIBRARY_ITEM_ID};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::Failure;
use crate::keep;
use crate::shape::time::{date, iso, seconds};
use crate::shape::{Keep, Record, at, episode, excerpt, list, progress, sort_by, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&GET_LIBRARY_ITEM, &GET_ITEM_CHAPTERS];

const NO_ITEM: &str = "There is no such item. library_item_id is the id that search_library and list_library_items show; \
                       ids of media, episodes or progress records are others.";

/// A podcast's episodes beyond these are only counted.
const EPISODES: usize = 30;

static GET_LIBRARY_ITEM: Tool = Tool {
    name: "get_library_item",
    title: "Get a book or podcast",
    description: "One book: people, series, description, length, the user's progress. Or one podcast with its 30 \
                  newest episodes.",
    params: &[LIBRARY_ITEM_ID, DETAIL],
    output: &[field("item", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_ITEM],
    narrower: "get_item_chapters or get_podcast_episode for a part of it",
    run: |context, args| get_library_item(context, args),
};

fn get_library_item(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! {
        id, libraryId, mediaType, addedAt, updatedAt, isMissing, isInvalid, size, userMediaProgress: progress::KEEP,
        media {
            metadata {
                title, subtitle, authors { id, name }, narrators, series { id, name, sequence }, genres, publishedYear,
                publishedDate, publisher, description, descriptionPlain, isbn, asin, language, explicit, abridged,
                author, type, releaseDate
            },
            tags, duration, numTracks, numChapters, ebookFile { ebookFormat },
            autoDownloadEpisodes, lastEpisodeCheck, episodes: episode::KEEP
        }
    };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let query = [("expanded", "1"), ("include", "progress")];
    let mut reply = context
        .get(&table::GET_ITEM, &[args.text("library_item_id")], &query, &keep)
        .map_err(|failure| failure.or_not_found(NO_ITEM))?;
    let podcast = at(&reply, "mediaType") == "podcast";
    if let (true, Some(members)) = (podcast, reply.as_object_mut()) {
        // Of an episode that ABS picked: nobody asked for that one.
        members.remove("userMediaProgress");
    }
    let episodes = list(&reply, "media.episodes").len();
    let cut = podcast && !args.full() && episodes > EPISODES;
    let item = match (args.full(), podcast) {
        (true, _) => reply,
        (false, true) => podcast_record(&reply).into(),
        (false, false) => book_record(&reply).into(),
    };
    Ok(Answer::untrusted(Record::new().put("item", item)).note_if(
        cut,
        format!("The {EPISODES} newest of {episodes} episodes are shown; search_library finds others by words of their titles."),
    ))
}

fn book_record(item: &Value) -> Record {
    let media = at(item, "media");
    let metadata = at(media, "metadata");
    let duration = at(media, "duration");
    let positive = |number: &Value| if number == 0 { Value::Null } else { number.clone() };
    let people = |name: &str, members: &[&str]| -> Vec<Value> {
        list(metadata, name).iter().map(|entry| Record::new().copy(entry, members).into()).collect()
    };
    head(item)
        .copy(metadata, &["title", "subtitle"])
        .put("authors", people("authors", &["id", "name"]))
        .copy(metadata, &["narrators"])
        .put("series", people("series", &["id", "name", "sequence"]))
        .put("year", at(metadata, "publishedYear").clone())
        .put("published", at(metadata, "publishedDate").clone())
        .copy(metadata, &["publisher", "language", "isbn", "asin", "genres"])
        .copy(media, &["tags"])
        .put("description", description(metadata))
        .put("duration", positive(&seconds(duration)))
        .put("chapters", at(media, "numChapters").clone())
        .put("audio_files", at(media, "numTracks").clone())
        .put("ebook", at(media, "ebookFile.ebookFormat").clone())
        .and(tail(item))
        .flag("abridged", at(metadata, "abridged"))
        .put("progress", own_progress(at(item, "userMediaProgress"), duration))
}

fn podcast_record(item: &Value) -> Record {
    let media = at(item, "media");
    let metadata = at(media, "metadata");
    let mut episodes: Vec<&Value> = list(media, "episodes").iter().collect();
    // ABS sends them in no order.
    let published = |episode: &Value| at(episode, "publishedAt").as_i64();
    sort_by(&mut episodes, |a, b| published(b).cmp(&published(a)));
    let shown = episodes.iter().take(EPISODES).map(|episode| episode::compact(episode).without("library_item_id"));
    head(item)
        .copy(metadata, &["title", "author", "language", "type", "genres"])
        .copy(media, &["tags"])
        .put("description", description(metadata))
        .and(tail(item))
        .flag("auto_download", at(media, "autoDownloadEpisodes"))
        .put("last_episode_check", iso(at(media, "lastEpisodeCheck")))
        .put("episode_count", episodes.len())
        .put_list("episodes", shown)
}

fn head(item: &Value) -> Record {
    Record::new()
        .copy(item, &["id"])
        .put("library_id", at(item, "libraryId").clone())
        .put("mediaType", at(item, "mediaType").clone())
}

fn tail(item: &Value) -> Record {
    Record::new()
        .copy(item, &["size"])
        .put("added", date(at(item, "addedAt")))
        .put("updated", date(at(item, "updatedAt")))
        .flag("explicit", at(item, "media.metadata.explicit"))
        .flag("missing", at(item, "isMissing"))
        .flag("invalid", at(item, "isInvalid"))
}

fn description(metadata: &Value) -> Option<String> {
    text(metadata, "descriptionPlain").or_else(|| text(metadata, "description")).map(excerpt)
}

/// With the id of the record, which delete_media_progress takes.
fn own_progress(record: &Value, duration: &Value) -> Record {
    match record {
        Value::Object(_) => progress::add(Record::new().copy(record, &["id"]), record, duration)
            .put("started", iso(at(record, "startedAt")))
            .put("finished", iso(at(record, "finishedAt"))),
        _ => Record::new(),
    }
}

static GET_ITEM_CHAPTERS: Tool = Tool {
    name: "get_item_chapters",
    title: "Get a book's chapters",
    description: "A book's chapters, numbered from 1, with start and end. Of an episode: get_podcast_episode.",
    params: &[LIBRARY_ITEM_ID],
    output: &[field("title", Text), field("duration", Number), field("chapters", Objects)],
    hints: Hints::READ,
    routes: &[&table::GET_ITEM],
    narrower: "get_library_item for their number",
    run: |context, args| get_item_chapters(context, args),
};

fn get_item_chapters(context: &Context<'_>, args: &Args) -> Outcome {
    const CHAPTERS: Keep = keep! { mediaType, media { metadata { title }, duration, chapters { title, start, end } } };
    let item = context
        .get(&table::GET_ITEM, &[args.text("library_item_id")], &[("expanded", "1")], &CHAPTERS)
        .map_err(|failure| failure.or_not_found(NO_ITEM))?;
    if at(&item, "mediaType") == "podcast" {
        return Err(Failure::message(
            "This item is a podcast, and chapters belong to its episodes: get_podcast_episode with this library_item_id and an \
             episode_id that get_library_item shows.",
        ));
    }
    let chapters: Vec<Value> = list(&item, "media.chapters")
        .iter()
        .enumerate()
        .map(|(i, chapter)| Record::new().put("number", i + 1).copy(chapter, &["title", "start", "end"]).into())
        .collect();
    let none = chapters.is_empty();
    let record = Record::new()
        .put("title", at(&item, "media.metadata.title").clone())
        .put("duration", seconds(at(&item, "media.duration")))
        .put_list("chapters", chapters);
    Ok(Answer::untrusted(record).note_if(none, "Audiobookshelf knows no chapters of this book."))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const ITEM: &str = "GET /api/items/i?expanded=1&include=progress";
    const CHAPTERS: &str = "GET /api/items/i?expanded=1";

    fn id() -> Value {
        json!({"library_item_id": "i"})
    }

    #[test]
    fn a_book_with_its_progress() {
        let result = Fake::new().recorded(ITEM, "get_library_item").ok("get_library_item", id());
        let want = json!({"item": {
            "id": "809887e3-fb31-4ffd-986c-380e776c3aab", "library_id": "2bae7cc4-1220-44b7-b732-17d6ad955206", "mediaType": "book",
            "title": "A Wizard of Earthsea",
            "authors": [{"id": "c2a7a655-4142-473a-8123-54c3ac1f4a09", "name": "Ursula K. Le Guin"}],
            "narrators": ["Rob Inglis"],
            "series": [{"id": "89624e0e-13a8-4758-b9e4-00ca632f8018", "name": "Earthsea Cycle", "sequence": "1"}],
            "year": "1968", "publisher": "Recorded Books", "language": "English", "isbn": "9780547722023", "asin": "B002V0QUOC",
            "genres": ["Fantasy", "Young Adult"], "tags": ["favourites", "owned"],
            "description": "Ged, the greatest sorcerer in all Earthsea, was called Sparrowhawk in his reckless youth.",
            "duration": 3600, "chapters": 10, "audio_files": 1, "size": 229_960, "added": "2026-11-30", "updated": "2026-11-30",
            "progress": {
                "id": "dae6ce7a-5862-40cc-bad5-c2502bbeacd3", "current_time": 3599, "duration": 3600, "percent": 100,
                "is_finished": true, "last_update": "2026-11-30T16:21:52Z", "started": "2026-11-30T16:21:51Z",
                "finished": "2026-07-01T11:00:00Z"
            }
        }});
        assert_eq!(result, want);
    }

    #[test]
    fn an_ebook_has_no_duration() {
        let result = Fake::new().recorded(ITEM, "get_library_item_ebook").ok("get_library_item", id());
        let item = &result["item"];
        assert_eq!((&item["ebook"], item.get("duration")), (&json!("epub"), None));
        assert_eq!(item["progress"]["ebook_percent"], 42);
    }

    #[test]
    fn a_podcast_with_its_newest_episodes_first_and_nobodys_progress() {
        let fake = Fake::new().recorded(ITEM, "get_library_item_podcast");
        let mut item = fake.ok("get_library_item", id())["item"].take();
        assert_eq!(item["episodes"].as_array().map(Vec::len), Some(3));
        item["episodes"] = json!([item["episodes"][0]]);
        let want = json!({
            "id": "ca51f70b-871d-4300-b690-7243c43fc0af", "library_id": "40d56e54-294e-4af8-bbe3-e7e0e7e69e2f", "mediaType": "podcast",
            "title": "Cosmic Queries", "author": "Nadia Okafor", "language": "en", "type": "episodic",
            "genres": ["Science", "Education"], "tags": ["weekly", "favourites"], "description": "A weekly show about the universe.",
            "size": 9_214_465, "added": "2026-11-30", "updated": "2026-11-30", "episode_count": 3,
            "episodes": [{"episode_id": "c065c5fe-85d7-4858-9781-32b092048641", "title": "Cosmic Queries 3: Neutrinos",
                "season": "2", "episode": "3", "published": "2026-07-01", "duration": 1530.1}]
        });
        assert_eq!(item, want);
    }

    #[test]
    fn old_episodes_are_only_counted() {
        let episodes: Vec<Value> =
            (0..40_i64).map(|i| json!({"id": i.to_string(), "title": "T", "publishedAt": i * 86_400_000})).collect();
        let mut undated = episodes.clone();
        undated.insert(0, json!({"id": "undated", "publishedAt": null}));
        let podcast = json!({"id": "i", "mediaType": "podcast", "media": {"episodes": undated}});
        let result = Fake::new().json(ITEM, podcast).ok("get_library_item", id());
        let shown = result["item"]["episodes"].as_array().unwrap();
        assert_eq!((shown.len(), &shown[0]["episode_id"], &shown[29]["episode_id"]), (30, &json!("39"), &json!("10")));
        assert_eq!(result["item"]["episode_count"], 41);
        assert!(result["note"].as_str().unwrap().contains("30 newest of 41 episodes"));
    }

    #[test]
    fn full_is_the_abs_record() {
        let full = json!({"library_item_id": "i", "detail": "full"});
        let book = Fake::new().recorded(ITEM, "get_library_item").ok("get_library_item", full.clone());
        assert_eq!(book["item"]["media"]["chapters"][1]["title"], "Chapter 2");
        assert_eq!(book["item"]["userMediaProgress"]["isFinished"], true);
        let fake = Fake::new().recorded(ITEM, "get_library_item_podcast");
        let podcast = fake.ok("get_library_item", full).to_string();
        assert!(podcast.contains("2026-07-01 - Episode 3.mp3"));
        // The progress of some episode, and a key in the feed's address.
        assert!(!podcast.contains("userMediaProgress") && !podcast.contains("SECRETFEEDTOKEN"), "{podcast}");
    }

    #[test]
    fn odd_items() {
        let cases = [
            (json!({}), json!({})),
            (json!([1]), json!({})),
            (json!({"id": "i", "mediaType": "book", "media": null}), json!({"id": "i", "mediaType": "book"})),
            (
                json!({"mediaType": "podcast", "media": {"episodes": [null]}}),
                json!({"mediaType": "podcast", "episode_count": 1, "episodes": [{}]}),
            ),
            (
                json!({"media": {"duration": "12", "metadata": {"authors": [null, "x"], "description": "<b>bold</b>"}}, "userMediaProgress": null}),
                json!({"authors": [{}, {}], "description": "bold"}),
            ),
        ];
        for (body, want) in cases {
            let result = Fake::new().json(ITEM, body).ok("get_library_item", id());
            assert_eq!(result.get("item").cloned().unwrap_or_else(|| json!({})), want);
        }
    }

    #[test]
    fn an_unknown_item_and_a_forbidden_one() {
        for (tool, asked) in [("get_library_item", ITEM), ("get_item_chapters", CHAPTERS)] {
            let error = Fake::new().reply(asked, 404, "text/plain", "Not Found").error(tool, id());
            assert!(error.contains("search_library"), "{error}");
            let error = Fake::new().reply(asked, 403, "text/plain", "Forbidden").error(tool, id());
            assert!(error.contains("permissions"), "{error}");
            let error = Fake::new().fails(asked, SendError::Closed).error(tool, id());
            assert!(error.contains("do not repeat"), "{error}");
        }
    }

    #[test]
    fn chapters() {
        let result = Fake::new().recorded(CHAPTERS, "get_library_item").ok("get_item_chapters", id());
        let chapter =
            |i: i64| json!({"number": i, "title": format!("Chapter {i}"), "start": (i - 1) * 360, "end": i * 360});
        let want = json!({"title": "A Wizard of Earthsea", "duration": 3600, "chapters": [chapter(1), chapter(2), chapter(3), chapter(4)]});
        assert_eq!(result, want);
    }

    #[test]
    fn a_position_is_not_rounded() {
        let book = json!({"mediaType": "book", "media": {"chapters": [{"id": 0, "title": "One", "start": 0, "end": 1234.567891}, null]}});
        let result = Fake::new().json(CHAPTERS, book).ok("get_item_chapters", id());
        let want =
            json!({"chapters": [{"number": 1, "title": "One", "start": 0, "end": 1_234.567_891}, {"number": 2}]});
        assert_eq!(result, want);
    }

    #[test]
    fn no_chapters_and_a_podcast() {
        let result = Fake::new().recorded(CHAPTERS, "get_library_item_ebook").ok("get_item_chapters", id());
        assert_eq!((&result["chapters"], result["note"].as_str().is_some()), (&json!([]), true));
        let error = Fake::new().recorded(CHAPTERS, "get_library_item_podcast").error("get_item_chapters", id());
        assert!(error.contains("get_podcast_episode"), "{error}");
    }
}
