//! What only our own host does: the component in the program, stdio, restarts, and vouching for where a caller sits.

mod access;
mod bytes;
mod killed;
mod restart;
mod waiting;
