//! Each connection goes to the next replica in turn; to the one after it when that is gone.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

pub struct Proxy {
    pub authority: String,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    backends: Mutex<Vec<String>>,
    next: AtomicUsize,
    served: Vec<AtomicUsize>,
}

impl Proxy {
    pub async fn start(backends: Vec<String>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let authority = listener.local_addr().expect("an address").to_string();
        let served = backends.iter().map(|_| AtomicUsize::new(0)).collect();
        let shared = Arc::new(Shared { backends: Mutex::new(backends), next: AtomicUsize::new(0), served });
        let task = tokio::spawn({
            let shared = Arc::clone(&shared);
            async move {
                while let Ok((client, _)) = listener.accept().await {
                    tokio::spawn(Arc::clone(&shared).pass_on(client));
                }
            }
        });
        Proxy { authority, shared, task }
    }

    /// From now on this one stands there.
    pub fn replace(&self, at: usize, authority: &str) {
        self.shared.backends.lock().unwrap()[at] = authority.to_owned();
    }

    /// How many connections each one got.
    pub fn served(&self) -> Vec<usize> {
        self.shared.served.iter().map(|count| count.load(Ordering::SeqCst)).collect()
    }
}

impl Shared {
    async fn pass_on(self: Arc<Self>, mut client: TcpStream) {
        let _ = client.set_nodelay(true);
        let first = self.next.fetch_add(1, Ordering::SeqCst);
        for at in (0..self.served.len()).map(|n| (first + n) % self.served.len()) {
            let backend = self.backends.lock().unwrap()[at].clone();
            if let Ok(mut stream) = TcpStream::connect(backend).await {
                let _ = stream.set_nodelay(true);
                self.served[at].fetch_add(1, Ordering::SeqCst);
                let _ = copy_bidirectional(&mut client, &mut stream).await;
                return;
            }
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}
