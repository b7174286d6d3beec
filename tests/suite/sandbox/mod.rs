//! The sandbox from outside: components that try to get out of it, and the key that they would be after.
//!
//! [`fixtures`] is the list of the hostile components of `tests/hostile`, with the test of each. They run in a host process
//! of their own ([`host`]), over a real socket, so that a test can see what only concerns one process: its log, and its
//! memory.

mod bench;
mod egress;
mod environment;
mod fixtures;
mod floods;
mod headers;
mod host;
mod imports;
mod leaks;
mod limits;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod tools;
