//! A request to the outside, however wrong, and one word for what came of it.

use std::cell::RefCell;
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{ErrorCode, Fields, IncomingResponse, Method, OutgoingBody, OutgoingRequest, Scheme};

thread_local! {
    /// The Audiobookshelf of this test.
    static URL: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(crate) fn at(url: &str) {
    URL.set(url.to_owned());
}

/// Not checked in any way: that is the point.
pub struct Ask {
    pub method: Method,
    pub scheme: Scheme,
    pub authority: String,
    /// With the query.
    pub path: String,
    pub headers: Fields,
}

impl Ask {
    /// What the server itself asks before anything else.
    pub fn honest() -> Ask {
        let url = URL.with_borrow(String::clone);
        let (scheme, authority) = url.split_once("://").expect("an origin");
        Ask {
            method: Method::Get,
            scheme: if scheme == "https" { Scheme::Https } else { Scheme::Http },
            authority: authority.to_owned(),
            path: "/status".to_owned(),
            headers: Fields::new(),
        }
    }

    /// Of the configured authority, what is before and after the colon.
    pub fn host_and_port() -> (String, String) {
        let authority = Ask::honest().authority;
        let (host, port) = authority.rsplit_once(':').expect("tests listen on a port of their own");
        (host.to_owned(), port.to_owned())
    }

    /// The status of the answer; or the name of the error; or which part could not even be put into a request.
    pub fn send(self) -> String {
        match self.response() {
            Ok(response) => format!("status {}", response.status()),
            Err(why) => why,
        }
    }

    pub fn response(self) -> Result<IncomingResponse, String> {
        let request = OutgoingRequest::new(self.headers);
        let part = |set: Result<(), ()>, what: &str| set.map_err(|()| format!("unsendable {what}"));
        part(request.set_method(&self.method), "method")?;
        part(request.set_scheme(Some(&self.scheme)), "scheme")?;
        part(request.set_authority(Some(&self.authority)), "authority")?;
        part(request.set_path_with_query(Some(&self.path)), "path")?;
        let body = request.body().expect("the body is taken once");
        OutgoingBody::finish(body, None).map_err(|code| name(&code))?;
        let future = handle(request, None).map_err(|code| name(&code))?;
        future.subscribe().block();
        let outcome = future.get().expect("it is there").expect("it is taken once");
        outcome.map_err(|code| name(&code))
    }
}

/// Without what the code carries.
fn name(code: &ErrorCode) -> String {
    let text = format!("{code:?}");
    let name = text.trim_start_matches("ErrorCode::");
    name.split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
}
