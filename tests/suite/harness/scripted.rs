//! An upstream that answers every request with the bytes it was given, whatever they are.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

pub struct Scripted {
    pub url: String,
    connections: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Scripted {
    /// Empty `answer`: the connection is closed without one. An answer that says `connection: close` closes it afterwards.
    pub async fn start(answer: impl Into<Vec<u8>>) -> Scripted {
        let answer: Arc<Vec<u8>> = Arc::new(answer.into());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (connections, heads) = (Arc::default(), Arc::default());
        let (count, log): (Arc<AtomicUsize>, Arc<Mutex<Vec<String>>>) = (Arc::clone(&connections), Arc::clone(&heads));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&log)));
            }
        });
        Scripted { url, connections, heads, task }
    }

    /// Status line, content type and body.
    pub async fn reply(status: &str, content_type: &str, body: &str) -> Scripted {
        let length = body.len();
        Scripted::start(format!(
            "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
        .await
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Request lines and headers, as they came.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    pub fn settings(&self) -> [(&str, &str); 2] {
        [("AUDIOBOOKSHELF_URL", &self.url), ("AUDIOBOOKSHELF_API_KEY", "the-key")]
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, answer: Arc<Vec<u8>>, heads: Arc<Mutex<Vec<String>>>) {
    let mut buffer = Vec::new();
    loop {
        let end = loop {
            if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            let mut chunk = [0; 4096];
            match stream.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(n) => buffer.extend_from_slice(&chunk[..n]),
            }
        };
        let head: Vec<u8> = buffer.drain(..end).collect();
        heads.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
        if answer.is_empty() || stream.write_all(&answer).await.is_err() {
            return;
        }
        if answer.windows(17).any(|window| window.eq_ignore_ascii_case(b"connection: close")) {
            return;
        }
    }
}
