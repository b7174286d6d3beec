//! Audiobookshelf 2.36 exits on many requests that any of its users may send. Here all known ones are tried through every
//! tool that could send them, and more like them: it lives on, nothing is changed, and the caller gets an error that helps.

mod attempts;
mod bench;
mod pairings;
mod queries;
mod raw;
mod values;

use attempts::Attempts;
use bench::Bench;
