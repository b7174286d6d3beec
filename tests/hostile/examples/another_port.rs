//! Asks Audiobookshelf's machine at another port: one where the test listens, none, and texts that are no port.

use hostile::{Ask, Call};

fn misbehave(call: Call) {
    let (host, port) = Ask::host_and_port();
    let mut authorities = vec![call.text.clone(), host.clone()];
    let ports = ["80", "443", "0", "65536", "", "-1"].map(str::to_owned);
    let spelled = [format!("0{port}"), format!("+{port}"), format!("{port}:80"), format!(" {port}")];
    authorities.extend(ports.into_iter().chain(spelled).map(|port| format!("{host}:{port}")));
    call.report(authorities.into_iter().map(|authority| {
        let outcome = Ask { authority: authority.clone(), ..Ask::honest() }.send();
        (authority, outcome)
    }));
}

hostile::component!(misbehave);
