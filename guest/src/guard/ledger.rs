//! Which approvals were used, and the sweeping of what has expired. The expiry is part of each key's name, since no host's
//! store forgets by itself.

use crate::world::{StoreError, World};

/// Counts up `spent/<expiry>/<nonce>`; whether this was the first time. Nothing else writes below that prefix: on Spin's
/// default store, counting up a key that holds anything else takes the whole host down.
pub(super) fn spend(world: &dyn World, expiry: u64, nonce: &str) -> Result<bool, StoreError> {
    sweep(world)?;
    Ok(world.store().increment(&format!("spent/{expiry}/{nonce}"))? == 1)
}

/// How long the mark of a used approval is kept beyond its expiry, in milliseconds: another instance may have looked at the
/// seal a moment before it expired and count up a moment after, and another replica's clock may be behind. Marks are safe as
/// long as clocks differ by less than this.
const KEPT_MS: u64 = super::PATIENCE_MS;

/// Removes what has expired. An approval that has expired is refused by its seal, so its mark is not needed any more, once
/// nobody can take it for valid.
pub(super) fn sweep(world: &dyn World) -> Result<(), StoreError> {
    let now = world.now_ms();
    for key in world.store().keys()? {
        let is_mark = key.starts_with("spent/") || key.starts_with("claim/");
        let kept = if is_mark { KEPT_MS } else { 0 };
        let expiry = key.split('/').nth(1).and_then(|expiry| expiry.parse::<u64>().ok());
        let expired = expiry.is_some_and(|expiry| expiry.saturating_add(kept) <= now);
        let ours = ["spent/", "ask/", "claim/", "answer/", "lock/"].iter().any(|prefix| key.starts_with(prefix));
        if ours && expired {
            world.store().delete(&key)?;
        }
    }
    Ok(())
}
