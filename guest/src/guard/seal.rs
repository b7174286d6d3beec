//! Seals: state that a client carries for the server and cannot change, `v1.<payload>.<mac>`.
//!
//! The payload is JSON in base64url and readable; the mac is HMAC-SHA256 under a key derived for one purpose, so that a
//! session can never be shown as an approval.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

/// Longer than any seal made here; opening costs two HMACs over this at most.
const MAX_LEN: usize = 1024;

/// What a seal is for; part of its key and of its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Session,
    /// A question of 2026-07-28 that a client carries until it is answered.
    Question,
    /// The second call of two.
    Token,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Purpose::Session => "session",
            Purpose::Question => "question",
            Purpose::Token => "token",
        }
    }
}

/// What was in a seal that opened.
#[derive(Debug, PartialEq)]
pub struct Opened {
    pub value: Value,
    pub expires_ms: u64,
}

/// Seals and opens for one secret.
pub struct Sealer<'a> {
    pub secret: &'a [u8],
}

impl Purpose {
    /// Sealed by a clock that is further ahead than the marks of used approvals are kept, so that one could be used again.
    fn is_too_far(self, ms: u64) -> bool {
        !matches!(self, Purpose::Session) && ms > 2 * super::PATIENCE_MS
    }
}

impl Sealer<'_> {
    /// Seals an object. `expires_ms` is wall-clock time in milliseconds since 1970.
    pub fn seal(&self, purpose: Purpose, expires_ms: u64, content: Value) -> String {
        let payload = serde_json::json!({"p": purpose.as_str(), "x": expires_ms, "c": content}).to_string();
        let head = format!("v1.{}", B64.encode(payload));
        let mac = B64.encode(self.mac(purpose, &head).finalize().into_bytes());
        format!("{head}.{mac}")
    }

    /// The content, or nothing: for another purpose, key or version, changed, cut, or expired. There is no telling which.
    pub fn open(&self, purpose: Purpose, now_ms: u64, sealed: &str) -> Option<Opened> {
        if sealed.len() > MAX_LEN {
            return None;
        }
        let (head, mac) = sealed.rsplit_once('.')?;
        let mac = B64.decode(mac).ok()?;
        // Constant-time; a prefix of the mac is refused because its length differs.
        self.mac(purpose, head).verify_slice(&mac).ok()?;
        let payload = B64.decode(head.strip_prefix("v1.")?).ok()?;
        let mut payload: Value = serde_json::from_slice(&payload).ok()?;
        let expires_ms = payload["x"].as_u64()?;
        let fits = payload["p"] == purpose.as_str() && expires_ms > now_ms && !purpose.is_too_far(expires_ms - now_ms);
        fits.then(|| Opened { value: payload["c"].take(), expires_ms })
    }

    fn mac(&self, purpose: Purpose, head: &str) -> Hmac<Sha256> {
        let hmac = |key: &[u8]| Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
        let mut derive = hmac(self.secret);
        derive.update(b"audiobookshelf-mcp ");
        derive.update(purpose.as_str().as_bytes());
        let mut mac = hmac(&derive.finalize().into_bytes());
        mac.update(head.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SEALER: Sealer<'_> = Sealer { secret: b"secret" };

    #[test]
    fn opens_what_it_sealed_until_it_expires() {
        let sealed = SEALER.seal(Purpose::Session, 1000, json!({"v": "2025-11-25"}));
        let opened = Opened { value: json!({"v": "2025-11-25"}), expires_ms: 1000 };
        assert_eq!(SEALER.open(Purpose::Session, 999, &sealed), Some(opened));
        assert_eq!(SEALER.open(Purpose::Token, 999, &sealed), None);
        assert_eq!(SEALER.open(Purpose::Session, 1000, &sealed), None);
        assert_eq!(Sealer { secret: b"other" }.open(Purpose::Session, 999, &sealed), None);
    }

    #[test]
    fn any_changed_or_missing_byte_closes_it() {
        let sealed = SEALER.seal(Purpose::Session, 1000, json!(1));
        for i in 0..sealed.len() {
            assert_eq!(SEALER.open(Purpose::Session, 0, &sealed[..i]), None, "cut at {i}");
            for bit in 0..7 {
                let mut bytes = sealed.clone().into_bytes();
                bytes[i] ^= 1 << bit;
                let Ok(text) = String::from_utf8(bytes) else { continue };
                assert_eq!(SEALER.open(Purpose::Session, 0, &text), None, "bit {bit} of byte {i}");
            }
        }
        assert_eq!(SEALER.open(Purpose::Session, 0, ""), None);
    }
}
