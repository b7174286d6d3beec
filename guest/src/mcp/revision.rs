//! The protocol revisions that are spoken here, and what each of them has.

/// Ordered from old to new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

use Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

impl Revision {
    /// Newest first, as lists of supported versions name them.
    pub const ALL: [Revision; 4] = [V2026_07_28, V2025_11_25, V2025_06_18, V2025_03_26];

    /// The newest one that has `initialize`; what a client is offered that asks for something unknown.
    pub const LATEST_LEGACY: Revision = V2025_11_25;

    pub const fn as_str(self) -> &'static str {
        match self {
            V2025_03_26 => "2025-03-26",
            V2025_06_18 => "2025-06-18",
            V2025_11_25 => "2025-11-25",
            V2026_07_28 => "2026-07-28",
        }
    }

    pub fn parse(text: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|r| r.as_str() == text)
    }

    /// Every request stands alone and carries its own metadata.
    pub fn is_modern(self) -> bool {
        self == V2026_07_28
    }

    /// JSON-RPC batches were part of this revision only.
    pub fn has_batches(self) -> bool {
        self == V2025_03_26
    }

    /// `title`, `outputSchema` and `structuredContent`.
    pub fn has_structured_output(self) -> bool {
        self >= V2025_06_18
    }

    /// `icons`, and `description` and `websiteUrl` of an implementation.
    pub fn has_icons(self) -> bool {
        self >= V2025_11_25
    }
}

/// What `initialize` answers to a wanted version. Never 2026-07-28, which has no handshake.
pub fn negotiate(wanted: &str) -> Revision {
    Revision::parse(wanted).filter(|r| !r.is_modern()).unwrap_or(Revision::LATEST_LEGACY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negotiation() {
        for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
            assert_eq!(negotiate(version).as_str(), version);
        }
        for version in ["2024-11-05", "2026-07-28", "1.0", ""] {
            assert_eq!(negotiate(version), V2025_11_25, "{version}");
        }
    }
}
