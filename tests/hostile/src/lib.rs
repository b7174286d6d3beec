//! What the hostile components have in common. Each of them, in `examples/`, tries one thing that the sandbox must not let
//! it do, and answers with what came of it.
//!
//! Every one is honest on the path `/honest`: it asks for Audiobookshelf's status, as the server itself might. So a test can
//! see that the host which has just stopped it still serves.
#![cfg(target_family = "wasm")]

mod answer;
mod ask;
mod store;

pub use answer::{Call, Stream, serve};
pub use ask::Ask;
pub use store::Bucket;
pub use wasip2::exports::http::incoming_handler::Guest;

/// Makes a component of a function that takes a [`Call`].
#[macro_export]
macro_rules! component {
    ($misbehave:expr) => {
        struct Component;

        impl $crate::Guest for Component {
            fn handle(request: wasip2::http::types::IncomingRequest, answer: wasip2::http::types::ResponseOutparam) {
                $crate::serve(request, answer, $misbehave);
            }
        }

        wasip2::http::proxy::export!(Component with_types_in wasip2);
    };
}
