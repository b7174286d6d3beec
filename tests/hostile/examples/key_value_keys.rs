//! Fills the store with keys, and tells how many it took.

use hostile::{Bucket, Call};

fn misbehave(call: Call) {
    let bucket = Bucket::open();
    let taken = (0..1_000_000).take_while(|n| bucket.set(&format!("flood/{n}"), b"")).count();
    call.answer(&taken.to_string());
}

hostile::component!(misbehave);
