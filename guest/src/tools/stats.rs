//! Statistics of listening: over all time, and of one year.

use super::param::{DETAIL, Param};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::keep;
use crate::shape::time::{date, seconds};
use crate::shape::{Keep, Record, at, item, list, sort_by, text};
use policy::table;
use serde_json::{Map, Value};

pub const TOOLS: &[&Tool] = &[&GET_LISTENING_STATS, &GET_YEAR_STATS];

/// Of the days, in the compact result.
const DAYS: u64 = 30;
/// Of the items, in the compact result.
const ITEMS: usize = 10;
const DAY_MS: u64 = 86_400_000;
const WEEK: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

static GET_LISTENING_STATS: Tool = Tool {
    name: "get_listening_stats",
    title: "Get listening statistics",
    description: "How long the user has listened: in all, today, on each of the last 30 days that had any listening \
                  (in the server's time zone), by weekday, and to which 10 items most. full: every day and item.",
    params: &[DETAIL],
    output: &[
        field("total_time", Number),
        field("today", Number),
        field("days_listened", Integer),
        field("items_listened", Integer),
        field("days", Objects),
        field("weekdays", Object),
        field("items", Objects),
        field("recent_sessions", Objects),
    ],
    hints: Hints::READ,
    routes: &[&table::GET_LISTENING_STATS],
    narrower: "",
    run: |context, args| get_listening_stats(context, args),
};

fn get_listening_stats(context: &Context<'_>, args: &Args) -> Outcome {
    // Items are keyed by their ids here, so what is inside them cannot be named.
    const COMPACT: Keep = keep! { totalTime, today, days, dayOfWeek, items };
    let full = args.full();
    let reply = context.get(&table::GET_LISTENING_STATS, &[], &[], if full { &Keep::All } else { &COMPACT })?;
    let mut days = entries(at(&reply, "days"));
    sort_by(&mut days, |(a, _), (b, _)| b.cmp(a));
    let mut items = entries(at(&reply, "items"));
    sort_by(&mut items, |(_, a), (_, b)| listened(b).total_cmp(&listened(a)));
    let record = Record::new()
        .put("total_time", seconds(at(&reply, "totalTime")))
        .put("today", seconds(at(&reply, "today")))
        .put("days_listened", days.len())
        .put("items_listened", items.len());
    if !full {
        let window = Window::before(context.world.now_ms(), &days);
        days.retain(|(day, _)| window.has(day));
        items.truncate(ITEMS);
    }
    let days = days.into_iter().map(|(day, time)| Record::new().put("date", day.as_str()).put("time", seconds(time)));
    let weekdays =
        WEEK.iter().fold(Record::new(), |week, day| week.put(day, seconds(at(at(&reply, "dayOfWeek"), day))));
    let items = items.into_iter().map(|(id, item)| if full { item.clone() } else { listened_item(id, item).into() });
    let record = record.put_list("days", days).put("weekdays", weekdays).put_list("items", items);
    Ok(Answer::untrusted(record.put("recent_sessions", list(&reply, "recentSessions").to_vec())))
}

fn entries(object: &Value) -> Vec<(&String, &Value)> {
    object.as_object().into_iter().flat_map(Map::iter).collect()
}

fn listened(item: &Value) -> f64 {
    at(item, "timeListening").as_f64().unwrap_or(0.0)
}

fn listened_item(id: &str, item: &Value) -> Record {
    let metadata = at(item, "mediaMetadata");
    Record::new()
        // ABS keys what it has no item for any more with a word.
        .put("library_item_id", if at(item, "id").is_string() { id } else { "" })
        .put("title", at(metadata, "title").clone())
        .put("author", item::author(metadata))
        .put("time", seconds(at(item, "timeListening")))
}

/// The last 30 days, as dates. The server's date may already be tomorrow's here; then its days end with that one.
struct Window {
    first: Value,
    last: Value,
}

impl Window {
    fn before(now: u64, days: &[(&String, &Value)]) -> Window {
        let date = |ms: u64| date(&ms.into());
        let tomorrow = date(now + DAY_MS);
        let end = if days.iter().any(|(day, _)| &tomorrow == *day) { now + DAY_MS } else { now };
        Window { first: date(end.saturating_sub((DAYS - 1) * DAY_MS)), last: date(end) }
    }

    /// ISO dates compare as texts.
    fn has(&self, day: &str) -> bool {
        self.first.as_str() <= Some(day) && Some(day) <= self.last.as_str()
    }
}

