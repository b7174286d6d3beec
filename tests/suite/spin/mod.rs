//! What is different on Spin: the key is inside the component, nobody vouches for callers, and nothing outside of it knows
//! the route table.

mod access;
mod key;
mod routes;
mod start;
mod store;
