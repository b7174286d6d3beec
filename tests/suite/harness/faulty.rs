//! An upstream that does one thing wrong, on its first connection, and answers honestly on all others.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{oneshot, watch},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

use super::PATIENCE;

pub const KEY: &str = "the-key-of-this-test";

/// What the first connection plays. At its end the connection is closed.
#[derive(Clone, Debug)]
pub enum Step {
    Say(Vec<u8>),
    /// Says nothing more, until the other side goes.
    Hang,
    /// One byte at a time.
    Drip(Vec<u8>, Duration),
    /// Again and again, until the other side goes.
    Flood(Vec<u8>),
}

pub fn say(text: impl AsRef<[u8]>) -> Step {
    Step::Say(text.as_ref().to_vec())
}

#[derive(Clone)]
pub enum Fault {
    /// In answer to a request, inside of TLS where there is any.
    Answer(Vec<Step>),
    /// At once, without TLS, whatever the other side says.
    Speak(Vec<Step>),
    /// A request is read, and half of this sent; then the connection is torn down, not closed.
    Reset(Vec<u8>),
    /// Another certificate.
    Show(Arc<ServerConfig>),
    /// Nobody listens.
    Refuse,
    /// Nobody accepts, and no more connections fit into the queue.
    Full,
}

pub struct Faulty {
    pub authority: String,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
    /// Ends the fault, for those that need an end.
    heal: Option<oneshot::Sender<()>>,
}

struct Shared {
    fault: Fault,
    honest: Option<Arc<ServerConfig>>,
    connections: AtomicUsize,
    open: watch::Sender<usize>,
    heads: Mutex<Vec<String>>,
}

impl Faulty {
    /// With `honest`, over TLS.
    pub async fn start(fault: Fault, honest: Option<Arc<ServerConfig>>) -> Faulty {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
        let address = socket.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            // A connection that never came about or was not heard is the faulty one.
            connections: AtomicUsize::new(usize::from(matches!(fault, Fault::Refuse | Fault::Full))),
            fault,
            honest,
            open: watch::Sender::new(0),
            heads: Mutex::default(),
        });
        let (heal, healed) = oneshot::channel();
        let accepting = Arc::clone(&shared);
        let task = match accepting.fault {
            // Bound, so that nobody else gets the port, and not listening.
            Fault::Refuse => tokio::spawn(async move {
                let _ = healed.await;
                accept(socket.listen(64).expect("it listens"), accepting).await;
            }),
            Fault::Full => {
                let listener = socket.listen(1).expect("it listens");
                let mut queue = Vec::new();
                while let Ok(stream) = timeout(Duration::from_millis(200), TcpStream::connect(address)).await {
                    queue.push(stream.expect("a place in the queue"));
                }
                tokio::spawn(async move {
                    let _ = healed.await;
                    drop(queue);
                    accept(listener, accepting).await;
                })
            }
            _ => tokio::spawn(accept(socket.listen(64).expect("it listens"), accepting)),
        };
        Faulty { authority: address.to_string(), shared, task, heal: Some(heal) }
    }

    /// For the two faults in which no connection is heard: from now on they are.
    pub fn heal(&mut self) {
        if let Some(heal) = self.heal.take() {
            let _ = heal.send(());
        }
    }

    pub fn url(&self) -> String {
        let scheme = if self.shared.honest.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.authority)
    }

    /// Request lines and headers, as they came.
    pub fn heads(&self) -> Vec<String> {
        self.shared.heads.lock().unwrap().clone()
    }

    /// Completes when no connection is open.
    pub async fn quiet(&self) {
        let mut open = self.shared.open.subscribe();
        timeout(PATIENCE, open.wait_for(|open| *open == 0)).await.expect("no connection stays open").expect("alive");
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let first = shared.connections.fetch_add(1, Ordering::SeqCst) == 0;
        shared.open.send_modify(|open| *open += 1);
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            connection(stream, first, &shared).await;
            shared.open.send_modify(|open| *open -= 1);
        });
    }
}

async fn connection(mut stream: TcpStream, first: bool, shared: &Shared) {
    let fault = if first { Some(&shared.fault) } else { None };
    match (fault, &shared.honest) {
        (Some(Fault::Speak(steps)), _) => play(&mut stream, steps).await,
        (Some(Fault::Reset(half)), _) => {
            head(&mut stream, shared).await;
            play(&mut stream, &[Step::Say(half.clone())]).await;
            // So that the half arrives before the end does.
            sleep(Duration::from_millis(50)).await;
            stream.set_zero_linger().expect("a socket that can be torn down");
        }
        (fault, Some(honest)) => {
            let config = if let Some(Fault::Show(other)) = fault { other } else { honest };
            if let Ok(mut stream) = TlsAcceptor::from(Arc::clone(config)).accept(stream).await {
                answer(&mut stream, fault, shared).await;
                let _ = stream.shutdown().await;
            }
        }
        (fault, None) => answer(&mut stream, fault, shared).await,
    }
}

async fn answer(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), fault: Option<&Fault>, shared: &Shared) {
    if !head(stream, shared).await {
        return;
    }
    match fault {
        Some(Fault::Answer(steps)) => play(stream, steps).await,
        _ => play(stream, &[say(honest())]).await,
    }
}

/// One library, and the connection is closed.
pub fn honest() -> String {
    let body = r#"{"libraries":[{"id":"honest","name":"Honest","mediaType":"book"}]}"#;
    let length = body.len();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    format!("{head}\r\ncontent-length: {length}\r\n\r\n{body}")
}

async fn head(stream: &mut (impl AsyncRead + Unpin), shared: &Shared) -> bool {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return false,
        }
    }
    shared.heads.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
    true
}

async fn play(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), steps: &[Step]) {
    for step in steps {
        let goes_on = match step {
            Step::Say(bytes) => stream.write_all(bytes).await.is_ok() && stream.flush().await.is_ok(),
            Step::Hang => {
                until_closed(stream).await;
                false
            }
            Step::Drip(bytes, pause) => {
                let mut ok = true;
                for byte in bytes {
                    ok = ok && stream.write_all(&[*byte]).await.is_ok() && stream.flush().await.is_ok();
                    if !ok {
                        break;
                    }
                    sleep(*pause).await;
                }
                ok
            }
            Step::Flood(bytes) => {
                while stream.write_all(bytes).await.is_ok() {}
                false
            }
        };
        if !goes_on {
            return;
        }
    }
}

async fn until_closed(stream: &mut (impl AsyncRead + Unpin)) {
    let mut rest = [0; 4096];
    while stream.read(&mut rest).await.is_ok_and(|n| n > 0) {}
}
