//! Asking Audiobookshelf: every request is made from a row of the route table.

use super::failure::Failure;
use crate::guard::{self, Approval, Question};
use crate::settings::{Credential, Settings};
use crate::shape::{Keep, parse};
use crate::tools::Args;
use crate::world::{Incoming, Outgoing, World};
use policy::{Method, Reply, Route};
use serde_json::Value;

/// What a tool works with.
pub struct Context<'a> {
    pub world: &'a dyn World,
    pub settings: &'a Settings,
    pub client: &'a guard::Client,
    /// The routes that the tool declares, and all that it gets.
    pub routes: &'static [&'static Route],
}

impl Context<'_> {
    /// Asks and reads the JSON answer, of which only `keep` is kept. Call these one after another: ABS has one thread, and
    /// a proxy in front of it may count.
    pub fn get(
        &self,
        route: &'static Route,
        holes: &[&str],
        query: &[(&str, &str)],
        keep: &Keep,
    ) -> Result<Value, Failure> {
        let reply = self.ask(route, holes, query, None)?;
        debug_assert_eq!(route.reply, Reply::Json, "{route}");
        let what = match reply.content_type.as_str() {
            "application/json" => match json(&reply, keep)? {
                value @ (Value::Object(_) | Value::Array(_)) => return Ok(value),
                _ => "its JSON is a single value",
            },
            _ if reply.body.is_empty() => "it is empty",
            "text/html" => "it is a web page",
            _ => "it is not JSON",
        };
        Err(Failure::NotAbs { what })
    }

    /// Gets an approval for what `question` says, or the reason why there is none.
    pub fn approve(&self, question: &Question, args: &Args) -> Result<Approval, Failure> {
        let confirm_token = args.text_if("confirm_token");
        guard::decide(self.world, self.settings, self.client, question, confirm_token).map_err(Failure::NotYet)
    }

    /// Sends a write that takes nothing away. Answers null where ABS answers "OK".
    pub fn send(&self, route: &'static Route, holes: &[&str], body: &Value) -> Result<Value, Failure> {
        assert_ne!(route.method, Method::Delete, "{route} needs an approval");
        self.write(route, holes, Some(body))
    }

    /// Sends a write that takes something away, which the approval is for.
    pub fn send_approved(
        &self,
        _: &Approval,
        route: &'static Route,
        holes: &[&str],
        body: Option<&Value>,
    ) -> Result<Value, Failure> {
        self.write(route, holes, body)
    }

    /// [`send`](Self::send) for one of many requests: ABS answers each change of a list with the whole list, every file of
    /// every member in it, and to parse that many times takes longer than a call may compute.
    pub fn send_unread(&self, route: &'static Route, holes: &[&str], body: &Value) -> Result<(), Failure> {
        assert_ne!(route.method, Method::Delete, "{route} needs an approval");
        self.exchange(route, holes, Some(body)).map(|_| ())
    }

    /// Likewise for [`send_approved`](Self::send_approved).
    pub fn send_approved_unread(&self, _: &Approval, route: &'static Route, holes: &[&str]) -> Result<(), Failure> {
        self.exchange(route, holes, None).map(|_| ())
    }

    fn write(&self, route: &'static Route, holes: &[&str], body: Option<&Value>) -> Result<Value, Failure> {
        let reply = self.exchange(route, holes, body)?;
        match route.reply {
            Reply::Ok => Ok(Value::Null),
            Reply::Json => json(&reply, &Keep::All),
        }
    }

    /// Sends a write, and makes sure that the answer is of the kind that the route gives.
    fn exchange(&self, route: &'static Route, holes: &[&str], body: Option<&Value>) -> Result<Incoming, Failure> {
        let body = body.map(|body| body.to_string().into_bytes());
        let reply = self.ask(route, holes, &[], body)?;
        match route.reply {
            // Some of these answer JSON in other versions; a page would be HTML.
            Reply::Ok if matches!(reply.content_type.as_str(), "text/plain" | "application/json") => Ok(reply),
            Reply::Json if reply.content_type == "application/json" => Ok(reply),
            Reply::Ok | Reply::Json => Err(Failure::NotAbs { what: "it is neither JSON nor \"OK\"" }),
        }
    }

    /// Asks, and returns whatever came with a 2xx.
    fn ask(
        &self,
        route: &'static Route,
        holes: &[&str],
        query: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<Incoming, Failure> {
        if !self.routes.contains(&route) {
            debug_assert!(false, "{route} is not among the routes that the tool declares");
            return Err(Failure::message(format!("A request was not sent: this tool does not declare {route}.")));
        }
        let origin = self.settings.origin.as_ref().ok_or_else(|| Failure::message(self.settings.set_up()))?;
        let target = route.target(holes, query).map_err(|bad| {
            Failure::message(format!("A request was not sent: value {} of {route} is not valid.", bad.hole + 1))
        })?;
        let mut reply = self
            .world
            .send(Outgoing {
                route,
                scheme: origin.scheme(),
                authority: origin.authority(),
                path_and_query: format!("{}{target}", origin.base_path()),
                bearer: match &self.settings.credential {
                    Credential::Key(key) => Some(key.clone()),
                    Credential::Host | Credential::Missing => None,
                },
                body,
            })
            .map_err(Failure::Unreachable)?;
        if let Credential::Key(key) = &self.settings.credential {
            hide(key.as_bytes(), &mut reply.body);
        }
        match reply.status {
            200..300 if reply.encoded => Err(Failure::NotAbs { what: "it is compressed, which nobody asked for" }),
            200..300 => Ok(reply),
            _ => Err(Failure::status(reply)),
        }
    }

    /// An unused query value that makes ABS answer anew: it caches `/api/libraries/**` by exact URL, and a change of
    /// progress does not clear that cache (measured on 2.36.0; `Cache-Control` does not help).
    pub fn fresh(&self) -> String {
        self.world.now_ms().to_string()
    }
}

