//! Tags and genres, of all libraries together.

use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Context, Hints, Outcome};
use crate::abs::{Failure, entries};
use crate::keep;
use crate::shape::{Keep, Record, list, sort_by, text};
use policy::{Route, table};
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_TAGS, &LIST_GENRES];

static LIST_TAGS: Tool = Tool {
    name: "list_tags",
    title: "List tags",
    description: "All tags, of all libraries together. get_library_filter_data has those of one.",
    params: &[],
    output: &[field("tags", Texts)],
    hints: Hints::READ,
    routes: &[&table::LIST_TAGS, &table::LIST_LIBRARIES, &table::GET_FILTER_DATA],
    narrower: "get_library_filter_data for one library, or search_library with a part of the name",
    run: |context, _| words(context, &table::LIST_TAGS, "tags"),
};

static LIST_GENRES: Tool = Tool {
    name: "list_genres",
    title: "List genres",
    description: "All genres, of all libraries together. get_library_filter_data has those of one.",
    params: &[],
    output: &[field("genres", Texts)],
    hints: Hints::READ,
    routes: &[&table::LIST_GENRES, &table::LIST_LIBRARIES, &table::GET_FILTER_DATA],
    narrower: "get_library_filter_data for one library, or search_library with a part of the name",
    run: |context, _| words(context, &table::LIST_GENRES, "genres"),
};

fn words(context: &Context<'_>, route: &'static Route, name: &str) -> Outcome {
    match context.get(route, &[], &[], &Keep::All) {
        Ok(reply) => {
            let words = entries(&reply, name)?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Ok(Answer::untrusted(Record::new().put_list(name, sorted(words))))
        }
        // Administrators alone may ask for these lists.
        Err(failure) if failure.is_forbidden() => from_filter_data(context, name),
        Err(failure) => Err(failure),
    }
}

/// The fallback asks once for each library, so it has to end somewhere.
const MOST_LIBRARIES: usize = 20;

/// What every user may read: the values that filters of a library take.
fn from_filter_data(context: &Context<'_>, name: &str) -> Outcome {
    const LIBRARIES: Keep = keep! { libraries { id } };
    const WORDS: Keep = keep! { tags, genres };
    let libraries = context.get(&table::LIST_LIBRARIES, &[], &[], &LIBRARIES)?;
    let ids: Vec<&str> = list(&libraries, "libraries").iter().filter_map(|library| text(library, "id")).collect();
    let mut words = Vec::new();
    let mut seen = 0;
    for id in ids.iter().take(MOST_LIBRARIES) {
        match context.get(&table::GET_FILTER_DATA, &[id], &[], &WORDS) {
            Ok(reply) => {
                words.extend(list(&reply, name).iter().filter_map(Value::as_str).map(str::to_owned));
                seen += 1;
            }
            // ABS lists libraries to users who may not open any of them.
            Err(failure) if failure.is_forbidden() || failure.is_not_found() => {}
            Err(failure) => return Err(failure),
        }
    }
    if seen == 0 {
        return Err(Failure::message(format!(
            "Audiobookshelf shows the list of {name} to administrators only, and this user may open no library whose filter \
             data would have them. An administrator can give the user access to a library."
        )));
    }
    let more = ids.len() > MOST_LIBRARIES;
    Ok(Answer::untrusted(Record::new().put_list(name, sorted(words)))
        .note(format!(
            "Audiobookshelf shows its list of {name} to administrators only. These come from the filter data of the libraries \
             that this user may open ({seen}), which is up to 30 minutes old and covers items that they may not see."
        ))
        .note_if(more, format!("Only the first {MOST_LIBRARIES} of {} libraries were asked.", ids.len())))
}

