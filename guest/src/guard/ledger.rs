//! Which approvals were used, and the sweeping of what has expired. The expiry is part of each key's name, since no host's
//! store forgets by itself.

use crate::world::{StoreError, World};

/// Counts up `spent/<expiry>/<nonce>`; whether this was the first time. Nothing else writes below that prefix: on Spin's
/// default store, counting up a key that holds anything else takes the whole host down.
pub(super) fn spend(world: &dyn World, expiry: u64, nonce: &str) -> Result<bool, StoreError> {
    sweep(world)?;
    Ok(world.store().increment(&format!("spent/{expiry}/{nonce}"))? == 1)
}

/// Removes what has expired. An approval that has expired is refused by its seal, so its mark is not needed any more.
pub(super) fn sweep(world: &dyn World) -> Result<(), StoreError> {
    let now = world.now_ms();
    for key in world.store().keys()? {
        let expired =
            key.split('/').nth(1).and_then(|expiry| expiry.parse::<u64>().ok()).is_some_and(|expiry| expiry <= now);
        let ours = ["spent/", "ask/", "claim/", "answer/", "lock/"].iter().any(|prefix| key.starts_with(prefix));
        if ours && expired {
            world.store().delete(&key)?;
        }
    }
    Ok(())
}
