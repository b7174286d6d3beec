//! One request, as a handler sees it.

use http::Method;
use serde_json::{Map, Value};

use crate::{js, reply::Reply};

/// 2^63: where SQLite's driver gives up on a LIMIT or an OFFSET, and ABS with it.
const TOO_BIG: f64 = 9_223_372_036_854_775_808.0;

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// Below the base path, each decoded.
    pub(crate) segments: Vec<String>,
    /// Path and query as they came: what the cache goes by.
    pub(crate) url: String,
    pub(crate) query: Query,
    pub(crate) body: Value,
    /// Index of the user.
    pub(crate) user: usize,
}

impl Call {
    pub(crate) fn seg(&self, index: usize) -> &str {
        self.segments.get(index).map_or("", String::as_str)
    }

    /// An id out of the path that goes to the database.
    pub(crate) fn id(&self, index: usize) -> Result<&str, Reply> {
        let id = self.seg(index);
        no_nul(id)?;
        Ok(id)
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        self.body.get(name)
    }

    /// `include=a,b`; given twice it is an array, and arrays have no `split`.
    pub(crate) fn include(&self) -> Result<Vec<String>, Reply> {
        match self.query.get("include") {
            Param::Absent => Ok(Vec::new()),
            Param::One(text) => Ok(text.split(',').map(|part| part.trim().to_lowercase()).collect()),
            Param::Many => Err(Reply::crash("include given twice: split is not a function")),
        }
    }

    pub(crate) fn paging(&self) -> Result<Paging, Reply> {
        let limit = self.positive("limit")?;
        let page = self.positive("page")?;
        let paging = Paging { limit, page };
        if limit >= TOO_BIG || limit * page >= TOO_BIG {
            return Err(Reply::crash("limit or offset beyond 2^63"));
        }
        Ok(paging)
    }

    fn positive(&self, key: &str) -> Result<f64, Reply> {
        let Param::One(text) = self.query.get(key) else { return Ok(0.0) };
        let n = js::number(text);
        if n.is_nan() {
            return Ok(0.0);
        }
        if n < 0.0 || n.fract() != 0.0 || n.is_infinite() {
            return Err(Reply::bad(&format!("Invalid request. {key} must be a positive integer")));
        }
        Ok(n)
    }
}

/// Strings with a NUL never reach SQLite: the driver throws, and nobody catches.
pub(crate) fn no_nul(text: &str) -> Result<(), Reply> {
    if text.contains('\0') { Err(Reply::crash("NUL in a database parameter")) } else { Ok(()) }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Paging {
    pub(crate) limit: f64,
    pub(crate) page: f64,
}

impl Paging {
    /// Without a limit, all of it.
    pub(crate) fn cut<'a, T>(&self, list: &'a [T]) -> &'a [T] {
        if self.limit == 0.0 {
            return list;
        }
        let start = ((self.limit * self.page) as usize).min(list.len());
        let end = start.saturating_add(self.limit as usize).min(list.len());
        &list[start..end]
    }

    pub(crate) fn offset(&self) -> f64 {
        self.limit * self.page
    }
}

pub(crate) enum Param<'a> {
    Absent,
    One(&'a str),
    /// Repeated, or with brackets: no string any more.
    Many,
}

#[derive(Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(raw: &str) -> Self {
        let pairs = raw.split('&').filter(|pair| !pair.is_empty());
        Self(
            pairs
                .map(|pair| {
                    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (js::decode_query(key), js::decode_query(value))
                })
                .collect(),
        )
    }

    pub(crate) fn get(&self, key: &str) -> Param<'_> {
        let bracketed = |name: &str| name.strip_prefix(key).is_some_and(|rest| rest.starts_with('['));
        let mut found = Param::Absent;
        for (name, value) in &self.0 {
            if bracketed(name) {
                return Param::Many;
            }
            if name == key {
                match found {
                    Param::Absent => found = Param::One(value),
                    _ => return Param::Many,
                }
            }
        }
        found
    }

    pub(crate) fn one(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Param::One(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn is(&self, key: &str, value: &str) -> bool {
        self.one(key) == Some(value)
    }
}

/// What express makes of a body: JSON only where the content type says so, forms as strings, anything else as nothing.
pub(crate) fn parse_body(content_type: &str, body: &[u8]) -> Result<Value, Reply> {
    let empty = || Value::Object(Map::new());
    if body.is_empty() {
        return Ok(empty());
    }
    if content_type.starts_with("application/json") {
        return match serde_json::from_slice(body) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
            _ => Err(Reply::page(400, "Bad Request")),
        };
    }
    if content_type.starts_with("application/x-www-form-urlencoded") {
        let pairs = Query::parse(&String::from_utf8_lossy(body));
        return Ok(Value::Object(pairs.0.into_iter().map(|(key, value)| (key, Value::String(value))).collect()));
    }
    Ok(empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_given_twice_or_with_brackets_is_no_string() {
        for raw in ["include=a&include=b", "include[]=a", "include[x]=a"] {
            assert!(matches!(Query::parse(raw).get("include"), Param::Many), "{raw}");
        }
        assert_eq!(Query::parse("q=a+b%25&x=1").one("q"), Some("a b%"));
    }

    #[test]
    fn a_body_that_does_not_call_itself_json_is_ignored() {
        assert_eq!(parse_body("text/plain", b"{\"a\":1}").unwrap(), serde_json::json!({}));
        assert_eq!(parse_body("application/x-www-form-urlencoded", b"a=1").unwrap(), serde_json::json!({"a": "1"}));
        assert!(parse_body("application/json", b"5").is_err());
    }
}