/// As a person looks them up, each once.
fn sorted(words: Vec<String>) -> Vec<String> {
    let mut words: Vec<(String, String)> = words.into_iter().map(|word| (word.to_lowercase(), word)).collect();
    sort_by(&mut words, Ord::cmp);
    words.dedup();
    words.into_iter().map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    fn names(result: &Value, name: &str) -> Vec<String> {
        result[name].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn administrators_get_the_list_of_the_server_sorted() {
        let tags = Fake::new().recorded("GET /api/tags", "list_tags").ok("list_tags", json!({}));
        assert_eq!((names(&tags, "tags").len(), tags.get("note")), (56, None));
        assert_eq!(names(&tags, "tags")[2..7], ["<script>alert(1)</script>", "???", "a/b", "adult", "award winner"]);
        let genres = Fake::new().recorded("GET /api/genres", "list_genres").ok("list_genres", json!({}));
        assert_eq!(names(&genres, "genres")[..3], ["Classics", "Comedy", "Comedy/Satire"]);
    }

    /// The script up to the fallback: two libraries, of which this user may open one.
    fn fallback(route: &str) -> Fake {
        Fake::new()
            .reply(route, 403, "text/plain", "Forbidden")
            .json("GET /api/libraries", json!({"libraries": [{"id": "a"}, {"id": "b"}, {"id": null}, {"id": "c"}]}))
    }

    #[test]
    fn everybody_else_gets_the_filter_data_of_their_libraries() {
        let fake = fallback("GET /api/tags")
            .json("GET /api/libraries/a/filterdata", json!({"tags": ["owned", "Kids", null], "genres": ["Epic"]}))
            .reply("GET /api/libraries/b/filterdata", 403, "text/plain", "Forbidden")
            .json("GET /api/libraries/c/filterdata", json!({"tags": ["kids", "owned"]}));
        let result = fake.ok("list_tags", json!({}));
        assert_eq!(result["tags"], json!(["Kids", "kids", "owned"]));
        let note = result["note"].as_str().unwrap();
        assert!(note.contains("administrators only") && note.contains("filter data") && note.contains("(2)"), "{note}");

        let fake = fallback("GET /api/genres")
            .json("GET /api/libraries/a/filterdata", json!({"tags": ["owned"], "genres": ["Epic"]}))
            .json("GET /api/libraries/b/filterdata", json!({"genres": []}))
            .json("GET /api/libraries/c/filterdata", json!({"genres": null}));
        assert_eq!(fake.ok("list_genres", json!({}))["genres"], json!(["Epic"]));
    }

    #[test]
    fn a_user_without_libraries_is_told_why_there_is_nothing() {
        let fake = ["a", "b", "c"].iter().fold(fallback("GET /api/tags"), |fake, id| {
            fake.reply(&format!("GET /api/libraries/{id}/filterdata"), 403, "text/plain", "Forbidden")
        });
        let text = fake.error("list_tags", json!({}));
        assert!(text.contains("administrators only") && text.contains("may open no library"), "{text}");
    }

    #[test]
    fn other_failures_are_not_hidden_by_the_fallback() {
        let text = Fake::new().reply("GET /api/tags", 401, "", "Unauthorized").error("list_tags", json!({}));
        assert!(text.contains("401"), "{text}");
        let text = fallback("GET /api/tags")
            .fails("GET /api/libraries/a/filterdata", SendError::Closed)
            .error("list_tags", json!({}));
        assert!(text.contains("closed the connection"), "{text}");
    }

    #[test]
    fn the_fallback_asks_a_bounded_number_of_libraries() {
        let libraries: Vec<Value> = (0..23).map(|i| json!({"id": format!("l{i}")})).collect();
        let fake = Fake::new()
            .reply("GET /api/tags", 403, "text/plain", "Forbidden")
            .json("GET /api/libraries", json!({"libraries": libraries}));
        let fake = (0..20).fold(fake, |fake, i| {
            fake.json(&format!("GET /api/libraries/l{i}/filterdata"), json!({"tags": [format!("t{i:02}")]}))
        });
        let result = fake.ok("list_tags", json!({}));
        assert_eq!(result["tags"].as_array().unwrap().len(), 20);
        assert!(result["note"].as_str().unwrap().contains("first 20 of 23 libraries"));
    }
}
