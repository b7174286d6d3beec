//! Taking turns where looking first and writing then must not be interrupted: ABS makes as many progress records as requests
//! that create one at the same moment, and renames a bookmark that was created a moment before.
//!
//! Instances share nothing but the store, and of that only counting is atomic: whoever counts `lock/<expiry>/<what>` from
//! nothing to one has the turn. The expiry changes at fixed moments, so that all who come at one time count the same key, and
//! a turn that nobody gave back ends by itself. This is care, not a guarantee: without a store, or after waiting for long, a
//! call goes on without a turn.

use crate::world::{StoreError, World};

/// A turn is over after one to two of these: longer than two requests to ABS take.
const WINDOW_MS: u64 = 60_000;

/// How long a call waits for its turn.
pub const PATIENCE_MS: u64 = 8_000;

const POLL_MS: u64 = 50;

/// Given back when it is dropped.
pub struct Turn<'a> {
    world: &'a dyn World,
    key: Option<String>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            // What stays is swept when it expires.
            let _ = self.world.store().delete(key);
        }
    }
}

/// Waits for a turn at something, an item for instance.
pub fn take<'a>(world: &'a dyn World, what: &str) -> Turn<'a> {
    let mut waited = 0;
    while waited < PATIENCE_MS {
        match claim(world, what) {
            Ok(Some(key)) => return Turn { world, key: Some(key) },
            Ok(None) => world.sleep(POLL_MS),
            Err(StoreError) => break,
        }
        waited += POLL_MS;
    }
    Turn { world, key: None }
}

/// The key of the turn, unless somebody else has it: in this window, or still from the one before.
fn claim(world: &dyn World, what: &str) -> Result<Option<String>, StoreError> {
    let window = world.now_ms() / WINDOW_MS;
    let key = |window: u64| format!("lock/{}/{what}", (window + 2) * WINDOW_MS);
    if world.store().get(&key(window - 1))?.is_some() {
        return Ok(None);
    }
    let key = key(window);
    Ok((world.store().increment(&key)? == 1).then_some(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use serde_json::json;

    fn waited(fake: &Fake, start: u64) -> u64 {
        fake.now_ms() - start
    }

    #[test]
    fn one_at_a_time_and_each_item_by_itself() {
        let fake = Fake::new();
        let start = fake.now_ms();
        let first = take(&fake, "a");
        let other = take(&fake, "b");
        assert_eq!((waited(&fake, start), fake.stored().len()), (0, 2));
        assert!(take(&fake, "a").key.is_none(), "after waiting for long, without a turn");
        assert_eq!(waited(&fake, start), PATIENCE_MS);
        drop((first, other));
        assert_eq!(fake.stored(), [""; 0]);
        assert!(take(&fake, "a").key.is_some());
    }

    #[test]
    fn a_turn_of_the_window_before_still_counts_and_a_lost_one_ends() {
        let fake = Fake::new();
        std::mem::forget(take(&fake, "a"));
        for (ms, free) in [(WINDOW_MS - 1, false), (WINDOW_MS, false), (1, true)] {
            fake.let_pass(ms);
            assert_eq!(claim(&fake, "a").unwrap().is_some(), free);
        }
    }

    #[test]
    fn without_a_store_it_goes_on_at_once() {
        let fake = Fake::new();
        fake.break_store();
        let start = fake.now_ms();
        assert!(take(&fake, "a").key.is_none());
        assert_eq!(waited(&fake, start), 0);
    }

    #[test]
    fn a_lost_turn_is_swept_with_what_else_has_expired() {
        let records = json!({"mediaProgress": [{"id": "p", "libraryItemId": "a"}]});
        let fake = Fake::new().json("GET /api/me", records.clone()).json("GET /api/me", records).reply(
            "DELETE /api/me/progress/p",
            200,
            "text/plain",
            "OK",
        );
        std::mem::forget(take(&fake, "a"));
        fake.let_pass(2 * WINDOW_MS);
        std::mem::forget(take(&fake, "b"));
        let approved = fake.approve("delete_media_progress", json!({"media_progress_id": "p"}));
        fake.ok("delete_media_progress", approved);
        let turns: Vec<String> = fake.stored().into_iter().filter(|key| key.starts_with("lock/")).collect();
        assert!(turns.len() == 1 && turns[0].ends_with("/b"), "{turns:?}");
    }
}
