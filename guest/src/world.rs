//! What the server needs from outside: a clock, randomness, settings, a log, and one way to ask Audiobookshelf.

use policy::{CertificateFault, Route};
use std::fmt;

/// Implemented by `wasi.rs` for the component and by fakes in tests.
pub trait World {
    /// Milliseconds since 1970 (wall clock).
    fn now_ms(&self) -> u64;
    /// Unguessable bytes.
    fn random(&self) -> [u8; 16];
    /// A setting by its lower_snake_case key; absent and empty are the same.
    fn config(&self, key: &str) -> Option<String>;
    /// Whether a setting could not be read for this request. What cannot be read is not the same as not set: it may be what
    /// closes a door.
    fn config_failed(&self) -> bool {
        false
    }
    /// One line for the operator. Never give it content or credentials.
    fn log(&self, line: &str);
    /// Sends one request and reads its answer, at most [`MAX_BODY`] bytes, within [`BUDGET_MS`]. Follows no redirect and
    /// repeats nothing.
    fn send(&self, request: Outgoing) -> Result<Incoming, SendError>;
    /// Headers for the head of the answer to this request, whether that goes out at the end or opens a stream.
    fn head_with(&self, headers: Vec<(&'static str, String)>);
    /// Sends bytes of an event stream to the client whose request this is. The first ones open the stream; the answer that
    /// `mcp::serve` returns then becomes its last event.
    fn push(&self, events: &str) -> Result<(), Gone>;
    fn sleep(&self, ms: u64);
    /// What outlives a request, shared by all instances.
    fn store(&self) -> &dyn Store;
}

/// The client has closed the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// A small key-value store (`wasi:keyvalue`, bucket `default`).
pub trait Store {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;
    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError>;
    fn delete(&self, key: &str) -> Result<(), StoreError>;
    fn keys(&self) -> Result<Vec<String>, StoreError>;
    /// Adds one, atomically, and returns the sum. The key must hold nothing but such a count.
    fn increment(&self, key: &str) -> Result<i64, StoreError>;
}

/// The store is missing, denied or broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreError;

/// The largest answer that is read, in bytes. ABS embeds whole books in collections and does not page them, so its answers
/// have no bound of their own.
pub const MAX_BODY: usize = 5_000_000;

/// How long one request to ABS may take altogether, in milliseconds.
pub const BUDGET_MS: u64 = 15_000;

/// An operator can set less, never more.
const IN_TIME: &str = "in time (15 seconds at most)";
const _: () = assert!(BUDGET_MS == 15_000, "IN_TIME says so");

/// A request to Audiobookshelf, made by `abs::Client` from a row of the route table and from nothing else.
#[derive(Debug)]
pub struct Outgoing {
    pub route: &'static Route,
    /// `https` or `http`.
    pub scheme: policy::Scheme,
    pub authority: String,
    /// With the base path.
    pub path_and_query: String,
    /// Where the host does not add the credential itself (Spin).
    pub bearer: Option<String>,
    /// JSON.
    pub body: Option<Vec<u8>>,
}

/// What came back.
#[derive(Clone, Debug, Default)]
pub struct Incoming {
    pub status: u16,
    /// Without parameters, in lower case.
    pub content_type: String,
    /// Seconds or a date, as ABS or a proxy wrote it.
    pub retry_after: Option<String>,
    /// The body is encoded (`Content-Encoding`), although nobody asked for that.
    pub encoded: bool,
    pub body: Vec<u8>,
}

/// Why nothing (whole) came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendError {
    Denied,
    Dns,
    Refused,
    /// No connection in time; nothing was sent.
    NoConnection,
    Tls,
    Certificate(CertificateFault),
    /// Nothing of an answer in time.
    Timeout,
    /// Only the beginning of an answer in time.
    Stalled,
    /// Spin also says this of a connection that was closed without an answer.
    NotHttp,
    HeadTooLarge,
    /// Closed without a whole answer. ABS does this when a request makes it exit.
    Closed,
    TooLarge,
    Other(String),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::Denied => f.write_str("the sandbox did not let the request out"),
            SendError::Dns => f.write_str("its host name could not be resolved"),
            SendError::Refused => f.write_str("it refused the connection"),
            SendError::NoConnection => write!(f, "no connection to it came about {IN_TIME}"),
            SendError::Tls => f.write_str(
                "no TLS connection to it could be made; Spin also says this of a certificate that it does not trust; if it speaks \
                 plain HTTP at that port, AUDIOBOOKSHELF_URL begins with http://",
            ),
            SendError::Certificate(fault) => fault.fmt(f),
            SendError::Timeout => write!(f, "it took the request and did not answer {IN_TIME}"),
            SendError::Stalled => write!(f, "it began to answer and did not finish {IN_TIME}"),
            SendError::NotHttp => f.write_str(
                "it closed the connection without an answer, or what it answered is not valid HTTP; if it speaks TLS at that \
                 port, AUDIOBOOKSHELF_URL begins with https://",
            ),
            SendError::HeadTooLarge => f.write_str("the headers of its answer are too large"),
            SendError::Closed => f.write_str("it closed the connection without a whole answer"),
            SendError::TooLarge => {
                write!(f, "its answer is larger than {} MB, or than the operator allows", MAX_BODY / 1_000_000)
            }
            SendError::Other(kind) => write!(f, "the connection failed ({kind})"),
        }
    }
}
