//! Conversations: a few messages of any kind, era and shape, changed here and there, one after another.

use super::world::Wild;
use super::{calls, guarded, lawful};
use crate::testing::Fake;
use fuzz::{Result, Unstructured, json, text};
use serde_json::{Value, json};

struct Talk<'u> {
    world: Wild<'u>,
    /// Whether headers repeat what the messages say.
    over_http: bool,
    sessions: Vec<String>,
    account: guarded::Account,
    /// The last call and its result.
    last: Option<(Value, Value)>,
}

struct Message {
    body: Value,
    session: Option<String>,
}

#[test]
fn any_conversation_is_lawful() {
    fuzz::run(|u| {
        let over_http = u.arbitrary()?;
        let mut fake = Fake::new().config("surface", if over_http { "loopback" } else { "stdio" });
        let dialogs = u.ratio(7, 8)?;
        if !dialogs {
            fake = fake.config("elicitation", "false");
        }
        let mut world = Wild::new(u, fake)?;
        world.unruly = 8;
        let mut talk =
            Talk { world, over_http, sessions: Vec::new(), account: guarded::Account::new(dialogs), last: None };
        for _ in 0..u.int_in_range(1..=8)? {
            let message = talk.message(u)?;
            talk.exchange(u, message)?;
        }
        Ok(())
    });
}

impl Talk<'_> {
    fn message(&self, u: &mut Unstructured<'_>) -> Result<Message> {
        let id = if u.ratio(1, 4)? { json::value(u, 0)? } else { u.int_in_range(0..=9)?.into() };
        let capabilities = [json!({}), json!({"elicitation": {}}), json!({"elicitation": {"url": {}}})];
        let capabilities = u.choose(&capabilities)?;
        let session = if self.sessions.is_empty() { None } else { Some(u.choose(&self.sessions)?.clone()) };
        let modern = |body| Message { body, session: None };
        Ok(match (u.int_in_range(0..=11)?, &self.last) {
            (0 | 1, _) => {
                let version = u.choose(&["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1"])?;
                modern(json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": {
                    "protocolVersion": version, "capabilities": capabilities, "clientInfo": {"name": "c", "version": "1"}}}))
            }
            (2, _) => {
                let method = u.choose(&["tools/list", "ping", "server/discover", "resources/list", "initialize"])?;
                let meta = if u.arbitrary()? { calls::meta(capabilities.clone()) } else { Value::Null };
                Message {
                    body: json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"_meta": meta}}),
                    session,
                }
            }
            (3, _) => {
                let bodies = [
                    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
                    json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
                    json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"decision": "yes"}}}),
                    json!({"jsonrpc": "2.0", "id": id, "error": {"code": 1, "message": "x"}}),
                ];
                Message { body: u.choose(&bodies)?.clone(), session }
            }
            (4, _) => modern(json::value(u, 4)?),
            (5, Some((call, _))) => {
                let one = self.message(u).map(|message| message.body)?;
                Message { body: json!([one, call]), session }
            }
            (6..=8, Some((call, result))) => Message { body: again(call, result), session },
            _ => {
                let (tool, arguments) = if u.ratio(2, 3)? {
                    calls::guarded(u)?
                } else {
                    let tool = calls::tool(u)?;
                    (tool, calls::arguments(u, tool)?)
                };
                let mut body = calls::modern(id, tool.name, arguments, capabilities.clone());
                if session.is_some() && u.arbitrary()? {
                    body["params"]["_meta"] = json!({});
                    return Ok(Message { body, session });
                }
                modern(body)
            }
        })
    }

    fn exchange(&mut self, u: &mut Unstructured<'_>, mut message: Message) -> Result<()> {
        if u.ratio(1, 3)? {
            for _ in 0..u.int_in_range(1..=2)? {
                json::change(u, &mut message.body)?;
            }
        }
        let headers = self.headers(u, &message)?;
        let mut bytes = message.body.to_string().into_bytes();
        if u.ratio(1, 6)? {
            json::change_text(u, &mut bytes)?;
        }
        self.world.session.replace(message.session.unwrap_or_default());
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let response = self.world.post(&headers, &bytes);
        let answers = lawful::answer(&bytes, &response);
        let shown = || String::from_utf8_lossy(&bytes);

        let calls = lawful::calls(&bytes);
        let sent = self.world.sent();
        for sent in &sent {
            let declared =
                |call: &lawful::Call| calls::named(&call.tool).is_some_and(|t| t.routes.contains(&sent.route));
            assert!(calls.iter().any(declared), "{} was sent for {}", sent.route, shown());
        }
        let said_yes = self.world.said_yes();
        let takes_away = |call: &lawful::Call| sent.iter().any(|sent| guarded::takes_away(&call.tool, sent));
        if calls.iter().any(takes_away) {
            let approved = calls.iter().filter(|call| self.account.spend(call)).count() > 0;
            assert!(said_yes || approved, "nobody said yes to {}", shown());
        }
        for (name, value) in &response.headers {
            if *name == "mcp-session-id" {
                self.sessions.push(value.clone());
            }
        }
        if let (Some(call), Some(answer)) = (calls.first(), answers.last()) {
            self.account.note(call, &answer["result"]);
            self.last = Some((message.body, answer["result"].clone()));
        }
        Ok(())
    }

    fn headers(&self, u: &mut Unstructured<'_>, message: &Message) -> Result<Vec<(&'static str, String)>> {
        let mut headers = Vec::new();
        headers.extend(message.session.iter().map(|session| ("mcp-session-id", session.clone())));
        let body = &message.body;
        if self.over_http && body["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some() {
            headers.push(("mcp-protocol-version", "2026-07-28".to_owned()));
            headers.push(("mcp-method", body["method"].as_str().unwrap_or_default().to_owned()));
            headers.extend(body["params"]["name"].as_str().map(|name| ("mcp-name", name.to_owned())));
        }
        if !headers.is_empty() && u.ratio(1, 8)? {
            let at = u.int_in_range(0..=headers.len() - 1)?;
            match u.int_in_range(0..=2)? {
                0 => drop(headers.remove(at)),
                1 => headers.push(headers[at].clone()),
                _ => headers[at].1 = text::changed(u, &headers[at].1)?,
            }
        }
        Ok(headers)
    }
}

/// The call that follows a question: the same one with the approval.
fn again(call: &Value, result: &Value) -> Value {
    let mut call = call.clone();
    let Some(params) = call.get_mut("params").and_then(Value::as_object_mut) else { return call };
    if let Some(state) = result["requestState"].as_str() {
        params.insert("requestState".into(), state.into());
        let yes = json!({"approval": {"action": "accept", "content": {"decision": "yes"}}});
        params.insert("inputResponses".into(), yes);
    }
    if let (Some(token), Some(Value::Object(arguments))) = (guarded::token(result), params.get_mut("arguments")) {
        arguments.insert("confirm_token".into(), token.into());
    }
    call
}
