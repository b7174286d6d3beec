//! Shared by the tests.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod client;
pub mod group;
pub mod names;
pub mod shape;
