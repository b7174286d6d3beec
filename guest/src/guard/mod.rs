//! What makes sure that nothing is taken away without a yes. So far: the seals.

pub mod seal;
