//! End to end on Spin's contract: the same component, the same tests, another host.
//!
//! What is about our own host alone is not here; what is about Spin alone is in `spin` and `replicas`.

mod access;
mod arguments;
mod browser;
mod guard;
#[allow(dead_code, unused_imports, reason = "it can also start our own host")]
mod harness;
mod hostile;
mod http;
mod listing;
mod questions;
mod reads;
mod replicas;
mod spin;
mod upstream;
mod writes;

/// What runs the component here.
const HOST: harness::Host = harness::Host::Spin;
const PROGRAM: &str = env!("CARGO_BIN_EXE_spin-contract");
