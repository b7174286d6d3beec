//! The client of Audiobookshelf.

mod client;
mod failure;
pub mod filter;
pub mod sort;
pub mod turn;

pub use client::{Context, entries};
pub use failure::Failure;