static GET_YEAR_STATS: Tool = Tool {
    name: "get_year_stats",
    title: "Get a year's statistics",
    description: "The user's year in review: time listened, sessions, how many books finished, top authors, genres, \
                  narrator and month, longest book finished. Which books: list_library_items by progress.finishedAt.",
    params: &[Param::integer("year", 2000, 2100, "")],
    output: &[
        field("year", Integer),
        field("total_time", Number),
        field("book_time", Number),
        field("podcast_time", Number),
        field("sessions", Integer),
        field("books_listened", Integer),
        field("books_finished", Integer),
        field("top_authors", Objects),
        field("top_genres", Objects),
        field("top_narrator", Object),
        field("top_month", Object),
        field("longest_finished", Object),
    ],
    hints: Hints::READ,
    routes: &[&table::GET_YEAR_STATS],
    narrower: "",
    run: |context, args| get_year_stats(context, args),
};

fn get_year_stats(context: &Context<'_>, args: &Args) -> Outcome {
    let year = args.integer("year");
    let reply = context.get(&table::GET_YEAR_STATS, &[&year.to_string()], &[], &Keep::All)?;
    let ranked = |entries: &str, name: &str| -> Vec<Value> {
        list(&reply, entries).iter().map(|entry| top(entry, name).into()).collect()
    };
    let record = Record::new()
        .put("year", year)
        .put("total_time", seconds(at(&reply, "totalListeningTime")))
        .put("book_time", seconds(at(&reply, "totalBookListeningTime")))
        .put("podcast_time", seconds(at(&reply, "totalPodcastListeningTime")))
        .put("sessions", at(&reply, "totalListeningSessions").clone())
        .put("books_listened", at(&reply, "numBooksListened").clone())
        .put("books_finished", at(&reply, "numBooksFinished").clone())
        .put("top_authors", ranked("topAuthors", "name"))
        .put("top_genres", ranked("topGenres", "genre"))
        .put("top_narrator", top(at(&reply, "mostListenedNarrator"), "name"))
        .put("top_month", month(at(&reply, "mostListenedMonth")))
        .put("longest_finished", longest(at(&reply, "longestAudiobookFinished")));
    Ok(Answer::untrusted(record))
}

fn top(entry: &Value, name: &str) -> Record {
    Record::new().put("name", at(entry, name).clone()).put("time", seconds(at(entry, "time")))
}

/// ABS counts months from 0.
fn month(top: &Value) -> Record {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let Some(month) = at(top, "month").as_u64().filter(|month| *month < 12) else { return Record::new() };
    Record::new().put("month", month + 1).put("name", NAMES[month as usize]).put("time", seconds(at(top, "time")))
}

/// Its id is left out: it is that of the medium, which no tool takes.
fn longest(book: &Value) -> Record {
    // The one time that ABS sends as a text.
    let finished = text(book, "finishedAt").and_then(|time| time.get(..10));
    Record::new()
        .put("title", at(book, "title").clone())
        .put("duration", seconds(at(book, "duration")))
        .put("finished", finished)
}

#[cfg(test)]
mod tests {
    use super::Window;
    use crate::testing::Fake;
    use serde_json::{Value, json};

    const STATS: &str = "GET /api/me/listening-stats";

    #[test]
    fn listening_stats() {
        let result = Fake::new().recorded(STATS, "get_listening_stats").ok("get_listening_stats", json!({}));
        let dune = json!({"library_item_id": "752d8200-23cd-4bcd-838a-45c0635206fd", "title": "Dune", "author": "Frank Herbert", "time": 10500});
        let omens = json!({"library_item_id": "c099df63-0792-45d9-a610-9191283205af", "title": "Good Omens",
            "author": "Neil Gaiman, Terry Pratchett", "time": 7195});
        assert_eq!(result["items"].as_array().map(Vec::len), Some(10));
        assert_eq!([&result["items"][0], &result["items"][1]], [&dune, &omens]);
        let mut rest = result.clone();
        rest["items"] = json!([]);
        let want = json!({
            "total_time": 35675, "today": 720, "days_listened": 26, "items_listened": 13,
            "days": [{"date": "2026-07-03", "time": 610}],
            "weekdays": {"Monday": 3570, "Tuesday": 3795, "Wednesday": 14539, "Thursday": 3005, "Friday": 3413, "Saturday": 4102, "Sunday": 3251},
            "items": []});
        assert_eq!(rest, want);
        assert!(result.to_string().len() < 23410 / 8, "{}", result.to_string().len());
    }

    #[test]
    fn full_is_the_whole_history() {
        let result =
            Fake::new().recorded(STATS, "get_listening_stats").ok("get_listening_stats", json!({"detail": "full"}));
        assert_eq!((result["days"].as_array().unwrap().len(), result["items"].as_array().unwrap().len()), (26, 13));
        assert_eq!(
            (&result["days"][0], &result["days"][25]),
            (&json!({"date": "2026-11-30", "time": 720}), &json!({"date": "2025-11-05", "time": 7195}))
        );
        assert_eq!(
            (&result["items"][0]["timeListening"], &result["items"][0]["mediaMetadata"]["asin"]),
            (&json!(10500), &json!("B002V1OF70"))
        );
        assert_eq!(result["recent_sessions"][0]["playMethod"], 0);
        assert!(!result.to_string().contains("SECRETFEEDTOKEN"));
    }

