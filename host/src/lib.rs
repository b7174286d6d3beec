//! The host: runs the component in a sandbox that reaches one Audiobookshelf and nothing else, and connects it to MCP
//! clients over stdio or HTTP.
//!
//! A request walks [`transport`] → [`sandbox`] → the component, and what the component asks of Audiobookshelf walks
//! `sandbox::egress` → the network.
//!
//! Exit codes: 0 done, 1 a setting or the start went wrong (said on stderr), 2 the command line is not understood.

pub mod cli;
pub mod demo;
pub mod environment;
pub mod sandbox;
pub mod settings;
mod state;
pub mod tools;
pub mod transport;
