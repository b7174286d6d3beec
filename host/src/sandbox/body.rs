//! The body of an answer, while the instance may still be writing it.

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::{
    fmt,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::task::AbortHandle;
use wasmtime_wasi_http::p2::body::HyperOutgoingBody;

/// Streams what the instance writes. Dropped before its end, it ends the instance.
pub struct GuestBody {
    inner: HyperOutgoingBody,
    ending: Ending,
    leaving: Leaving,
    over: bool,
}

/// The instance broke off in the middle of its answer.
#[derive(Debug)]
pub struct BrokenOff;

impl fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer broke off")
    }
}

impl std::error::Error for BrokenOff {}

impl GuestBody {
    pub(super) fn new(inner: HyperOutgoingBody, ending: Ending, leaving: Leaving) -> Self {
        GuestBody { inner, ending, leaving, over: false }
    }
}

impl Body for GuestBody {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        if self.over {
            return Poll::Ready(None);
        }
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        Poll::Ready(match frame {
            Some(Ok(frame)) => Some(Ok(frame)),
            // A stream whose writer is gone looks finished; only the instance's own end says whether it was.
            None if !self.ending.is_broken() => {
                self.over = true;
                self.leaving.stays();
                None
            }
            None | Some(Err(_)) => {
                self.over = true;
                Some(Err(BrokenOff))
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        self.over
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Whether the instance ended before its work was done.
#[derive(Clone, Default)]
pub(super) struct Ending(Arc<AtomicBool>);

impl Ending {
    fn is_broken(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Marks the instance as broken when dropped, unless disarmed.
    pub(super) fn armed(&self) -> Unfinished {
        Unfinished(Some(self.clone()))
    }
}

pub(super) struct Unfinished(Option<Ending>);

impl Unfinished {
    pub(super) fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(ending) = &self.0 {
            ending.0.store(true, Ordering::Release);
        }
    }
}

/// Ends the instance when dropped, after a moment in which it may notice by itself that nobody listens.
pub(super) struct Leaving {
    instance: Option<AbortHandle>,
    grace: Duration,
}

impl Leaving {
    pub(super) fn new(instance: AbortHandle, grace: Duration) -> Self {
        Leaving { instance: Some(instance), grace }
    }

    /// There is nothing to end any more.
    pub(super) fn over() -> Leaving {
        Leaving { instance: None, grace: Duration::ZERO }
    }

    /// The answer is complete; what the instance still does is its own affair, within the limits.
    fn stays(&mut self) {
        self.instance = None;
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let Some(instance) = self.instance.take().filter(|instance| !instance.is_finished()) else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if !self.grace.is_zero() => {
                let grace = self.grace;
                runtime.spawn(async move {
                    tokio::time::sleep(grace).await;
                    instance.abort();
                });
            }
            _ => instance.abort(),
        }
    }
}
