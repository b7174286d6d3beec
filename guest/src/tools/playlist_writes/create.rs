//! A new playlist.

use super::check::{check, one_kind};
use super::{entries, failed, nothing_changed, other_name};
use crate::abs::Failure;
use crate::keep;
use crate::shape::{Keep, Record, text};
use crate::tools::libraries::NO_LIBRARY;
use crate::tools::param::{DESCRIPTION, ITEMS, LIBRARY_ID, NAME};
use crate::tools::tool::{FieldKind::*, field};
use crate::tools::{Answer, Args, Context, Hints, Outcome, Tool};
use policy::table;
use serde_json::json;

pub static CREATE_PLAYLIST: Tool = Tool {
    name: "create_playlist",
    title: "Create a playlist",
    description: "Makes a private playlist of books, or of podcast episodes, in the order given; without items an \
                  empty one. Calling twice makes two.",
    params: &[LIBRARY_ID, NAME, DESCRIPTION, ITEMS.optional()],
    output: &[field("playlist_id", Text), field("name", Text), field("num_items", Integer)],
    hints: Hints { destructive: false, idempotent: false },
    routes: &[&table::CREATE_PLAYLIST, &table::GET_LIBRARY, &table::GET_ITEM, &table::LIST_ITEMS, &table::GET_EPISODE],
    narrower: "",
    run: |context, args| create_playlist(context, args),
};

fn create_playlist(context: &Context<'_>, args: &Args) -> Outcome {
    const UNKNOWN: &str = "Whether the playlist was created is not known: look with list_playlists before you try again, or \
                           there may be two.";
    let (library, name) = (args.text("library_id"), args.text("name"));
    let items = args.entries("items").unwrap_or_default();
    one_kind(items)?;
    library_exists(context, library)?;
    check(context, library, items)?;
    let mut body = json!({"libraryId": library, "name": name});
    // To ABS an empty description is none.
    if let Some(description) = args.text_if("description").filter(|text| !text.is_empty()) {
        body["description"] = description.into();
    }
    if !items.is_empty() {
        body["items"] = entries::bodies(items);
    }
    let created = context
        .send(&table::CREATE_PLAYLIST, &[], &body)
        .map_err(|failure| if failure.may_be_done() { failed(failure, UNKNOWN) } else { nothing_changed(&failure) })?;
    let (Some(id), Some(result)) = (text(&created, "id"), entries::of(&created)) else {
        return Err(failed(Failure::NotAbs { what: "it is no playlist" }, UNKNOWN));
    };
    let record = Record::new().put("playlist_id", id);
    let answer = match other_name(&created, name) {
        Some(name) => Answer::untrusted(record.put("name", name).put("num_items", result.len()))
            .note("Audiobookshelf changed the name: it keeps names without HTML."),
        None => Answer::plain(record.put("num_items", result.len())),
    };
    Ok(answer.note_if(result != items, "The entries are not those that were given: see get_playlist."))
}

