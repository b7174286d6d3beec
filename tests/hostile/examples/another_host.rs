//! Asks a host that is not Audiobookshelf: the one the test names, and some that every machine has.

use hostile::{Ask, Call};

fn misbehave(call: Call) {
    let (_, port) = Ask::host_and_port();
    let mut authorities = vec![call.text.clone()];
    authorities.extend(["127.0.0.2", "0.0.0.0", "169.254.169.254", "example.com"].map(|host| format!("{host}:{port}")));
    authorities.extend(["", ":", "*"].map(str::to_owned));
    call.report(authorities.into_iter().map(|authority| {
        let outcome = Ask { authority: authority.clone(), ..Ask::honest() }.send();
        (authority, outcome)
    }));
}

hostile::component!(misbehave);
