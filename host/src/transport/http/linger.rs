//! A client that ends its side of the connection right after its request, and waits for the answer.
//!
//! Shell pipes and some proxies do. It looks exactly like a client that went away, which has to end its call. So the end is
//! passed on a moment late, and only where no byte of an answer was on its way yet: a quick answer reaches a client that
//! waits for it, and a call whose client is gone ends nearly as soon as before. Once a stream has begun, its end is the
//! client's word that it takes back what it asked; that is passed on at once.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

const MOMENT: Duration = Duration::from_secs(1);

/// A stream whose end comes late.
pub(super) struct Linger<S> {
    inner: S,
    /// Something was read and nothing was written since.
    awaiting: bool,
    /// Runs since the end was seen.
    moment: Option<Pin<Box<Sleep>>>,
}

impl<S> Linger<S> {
    pub(super) fn new(inner: S) -> Self {
        Linger { inner, awaiting: false, moment: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Linger<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(moment) = &mut self.moment {
            return moment.as_mut().poll(context).map(Ok);
        }
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        if buffer.filled().len() > before || room == 0 {
            self.awaiting = true;
            return Poll::Ready(Ok(()));
        }
        if !self.awaiting {
            return Poll::Ready(Ok(()));
        }
        let mut moment = Box::pin(sleep(MOMENT));
        let over = moment.as_mut().poll(context);
        self.moment = Some(moment);
        over.map(Ok)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Linger<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.awaiting = false;
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.awaiting = false;
        Pin::new(&mut self.inner).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    async fn time_to_the_end(stream: &mut Linger<tokio::io::DuplexStream>) -> Duration {
        let start = Instant::now();
        assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 0);
        start.elapsed()
    }

    #[tokio::test]
    async fn the_end_is_late_only_while_an_answer_is_owed() {
        let (mut client, server) = duplex(64);
        let mut server = Linger::new(server);
        client.write_all(b"request").await.unwrap();
        client.shutdown().await.unwrap();
        assert_eq!(server.read(&mut [0; 8]).await.unwrap(), 7);
        assert!(time_to_the_end(&mut server).await >= MOMENT);
        server.write_all(b"answer").await.unwrap();
        let mut answer = [0; 6];
        client.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"answer");
        assert!(time_to_the_end(&mut server).await < MOMENT / 2, "told once, it stays told");
    }

    #[tokio::test]
    async fn an_idle_connection_and_a_begun_answer_end_at_once() {
        let (client, server) = duplex(64);
        drop(client);
        assert!(time_to_the_end(&mut Linger::new(server)).await < MOMENT / 2);

        let (mut client, server) = duplex(64);
        let mut server = Linger::new(server);
        client.write_all(b"request").await.unwrap();
        assert_eq!(server.read(&mut [0; 8]).await.unwrap(), 7);
        server.write_all(b"head").await.unwrap();
        drop(client);
        assert!(time_to_the_end(&mut server).await < MOMENT / 2);
    }
}
