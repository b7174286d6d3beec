//! How long a request to Audiobookshelf may take.

use super::errors;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, Sleep, sleep_until, timeout_at},
};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

/// The component may ask for less, never for more.
pub(super) struct Budget {
    end: Instant,
    pub(super) connect: Duration,
    pub(super) first_byte: Duration,
    between_bytes: Duration,
}

impl Budget {
    pub(super) fn start(longest: Duration, options: Option<RequestOptions>) -> Self {
        let at_most = |wish: Option<Duration>| wish.map_or(longest, |wish| wish.min(longest));
        let options = options.unwrap_or_default();
        Budget {
            end: Instant::now() + longest,
            // Ends before the whole does, so that it can be told that nothing was sent.
            connect: at_most(options.connect_timeout).min(longest * 29 / 30),
            first_byte: at_most(options.first_byte_timeout),
            between_bytes: at_most(options.between_bytes_timeout),
        }
    }

    /// Bounds everything up to the head of the response.
    pub(super) async fn total<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        timeout_at(self.end, work).await.unwrap_or(Err(Error::HttpResponseTimeout))
    }

    /// Bounds the body of the response by what is left of the time, and by a number of bytes.
    pub(super) fn body(&self, inner: Incoming, most: usize, place: OwnedSemaphorePermit) -> WasiBody {
        let body = Timed {
            inner,
            left: most,
            most,
            _place: place,
            end: Box::pin(sleep_until(self.end)),
            silence: Box::pin(sleep_until(Instant::now() + self.between_bytes)),
            between_bytes: self.between_bytes,
        };
        body.boxed_unsync()
    }
}

struct Timed {
    inner: Incoming,
    /// Bytes.
    left: usize,
    most: usize,
    /// Given back when the body is read or dropped.
    _place: OwnedSemaphorePermit,
    end: Pin<Box<Sleep>>,
    silence: Pin<Box<Sleep>>,
    between_bytes: Duration,
}

impl Body for Timed {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        // The end comes first: a body that trickles for ever is never silent.
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(Error::HttpResponseTimeout)));
        }
        match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(frame) => {
                let next = Instant::now() + self.between_bytes;
                self.silence.as_mut().reset(next);
                let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
                match self.left.checked_sub(bytes) {
                    Some(left) => self.left = left,
                    None => return Poll::Ready(Some(Err(Error::HttpResponseBodySize(Some(self.most as u64))))),
                }
                Poll::Ready(frame.map(|frame| frame.map_err(|error| errors::in_body(&error))))
            }
            Poll::Pending => self.silence.as_mut().poll(context).map(|()| Some(Err(Error::ConnectionReadTimeout))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_component_may_shorten_but_not_lengthen() {
        let wish = |seconds| RequestOptions {
            connect_timeout: Some(Duration::from_secs(seconds)),
            first_byte_timeout: Some(Duration::from_secs(seconds)),
            between_bytes_timeout: None,
        };
        let all = |budget: Budget| [budget.connect, budget.first_byte, budget.between_bytes].map(|d| d.as_secs());
        let start = |options| Budget::start(Duration::from_secs(15), options);
        assert_eq!(all(start(None)), [14, 15, 15]);
        assert_eq!(all(start(Some(wish(3)))), [3, 3, 15]);
        assert_eq!(all(start(Some(wish(600)))), [14, 15, 15]);
    }
}
