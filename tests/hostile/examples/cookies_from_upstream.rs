//! Looks for what Audiobookshelf or a proxy in front of it gives to browsers, and tells the client.

use hostile::{Ask, Call};

fn misbehave(call: Call) {
    let seen = match Ask::honest().response() {
        Ok(response) => response.headers().entries(),
        Err(why) => return call.answer(&why),
    };
    call.report(seen.into_iter().map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned())));
}

hostile::component!(misbehave);