/// Overwrites the key where an answer repeats it, as debug pages of proxies do. Where our host holds the key it does this
/// before the component sees anything; on Spin nobody else can. Too short a key could not be told from ordinary words.
fn hide(key: &[u8], body: &mut [u8]) {
    const MARK: &[u8] = b"[redacted]";
    if key.len() < MARK.len() {
        return;
    }
    let mut done = 0;
    while let Some(at) = body[done..].windows(key.len()).position(|part| part[0] == key[0] && part == key) {
        let place = &mut body[done + at..][..key.len()];
        place.fill(b'*');
        place[..MARK.len()].copy_from_slice(MARK);
        done += at + key.len();
    }
}

/// What says that it is JSON need not be.
fn json(reply: &Incoming, keep: &Keep) -> Result<Value, Failure> {
    parse(&reply.body, keep).ok_or(Failure::NotAbs { what: "it says that it is JSON, and is not" })
}

/// The list that makes up an answer. Without it the answer is another's: an empty list would be a lie.
pub fn entries<'a>(reply: &'a Value, name: &str) -> Result<&'a [Value], Failure> {
    let list = reply.get(name).and_then(Value::as_array);
    list.map(Vec::as_slice).ok_or(Failure::NotAbs { what: "its JSON lacks the list that was asked for" })
}

#[cfg(test)]
mod tests {
    use super::hide;

    #[test]
    fn a_key_that_comes_back_is_overwritten_wherever_it_is() {
        for (body, want) in [
            ("k3y-of-mine-1", "[redacted]***"),
            ("a k3y-of-mine-1k3y-of-mine-1 b", "a [redacted]***[redacted]*** b"),
            ("k3y-of-mine-k3y-of-mine-1", "k3y-of-mine-[redacted]***"),
            ("k3y-of-mine-", "k3y-of-mine-"),
            ("", ""),
        ] {
            let mut bytes = body.as_bytes().to_vec();
            hide(b"k3y-of-mine-1", &mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), want, "{body}");
        }
        let mut words = b"key".to_vec();
        hide(b"key", &mut words);
        assert_eq!(words, b"key");
    }
}
