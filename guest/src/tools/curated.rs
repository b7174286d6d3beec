//! What collections and playlists have in common: people put them together and order them, and ABS embeds every member
//! whole, audio files and all.

use super::libraries::NO_LIBRARY;
use super::{Answer, Context, Outcome};
use crate::abs::{Failure, entries};
use crate::shape::{Keep, Record, at, list};
use crate::world::SendError;
use policy::Route;
use serde_json::Value;

/// A list of lists embeds at most so many members of each; the tool for one list has them all.
const EMBEDDED: usize = 25;

/// One of the two kinds.
pub struct Kind {
    /// The member that holds the lists, here and in the answer of `all`.
    pub lists: &'static str,
    /// The member of a list that holds its members, in the answer of ABS and here.
    pub members: &'static str,
    /// The member that counts them.
    pub count: &'static str,
    /// Every list that the user may see. ABS does not page it.
    pub all: &'static Route,
    /// Those of a library, in pages.
    pub of_library: &'static Route,
    /// What is read for a compact answer, of either route.
    pub keep: Keep,
    /// A list without its members.
    pub head: fn(&Value) -> Record,
    /// A member as a list of lists shows it.
    pub member: fn(&Value) -> Record,
    /// The tool that shows all members of one list.
    pub one: &'static str,
}

/// All lists, or those of a library.
pub fn lists(context: &Context<'_>, kind: &'static Kind, library: Option<&str>, full: bool) -> Outcome {
    let keep = if full { Keep::All } else { kind.keep };
    let (lists, total) = match library {
        Some(library) => of_library(context, kind, library, &keep, if full { 1 } else { MOST_REQUESTS })?,
        None => {
            let reply = context.get(kind.all, &[], &[], &keep).map_err(|failure| in_portions(failure, kind))?;
            let lists = entries(&reply, kind.lists)?.to_vec();
            let total = lists.len();
            (lists, total)
        }
    };
    let known = lists.len();
    let is_cut = lists.iter().any(|one| list(one, kind.members).len() > EMBEDDED);
    let lists: Vec<Value> =
        lists.into_iter().map(|one| if full { whole(kind, one) } else { entry(kind, &one) }).collect();
    Ok(Answer::untrusted(Record::new().put("total", total).put_list(kind.lists, lists))
        .note_if(known < total, format!("Only the first {known} of {total} {} are here.", kind.lists))
        .note_if(
            is_cut,
            format!("At most {EMBEDDED} {} of each are shown; {} has all of one.", kind.members, kind.one),
        ))
}

fn entry(kind: &Kind, one: &Value) -> Value {
    let members = list(one, kind.members);
    (kind.head)(one)
        .put(kind.count, members.len())
        .put_list(kind.members, members.iter().take(EMBEDDED).map(kind.member))
        .into()
}

fn whole(kind: &Kind, mut one: Value) -> Value {
    let count = list(&one, kind.members).len();
    if let Some(record) = one.as_object_mut() {
        if let Some(members) = record.get_mut(kind.members).and_then(Value::as_array_mut) {
            members.truncate(EMBEDDED);
        }
        record.insert(kind.count.into(), count.into());
    }
    one
}

/// So many requests at most for one answer.
const MOST_REQUESTS: usize = 10;

/// The lists of a library and how many there are. Asked for in large pages, since ABS reads all of them for each page, and
/// in smaller ones where those are too large to be read.
fn of_library(
    context: &Context<'_>,
    kind: &Kind,
    library: &str,
    keep: &Keep,
    requests: usize,
) -> Result<(Vec<Value>, usize), Failure> {
    let mut limit = 100;
    loop {
        match pages(context, kind, library, keep, limit, requests) {
            Err(Failure::Unreachable(SendError::TooLarge)) if limit > 1 => limit /= 10,
            outcome => return outcome.map_err(|failure| failure.or_not_found(NO_LIBRARY)),
        }
    }
}

fn pages(
    context: &Context<'_>,
    kind: &Kind,
    library: &str,
    keep: &Keep,
    limit: usize,
    requests: usize,
) -> Result<(Vec<Value>, usize), Failure> {
    let (mut lists, mut total) = (Vec::new(), 0);
    for page in 0..requests {
        let query = [("limit", &*limit.to_string()), ("page", &*page.to_string())];
        let reply = context.get(kind.of_library, &[library], &query, keep)?;
        let results = entries(&reply, "results")?;
        lists.extend_from_slice(results);
        total = at(&reply, "total").as_u64().map_or(0, |total| total as usize).max(lists.len());
        if results.is_empty() || lists.len() >= total {
            break;
        }
    }
    Ok((lists, total))
}

