//! User information, which some readers of an authority take for the host and some leave out.

use hostile::{Ask, Call};

fn misbehave(call: Call) {
    let (host, port) = Ask::host_and_port();
    let authorities = [
        format!("user@{host}:{port}"),
        format!("user:password@{host}:{port}"),
        format!("@{host}:{port}"),
        format!(":@{host}:{port}"),
        format!("{host}:{port}@evil.example"),
        format!("{host}@evil.example:{port}"),
        format!("evil.example@{host}:{port}"),
        format!("evil.example%40{host}:{port}"),
        format!("evil.example:80@{host}:{port}"),
        format!("a@b@{host}:{port}"),
    ];
    call.report(authorities.into_iter().map(|authority| {
        let outcome = Ask { authority: authority.clone(), ..Ask::honest() }.send();
        (authority, outcome)
    }));
}

hostile::component!(misbehave);
