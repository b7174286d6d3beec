//! What a process holds, looked at while it works.

use std::{
    fmt, fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{sync::oneshot, task::JoinHandle, time::timeout};

/// How often it looks.
const PAUSE: Duration = Duration::from_millis(50);

pub struct Watch {
    task: JoinHandle<Seen>,
    stop: oneshot::Sender<()>,
}

/// Averages, by quarters of the requests.
#[derive(Default)]
pub struct Seen {
    resident_kb: [f64; 4],
    files: [f64; 4],
}

impl Watch {
    pub fn start(pid: u32, requests: usize, done: Arc<AtomicUsize>) -> Watch {
        let (stop, mut stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let (mut seen, mut looks) = (Seen::default(), [0.0; 4]);
            while timeout(PAUSE, &mut stopped).await.is_err() {
                let quarter = (done.load(Ordering::Relaxed) * 4 / requests).min(3);
                looks[quarter] += 1.0;
                seen.resident_kb[quarter] += resident_kb(pid);
                seen.files[quarter] += files(pid);
            }
            for (quarter, looks) in looks.into_iter().enumerate() {
                seen.resident_kb[quarter] /= looks;
                seen.files[quarter] /= looks;
            }
            seen
        });
        Watch { task, stop }
    }

    pub async fn end(self) -> Seen {
        let _ = self.stop.send(());
        self.task.await.expect("it only reads")
    }
}

impl Seen {
    /// The last quarter holds no more than so many times the second one.
    pub fn assert_flat(&self, most: f64) {
        assert!(self.resident_kb[3] <= self.resident_kb[1] * most, "memory grows: {self}");
        assert!(self.files[3] <= self.files[1] * most, "open files grow: {self}");
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &[f64; 4]| values.map(|value| format!("{value:.0}")).join(" ");
        write!(f, "by quarters: resident kB {}, open files {}", list(&self.resident_kb), list(&self.files))
    }
}

fn resident_kb(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the server runs, on Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a resident size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

fn files(pid: u32) -> f64 {
    fs::read_dir(format!("/proc/{pid}/fd")).expect("the server runs, on Linux").count() as f64
}
