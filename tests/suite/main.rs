//! End to end: the built program with the real component in it, over real sockets and pipes.
//!
//! The same tests run on Spin's contract (`on_spin.rs`), except for the modules that are about our own host: `clients`,
//! `command_line`, `faults`, `load`, `operation`, `own_host`, `release`, `reports`, `sandbox`, `settings`, `stdio`
//! and `terminal`.
//!
//! Audiobookshelf is the stand-in, whose state and request log the tests can look at. With `ABS_TEST_URL` and `ABS_TEST_KEY`
//! set, those in `reads` and `writes` run against that Audiobookshelf instead: they delete what they have made, and leave the rest
//! as it was. Nothing is left out in either case.

mod access;
mod arguments;
mod browser;
mod clients;
mod command_line;
mod documentation;
mod faults;
mod guard;
#[allow(dead_code, unused_imports, reason = "it can also start the server on Spin")]
mod harness;
mod hostile;
mod http;
mod listing;
mod load;
mod operation;
mod own_host;
mod questions;
mod reads;
mod release;
mod reports;
mod sandbox;
mod settings;
mod stdio;
mod terminal;
mod upstream;
mod writes;

/// What runs the component here.
const HOST: harness::Host = harness::Host::Own;
const PROGRAM: &str = env!("CARGO_BIN_EXE_audiobookshelf-mcp");
