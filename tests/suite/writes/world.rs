//! A server, the Audiobookshelf behind it, and the promise to leave that as it was.

use super::shelf::{Shelf, list, text};
use crate::harness::{Abs, Direct, Http};
use crate::listing::{reads, tools};
use crate::reads::fits;
use serde_json::{Value, json};
use std::sync::Arc;

pub struct World {
    pub server: Http,
    pub direct: Direct,
    pub shelf: Shelf,
    pub abs: Abs,
    mark: String,
    schemas: Vec<Value>,
    before: Kept,
}

/// Runs a test and cleans up after it, also when it fails. Afterwards everything is compared with what it was before.
pub async fn run<Done>(test: impl FnOnce(Arc<World>) -> Done)
where
    Done: Future<Output = ()> + Send + 'static,
{
    let world = Arc::new(World::start().await);
    let outcome = tokio::spawn(test(Arc::clone(&world))).await;
    if world.direct.is_up().await {
        world.clean().await;
        let after = Kept::read(&world.direct).await;
        if outcome.is_ok() {
            after.is(&world.before);
        }
    }
    if let Err(failed) = outcome {
        std::panic::resume_unwind(failed.into_panic());
    }
}

/// A write that went well has little to say: ids, counts, and what was left out.
const CONFIRMATION: usize = 1_000;

impl World {
    async fn start() -> World {
        let abs = Abs::start().await;
        let (server, direct) = (Http::with(&abs.settings()).await, Direct::to(&abs));
        let before = Kept::read(&direct).await;
        let shelf = Shelf::find(&direct, &before.me).await;
        let mark = format!("suite-{}", std::process::id());
        World { schemas: tools(&server).await, server, direct, shelf, abs, mark, before }
    }

    /// A name by which clean-up knows what it may delete.
    pub fn name(&self, what: &str) -> String {
        format!("{} {what}", self.mark)
    }

    /// The structured result of a call that must succeed and fit its schema.
    pub async fn ok(&self, tool: &str, arguments: Value) -> Value {
        let mut result = self.server.call(tool, arguments.clone()).await;
        assert!(result.get("isError").is_none(), "{tool} {arguments}: {result}");
        let structured = result["structuredContent"].take();
        let schema = self.schemas.iter().find(|schema| schema["name"] == tool).expect("a tool");
        let size = result["content"][0]["text"].as_str().expect("a text").len();
        assert!(reads(schema) || size <= CONFIRMATION, "{tool} {arguments}: {size} bytes");
        fits(&structured, &schema["outputSchema"], tool).unwrap_or_else(|why| panic!("{arguments}: {why}"));
        structured
    }

    /// Likewise, of a tool that asks a person where the client can: here it cannot, so the call is made twice.
    pub async fn approved(&self, tool: &str, mut arguments: Value) -> Value {
        let text = self.server.error(tool, arguments.clone()).await;
        arguments["confirm_token"] = token(&text).unwrap_or_else(|| panic!("{tool} {arguments}: {text}")).into();
        self.ok(tool, arguments).await
    }

    /// Likewise, of any tool.
    pub async fn done(&self, tool: &str, arguments: Value) -> Value {
        let schema = self.schemas.iter().find(|schema| schema["name"] == tool).expect("a tool");
        match schema["inputSchema"]["properties"].get("confirm_token") {
            Some(_) => self.approved(tool, arguments).await,
            None => self.ok(tool, arguments).await,
        }
    }

    pub fn schemas(&self) -> &[Value] {
        &self.schemas
    }

    /// Item ids in order; nothing where there is no such collection.
    pub async fn books_of(&self, collection: &Value) -> Option<Vec<String>> {
        let found = self.direct.find(&path("collections", collection)).await?;
        Some(list(&found, "books").iter().map(|book| text(book, "id")).collect())
    }

