//! A proxy in front of Audiobookshelf that fails where the path says `fault-…`, and else passes everything on.

use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::{
    Request, Response, Uri,
    body::{Bytes, Frame, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo, TokioTimer},
};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{net::TcpListener, task::JoinHandle};

/// What goes wrong, by the id that is asked for, and what the server must say of it.
pub const FAULTS: [(&str, &str); 6] = [
    ("fault-dropped", "closed the connection"),
    ("fault-half", "closed the connection"),
    ("fault-page", "502"),
    ("fault-portal", "did not come from Audiobookshelf"),
    ("fault-garbled", "did not come from Audiobookshelf"),
    ("fault-busy", "Retry-After: 7"),
];

type Body = UnsyncBoxBody<Bytes, io::Error>;

pub struct Faulty {
    pub url: String,
    task: JoinHandle<()>,
}

impl Faulty {
    pub async fn before(upstream: &str) -> Faulty {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let upstream = upstream.to_owned();
        // Less than the five seconds after which Audiobookshelf, and the stand-in with it, closes what is idle: a fault that
        // nobody planned would look like a wrong answer.
        let client: Client<HttpConnector, Incoming> = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(2))
            .build_http();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (client, upstream) = (client.clone(), upstream.clone());
                let service = service_fn(move |request| {
                    let (client, upstream) = (client.clone(), upstream.clone());
                    async move { answer(&client, &upstream, request).await }
                });
                tokio::spawn(async move {
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Faulty { url, task }
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(
    client: &Client<HttpConnector, Incoming>,
    upstream: &str,
    mut request: Request<Incoming>,
) -> io::Result<Response<Body>> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    if let Some((fault, _)) = FAULTS.iter().find(|(fault, _)| path.contains(fault)) {
        return fail(fault);
    }
    *request.uri_mut() = format!("{upstream}{path}").parse::<Uri>().map_err(io::Error::other)?;
    let response = client.request(request).await.map_err(io::Error::other)?;
    Ok(response.map(|body| body.map_err(io::Error::other).boxed_unsync()))
}

/// An error here closes the connection without an answer.
fn fail(fault: &str) -> io::Result<Response<Body>> {
    let whole = |status: u16, kind: &str, body: &'static str| {
        let body = Full::new(Bytes::from_static(body.as_bytes())).map_err(|never| match never {}).boxed_unsync();
        Response::builder().status(status).header("content-type", kind).header("retry-after", "7").body(body)
    };
    match fault {
        "fault-dropped" => return Err(io::ErrorKind::ConnectionReset.into()),
        "fault-half" => {
            Response::builder().header("content-type", "application/json").body(Half::default().boxed_unsync())
        }
        "fault-page" => whole(502, "text/html", "<html>bad gateway</html>"),
        "fault-portal" => whole(200, "text/html", "<html>log in</html>"),
        "fault-garbled" => whole(200, "application/json", "{\"id\": \"x\", \"media\": {"),
        _ => whole(429, "text/plain", "slow down"),
    }
    .map_err(io::Error::other)
}

/// The beginning of an object, and then the end of the connection.
#[derive(Default)]
struct Half {
    begun: bool,
}

impl hyper::body::Body for Half {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let begun = std::mem::replace(&mut self.begun, true);
        let first = Ok(Frame::data(Bytes::from_static(b"{\"id\":")));
        Poll::Ready(Some(if begun { Err(io::ErrorKind::ConnectionReset.into()) } else { first }))
    }
}
