//! The client of Audiobookshelf.

mod client;
mod failure;

pub use client::Context;
pub use failure::Failure;
