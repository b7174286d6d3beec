//! Everything that can go wrong on the way to Audiobookshelf and back, in tables: `broken`, `answers` and `tls`. Of each row
//! `case` makes sure that it is said precisely and leaves nothing behind.

mod answers;
mod broken;
mod case;
mod slow;
mod tls;
