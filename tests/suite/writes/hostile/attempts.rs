//! Hostile calls, counted, each with a look at whether Audiobookshelf is still there.

use crate::harness::Abs;
use crate::writes::world::{World, token};
use serde_json::Value;
use std::sync::Arc;

pub struct Attempts {
    world: Arc<World>,
    tried: usize,
    deaths: Vec<String>,
}

impl Attempts {
    pub fn new(world: &Arc<World>) -> Attempts {
        Attempts { world: Arc::clone(world), tried: 0, deaths: Vec::new() }
    }

    /// A call, made again with the token where one is offered: what a person would have agreed to happens.
    pub async fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let outcome = self.once(tool, arguments).await;
        let Some(token) = outcome.as_ref().err().and_then(|text| token(text)) else { return outcome };
        let mut again = arguments.clone();
        again["confirm_token"] = token.into();
        self.once(tool, &again).await
    }

    pub async fn once(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let mut result = self.world.server.call(tool, arguments.clone()).await;
        let what = format!("{tool} {arguments}: {result}");
        let survived = self.survived(&what).await;
        if result["isError"] != true {
            return Ok(result["structuredContent"].take());
        }
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        if survived {
            helps(&what, text);
        }
        Err(text.to_owned())
    }

    /// Counts what was just done, and looks. A stand-in that died is woken for the next; a real one cannot be.
    pub async fn survived(&mut self, what: &str) -> bool {
        self.tried += 1;
        match &self.world.abs {
            Abs::Standin(standin) if standin.is_dead() => {
                self.deaths.push(format!("{:?} of {what}", standin.cause_of_death()));
                standin.restart();
                false
            }
            Abs::Standin(_) => true,
            Abs::Real { .. } => {
                assert!(self.world.direct.is_up().await, "Audiobookshelf died after {} others of {what}", self.tried);
                true
            }
        }
    }

    /// A writing call that must change nothing and say so; the text also has `part`.
    pub async fn refused(&mut self, tool: &str, arguments: &Value, part: &str) {
        let deaths = self.deaths.len();
        match self.call(tool, arguments).await {
            _ if self.deaths.len() > deaths => {}
            Err(text) => {
                assert!(text.contains("Nothing was") && text.contains(part), "{tool} {arguments}, {part}: {text}");
            }
            Ok(result) => panic!("{tool} {arguments} was done: {result}"),
        }
    }

    pub fn end(self, at_least: usize) {
        println!("{} tried, {} deaths", self.tried, self.deaths.len());
        assert!(self.deaths.is_empty(), "{}", self.deaths.join("\n"));
        assert!(self.tried >= at_least, "only {} were tried", self.tried);
    }
}

/// Not that something broke, but what is wrong, and nothing that came out of Audiobookshelf's insides.
fn helps(what: &str, text: &str) {
    for useless in ["closed the connection", "answered 500", "did not come from", "could not be reached", "<pre>"] {
        assert!(!text.contains(useless), "{what}");
    }
    assert!(text.len() > 40, "{what}");
}
