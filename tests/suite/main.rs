//! End to end: the built program with the real component in it, over real sockets and pipes.
//!
//! Audiobookshelf is the stand-in, whose state and request log the tests can look at. With `ABS_TEST_URL` and `ABS_TEST_KEY`
//! set, the tests in `reads` run against that Audiobookshelf instead; they only read. Nothing is left out in either case.

mod arguments;
mod harness;
mod hostile;
mod http;
mod listing;
mod reads;
mod settings;
mod stdio;
mod upstream;