    /// Entries in order, as the tools take them; nothing where there is no such playlist.
    pub async fn entries_of(&self, playlist: &Value) -> Option<Vec<Value>> {
        let found = self.direct.find(&path("playlists", playlist)).await?;
        let entry = |item: &Value| match &item["episodeId"] {
            Value::Null => json!({"library_item_id": item["libraryItemId"]}),
            episode => json!({"library_item_id": item["libraryItemId"], "episode_id": episode}),
        };
        Some(list(&found, "items").iter().map(entry).collect())
    }

    /// The user's progress records of a book, or of an episode.
    pub async fn progress_of(&self, item: &str, episode: Option<&str>) -> Vec<Value> {
        let me = self.direct.get("/api/me").await;
        let is_it = |record: &&Value| match episode {
            Some(episode) => record["episodeId"] == episode,
            None => record["libraryItemId"] == item && record["episodeId"].is_null(),
        };
        list(&me, "mediaProgress").iter().filter(is_it).cloned().collect()
    }

    pub async fn forget_progress(&self, item: &str, episode: Option<&str>) {
        for record in self.progress_of(item, episode).await {
            self.direct.send("DELETE", &path("me/progress", &record["id"]), &Value::Null).await;
        }
    }

    /// Times and titles.
    pub async fn bookmarks_of(&self, item: &str) -> Vec<(f64, String)> {
        let me = self.direct.get("/api/me").await;
        let marks = list(&me, "bookmarks").iter().filter(|mark| mark["libraryItemId"] == item);
        marks.map(|mark| (mark["time"].as_f64().expect("a number"), text(mark, "title"))).collect()
    }

    async fn clean(&self) {
        for what in ["collections", "playlists"] {
            let all = self.direct.get(&format!("/api/{what}")).await;
            for own in list(&all, what).iter().filter(|one| text(one, "name").starts_with(&self.mark)) {
                self.direct.send("DELETE", &path(what, &own["id"]), &Value::Null).await;
            }
        }
        for book in self.shelf.book_ids() {
            self.forget_progress(book, None).await;
            for (time, _) in self.bookmarks_of(book).await {
                self.direct.send("DELETE", &format!("/api/me/item/{book}/bookmark/{time}"), &Value::Null).await;
            }
        }
        self.forget_progress(&self.shelf.podcast, Some(&self.shelf.episodes[0].id)).await;
    }
}

fn path(what: &str, id: &Value) -> String {
    format!("/api/{what}/{}", id.as_str().unwrap_or_else(|| panic!("{id} is no id")))
}

/// The token that the first of two calls is answered with.
pub fn token(text: &str) -> Option<&str> {
    text.split_once("confirm_token=\"")?.1.split('"').next()
}

/// Everything that the tools can change.
struct Kept {
    me: Value,
    collections: Value,
    playlists: Value,
}

impl Kept {
    async fn read(abs: &Direct) -> Kept {
        let lists = async |what: &str, members: &str| {
            let all = abs.get(&format!("/api/{what}")).await;
            let mut briefs: Vec<Value> = list(&all, what).iter().map(|one| brief(one, members)).collect();
            briefs.sort_by_key(|one| text(one, "id"));
            briefs.into()
        };
        let (collections, playlists) = (lists("collections", "books").await, lists("playlists", "items").await);
        Kept { me: abs.get("/api/me").await, collections, playlists }
    }

    fn is(&self, before: &Kept) {
        assert_eq!(self.collections, before.collections);
        assert_eq!(self.playlists, before.playlists);
        assert_eq!(self.me["mediaProgress"], before.me["mediaProgress"]);
        assert_eq!(self.me["bookmarks"], before.me["bookmarks"]);
    }
}

/// Name, description and members in order, and when it was changed last.
fn brief(one: &Value, members: &str) -> Value {
    let ids: Vec<Value> = list(one, members)
        .iter()
        .map(|member| json!([member.get("libraryItemId").unwrap_or(&member["id"]), member["episodeId"]]))
        .collect();
    let (name, about, updated) = (&one["name"], &one["description"], &one["lastUpdate"]);
    json!({"id": one["id"], "name": name, "description": about, "lastUpdate": updated, "members": ids})
}
