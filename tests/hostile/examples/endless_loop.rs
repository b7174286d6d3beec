//! Computes for ever.

use hostile::Call;
use std::hint::black_box;

fn misbehave(call: Call) {
    let mut n = 0_u64;
    while black_box(n) != u64::MAX {
        n = (n + 1) % 1_000_000;
    }
    call.answer("it ended");
}

hostile::component!(misbehave);
