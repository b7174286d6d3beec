//! What may be asked of Audiobookshelf, and of which host. Nothing here does any I/O.
//!
//! * [`ROUTES`] is the whole of what can be reached: method, path template, query keys, and whether a row only reads.
//! * [`Origin`] is the one host, with the base path below which the routes lie.
//!
//! The guest can build a request only from a row ([`Route::target`]); the host checks what comes out against the same rows
//! ([`check`]), so that neither has to trust the other. To know what the sandbox allows, read [`table`].

mod authority;
mod certificate;
mod check;
mod origin;
mod route;
pub mod table;

pub use authority::{is_loopback, leaves_the_machine, split_authority};
pub use certificate::CertificateFault;
pub use check::{Denied, check};
pub use origin::{Origin, OriginError, Scheme, looks_like_key};
pub use route::{Access, BadHole, Method, Reply, Route, Seg, valid_id};
pub use table::ROUTES;
