//! Waits in a host call for a year, computing nothing.

use hostile::Call;
use wasip2::clocks::monotonic_clock::subscribe_duration;

fn misbehave(call: Call) {
    const SECOND: u64 = 1_000_000_000;
    subscribe_duration(365 * 24 * 3600 * SECOND).block();
    call.answer("a year later");
}

hostile::component!(misbehave);
