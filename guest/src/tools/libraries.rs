//! Libraries: the entry point, their statistics, and the values that filters take.

use super::param::{DETAIL, LIBRARY_ID};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::keep;
use crate::shape::time::iso;
use crate::shape::{Keep, Record, at, list};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_LIBRARIES, &GET_LIBRARY];

const NO_LIBRARY: &str = "There is no such library, or this user may not see it. list_libraries shows the valid ids.";

static LIST_LIBRARIES: Tool = Tool {
    name: "list_libraries",
    title: "List libraries",
    description: "The libraries with id, name and media type (book or podcast). Start here: most tools take a library_id.",
    params: &[DETAIL],
    output: &[field("libraries", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_LIBRARIES],
    narrower: "get_library for one library",
    run: |context, args| Box::pin(list_libraries(context, args)),
};

async fn list_libraries(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { libraries { id, name, mediaType } };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context.get(&table::LIST_LIBRARIES, &[], &[], &keep).await?;
    let libraries = list(&reply, "libraries").iter();
    let libraries: Vec<Value> = if args.full() {
        libraries.cloned().collect()
    } else {
        libraries.map(|library| Record::new().copy(library, &["id", "name", "mediaType"]).into()).collect()
    };
    Ok(Answer::untrusted(Record::new().put_list("libraries", libraries)))
}

static GET_LIBRARY: Tool = Tool {
    name: "get_library",
    title: "Get a library",
    description: "One library with its folders and settings.",
    params: &[LIBRARY_ID, DETAIL],
    output: &[field("library", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_LIBRARY],
    narrower: "",
    run: |context, args| Box::pin(get_library(context, args)),
};

async fn get_library(context: &Context<'_>, args: &Args) -> Outcome {
    let reply = context
        .get(&table::GET_LIBRARY, &[args.text("library_id")], &[], &Keep::All)
        .await
        .map_err(|failure| failure.or_not_found(NO_LIBRARY))?;
    let library: Value = if args.full() {
        reply
    } else {
        let folders = list(&reply, "folders").iter().map(|folder| at(folder, "id").clone());
        Record::new()
            .copy(&reply, &["id", "name", "mediaType", "provider", "icon"])
            .put("folder_ids", folders.collect::<Vec<_>>())
            .put("settings", at(&reply, "settings").clone())
            .put("last_scan", iso(at(&reply, "lastScan")))
            .put("created", iso(at(&reply, "createdAt")))
            .into()
    };
    Ok(Answer::untrusted(Record::new().put("library", library)))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::json;

    #[test]
    fn list_libraries_compact() {
        let fake = Fake::new().recorded("GET /api/libraries", "list_libraries");
        let result = fake.ok("list_libraries", json!({}));
        assert_eq!(result["libraries"][0]["name"], "Audiobooks");
    }
}
