//! Properties of the whole server, on random input: what a client may send and Audiobookshelf may answer, against what must
//! hold all the same. They run natively, in a world whose Audiobookshelf answers with changed recordings.
//!
//! | target | what is random | what must hold |
//! |---|---|---|
//! | [`requests`] | conversations: messages, headers, bytes | a lawful answer or none; nothing sent but by a valid call; nothing taken away without a yes |
//! | [`callers`] | `Host`, `Origin`, tokens, media types | who must not get in does not |
//! | [`arguments`] | arguments of every tool | what is sent is in the route table; bad arguments send nothing |
//! | [`answers`] | ABS's answers, to every tool | size, types, label, no hidden characters |
//! | [`seals`] | real seals, changed | they stay closed |
//! | [`filters`] | filter values, queries | they decode to what was given |

mod answers;
mod arguments;
mod callers;
mod calls;
mod filters;
mod guarded;
mod lawful;
mod recorded;
mod requests;
mod seals;
mod world;
