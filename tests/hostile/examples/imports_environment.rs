//! Wants the variables of the host, among them the key.

use hostile::Call;
use wasip2::cli::environment::get_environment;

fn misbehave(call: Call) {
    call.report(get_environment());
}

hostile::component!(misbehave);
