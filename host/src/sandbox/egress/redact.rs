//! The credential does not come back: where an answer repeats it, the component sees stars.
//!
//! A debug page of a proxy shows the headers of the request it got, and `/api/me` of some versions shows the key. What takes
//! the place of the key is exactly as long as the key, so that `Content-Length` stays true and nothing has to be held back
//! to count it. Found is the key as it is sent, byte for byte, across frames; not the key in base64, escaped, or compressed
//! (which nobody asked for).

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue};
use http_body::{Body, Frame, SizeHint};
use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};
use wasmtime_wasi_http::{Error, WasiBody};

const MARK: &[u8] = b"[redacted]";

/// What must not come back. Cheap to clone.
#[derive(Clone)]
pub(super) struct Redaction {
    key: Arc<[u8]>,
    stars: Arc<[u8]>,
}

impl Redaction {
    /// None for a key that is shorter than the mark: it could not be told from ordinary words, and is none of ABS's.
    pub(super) fn new(key: &str) -> Option<Self> {
        let room = key.len().checked_sub(MARK.len())?;
        Some(Redaction { key: key.as_bytes().into(), stars: [MARK, &vec![b'*'; room]].concat().into() })
    }

    pub(super) fn headers(&self, headers: &mut HeaderMap) {
        for value in headers.values_mut() {
            let mut bytes = BytesMut::from(value.as_bytes());
            if self.replace(&mut bytes) > 0 {
                // Stars are as good in a header as a key, so that this does not fail.
                *value =
                    HeaderValue::from_maybe_shared(bytes.freeze()).unwrap_or(HeaderValue::from_static("[redacted]"));
            }
        }
    }

    pub(super) fn body(&self, inner: WasiBody) -> Redacted {
        Redacted { inner, redaction: self.clone(), held: BytesMut::new(), after: None }
    }

    /// Where the last replacement ends.
    fn replace(&self, bytes: &mut [u8]) -> usize {
        let mut done = 0;
        while let Some(at) = find(&bytes[done..], &self.key) {
            let start = done + at;
            done = start + self.key.len();
            bytes[start..done].copy_from_slice(&self.stars);
        }
        done
    }

    /// How many bytes at the end may be the beginning of a key.
    fn begun(&self, bytes: &[u8]) -> usize {
        let longest = bytes.len().min(self.key.len() - 1);
        (1..=longest).rev().find(|n| bytes.ends_with(&self.key[..*n])).unwrap_or(0)
    }
}

/// The first byte is looked for alone: that is fast, and of a key it is not frequent.
fn find(bytes: &[u8], key: &[u8]) -> Option<usize> {
    let (first, mut from) = (key[0], 0);
    loop {
        from += bytes.get(from..)?.iter().position(|byte| *byte == first)?;
        if bytes[from..].starts_with(key) {
            return Some(from);
        }
        from += 1;
    }
}

pub(super) struct Redacted {
    inner: WasiBody,
    redaction: Redaction,
    /// The end of what has come, when a key may begin there.
    held: BytesMut,
    /// What comes after `held`, which turned out to be the end.
    after: Option<Option<Result<Frame<Bytes>, Error>>>,
}

impl Redacted {
    fn data(&mut self, data: Bytes) -> Bytes {
        let clean = self.held.is_empty() && find(&data, &self.redaction.key).is_none();
        if clean && self.redaction.begun(&data) == 0 {
            return data;
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(&data);
        let done = self.redaction.replace(&mut all);
        let begun = self.redaction.begun(&all[done..]);
        self.held = all.split_off(all.len() - begun);
        all.freeze()
    }
}

impl Body for Redacted {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        loop {
            if let Some(after) = this.after.take() {
                return Poll::Ready(after);
            }
            let frame = match ready!(Pin::new(&mut this.inner).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                // The end, or an end before its time. What was held is no key, since it is not whole.
                other => {
                    this.after = Some(other);
                    if this.held.is_empty() {
                        continue;
                    }
                    return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut this.held).freeze()))));
                }
            };
            match frame.into_data() {
                Ok(data) => {
                    let data = this.data(data);
                    if !data.is_empty() {
                        return Poll::Ready(Some(Ok(Frame::data(data))));
                    }
                }
                Err(frame) => {
                    let Ok(mut trailers) = frame.into_trailers() else { continue };
                    this.redaction.headers(&mut trailers);
                    this.after = Some(Some(Ok(Frame::trailers(trailers))));
                    if !this.held.is_empty() {
                        return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut this.held).freeze()))));
                    }
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.held.is_empty() && self.after.is_none() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.inner.size_hint();
        let held = self.held.len() as u64;
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + held);
        }
        hint.set_lower(hint.lower() + held);
        hint
    }
}

#[cfg(test)]
mod tests;
