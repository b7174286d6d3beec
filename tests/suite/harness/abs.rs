//! The Audiobookshelf that a test runs against.

use standin::Standin;
use tokio::sync::{Mutex, MutexGuard};

pub enum Abs {
    Standin(Standin),
    /// `ABS_TEST_URL` and `ABS_TEST_KEY`.
    Real {
        url: String,
        key: String,
        _turn: MutexGuard<'static, ()>,
    },
}

/// There is one real library: whoever compares what it was with what it is has to be alone with it. So a test has one
/// `Abs` at a time.
static TURN: Mutex<()> = Mutex::const_new(());

impl Abs {
    /// A real one where the environment names one, the stand-in otherwise.
    pub async fn start() -> Abs {
        match (std::env::var("ABS_TEST_URL"), std::env::var("ABS_TEST_KEY")) {
            (Ok(url), Ok(key)) => {
                println!("against the Audiobookshelf at ABS_TEST_URL");
                Abs::Real { url, key, _turn: TURN.lock().await }
            }
            (Err(_), Err(_)) => Abs::Standin(Standin::start().await.expect("the stand-in starts")),
            _ => panic!("ABS_TEST_URL and ABS_TEST_KEY go together"),
        }
    }

    pub fn settings(&self) -> [(&'static str, String); 2] {
        match self {
            Abs::Standin(standin) => settings_for(standin, "root"),
            Abs::Real { url, key, .. } => {
                [("AUDIOBOOKSHELF_URL", url.clone()), ("AUDIOBOOKSHELF_API_KEY", key.clone())]
            }
        }
    }
}

pub fn settings_for(standin: &Standin, role: &str) -> [(&'static str, String); 2] {
    [("AUDIOBOOKSHELF_URL", standin.url()), ("AUDIOBOOKSHELF_API_KEY", standin.key(role))]
}
