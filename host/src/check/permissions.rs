//! What Audiobookshelf wants of a user before it does what a route asks for. As 2.36 answers; whatever is not here, every
//! active user may do, with what they can see and what is their own.

use policy::{Route, table};

/// A permission by the name that Audiobookshelf gives it in its user settings.
pub(super) fn needed(route: &Route) -> Option<&'static str> {
    // Removing a book from a collection needs neither, surprisingly.
    let update = [&table::CREATE_COLLECTION, &table::UPDATE_COLLECTION, &table::ADD_COLLECTION_BOOK];
    let delete = [&table::DELETE_COLLECTION];
    let is_in = |rows: &[&Route]| rows.iter().any(|row| std::ptr::eq(*row, route));
    if is_in(&update) {
        Some("update")
    } else if is_in(&delete) {
        Some("delete")
    } else {
        None
    }
}

/// The first permission that a tool needs and the user lacks.
pub(super) fn lacking(tool: &str, may: impl Fn(&str) -> bool) -> Option<&'static str> {
    let tool = guest::tools::all().find(|known| known.name == tool)?;
    tool.routes.iter().filter_map(|route| needed(route)).find(|permission| !may(permission))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_tools_which_users() {
        let names = |may: fn(&str) -> bool| {
            let all = guest::tools::all().filter(|tool| lacking(tool.name, may).is_some());
            all.map(|tool| tool.name).collect::<Vec<_>>()
        };
        assert_eq!(names(|_| true), [""; 0]);
        assert_eq!(names(|permission| permission == "update"), ["delete_collection"]);
        let mut without_update = names(|permission| permission == "delete");
        without_update.sort_unstable();
        assert_eq!(without_update, ["add_books_to_collection", "create_collection", "update_collection"]);
        assert_eq!(lacking("no_such_tool", |_| false), None);
    }
}
