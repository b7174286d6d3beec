//! Paging, filters, sorting, search, and what each user gets to see.

mod support;

use serde_json::Value;
use standin::{Library, Options, Standin, ids};
use support::{client, names};

async fn get(abs: &Standin, role: &str, path: &str) -> Value {
    let answer = client::call(abs, role, "GET", &names::fill(path), None).await.unwrap();
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.json()
}

fn titles(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["media"]["metadata"]["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn limits_that_are_no_limit_give_everything() {
    let abs = Standin::start().await.unwrap();
    for (query, count, page) in [
        ("", 37, 0),
        ("?limit=0&page=3", 37, 3),
        ("?limit=abc", 37, 0),
        ("?limit=1&limit=2", 37, 0),
        ("?limit[]=1", 37, 0),
        ("?page=1", 37, 1),
        ("?limit=10&page=3", 7, 3),
        ("?limit=10&page=4", 0, 4),
        ("?limit=1e2", 37, 0),
    ] {
        let list = get(&abs, "root", &format!("/api/libraries/{{BOOKS}}/items{query}")).await;
        let got = (list["results"].as_array().unwrap().len(), list["page"].as_i64(), list["total"].as_i64());
        assert_eq!(got, (count, Some(page), Some(37)), "{query}");
    }
}

#[tokio::test]
async fn filters_that_are_not_understood_do_not_filter() {
    let abs = Standin::start().await.unwrap();
    for (filter, total) in [
        ("genres.{b64:Horror}", 2),
        ("genres.{b64:horror}", 0),
        ("Genres.{b64:Horror}", 37),
        ("genres.Horror", 0),
        ("bogus", 37),
        ("bogus.Zm9v", 37),
        ("tags.{b64:kids}", 4),
        ("tags.fmZhdnN%2B", 1),
        ("tags.fmZhdnN+", 0),
        ("tags.fmZhdnN-", 1),
        ("tags.fmZhdnN%252B", 1),
        ("authors.{b64:VERNE}", 4),
        ("authors.{b64:Jules Verne}", 0),
        ("series.{b64:NEMO}", 2),
        ("series.{b64:no-series}", 22),
        ("narrators.{b64:Ida Rowe}", 6),
        ("languages.{b64:Japanese}", 1),
        ("publishedDecades.{b64:1890}", 7),
        ("publishedDecades.{b64:1890s}", 7),
        ("progress.{b64:finished}", 3),
        ("progress.{b64:in-progress}", 6),
        ("progress.{b64:not-started}", 28),
        ("progress.{b64:not-finished}", 34),
        ("progress.{b64:ebook-in-progress}", 1),
        ("progress.finished", 37),
        ("progress.", 37),
        ("tracks.{b64:none}", 1),
        ("tracks.{b64:multi}", 8),
        ("tracks.{b64:bogus}", 28),
        ("ebooks.{b64:ebook}", 1),
        ("missing.{b64:narrators}", 8),
        ("missing.{b64:bogus}", 37),
        ("issues", 1),
        ("explicit", 1),
        ("abridged", 1),
        ("recent", 37),
        ("feed-open", 0),
    ] {
        let list = get(&abs, "root", &format!("/api/libraries/{{BOOKS}}/items?limit=1&filter={filter}")).await;
        assert_eq!(list["total"], total, "{filter}");
    }
    let podcasts = get(&abs, "root", "/api/libraries/{PODCASTS}/items?filter=progress.{b64:finished}").await;
    assert_eq!(podcasts["total"], 3, "podcasts know few filters");
}

#[tokio::test]
async fn sorting_knows_its_keys_and_only_desc_1() {
    let abs = Standin::start().await.unwrap();
    let first = async |query: &str| {
        let list = get(&abs, "root", &format!("/api/libraries/{{BOOKS}}/items?limit=1&sort={query}")).await;
        titles(&list["results"])[0].to_owned()
    };
    assert_eq!(first("media.duration&desc=1").await, "The Anatomy of Melancholy");
    assert_eq!(first("media.metadata.publishedYear").await, "Broadsides and Ballads", "missing years come first");
    assert_eq!(first("addedAt&desc=1").await, first("mtimeMs&desc=1").await);
    assert_eq!(first("progress&desc=1").await, "Dracula");
    assert_eq!(first("media.metadata.title&desc=true").await, first("media.metadata.title").await);
    assert_eq!(first("bogus&desc=1").await, first("").await);
    let series = get(&abs, "root", "/api/libraries/{BOOKS}/items?filter=series.{b64:VOYAGES}").await;
    let sequences: Vec<&str> = series["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["media"]["metadata"]["series"]["sequence"].as_str().unwrap())
        .collect();
    assert_eq!(sequences, ["3", "6", "11", "12"]);
}

#[tokio::test]
async fn collapsed_series_stand_for_their_books() {
    let abs = Standin::start().await.unwrap();
    let list = get(&abs, "root", "/api/libraries/{BOOKS}/items?collapseseries=1&sort=media.metadata.title").await;
    assert_eq!(list["total"], 28, "22 books without a series, and 6 series");
    let holmes =
        list["results"].as_array().unwrap().iter().find(|i| i["collapsedSeries"]["id"] == ids::HOLMES).unwrap();
    assert_eq!(holmes["collapsedSeries"]["numBooks"], 5);
    assert_eq!(holmes["id"], ids::STUDY_IN_SCARLET);
}

#[tokio::test]
async fn search_wants_one_contiguous_piece() {
    let abs = Standin::start().await.unwrap();
    for (q, books, authors, narrators, series) in [
        ("holmes", 2, 0, 0, 1),
        ("HOLMES", 2, 0, 0, 1),
        ("Memoirs%20of", 2, 0, 0, 0),
        ("Verne%20Island", 0, 0, 0, 0),
        ("Verne", 0, 1, 0, 0),
        ("Ida%20Rowe", 0, 0, 1, 0),
        ("dr_cula", 1, 0, 0, 0),
        ("Dra%25la", 1, 0, 0, 0),
        ("B00DRACULA", 1, 0, 0, 0),
        ("преступление", 0, 0, 0, 0),
        ("Преступление", 1, 0, 0, 0),
        ("%20%20holmes%20", 2, 0, 0, 1),
        ("zzz", 0, 0, 0, 0),
    ] {
        let q = q.replace("преступление", "%D0%BF%D1%80%D0%B5%D1%81%D1%82%D1%83%D0%BF%D0%BB%D0%B5%D0%BD%D0%B8%D0%B5");
        let q = q.replace("Преступление", "%D0%9F%D1%80%D0%B5%D1%81%D1%82%D1%83%D0%BF%D0%BB%D0%B5%D0%BD%D0%B8%D0%B5");
        let found = get(&abs, "root", &format!("/api/libraries/{{BOOKS}}/search?q={q}")).await;
        let count = |key: &str| found[key].as_array().unwrap().len();
        assert_eq!(
            (count("book"), count("authors"), count("narrators"), count("series")),
            (books, authors, narrators, series),
            "{q}"
        );
    }
    let blank = get(&abs, "root", "/api/libraries/{BOOKS}/search?q=%20%20").await;
    assert_eq!(blank["book"].as_array().unwrap().len(), 12, "blanks match everything, up to the limit");
    let all = get(&abs, "root", "/api/libraries/{BOOKS}/search?q=%25&limit=100").await;
    assert_eq!(all["book"].as_array().unwrap().len(), 37);
    let episodes = get(&abs, "root", "/api/libraries/{PODCASTS}/search?q=varney").await;
    assert_eq!(episodes["episodes"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn some_lists_are_empty_without_a_limit() {
    let abs = Standin::start().await.unwrap();
    let series = get(&abs, "root", "/api/libraries/{BOOKS}/series").await;
    assert_eq!((series["results"].as_array().unwrap().len(), series["total"].as_i64()), (0, Some(6)));
    let episodes = get(&abs, "root", "/api/libraries/{PODCASTS}/recent-episodes").await;
    assert_eq!(episodes["episodes"].as_array().unwrap().len(), 0);
    let episodes = get(&abs, "root", "/api/libraries/{PODCASTS}/recent-episodes?limit=100").await;
    assert_eq!(episodes["episodes"].as_array().unwrap().len(), 23, "but for the finished one");
}

#[tokio::test]
async fn everybody_sees_what_is_theirs_to_see() {
    let abs = Standin::start().await.unwrap();
    for (role, libraries, books) in [("root", 3, 37), ("kid", 1, 36), ("tagged", 3, 4), ("guest", 3, 36)] {
        let list = get(&abs, role, "/api/libraries").await;
        assert_eq!(list["libraries"].as_array().unwrap().len(), libraries, "{role}");
        assert_eq!(get(&abs, role, "/api/libraries/{BOOKS}/items").await["total"], books, "{role}");
    }
    let all = get(&abs, "nolib", "/api/libraries").await;
    assert_eq!(all["libraries"].as_array().unwrap().len(), 3, "who may see none sees the names of all");
}

#[tokio::test]
async fn what_must_not_get_out_is_there_to_be_found() {
    let abs = Standin::start().await.unwrap();
    let me = get(&abs, "root", "/api/me").await;
    let token = me["token"].as_str().unwrap();
    assert_eq!(token, abs.token("root"));
    assert!(token.starts_with("eyJ"));
    let bearer = format!("bearer {token}");
    let libraries = client::send(abs.addr(), "GET", "/api/libraries", &[("authorization", &bearer)], "").await.unwrap();
    assert_eq!(libraries.status, 200, "and it opens the door");
    let podcast = get(&abs, "root", "/api/items/{NIGHT_SKY}").await;
    assert!(podcast["media"]["metadata"]["feedUrl"].as_str().unwrap().contains("token=feed-secret"));
    assert!(podcast["path"].as_str().unwrap().starts_with("/srv/media/"));
    let sessions = get(&abs, "root", "/api/me/listening-sessions").await;
    assert_eq!(sessions["sessions"][0]["deviceInfo"]["ipAddress"], "192.168.178.23");
}

#[tokio::test]
async fn the_home_page_has_its_shelves() {
    let abs = Standin::start().await.unwrap();
    let shelves = get(&abs, "root", "/api/libraries/{BOOKS}/personalized").await;
    let ids: Vec<&str> = shelves.as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        [
            "continue-listening",
            "continue-reading",
            "continue-series",
            "recently-added",
            "recent-series",
            "discover",
            "listen-again",
            "newest-authors"
        ]
    );
    let shelf = |id: &str| shelves.as_array().unwrap().iter().find(|s| s["id"] == id).unwrap();
    assert_eq!(titles(&shelf("continue-listening")["entities"])[0], "Dracula");
    assert!(!shelf("continue-listening").to_string().contains(ids::WAR_OF_THE_WORLDS), "hidden");
    assert_eq!(titles(&shelf("continue-series")["entities"]), ["The Sign of the Four", "Through the Looking-Glass"]);
    assert_eq!(shelf("recent-series")["entities"].as_array().unwrap().len(), 5);
    let podcasts = get(&abs, "root", "/api/libraries/{PODCASTS}/personalized").await;
    assert_eq!(podcasts.as_array().unwrap().len(), 4);
    assert_eq!(get(&abs, "root", "/api/libraries/{EMPTY}/personalized").await, serde_json::json!([]));
}

#[tokio::test]
async fn the_last_days_were_listened_to() {
    let abs = Standin::start().await.unwrap();
    let stats = get(&abs, "root", "/api/me/listening-stats").await;
    assert!(stats["totalTime"].as_i64().unwrap() > 3600);
    assert!(stats["days"].as_object().unwrap().len() >= 12);
    assert_eq!(stats["recentSessions"].as_array().unwrap().len(), 10);
    let last = get(&abs, "root", "/api/me/listening-sessions?itemsPerPage=-3").await;
    assert_eq!((last["sessions"].as_array().unwrap().len(), last["numPages"].as_i64()), (12, Some(-5)));
}

#[tokio::test]
async fn a_library_of_any_size_can_be_had() {
    let options = Options { library: Library::growth(1000), ..Options::default() };
    let abs = Standin::start_with(options).await.unwrap();
    let page = get(&abs, "root", "/api/libraries/{BOOKS}/items?limit=100&page=9&sort=media.metadata.title").await;
    assert_eq!((page["total"].as_i64(), titles(&page["results"])[99]), (Some(1000), "Volume 00999"));
    assert_eq!(page["results"][0]["id"], ids::numbered("book", 900));
    assert_eq!(get(&abs, "root", "/api/libraries/{BOOKS}/series?limit=1").await["total"], 100);
}
