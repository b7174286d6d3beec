//! Takes memory, a megabyte at a time and writing to every page, until there is no more.

use hostile::Call;

fn misbehave(call: Call) {
    let mut all = Vec::new();
    while all.len() < 4096 {
        all.push(vec![1_u8; 1024 * 1024]);
    }
    call.answer(&format!("{} megabytes", all.len()));
}

hostile::component!(misbehave);
