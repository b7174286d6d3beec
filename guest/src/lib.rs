//! The MCP server for Audiobookshelf (ABS).
//!
//! A request walks one way, [`mcp`] → [`tools`] → [`guard`] → [`abs`] → `policy`, and its result one way back, [`abs`] →
//! [`shape`] → [`mcp`]. Nothing is kept between requests: each is served by a fresh instance, on every host.
//!
//! Only `wasi.rs` touches WASI. Everything else sees the outside through [`world::World`], and therefore also compiles,
//! runs and is tested natively.

pub mod abs;
pub mod guard;
pub mod mcp;
pub mod settings;
pub mod shape;
pub mod tools;
pub mod world;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod testing;
#[cfg(target_family = "wasm")]
mod wasi;