/// Asked first, since ABS answers 500 for a library that does not exist.
fn library_exists(context: &Context<'_>, library: &str) -> Result<(), Failure> {
    const ID: Keep = keep! { id };
    match context.get(&table::GET_LIBRARY, &[library], &[], &ID) {
        Ok(_) => Ok(()),
        Err(failure) => Err(nothing_changed(&failure.or_not_found(NO_LIBRARY))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::short::items;
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const LIBRARY: &str = "GET /api/libraries/lib";
    const CREATE: &str = "POST /api/playlists";

    fn arguments(short: &[&str]) -> Value {
        json!({"library_id": "lib", "name": "N", "items": items(short)})
    }

    fn library() -> Fake {
        Fake::new().json(LIBRARY, json!({"id": "lib"}))
    }

    fn get(item: &str) -> String {
        format!("GET /api/items/{item}")
    }

    fn book(fake: Fake, id: &str) -> Fake {
        fake.json(&get(id), json!({"libraryId": "lib", "mediaType": "book", "media": {}}))
    }

    fn podcast(fake: Fake, id: &str, episodes: &[&str]) -> Fake {
        let episodes: Vec<Value> = episodes.iter().map(|id| json!({"id": id})).collect();
        fake.json(&get(id), json!({"libraryId": "lib", "mediaType": "podcast", "media": {"episodes": episodes}}))
    }

    /// The error of a call that writes nothing.
    fn refused(fake: Fake, arguments: Value) -> String {
        let text = fake.error("create_playlist", arguments);
        assert!(fake.asked().iter().all(|asked| asked.starts_with("GET ")), "{:?}", fake.asked());
        assert!(text.starts_with("Nothing was "), "{text}");
        text
    }

    #[test]
    fn of_books_as_recorded() {
        let ids = [
            "752d8200-23cd-4bcd-838a-45c0635206fd",
            "c4aa8c1e-c4c1-4b08-9d1e-31c721fea4e4",
            "0344fc92-3d81-4865-b911-cffaef4010c6",
        ];
        let fake = ids.iter().fold(library(), |fake, id| book(fake, id)).recorded(CREATE, "create_playlist");
        let mut arguments = arguments(&ids);
        arguments["name"] = "Truth PL".into();
        arguments["description"] = "d".into();
        let result = fake.call("create_playlist", arguments);
        assert_eq!(
            result["structuredContent"],
            json!({"playlist_id": "4f840f01-88fd-41c5-8376-4587a330050f", "num_items": 3})
        );
        let bodies: Vec<Value> = ids.iter().map(|id| json!({"libraryItemId": id})).collect();
        assert_eq!(
            fake.bodies(),
            [json!({"libraryId": "lib", "name": "Truth PL", "description": "d", "items": bodies})]
        );
    }

    #[test]
    fn of_episodes_each_podcast_read_once() {
        let entries = ["pod/e2", "pod/e1", "quiz/f"];
        let fake = podcast(podcast(library(), "pod", &["e1", "e2"]), "quiz", &["f"])
            .json(CREATE, super::super::entries::short::playlist(&entries));
        assert_eq!(fake.ok("create_playlist", arguments(&entries)), json!({"playlist_id": "p", "num_items": 3}));
        assert_eq!(fake.bodies()[0]["items"][0], json!({"libraryItemId": "pod", "episodeId": "e2"}));
    }

    #[test]
    fn without_items_and_with_tags_in_the_name() {
        let fake = library().json(CREATE, json!({"id": "p", "name": "Bold", "items": []}));
        let result =
            fake.call("create_playlist", json!({"library_id": "lib", "name": "<b>Bold</b>", "description": ""}));
        let structured = &result["structuredContent"];
        assert_eq!((&structured["name"], &structured["num_items"]), (&json!("Bold"), &json!(0)));
        assert!(structured["note"].as_str().unwrap().contains("HTML"), "{structured}");
        assert_eq!(structured["untrusted"], true);
        assert_eq!(fake.bodies(), [json!({"libraryId": "lib", "name": "<b>Bold</b>"})]);
    }

    #[test]
    fn what_makes_abs_exit_is_never_sent() {
        let text = refused(Fake::new(), arguments(&["a", "pod/e"]));
        assert!(text.contains("cannot be in one playlist"), "{text}");
        let text = refused(podcast(library(), "pod", &["e"]), arguments(&["pod/e", "pod/other"]));
        assert!(text.contains("episode other of pod: that podcast has no such episode"), "{text}");
        assert!(!text.contains("episode e of"), "{text}");
        let text = refused(podcast(library(), "pod", &["e"]), arguments(&["pod"]));
        assert!(text.contains("pod: that is a podcast, give the episode_id"), "{text}");
        let text = refused(book(library(), "a"), arguments(&["a/e"]));
        assert!(text.contains("episode e of a: that is a book"), "{text}");
    }

    #[test]
    fn every_entry_that_does_not_fit_is_named() {
        let fake = book(library(), "a")
            .reply(&get("b"), 404, "text/plain", "Not Found")
            .reply(&get("c"), 403, "text/plain", "Forbidden")
            .json(&get("d"), json!({"libraryId": "other", "mediaType": "book"}));
        let text = refused(fake, arguments(&["a", "b", "c", "d"]));
        for part in [
            "b: there is no such item",
            "c: this user may not see that item",
            "d: the item is in library other, the playlist in lib",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains(" a: "), "{text}");

        let ids: Vec<String> = (0..15).map(|i| format!("x{i}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let fake = ids.iter().take(10).fold(library(), |fake, id| fake.reply(&get(id), 404, "", "Not Found"));
        assert!(refused(fake, arguments(&ids)).contains("and perhaps more"));
    }

    #[test]
    fn many_books_are_looked_up_in_the_list() {
        let list =
            |page: usize| format!("GET /api/libraries/lib/items?minified=1&limit=500&page={page}&sort=addedAt&desc=1");
        let ids: Vec<String> = (0..30).map(|i| format!("x{i}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let listed = |ids: &[&str], media: &str| {
            let mut results: Vec<Value> = ids.iter().map(|id| json!({"id": id, "mediaType": media})).collect();
            results.resize(500, json!({"id": "y", "mediaType": media}));
            json!({"results": results})
        };
        let created = || super::super::entries::short::playlist(&ids);
        let fake = library()
            .json(&list(0), listed(&ids[..20], "book"))
            .json(&list(1), listed(&ids[20..], "book"))
            .json(CREATE, created());
        assert_eq!(fake.ok("create_playlist", arguments(&ids))["num_items"], 30);

        // What the list does not show is looked up by itself: here one book, since a page was too large.
        let fake = library().json(&list(0), listed(&ids[..29], "book")).fails(&list(1), SendError::TooLarge);
        let fake = book(fake, "x29").json(CREATE, created());
        assert_eq!(fake.ok("create_playlist", arguments(&ids))["num_items"], 30);

        // At most five pages.
        let fake = (0..5).fold(library(), |fake, page| fake.json(&list(page), listed(&ids[..29], "book")));
        let text = refused(fake.reply(&get("x29"), 404, "", "Not Found"), arguments(&ids));
        assert!(text.contains("x29: there is no such item"), "{text}");

        // A list of podcasts proves nothing of books.
        let mut short = listed(&ids, "podcast");
        short["results"].as_array_mut().unwrap().truncate(30);
        let fake = ids.iter().take(10).fold(library().json(&list(0), short), |fake, id| podcast(fake, id, &["e"]));
        assert!(refused(fake, arguments(&ids)).contains("x0: that is a podcast"));
    }

    #[test]
    fn a_podcast_too_large_to_be_read_is_asked_for_its_episodes() {
        let huge = || library().fails(&get("pod"), SendError::TooLarge);
        let fake = huge()
            .json("GET /api/podcasts/pod/episode/e", json!({"id": "e"}))
            .json("GET /api/podcasts/pod/episode/f", json!({"id": "f"}))
            .json(CREATE, super::super::entries::short::playlist(&["pod/e", "pod/f"]));
        assert_eq!(fake.ok("create_playlist", arguments(&["pod/e", "pod/f"]))["num_items"], 2);
        let fake = huge().reply("GET /api/podcasts/pod/episode/e", 404, "text/html", "Episode not found");
        assert!(refused(fake, arguments(&["pod/e"])).contains("no such episode"));
        assert!(refused(huge(), arguments(&["pod"])).contains("too large"));
    }

    #[test]
    fn a_library_that_is_not_there() {
        let fake = Fake::new().reply(LIBRARY, 404, "text/html", "Library not found");
        assert!(refused(fake, json!({"library_id": "lib", "name": "N"})).contains("list_libraries"));
        let fake = Fake::new().reply(LIBRARY, 403, "text/plain", "Forbidden");
        assert!(refused(fake, json!({"library_id": "lib", "name": "N"})).contains("permissions"));
    }

    #[test]
    fn odd_reads_change_nothing() {
        for body in [json!([]), json!({}), json!({"libraryId": "lib", "mediaType": 5})] {
            assert!(refused(library().json(&get("a"), body), arguments(&["a"])).contains("neither book nor podcast"));
        }
        let body = json!({"libraryId": "lib", "mediaType": "podcast", "media": {"episodes": [null, {"id": null}]}});
        assert!(refused(library().json(&get("pod"), body), arguments(&["pod/e"])).contains("no such episode"));
        let fake = library().fails(&get("a"), SendError::Closed);
        assert!(refused(fake, arguments(&["a"])).contains("closed the connection"));
    }

    #[test]
    fn a_failed_write_says_what_is_known() {
        let call = |fake: Fake| fake.error("create_playlist", json!({"library_id": "lib", "name": "<b></b>"}));
        let text = call(library().reply(CREATE, 400, "text/html", "Invalid playlist data"));
        assert!(text.starts_with("Nothing was changed. ") && text.ends_with("Invalid playlist data"), "{text}");
        for fake in [
            library().fails(CREATE, SendError::Closed),
            library().fails(CREATE, SendError::TooLarge),
            library().reply(CREATE, 500, "text/html", "Failed to create playlist"),
            library().json(CREATE, json!({"ok": true})),
            library().reply(CREATE, 200, "text/html", "<html>"),
        ] {
            let text = call(fake);
            assert!(text.starts_with("Whether the playlist was created is not known"), "{text}");
        }
        let text = call(library().fails(CREATE, SendError::Refused));
        assert!(text.starts_with("Nothing was changed. "), "{text}");
    }
}
