//! Wants to see what lies on the disk.

use hostile::Call;
use wasip2::filesystem::preopens::get_directories;

fn misbehave(call: Call) {
    let names: Vec<String> = get_directories().into_iter().map(|(_, name)| name).collect();
    call.answer(&names.join("\n"));
}

hostile::component!(misbehave);
