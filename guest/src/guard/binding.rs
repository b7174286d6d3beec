//! What an approval is for, as a fingerprint: the tool and its exact targets.

use crate::shape::sort_by;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Built part by part; every part carries its kind and length, so that no two different calls read the same.
#[derive(Clone, Debug)]
pub struct Binding(Sha256);

impl Binding {
    pub fn new(tool: &str) -> Binding {
        Binding(Sha256::new()).part("tool", tool)
    }

    pub fn id(self, id: &str) -> Binding {
        self.part("id", id)
    }

    /// Targets whose order does not matter.
    pub fn set(self, members: impl IntoIterator<Item = String>) -> Binding {
        let mut members: Vec<String> = members.into_iter().collect();
        sort_by(&mut members, Ord::cmp);
        members
            .iter()
            .fold(self.part("set", &members.len().to_string()), |binding, member| binding.part("member", member))
    }

    /// Targets in an order: each carries its position.
    pub fn order(self, members: impl IntoIterator<Item = String>) -> Binding {
        members
            .into_iter()
            .enumerate()
            .fold(self.part("order", ""), |binding, (position, member)| binding.part(&position.to_string(), &member))
    }

    /// SHA-256 in hexadecimal.
    pub fn hex(&self) -> String {
        self.0.clone().finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    fn part(mut self, kind: &str, text: &str) -> Binding {
        self.0.update(format!("{kind} {} ", text.len()));
        self.0.update(text);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(tool: &str, list: &str, members: &[&str]) -> String {
        Binding::new(tool).id(list).set(members.iter().map(ToString::to_string)).hex()
    }

    fn order(members: &[&str]) -> String {
        Binding::new("t").id("l").order(members.iter().map(ToString::to_string)).hex()
    }

    #[test]
    fn an_approval_is_for_one_target_only() {
        let known = set("t", "l", &["a", "b"]);
        assert_eq!(known, set("t", "l", &["b", "a"]), "a set has no order");
        for other in [
            set("u", "l", &["a", "b"]),
            set("t", "m", &["a", "b"]),
            set("t", "l", &["a"]),
            set("t", "l", &["a", "b", "c"]),
            set("t", "l", &["ab"]),
            set("t", "l", &["a b"]),
            order(&["a", "b"]),
        ] {
            assert_ne!(known, other);
        }
        assert_ne!(order(&["a", "b"]), order(&["b", "a"]));
        assert_ne!(order(&["a", "b"]), order(&["a"]));
    }
}
