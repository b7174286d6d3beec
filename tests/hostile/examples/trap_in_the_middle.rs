//! Begins an answer well and breaks down in the middle of it.

use hostile::Call;
use wasip2::http::types::Fields;

fn misbehave(call: Call) {
    let mut stream = call.begin(Fields::new());
    // More than lies anywhere on the way, so that the client has some of it.
    stream.write(&[b'x'; 1 << 20]).expect("the client reads");
    panic!("in the middle");
}

hostile::component!(misbehave);
