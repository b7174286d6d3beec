//! API keys, the account's older token, and who may call.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::model::User;

/// Fresh at every start, so that a key in a test's output is worth nothing.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    keys: HashMap<String, String>,
    tokens: HashMap<String, String>,
}

impl Keys {
    pub(crate) fn make(users: &[User]) -> Self {
        let mut keys = HashMap::new();
        let mut tokens = HashMap::new();
        for user in users {
            let id = &user.id;
            keys.insert(user.role.clone(), jwt(&format!(r#"{{"keyId":"{id}","name":"{}","type":"api"}}"#, user.role)));
            tokens.insert(user.role.clone(), jwt(&format!(r#"{{"userId":"{id}","username":"{}"}}"#, user.username)));
        }
        Self { keys, tokens }
    }

    pub(crate) fn key(&self, role: &str) -> Option<&str> {
        self.keys.get(role).map(String::as_str)
    }

    pub(crate) fn token(&self, role: &str) -> Option<&str> {
        self.tokens.get(role).map(String::as_str)
    }

    /// Whose key or token this is; a deactivated user's is nobody's.
    pub(crate) fn user(&self, users: &[User], secret: &str) -> Option<usize> {
        let role = |map: &HashMap<String, String>| map.iter().find(|(_, s)| *s == secret).map(|(role, _)| role.clone());
        let role = role(&self.keys).or_else(|| role(&self.tokens))?;
        users.iter().position(|u| u.role == role && u.active)
    }
}

/// The secret of a request: a bearer header, whatever its case, or else `?token=`.
pub(crate) fn secret<'a>(header: Option<&'a str>, query: Option<&'a str>) -> Option<&'a str> {
    let bearer = header.and_then(|h| {
        let (scheme, rest) = h.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(rest.trim())
    });
    bearer.or(query)
}

fn jwt(payload: &str) -> String {
    let mut signature = Vec::new();
    for n in 0..4u64 {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(n);
        signature.extend(hasher.finish().to_be_bytes());
    }
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    format!("{}.{}.{}", part(br#"{"alg":"HS256","typ":"JWT"}"#), part(payload.as_bytes()), part(&signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bearer_header_or_the_query_carries_a_key() {
        assert_eq!(secret(Some("bearer abc"), None), Some("abc"));
        assert_eq!(secret(Some("Bearer abc"), Some("x")), Some("abc"));
        assert_eq!(secret(Some("abc"), None), None);
        assert_eq!(secret(None, Some("x")), Some("x"));
    }

    #[test]
    fn a_key_looks_like_one() {
        assert!(jwt("{}").starts_with("eyJ"));
        assert_ne!(jwt("{}"), jwt("{}"));
    }
}
