//! As many headers in its own answer as the test says.

use hostile::Call;
use wasip2::http::types::Fields;

fn misbehave(call: Call) {
    let headers = Fields::new();
    for n in 0..call.text.parse().expect("a number") {
        let n: u32 = n;
        headers.append(&format!("x-{n}"), b"many").expect("a valid header");
    }
    call.begin(headers).finish();
}

hostile::component!(misbehave);
