//! The host: runs the component in a sandbox that reaches one Audiobookshelf and nothing else, and connects it to MCP
//! clients over stdio or HTTP.
//!
//! A request walks [`transport`] → [`sandbox`] → the component, and what the component asks of Audiobookshelf walks
//! `sandbox::egress` → the network.
//!
//! Exit codes: 0 done, 1 a setting or the start went wrong (said on stderr), 2 the command line is not understood.

mod check;
pub mod cli;
pub mod demo;
pub mod environment;
pub mod log;
pub mod recipes;
pub mod sandbox;
pub mod settings;
pub mod shutdown;
mod state;
mod style;
pub mod tools;
pub mod transport;

pub use sandbox::component_sha256;
