//! A host for tests, with the surface of Spin 4.0.2 and its habits, as far as an HTTP component of WASI 0.2 meets them.
//!
//! * [`manifest`]: `spin.toml`, its rules, variables and templates; [`runtime_config`]: the file beside it.
//! * [`surface`]: the interfaces and functions that a component may import, under the names that Spin has for them.
//! * [`config`] and [`keyvalue`]: `wasi:config` and `wasi:keyvalue`, the latter as on SQLite or on Redis.
//! * [`inbound`] and [`outbound`]: what happens to a request on its way in and out.
//! * [`host`]: a fresh instance for each request.
//!
//! Where Spin would break without saying why, this host breaks the same way and says so on stderr, in a line that begins
//! with [`BROKEN`]: the suite fails on such a line.
//!
//! Not here: WASI 0.3, Spin's own interfaces, HTTP/2, TLS towards callers, service chaining, triggers other than HTTP.

pub mod config;
pub mod host;
pub mod inbound;
pub mod keyvalue;
pub mod manifest;
pub mod outbound;
pub mod runtime_config;
pub mod surface;

/// Begins a line about something that no component should bring Spin to.
pub const BROKEN: &str = "spin-contract: broken:";
