//! End to end: the built program with the real component in it, over real sockets and pipes.
//!
//! Audiobookshelf is the stand-in, whose state and request log the tests can look at. With `ABS_TEST_URL` and `ABS_TEST_KEY`
//! set, those in `reads` and `writes` run against that Audiobookshelf instead: they delete what they have made, and leave the rest
//! as it was. Nothing is left out in either case.

mod access;
mod arguments;
mod browser;
mod documentation;
mod guard;
mod harness;
mod hostile;
mod http;
mod listing;
mod load;
mod operation;
mod reads;
mod reports;
mod sandbox;
mod settings;
mod stdio;
mod upstream;
mod writes;
