//! The ways in: standard input and output for the client that started the process, HTTP for others.

mod events;
#[cfg(test)]
mod fuzz;
pub mod http;
pub mod in_process;
pub mod stdio;

use serde_json::{Value, json};

/// JSON-RPC: the message is not a valid request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// JSON-RPC: the server failed.
pub(crate) const INTERNAL_ERROR: i32 = -32603;

/// An error that the host makes itself, in one line. Without an id where it is not known which request it answers.
pub(crate) fn error(id: Option<&Value>, code: i32, message: &str) -> String {
    let error = json!({ "code": code, "message": message });
    match id {
        Some(id) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
        None => json!({ "jsonrpc": "2.0", "error": error }),
    }
    .to_string()
}

pub(crate) fn too_large(limit: usize) -> String {
    error(None, INVALID_REQUEST, &format!("the message is larger than this server accepts ({limit} bytes)"))
}