    #[test]
    fn nobody_listened() {
        let empty = json!({"totalTime": 0, "items": {}, "days": {}, "dayOfWeek": {}, "today": 0, "recentSessions": []});
        let result = Fake::new().json(STATS, empty).ok("get_listening_stats", json!({}));
        assert_eq!(
            result,
            json!({"total_time": 0, "today": 0, "days_listened": 0, "items_listened": 0, "days": [], "items": []})
        );
    }

    #[test]
    fn odd_statistics_do_no_harm() {
        let odd = json!({"totalTime": null, "today": "7", "days": {"2026-07-31": null, "": 5}, "dayOfWeek": ["Monday"],
            "items": {"null": {"id": null, "timeListening": null, "mediaMetadata": null}, "i": 3, "j": {"id": "j", "timeListening": 2}}});
        let result = Fake::new().json(STATS, odd).ok("get_listening_stats", json!({}));
        assert_eq!(
            result,
            json!({"days_listened": 2, "items_listened": 3, "days": [{"date": "2026-07-31"}],
            "items": [{"library_item_id": "j", "time": 2}, {}, {}]})
        );
        Fake::new().json(STATS, json!([])).ok("get_listening_stats", json!({}));
    }

    #[test]
    fn the_last_thirty_days_end_with_the_servers_today() {
        let now = 1_785_542_400_000;
        let window = |days: &[&str]| {
            let days: Vec<String> = days.iter().map(|day| (*day).to_owned()).collect();
            let days: Vec<(&String, &Value)> = days.iter().map(|day| (day, &Value::Null)).collect();
            let window = Window::before(now, &days);
            (window.first, window.last)
        };
        assert_eq!(window(&["2026-08-01", "2026-11-30"]), (json!("2026-07-03"), json!("2026-08-01")));
        assert_eq!(window(&["2026-08-02"]), (json!("2026-07-04"), json!("2026-08-02")));
        let august = Window::before(now, &[]);
        let within = ["2026-07-02", "2026-07-03", "2026-08-01", "2026-08-02", "x", ""].map(|day| august.has(day));
        assert_eq!(within, [false, true, true, false, false, false]);
    }

    #[test]
    fn year_stats() {
        let fake = Fake::new().recorded("GET /api/me/stats/year/2025", "get_year_stats");
        let result = fake.ok("get_year_stats", json!({"year": 2025}));
        let want = json!({
            "year": 2025, "total_time": 8395, "book_time": 8395, "podcast_time": 0, "sessions": 2, "books_listened": 2, "books_finished": 1,
            "top_authors": [{"name": "Neil Gaiman", "time": 7195}, {"name": "Terry Pratchett", "time": 7195}, {"name": "Ursula K. Le Guin", "time": 1200}],
            "top_genres": [{"name": "Fantasy", "time": 8395}, {"name": "Humour", "time": 7195}, {"name": "Comedy/Satire", "time": 7195}],
            "top_narrator": {"name": "Martin Jarvis", "time": 7195},
            "top_month": {"month": 11, "name": "November", "time": 7195},
            "longest_finished": {"title": "Good Omens", "duration": 7200, "finished": "2025-11-05"}});
        assert_eq!(result, want);
    }

    #[test]
    fn a_year_without_listening() {
        let fake = Fake::new().recorded("GET /api/me/stats/year/2024", "get_year_stats_empty");
        let want = json!({"year": 2024, "total_time": 0, "book_time": 0, "podcast_time": 0, "sessions": 0, "books_listened": 0, "books_finished": 0});
        assert_eq!(fake.ok("get_year_stats", json!({"year": "2024"})), want);
    }

    #[test]
    fn years_that_are_none() {
        for year in [json!(1999), json!(2101), json!(20262), json!("abc"), json!(2026.5), json!(null)] {
            let error = Fake::new().error("get_year_stats", json!({"year": year}));
            assert!(error.contains("year: ") && error.contains("from 2000 to 2100"), "{error}");
        }
    }

    #[test]
    fn odd_years_do_no_harm() {
        let odd = json!({"mostListenedMonth": {"month": 12}, "topAuthors": [null, {}], "longestAudiobookFinished": {"finishedAt": "süß", "duration": null}});
        let result = Fake::new().json("GET /api/me/stats/year/2100", odd).ok("get_year_stats", json!({"year": 2100}));
        assert_eq!(result, json!({"year": 2100, "top_authors": [{}, {}]}));
    }
}
