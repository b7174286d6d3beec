//! Asking Audiobookshelf: every request is made from a row of the route table.

use super::failure::Failure;
use crate::settings::{Credential, Settings};
use crate::shape::{Keep, parse};
use crate::world::{Incoming, Outgoing, World};
use policy::{Reply, Route};
use serde_json::Value;

/// What a tool works with.
pub struct Context<'a> {
    pub world: &'a dyn World,
    pub settings: &'a Settings,
}

impl Context<'_> {
    /// Asks and reads the JSON answer, of which only `keep` is kept. Call these one after another: ABS has one thread, and
    /// a proxy in front of it may count.
    pub async fn get(
        &self,
        route: &'static Route,
        holes: &[&str],
        query: &[(&str, &str)],
        keep: &Keep,
    ) -> Result<Value, Failure> {
        let reply = self.ask(route, holes, query, None).await?;
        debug_assert_eq!(route.reply, Reply::Json, "{route}");
        // The body decides, not the header: a portal's page is the thing to catch.
        if reply.content_type != "application/json" {
            return Err(Failure::NotAbs { what: "it is not JSON" });
        }
        parse(&reply.body, keep).ok_or(Failure::NotAbs { what: "it says that it is JSON, and is not" })
    }

    /// Asks, and returns whatever came with a 2xx.
    async fn ask(
        &self,
        route: &'static Route,
        holes: &[&str],
        query: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<Incoming, Failure> {
        let origin = self.settings.origin.as_ref().ok_or_else(|| Failure::message(self.set_up()))?;
        let target = route
            .target(holes, query)
            .map_err(|bad| Failure::message(format!("Nothing was sent: value {} of {route} is not valid.", bad.hole + 1)))?;
        let reply = self
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
            .await
            .map_err(Failure::Unreachable)?;
        if (200..300).contains(&reply.status) { Ok(reply) } else { Err(Failure::status(reply)) }
    }

    /// An unused query value that makes ABS answer anew: it caches `/api/libraries/**` by exact URL, and a change of
    /// progress does not clear that cache (measured on 2.36.0; `Cache-Control` does not help).
    pub fn fresh(&self) -> String {
        self.world.now_ms().to_string()
    }

    /// What to set, for a server that nobody has set up yet.
    pub fn set_up(&self) -> String {
        let missing = match (self.settings.origin.is_some(), self.settings.credential != Credential::Missing) {
            (true, true) => return "The server is set up.".into(),
            (false, false) => "AUDIOBOOKSHELF_URL (the address, for instance http://192.0.2.7:13378) and AUDIOBOOKSHELF_API_KEY",
            (false, true) => "AUDIOBOOKSHELF_URL (the address, for instance http://192.0.2.7:13378)",
            (true, false) => "AUDIOBOOKSHELF_API_KEY",
        };
        format!(
            "This server is not connected to an Audiobookshelf yet. The person who runs it has to set {missing} and start it \
             again. The key comes from Audiobookshelf 2.26 or newer: Settings, Users, API Keys; the server can do what that \
             key's user may do. On Spin the variables are named origin and api_key."
        )
    }
}
