//! Fills the store with few but large values, and tells how many bytes it took.

use hostile::{Bucket, Call};

fn misbehave(call: Call) {
    const EACH: usize = 100 * 1024;
    let bucket = Bucket::open();
    let value = vec![b'x'; EACH];
    let taken = (0..10_000).take_while(|n| bucket.set(&format!("flood/{n}"), &value)).count();
    call.answer(&(taken * EACH).to_string());
}

hostile::component!(misbehave);
