//! A client that keeps connections busy: the same request again and again, and how long each took.
//!
//! One thread and no more work than to find the end of an answer, since it shares the processors with what it measures.

use crate::sample::Sample;
use anyhow::{Context, Result, bail, ensure};
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    runtime::Builder,
    task::JoinSet,
};

pub struct Load {
    pub times: Sample,
    pub elapsed: Duration,
    /// The first answer.
    pub body: Vec<u8>,
}

impl Load {
    pub fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// Asks on so many connections for so long, each of them at least once.
pub fn run(address: SocketAddr, request: &[u8], connections: usize, time: Duration) -> Result<Load> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for stream in streams {
            tasks.spawn(connection(stream, request.to_vec(), start + time));
        }
        let mut load = Load { times: Sample::default(), elapsed: Duration::ZERO, body: Vec::new() };
        while let Some(done) = tasks.join_next().await {
            let (times, body) = done??;
            load.times.extend(times);
            load.body = body;
        }
        load.elapsed = start.elapsed();
        Ok(load)
    })
}

async fn connection(mut stream: TcpStream, request: Vec<u8>, end: Instant) -> Result<(Sample, Vec<u8>)> {
    let mut times = Sample::default();
    let mut first = None;
    let mut buffer = Vec::with_capacity(128 * 1024);
    while times.is_empty() || Instant::now() < end {
        let start = Instant::now();
        stream.write_all(&request).await?;
        let body = answer(&mut stream, &mut buffer).await?;
        times.push(start.elapsed());
        let body = &buffer[body..];
        let expected = first.get_or_insert_with(|| body.to_vec());
        ensure!(expected.len() == body.len(), "answers of different lengths: {} and {}", expected.len(), body.len());
    }
    Ok((times, first.unwrap_or_default()))
}

/// Reads one answer. Returns where its body begins.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<usize> {
    buffer.clear();
    let mut end = None;
    loop {
        ensure!(stream.read_buf(buffer).await? > 0, "the connection was closed in the middle of an answer");
        if end.is_none() {
            end = head(buffer)?;
        }
        if let Some((body, length)) = end
            && buffer.len() >= body + length
        {
            ensure!(buffer.len() == body + length, "more than one answer");
            return Ok(body);
        }
    }
}

/// Where the body begins, and its length; nothing while the head is not complete.
fn head(bytes: &[u8]) -> Result<Option<(usize, usize)>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&bytes[..end])?;
    if !head.starts_with("HTTP/1.1 200") {
        bail!("not answered: {}", head.lines().next().unwrap_or_default());
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    Ok(Some((end + 4, length.context("an answer without its length")?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        assert_eq!(head(b"HTTP/1.1 200 OK\r\nContent-Len").unwrap(), None);
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx: y\r\n\r\nab";
        assert_eq!(head(answer).unwrap(), Some((answer.len() - 2, 2)));
        assert!(head(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n").is_err());
        assert!(head(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
    }
}
