//! What somebody who runs the server sees of it: whether it would work, how much it takes, how it ends.

mod busy;
mod check;
mod flags;
mod shutdown;
