//! The requests, and the answers that are right.

use super::faulty::FAULTS;
use crate::harness::{Client, Http, Step, initialize, modern, modern_headers};
use http_body_util::{BodyExt, Full};
use hyper::{
    Request,
    body::Bytes,
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use standin::ids;
use tokio::{io::AsyncWriteExt, net::TcpStream};

type Headers = Vec<(&'static str, String)>;

/// A request that can be asked again and again, and its answer but for the id.
struct Exchange {
    headers: Headers,
    body: Value,
    status: u16,
    answer: Option<Value>,
}

pub struct Mix {
    exchanges: Vec<Exchange>,
    faults: Vec<(Exchange, &'static str)>,
}

impl Mix {
    /// Asks everything once, with nothing else going on.
    pub async fn learn(server: &Http) -> Mix {
        let call =
            |tool: &str, arguments: Value| modern(0, "tools/call", json!({"name": tool, "arguments": arguments}));
        let hello = server.post(&[], &initialize("2025-11-25")).await;
        let session: Headers = vec![
            ("mcp-session-id", hello.header("mcp-session-id").to_owned()),
            ("mcp-protocol-version", "2025-11-25".to_owned()),
        ];
        let legacy = |id: Value, method: &str, params: Value| {
            let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
            if !id.is_null() {
                message["id"] = id;
            }
            message
        };
        let books = || json!({"library_id": ids::BOOKS});
        let mut requests: Vec<(Headers, Value)> = Vec::new();
        for message in [
            modern(0, "server/discover", json!({})),
            modern(0, "tools/list", json!({})),
            modern(0, "no/such/method", json!({})),
            call("list_libraries", json!({})),
            call("list_library_items", books()),
            call("list_library_items", json!({"library_id": ids::BOOKS, "detail": "full", "limit": 100})),
            call("get_library_item", json!({"library_item_id": ids::EMMA})),
            call("search_library", json!({"library_id": ids::BOOKS, "q": "a"})),
            call("list_collections", json!({})),
            call("get_personalized_shelves", books()),
            call("get_library_item", json!({"library_item_id": "no-such-item"})),
            call("get_library_item", json!({"library_item_id": "../me"})),
            call("no_such_tool", json!({})),
            call("list_series", books()),
        ] {
            requests.push((modern_headers(&message), message));
        }
        for message in [
            legacy(json!(0), "ping", json!({})),
            legacy(json!(0), "tools/list", json!({})),
            legacy(json!(0), "tools/call", json!({"name": "get_server_status"})),
            legacy(Value::Null, "notifications/initialized", json!({})),
        ] {
            requests.push((session.clone(), message));
        }
        requests.push((vec![("origin", "https://evil.example".to_owned())], legacy(json!(0), "ping", json!({}))));

        let mut exchanges = Vec::new();
        for (headers, body) in requests {
            let reply = server.post(&headers, &body).await;
            let answer = (!reply.body.is_empty()).then(|| reply.json());
            exchanges.push(Exchange { headers, body, status: reply.status, answer });
        }
        let faults = FAULTS.map(|(id, says)| {
            let body = call("get_library_item", json!({"library_item_id": id}));
            (Exchange { headers: modern_headers(&body), body, status: 200, answer: None }, says)
        });
        Mix { exchanges, faults: faults.into() }
    }
}

/// One client on a connection that is kept.
pub struct Caller {
    authority: String,
    sender: SendRequest<Full<Bytes>>,
}

impl Caller {
    pub async fn connect(server: &Http) -> Caller {
        Caller { authority: server.authority.clone(), sender: connect(&server.authority).await }
    }

    /// The request whose turn it is; a tenth of them meet a fault.
    pub async fn ask(&mut self, mix: &Mix, turn: usize) {
        if turn % 10 == 9 {
            let (exchange, says) = &mix.faults[turn / 10 % mix.faults.len()];
            let (status, answer) = self.send(exchange, turn).await;
            let answer = answer.expect("an answer");
            assert_eq!((status, &answer["id"], &answer["result"]["isError"]), (200, &json!(turn), &json!(true)));
            let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
            assert!(text.contains(says), "{says}: {text}");
            return;
        }
        let exchange = &mix.exchanges[turn % mix.exchanges.len()];
        let (status, answer) = self.send(exchange, turn).await;
        let mut want = exchange.answer.clone();
        if let Some(id) = want.as_mut().and_then(|want| want.get_mut("id")) {
            *id = turn.into();
        }
        let short = |answer: &Option<Value>| {
            answer.as_ref().map(|answer| answer.to_string().chars().take(400).collect::<String>())
        };
        assert!(
            (status, &answer) == (exchange.status, &want),
            "{}\n{status} {:?}\nand not {} {:?}",
            exchange.body,
            short(&answer),
            exchange.status,
            short(&want)
        );
    }

    async fn send(&mut self, exchange: &Exchange, id: usize) -> (u16, Option<Value>) {
        let mut body = exchange.body.clone();
        if let Some(place) = body.get_mut("id") {
            *place = id.into();
        }
        let mut request = Request::post("/mcp")
            .header("host", &self.authority)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in &exchange.headers {
            request = request.header(*name, value);
        }
        let request = request.body(Full::new(Bytes::from(body.to_string()))).expect("a valid request");
        self.sender.ready().await.expect("the connection is kept");
        let response = self.sender.send_request(request).await.expect("an answer");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a whole body").to_bytes();
        (status, (!body.is_empty()).then(|| serde_json::from_slice(&body).expect("JSON")))
    }

    /// A request, half of it or whole, and the end of the connection.
    pub async fn leave(&self, mix: &Mix, turn: usize) {
        let exchange = &mix.exchanges[turn % mix.exchanges.len()];
        let mut request = format!("POST /mcp HTTP/1.1\r\nhost: {}\r\n", self.authority);
        for (name, value) in &exchange.headers {
            request += &format!("{name}: {value}\r\n");
        }
        let body = exchange.body.to_string();
        let sent = if turn.is_multiple_of(2) { body.len() } else { body.len() / 2 };
        request +=
            &format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{}", body.len(), &body[..sent]);
        let mut stream = TcpStream::connect(&self.authority).await.expect("the server accepts");
        stream.write_all(request.as_bytes()).await.expect("the server reads");
    }
}

async fn connect(authority: &str) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(authority).await.expect("the server accepts");
    let (sender, connection) = handshake(TokioIo::new(stream)).await.expect("it speaks HTTP");
    tokio::spawn(connection);
    sender
}

/// A bookmark is made, asked about, and deleted.
pub async fn bookmark(client: &Client, turn: usize) {
    let place = json!({"library_item_id": ids::DRACULA, "time": (turn / 500 % 59_000) as f64 + 0.25});
    let mut bookmark = place.clone();
    bookmark["title"] = "load".into();
    let made = client.call("create_bookmark", &bookmark).await.done();
    assert!(made["isError"].is_null(), "{made}");
    let question = client.call("delete_bookmark", &place).await.asked();
    let yes = json!({"action": "accept", "content": {"decision": "yes"}});
    let done = match client.answer(question, &yes).await {
        Step::Done(result) => result,
        Step::Asked(again) => panic!("asked again: {}", again.params),
    };
    assert!(done["isError"].is_null(), "{done}");
}