fn in_portions(failure: Failure, kind: &Kind) -> Failure {
    match failure {
        Failure::Unreachable(SendError::TooLarge) => Failure::message(format!(
            "Audiobookshelf's list of all {} is too large to be read, since it embeds every member whole. Give a \
             library_id: those of one library are read in portions.",
            kind.lists
        )),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    fn collection(id: usize, books: usize) -> Value {
        let book = |i| json!({"id": format!("b{i}"), "media": {"metadata": {"title": format!("T{i}")}, "duration": 10, "audioFiles": []}});
        json!({"id": format!("c{id}"), "libraryId": "lib", "name": "N", "books": (0..books).map(book).collect::<Vec<_>>()})
    }

    fn page(limit: usize, page: usize) -> String {
        format!("GET /api/libraries/lib/collections?limit={limit}&page={page}")
    }

    fn collections(range: std::ops::Range<usize>) -> Value {
        json!({"total": 120, "results": range.map(|i| collection(i, 0)).collect::<Vec<_>>()})
    }

    fn library() -> Value {
        json!({"library_id": "lib"})
    }

    #[test]
    fn at_most_25_members_are_embedded_and_all_are_counted() {
        for detail in ["compact", "full"] {
            let fake = Fake::new()
                .json("GET /api/collections", json!({"collections": [collection(0, 26), collection(1, 25)]}));
            let result = fake.ok("list_collections", json!({"detail": detail}));
            let lists = result["collections"].as_array().unwrap();
            let embedded: Vec<usize> = lists.iter().map(|one| one["books"].as_array().unwrap().len()).collect();
            assert_eq!(
                (embedded, &lists[0]["num_books"], &lists[1]["num_books"]),
                (vec![25, 25], &json!(26), &json!(25))
            );
            assert_eq!((&lists[0]["books"][0]["id"], &lists[0]["books"][24]["id"]), (&json!("b0"), &json!("b24")));
            assert!(result["note"].as_str().unwrap().contains("get_collection has all"), "{result}");
        }
        let fake = Fake::new().json("GET /api/collections", json!({"collections": [collection(0, 25)]}));
        assert_eq!(fake.ok("list_collections", json!({})).get("note"), None);
    }

    #[test]
    fn a_library_is_read_page_by_page() {
        let fake = Fake::new().json(&page(100, 0), collections(0..100)).json(&page(100, 1), collections(100..120));
        let result = fake.ok("list_collections", library());
        assert_eq!((&result["total"], &result["collections"][119]["id"]), (&json!(120), &json!("c119")));
        assert_eq!(result.get("note"), None);
    }

    #[test]
    fn pages_that_are_too_large_are_read_in_smaller_ones() {
        let fake = Fake::new().fails(&page(100, 0), SendError::TooLarge);
        let fake = (0..10).fold(fake, |fake, i| fake.json(&page(10, i), collections(10 * i..10 * i + 10)));
        let result = fake.ok("list_collections", library());
        assert_eq!(result["collections"].as_array().unwrap().len(), 100);
        assert_eq!(result["note"], "Only the first 100 of 120 collections are here.");
    }

    #[test]
    fn a_single_list_that_is_too_large_ends_it() {
        let fake =
            [100, 10, 1].iter().fold(Fake::new(), |fake, limit| fake.fails(&page(*limit, 0), SendError::TooLarge));
        assert!(fake.error("list_collections", library()).contains("larger than 5 MB"));
    }

    #[test]
    fn whole_records_are_read_once() {
        let fake = Fake::new().json(&page(100, 0), collections(0..100));
        let result = fake.ok("list_collections", json!({"library_id": "lib", "detail": "full"}));
        assert!(result["note"].as_str().unwrap().contains("first 100 of 120"), "{result}");
    }

    #[test]
    fn all_lists_together_cannot_be_read_in_portions() {
        let text = Fake::new().fails("GET /api/collections", SendError::TooLarge).error("list_collections", json!({}));
        assert!(text.contains("Give a library_id"), "{text}");
        let text = Fake::new().fails("GET /api/playlists", SendError::TooLarge).error("list_playlists", json!({}));
        assert!(text.contains("list of all playlists"), "{text}");
    }

    #[test]
    fn no_lists_odd_lists_and_no_library() {
        let none = json!({"total": 0, "collections": []});
        for total in [json!(0), json!("x")] {
            let fake = Fake::new().json(&page(100, 0), json!({"results": [], "total": total}));
            assert_eq!(fake.ok("list_collections", library()), none);
        }
        for body in [json!({"results": null, "total": 0}), json!([])] {
            let text = Fake::new().json(&page(100, 0), body).error("list_collections", library());
            assert!(text.contains("lacks the list"), "{text}");
        }
        let fake = Fake::new().json("GET /api/collections", json!({"collections": [null, {"id": "c", "books": null}]}));
        let want = json!([{"duration": 0, "num_books": 0, "books": []}, {"id": "c", "duration": 0, "num_books": 0, "books": []}]);
        assert_eq!(fake.ok("list_collections", json!({}))["collections"], want);
        let fake = Fake::new().json("GET /api/collections", json!({"collections": [null, "x", {"books": null}]}));
        assert_eq!(fake.ok("list_collections", json!({"detail": "full"}))["total"], 3);
        let text = Fake::new()
            .reply(&page(100, 0), 404, "text/html", "Library not found")
            .error("list_collections", library());
        assert!(text.contains("list_libraries"), "{text}");
        // Left out by ABS's reckoning: an empty page ends the reading, whatever the total says.
        let fake = Fake::new().json(&page(100, 0), json!({"results": [], "total": 5}));
        assert_eq!(fake.ok("list_collections", library())["note"], "Only the first 0 of 5 collections are here.");
    }
}
