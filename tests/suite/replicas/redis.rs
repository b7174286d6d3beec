//! A Redis of the test's own, which ends with it.

use std::{net::TcpListener, path::PathBuf, process::Stdio, time::Duration};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::{sleep, timeout},
};

pub struct Redis {
    pub url: String,
    _child: Child,
}

impl Redis {
    /// In memory, on a free port.
    pub async fn start() -> Redis {
        // Redis cannot pick a port itself. Whoever takes it in between makes the start fail, and another one is tried.
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
            let mut child = Command::new("redis-server")
                .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
                .current_dir(env!("CARGO_TARGET_TMPDIR"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .kill_on_drop(true)
                .spawn()
                .expect("these tests need redis-server, which `cargo xtask test` installs on Debian as root");
            let up = async {
                while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                    if child.try_wait().is_ok_and(|ended| ended.is_some()) {
                        return false;
                    }
                    sleep(Duration::from_millis(10)).await;
                }
                true
            };
            if timeout(Duration::from_secs(20), up).await.expect("Redis starts in time") {
                return Redis { url: format!("redis://127.0.0.1:{port}"), _child: child };
            }
        }
        panic!("Redis does not start");
    }

    /// A runtime configuration that makes it the store.
    pub fn runtime_config(&self) -> PathBuf {
        let name = self.url.rsplit(':').next().unwrap_or_default();
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("redis-{name}.toml"));
        std::fs::write(&file, format!("[key_value_store.default]\ntype = \"redis\"\nurl = {:?}\n", self.url))
            .expect("the folder for tests can be written");
        file
    }
}
