//! The user whose API key this is.

use super::param::DETAIL;
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::keep;
use crate::shape::time::iso;
use crate::shape::{Keep, Record, at, list, progress};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&GET_ME];

static GET_ME: Tool = Tool {
    name: "get_me",
    title: "Get the user",
    description: "The user this server acts as: name, type, rights, and how much is in progress, finished and \
                  bookmarked. Ask here when Audiobookshelf refuses something.",
    params: &[DETAIL],
    output: &[field("user", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_ME],
    narrower: "",
    run: |context, args| get_me(context, args),
};

fn get_me(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! {
        id, username, type, isActive, isLocked, createdAt, lastSeen, permissions, librariesAccessible, itemTagsSelected,
        mediaProgress { isFinished, currentTime, ebookProgress },
        bookmarks { time }
    };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context.get(&table::GET_ME, &[], &[], &keep)?;
    // The whole record has the account's token, which cleaning removes and reports.
    let user = if args.full() { reply } else { compact(&reply).into() };
    Ok(Answer::untrusted(Record::new().put("user", user)))
}

fn compact(user: &Value) -> Record {
    let records = list(user, "mediaProgress");
    let finished = records.iter().filter(|record| at(record, "isFinished") == true).count();
    let in_progress = records.iter().filter(|record| progress::is_in_progress(record)).count();
    let inactive = at(user, "isActive") == false;
    Record::new()
        .copy(user, &["id", "username", "type"])
        .flag("inactive", &inactive.into())
        .flag("locked", at(user, "isLocked"))
        .put("may", may(at(user, "permissions")))
        .put("sees", sees(user))
        .put("items_in_progress", in_progress)
        .put("items_finished", finished)
        .put("bookmarks", list(user, "bookmarks").len())
        .put("created", iso(at(user, "createdAt")))
        .put("last_seen", iso(at(user, "lastSeen")))
}

/// A false one is as telling as a true one.
fn may(permissions: &Value) -> Record {
    Record::new()
        .copy(permissions, &["download", "update", "delete", "upload"])
        .put("create_ereader", at(permissions, "createEreader").clone())
}

fn sees(user: &Value) -> Record {
    let permissions = at(user, "permissions");
    let all_libraries = at(permissions, "accessAllLibraries");
    let all_tags = at(permissions, "accessAllTags");
    let tags = at(user, "itemTagsSelected").clone();
    let (tags_hidden, tags_shown) = match (all_tags == true, at(permissions, "selectedTagsNotAccessible") == true) {
        (true, _) => (Value::Null, Value::Null),
        (false, true) => (tags, Value::Null),
        (false, false) => (Value::Null, tags),
    };
    let record = Record::new().put("all_libraries", all_libraries.clone());
    let record = match all_libraries == true {
        true => record,
        false => record.put_list("library_ids", list(user, "librariesAccessible").iter().cloned()),
    };
    record
        .put("all_tags", all_tags.clone())
        .put("only_tags", tags_shown)
        .put("all_tags_but", tags_hidden)
        .put("explicit", at(permissions, "accessExplicitContent").clone())
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::tools::CEILING;
    use serde_json::{Value, json};

    const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiI3OTJhY2M1NSJ9.c2lnbmF0dXJl";

    #[test]
    fn an_account_that_may_everything() {
        let result = Fake::new().recorded("GET /api/me", "get_me").ok("get_me", json!({}));
        let want = json!({"user": {
            "id": "792acc55-11ea-4ffe-b5a0-427e690db56e", "username": "root", "type": "root",
            "may": {"download": true, "update": true, "delete": true, "upload": true, "create_ereader": true},
            "sees": {"all_libraries": true, "all_tags": true, "explicit": true},
            "items_in_progress": 10, "items_finished": 5, "bookmarks": 6, "created": "2026-11-30T16:21:24Z"}});
        assert_eq!(result, want);
    }

    #[test]
    fn a_restricted_account() {
        let result = Fake::new().recorded("GET /api/me", "get_me_restricted").ok("get_me", json!({}));
        let want = json!({"user": {
            "id": "54df76bf-8448-4857-9b07-24b5ae617fde", "username": "kid", "type": "user",
            "may": {"download": true, "update": false, "delete": false, "upload": false, "create_ereader": false},
            "sees": {"all_libraries": false, "library_ids": ["2bae7cc4-1220-44b7-b732-17d6ad955206"], "all_tags": true, "explicit": false},
            "items_in_progress": 2, "items_finished": 0, "bookmarks": 0, "created": "2026-11-30T16:21:49Z"}});
        assert_eq!(result, want);
    }

    #[test]
    fn tags_are_either_the_only_ones_or_the_hidden_ones() {
        let sees = |inverted: bool| {
            let user = json!({"isActive": false, "isLocked": true, "librariesAccessible": null, "itemTagsSelected": ["kids"], "permissions": {
                "accessAllLibraries": false, "accessAllTags": false, "selectedTagsNotAccessible": inverted}});
            let result = Fake::new().json("GET /api/me", user).ok("get_me", json!({}));
            assert_eq!((&result["user"]["inactive"], &result["user"]["locked"]), (&json!(true), &json!(true)));
            result["user"]["sees"].clone()
        };
        assert_eq!(
            sees(false),
            json!({"all_libraries": false, "library_ids": [], "all_tags": false, "only_tags": ["kids"]})
        );
        assert_eq!(
            sees(true),
            json!({"all_libraries": false, "library_ids": [], "all_tags": false, "all_tags_but": ["kids"]})
        );
    }

    /// `/api/me` with a token that is worth looking for, and those of a login, which older accounts and versions have there.
    fn with_tokens() -> Fake {
        let mut user = json!({"id": "u", "username": "ann", "token": TOKEN, "accessToken": TOKEN, "refreshToken": TOKEN, "pash": TOKEN,
            "isOldToken": true, "mediaProgress": [{"id": "p", "userId": "u"}], "bookmarks": []});
        user["extraData"] = json!({"token": TOKEN, "kept": 1});
        Fake::new().json("GET /api/me", user)
    }

    #[test]
    fn no_detail_has_a_token() {
        for detail in ["compact", "full"] {
            let result = with_tokens().call("get_me", json!({"detail": detail}));
            let all = result.to_string();
            assert!(!all.contains(TOKEN) && !all.contains("eyJ"), "{all}");
        }
    }

    #[test]
    fn full_is_the_record_and_says_what_was_removed() {
        let result = with_tokens().ok("get_me", json!({"detail": "full"}));
        let want = json!({"id": "u", "username": "ann", "isOldToken": true, "mediaProgress": [{"id": "p", "userId": "u"}],
            "bookmarks": [], "extraData": {"kept": 1}});
        assert_eq!(result, json!({"user": want, "removed": ["accessToken", "pash", "refreshToken", "token"]}));
        let recorded = Fake::new().recorded("GET /api/me", "get_me").ok("get_me", json!({"detail": "full"}));
        assert_eq!(recorded["user"]["mediaProgress"].as_array().unwrap().len(), 15);
        assert!(!recorded.to_string().contains("jwt"));
    }

    #[test]
    fn a_long_history_is_cut_and_says_so() {
        let record = json!({"id": "7338c078-8830-480e-9d13-a67d651e758d", "libraryItemId": "c099df63-0792-45d9-a610-9191283205af", "isFinished": true});
        let user = json!({"username": "ann", "token": TOKEN, "mediaProgress": vec![record; 2000], "permissions": {"download": true}});
        let result = Fake::new().json("GET /api/me", user.clone()).call("get_me", json!({"detail": "full"}));
        assert!(result["content"][0]["text"].as_str().unwrap().len() <= CEILING);
        let cut = &result["structuredContent"]["truncated"];
        assert_eq!((&cut["cut"][0]["at"], &cut["cut"][0]["of"]), (&json!("user.mediaProgress"), &json!(2000)));
        assert_eq!(result["structuredContent"]["user"]["permissions"]["download"], true);
        let compact = Fake::new().json("GET /api/me", user).ok("get_me", json!({}));
        assert_eq!((&compact["user"]["items_finished"], compact.get("truncated")), (&json!(2000), None));
    }

    #[test]
    fn odd_users_do_no_harm() {
        for odd in [
            json!({}),
            json!([]),
            json!({"permissions": "x", "mediaProgress": {}, "bookmarks": [null], "isActive": null}),
        ] {
            let result = Fake::new().json("GET /api/me", odd).ok("get_me", json!({}));
            assert_eq!(result["user"]["items_in_progress"], 0);
            assert_eq!(result["user"]["may"], Value::Null);
        }
    }
}
