//! Takes no memory of its own but the host's: header fields without end, none of them ever given back.

use hostile::Call;
use wasip2::http::types::Fields;

fn misbehave(call: Call) {
    let mut all = Vec::new();
    let value = vec![b'x'; 60 * 1024];
    while all.len() < 1_000_000 {
        let fields = Fields::new();
        fields.append("x-bomb", &value).expect("below the limit for one");
        all.push(fields);
    }
    call.answer(&format!("{} times 60 kB", all.len()));
}

hostile::component!(misbehave);
