//! Calls itself until the stack is over.

use hostile::Call;
use std::hint::black_box;

fn down(depth: u64) -> u64 {
    let frame = black_box([depth; 16]);
    if depth == u64::MAX { 0 } else { down(depth + 1).wrapping_add(black_box(frame)[3]) }
}

fn misbehave(call: Call) {
    call.answer(&format!("{}", down(0)));
}

hostile::component!(misbehave);
