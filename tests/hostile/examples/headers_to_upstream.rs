//! As many headers for Audiobookshelf as the test says.

use hostile::{Ask, Call};

fn misbehave(call: Call) {
    let ask = Ask::honest();
    for n in 0..call.text.parse().expect("a number") {
        let n: u32 = n;
        ask.headers.append(&format!("x-{n}"), b"many").expect("a valid header");
    }
    call.answer(&ask.send());
}

hostile::component!(misbehave);
