//! An answer that never ends, as fast as it is read.

use hostile::Call;
use wasip2::http::types::Fields;

fn misbehave(call: Call) {
    let mut stream = call.begin(Fields::new());
    while stream.write(&[b'x'; 4096]).is_ok() {}
    // Whoever reads has left. That is no reason to stop.
    loop {
        wasip2::clocks::monotonic_clock::subscribe_duration(1_000_000).block();
    }
}

hostile::component!(misbehave);
