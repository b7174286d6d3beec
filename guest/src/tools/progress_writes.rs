//! Changing progress. ABS computes nothing of what it stores and checks little, so a call looks, works out what to send
//! ([`plan`]), sends it, and looks again.

mod delete;
mod plan;
mod set;

use super::Tool;

pub const TOOLS: &[&Tool] = &[&set::SET_MEDIA_PROGRESS, &delete::DELETE_MEDIA_PROGRESS];

#[cfg(test)]
mod tests;
