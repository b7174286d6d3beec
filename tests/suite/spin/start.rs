//! Without configuration, with a wrong one, and whether it is there at all.

use crate::harness::{Http, initialize, modern, modern_headers};
use crate::listing::{sample_arguments, tools};
use serde_json::{Value, json};

#[tokio::test]
async fn without_configuration_it_lists_and_each_call_says_which_variables_to_set() {
    // Spin starts it with the defaults of the manifest.
    let server = Http::start(&[("SPIN_VARIABLE_ELICITATION", "")]).await;
    let tools = tools(&server).await;
    assert_eq!(tools.len(), 44);
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        let text = server.error(name, sample_arguments(tool)).await;
        for variable in ["SPIN_VARIABLE_ORIGIN", "SPIN_VARIABLE_API_KEY", "SPIN_VARIABLE_MCP_TOKEN"] {
            assert!(text.contains(variable), "{name} does not name {variable}: {text}");
        }
        assert!(!text.contains("AUDIOBOOKSHELF_"), "names of another host: {text}");
    }
    let hello = server.post(&[], &initialize("2025-11-25")).await;
    assert_eq!(hello.json()["result"]["protocolVersion"], "2025-11-25", "the older era is there too");
}

/// A component cannot stop its host. It answers everything with what is wrong, and with nothing else.
#[tokio::test]
async fn a_setting_that_cannot_be_used_is_said_to_everybody() {
    for (name, value, says) in [
        ("SPIN_VARIABLE_ELICITATION", "maybe", "exactly true or false"),
        ("SPIN_VARIABLE_READ_ONLY", "perhaps", "true, 1 or yes, or false, 0 or no"),
        ("SPIN_VARIABLE_DENY_TOOLS", "delete_everything", "names, a prefix followed by *, and essential"),
        ("SPIN_VARIABLE_ORIGIN", "http://127.0.0.1:1/audiobookshelf", "SPIN_VARIABLE_BASE_PATH"),
        ("SPIN_VARIABLE_API_KEY", "hunter 2", "a blank inside"),
        ("SPIN_VARIABLE_MCP_TOKEN", "Bearer hunter2", "Leave it out"),
        ("SPIN_VARIABLE_MCP_TOKEN", "hunter2", "16 characters"),
        ("SPIN_VARIABLE_ALLOWED_HOSTS", "hunter2/", "there is no wildcard"),
        ("SPIN_VARIABLE_ALLOWED_ORIGINS", "hunter2", "there is no wildcard"),
    ] {
        let server = Http::start(&[(name, value)]).await;
        for message in [
            modern(1, "tools/list", json!({})),
            modern(1, "tools/call", json!({"name": "list_libraries", "arguments": {}})),
            initialize("2025-06-18"),
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        ] {
            let answer = server.post(&modern_headers(&message), &message).await.json();
            let text = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{name}: {answer}"));
            assert!(text.contains(name) && text.contains(says), "{name}: {text}");
            assert_eq!((&answer["id"], &answer["result"]), (&message["id"], &Value::Null));
            assert!(!text.contains("hunter") && !server.stderr().contains("hunter"), "{text}");
        }
    }
}

#[tokio::test]
async fn health() {
    // Also with settings that are of no use, and for callers without a token.
    for settings in [("SPIN_VARIABLE_MCP_TOKEN", "s3cret-s3cret-s3cret"), ("SPIN_VARIABLE_ELICITATION", "maybe")] {
        let server = Http::start(&[settings]).await;
        let get = server.send("GET", "/healthz", &[], "").await;
        assert_eq!((get.status, &get.body[..]), (200, &b"ok"[..]));
        assert!(get.header("content-type").starts_with("text/plain"));
        let head = server.send("HEAD", "/healthz", &[], "").await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let reply = server.send(method, "/healthz", &[("content-type", "application/json")], "{}").await;
            assert_eq!((reply.status, reply.header("allow")), (405, "GET, HEAD"), "{method}");
        }
        // Spin itself answers these: no route leads to them.
        for path in ["/", "/healthz/", "/healthz/x", "/mcpx", "/.well-known/mcp.json"] {
            let reply = server.send("GET", path, &[], "").await;
            assert_eq!((reply.status, reply.body.len()), (404, 0), "{path}");
        }
    }
}
