//! Names that begin, end or look like Audiobookshelf's.

use hostile::{Ask, Call};

fn misbehave(call: Call) {
    let (host, port) = Ask::host_and_port();
    let authorities = [
        format!("{host}.evil:{port}"),
        format!("{host}.evil.example:{port}"),
        format!("{host}-evil:{port}"),
        format!("evil.{host}:{port}"),
        format!("evil{host}:{port}"),
        format!("{host}.:{port}"),
        format!("{host}..:{port}"),
        format!(".{host}:{port}"),
        format!("{host}%2eevil:{port}"),
        format!("{host}%00.evil:{port}"),
        format!("{host}%23.evil:{port}"),
        format!("{host}\u{3002}evil:{port}"),
        format!("{host}:{port}.evil"),
        format!("{host}:{port}/.evil"),
        format!("{host}:{port}#.evil"),
        format!("{host}:{port}?.evil"),
        format!("{host}:{port}\\.evil"),
        format!("{host}\t:{port}"),
        format!("{host}\r\nhost: evil"),
    ];
    call.report(authorities.into_iter().map(|authority| {
        let outcome = Ask { authority: authority.clone(), ..Ask::honest() }.send();
        (authority.escape_debug().to_string(), outcome)
    }));
}

hostile::component!(misbehave);
