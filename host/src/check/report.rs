//! What `check` found, as data. Its JSON form is for programs: members are only added.

use super::permissions;
use crate::{sandbox::Limits, settings::Settings};
use policy::{Access, ROUTES};
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub works: bool,
    /// Why it does not.
    pub problems: Vec<String>,
    /// What works and should be known.
    pub warnings: Vec<String>,
    pub version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audiobookshelf: Option<Audiobookshelf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolList>,
    pub sandbox: SandboxFacts,
}

#[derive(Debug, Serialize)]
pub(super) struct Audiobookshelf {
    pub version: Option<String>,
    pub knows_api_keys: bool,
    pub is_set_up: bool,
}

/// Whose key it is.
#[derive(Debug, Serialize)]
pub(super) struct Account {
    pub username: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub active: bool,
    pub may_update: bool,
    pub may_delete: bool,
    pub sees_all_libraries: bool,
    pub sees_explicit: bool,
    /// How many it sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub libraries: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct ToolList {
    pub reading: Vec<String>,
    pub writing: Vec<String>,
    /// Offered, but Audiobookshelf will refuse what they ask for.
    pub refused: Vec<Refused>,
}

#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub tool: String,
    pub needs: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct SandboxFacts {
    /// The only host that can be reached. None: none.
    pub origin: Option<String>,
    pub base_path: String,
    pub read_only: bool,
    /// Method and path of each that may be asked for, under these settings.
    pub routes_reading: Vec<String>,
    pub routes_writing: Vec<String>,
    pub imports: Vec<String>,
    pub limits: LimitFacts,
}

#[derive(Debug, Serialize)]
pub(super) struct LimitFacts {
    pub memory_bytes: usize,
    pub computing_seconds: u64,
    pub time_seconds: u64,
    pub question_seconds: u64,
    pub running: usize,
    pub waiting: usize,
    pub wait_seconds: u64,
    pub questions: usize,
    pub message_bytes: usize,
    pub response_bytes: usize,
    pub upstream_seconds: u64,
    pub state_keys: usize,
    pub state_bytes: usize,
    pub connections: usize,
}

impl Report {
    pub(super) fn new(settings: &Settings, limits: &Limits, imports: Vec<String>) -> Report {
        let routes = |access: Access| {
            let rows =
                ROUTES.iter().filter(|row| row.access == access && !(settings.read_only && access == Access::Write));
            rows.map(ToString::to_string).collect()
        };
        let mut report = Report {
            works: false,
            problems: Vec::new(),
            warnings: settings.warnings(),
            version: env!("CARGO_PKG_VERSION"),
            audiobookshelf: None,
            account: None,
            tools: None,
            sandbox: SandboxFacts {
                origin: settings.origin.as_ref().map(ToString::to_string),
                base_path: settings.origin.as_ref().map(|origin| origin.base_path().to_owned()).unwrap_or_default(),
                read_only: settings.read_only,
                routes_reading: routes(Access::Read),
                routes_writing: routes(Access::Write),
                imports,
                limits: limits.into(),
            },
        };
        if settings.origin.is_none() {
            report.problem("AUDIOBOOKSHELF_URL is not set: there is no Audiobookshelf to ask.".to_owned());
        }
        if settings.api_key.is_none() {
            report.problem(
                "AUDIOBOOKSHELF_API_KEY is not set. A key is made in Audiobookshelf: Settings → Users → API Keys."
                    .to_owned(),
            );
        }
        report
    }

    pub(super) fn is_configured(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn problem(&mut self, why: String) {
        self.problems.push(why);
    }

    pub(super) fn audiobookshelf(&mut self, found: Audiobookshelf) {
        if !found.knows_api_keys {
            self.problem(match found.version {
                Some(_) => "This Audiobookshelf is older than 2.26.0, the first version with API keys.".to_owned(),
                None => "This Audiobookshelf does not tell its version; the first with API keys is 2.26.0.".to_owned(),
            });
        }
        if !found.is_set_up {
            self.problem("Nobody has set this Audiobookshelf up yet: it has no first user.".to_owned());
        }
        self.audiobookshelf = Some(found);
    }

    pub(super) fn account(&mut self, account: Option<Account>) {
        if let Some(account) = &account {
            if !account.active {
                self.problem("The user of this key is not active.".to_owned());
            }
            if account.libraries == Some(0) && account.active {
                self.warnings.push("The user of this key sees no library.".to_owned());
            }
        }
        self.account = account;
    }

    pub(super) fn tools(&mut self, tools: ToolList) {
        if tools.reading.is_empty() && tools.writing.is_empty() {
            self.problem(
                "These settings leave no tool: see AUDIOBOOKSHELF_ALLOW_TOOLS and AUDIOBOOKSHELF_DENY_TOOLS."
                    .to_owned(),
            );
        }
        self.tools = Some(tools);
    }

    pub(super) fn conclude(mut self) -> Report {
        self.works = self.problems.is_empty() && self.account.is_some();
        self
    }
}

impl Audiobookshelf {
    pub(super) fn read(status: &Value) -> Audiobookshelf {
        Audiobookshelf {
            version: status["version"].as_str().map(one_line),
            knows_api_keys: status["supports_api_keys"] == true,
            is_set_up: status["is_initialized"] == true,
        }
    }
}

impl Account {
    pub(super) fn read(user: &Value) -> Account {
        let text = |value: &Value| one_line(value.as_str().unwrap_or_default());
        Account {
            username: text(&user["username"]),
            kind: text(&user["type"]),
            active: user["inactive"] != true && user["locked"] != true,
            may_update: user["may"]["update"] == true,
            may_delete: user["may"]["delete"] == true,
            sees_all_libraries: user["sees"]["all_libraries"] == true,
            sees_explicit: user["sees"]["explicit"] == true,
            libraries: None,
        }
    }

    fn may(&self, permission: &str) -> bool {
        match permission {
            "update" => self.may_update,
            _ => self.may_delete,
        }
    }
}

/// Somebody else wrote it: it is not to look like lines of this report, nor to be longer than it.
fn one_line(text: &str) -> String {
    const MOST: usize = 100;
    let safe = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    text.chars().take(MOST).map(safe).collect()
}

impl ToolList {
    pub(super) fn of(offered: &[Value], account: Option<&Account>) -> ToolList {
        let mut list = ToolList { reading: Vec::new(), writing: Vec::new(), refused: Vec::new() };
        for tool in offered {
            let name = tool["name"].as_str().unwrap_or_default().to_owned();
            if let Some(needs) = account.and_then(|account| permissions::lacking(&name, |p| account.may(p))) {
                list.refused.push(Refused { tool: name.clone(), needs });
            }
            if tool["annotations"]["readOnlyHint"] == true { list.reading.push(name) } else { list.writing.push(name) }
        }
        list
    }
}

impl From<&Limits> for LimitFacts {
    fn from(limits: &Limits) -> LimitFacts {
        LimitFacts {
            memory_bytes: limits.memory,
            computing_seconds: limits.computing.as_secs(),
            time_seconds: limits.wall.as_secs(),
            question_seconds: limits.question.as_secs(),
            running: limits.instances,
            waiting: limits.waiting,
            wait_seconds: limits.slot_wait.as_secs(),
            questions: limits.questions,
            message_bytes: limits.body,
            response_bytes: limits.response,
            upstream_seconds: limits.upstream.as_secs(),
            state_keys: limits.state_keys,
            state_bytes: limits.state_bytes,
            connections: limits.connections,
        }
    }
}
