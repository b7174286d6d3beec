//! The request that makes a component misbehave, and its answer.

use crate::{Ask, ask};
use wasip2::http::types::{Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam};
use wasip2::io::streams::{OutputStream, StreamError};

/// As much as a stream takes at once in any case.
const PIECE: usize = 4096;

pub struct Call {
    /// The body of the request: what the test wants to say to the component.
    pub text: String,
    answer: ResponseOutparam,
}

/// Entry of every component.
pub fn serve(request: IncomingRequest, answer: ResponseOutparam, misbehave: fn(Call)) {
    // What the server has from its settings, these are told in the request.
    let url = request.headers().get("x-audiobookshelf-url").pop().unwrap_or_default();
    ask::at(&String::from_utf8_lossy(&url));
    let honest = request.path_with_query().as_deref() == Some("/honest");
    let call = Call { text: read(&request), answer };
    if honest {
        let outcome = Ask::honest().send();
        call.answer(&format!("honest: {outcome}"));
    } else {
        misbehave(call);
    }
}

fn read(request: &IncomingRequest) -> String {
    let stream = request.consume().and_then(|body| body.stream().map(|stream| (stream, body)));
    let Ok((stream, _body)) = stream else { return String::new() };
    let mut bytes = Vec::new();
    while let Ok(chunk) = stream.blocking_read(64 * 1024) {
        bytes.extend(chunk);
    }
    drop(stream);
    String::from_utf8(bytes).expect("tests send text")
}

impl Call {
    /// The whole answer.
    pub fn answer(self, text: &str) {
        let mut stream = self.begin(Fields::new());
        if stream.write(text.as_bytes()).is_ok() {
            stream.finish();
        }
    }

    /// A line for each attempt.
    pub fn report<A: AsRef<str>>(self, outcomes: impl IntoIterator<Item = (A, String)>) {
        let lines: Vec<String> =
            outcomes.into_iter().map(|(what, outcome)| format!("{}\t{outcome}", what.as_ref())).collect();
        self.answer(&lines.join("\n"));
    }

    /// The head; the body can go on for as long as the component likes.
    pub fn begin(self, headers: Fields) -> Stream {
        let head = OutgoingResponse::new(headers);
        let body = head.body().expect("the body is taken once");
        ResponseOutparam::set(self.answer, Ok(head));
        let out = body.write().expect("the stream is taken once");
        Stream { out, body }
    }
}

pub struct Stream {
    // Before the body, which cannot be dropped with its stream still open.
    out: OutputStream,
    body: OutgoingBody,
}

impl Stream {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        bytes.chunks(PIECE).try_for_each(|piece| self.out.blocking_write_and_flush(piece))
    }

    pub fn finish(self) {
        drop(self.out);
        // The client may have left.
        let _ = OutgoingBody::finish(self.body, None);
    }
}
