//! The size budget: whole entries are dropped from the end of the largest lists until a result fits; then long texts are cut.
//! Where neither helps, members go from the end of the largest object, so that a result always fits.

use serde_json::Value;

/// What was cut, for the result to say so.
#[derive(Debug, PartialEq)]
pub struct Cut {
    /// Dotted path of the list or text; an element of a list is its index.
    pub at: String,
    pub kept: usize,
    pub of: usize,
    /// `entries`, `characters` or `members`.
    pub unit: &'static str,
}

/// Room for the label, notes and the report of the cuts themselves.
const RESERVE: usize = 3_000;

/// More cuts than this are of no use to a reader, and each costs a look at the whole value: after them, members go at once.
const MAX_CUTS: usize = 12;

/// Texts longer than this many bytes are cut, once no list is left to cut.
const LONG_TEXT: usize = 2_000;

/// Cuts `value` until its JSON is at most `ceiling` bytes, reserve included.
pub fn fit(value: &mut Value, ceiling: usize) -> Vec<Cut> {
    let budget = ceiling - RESERVE;
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        let mut survey = Survey { budget, list: None, text: None, object: None };
        let size = survey.measure(value, &mut Vec::new());
        if size <= budget {
            return cuts;
        }
        let gentle = survey.list.or(survey.text).filter(|_| cuts.len() < MAX_CUTS);
        let Some((_, path)) = gentle.or(survey.object) else { return cuts };
        let cut = cut(value, &path, size - budget);
        match cuts.iter_mut().find(|known| known.at == cut.at) {
            Some(known) => known.kept = cut.kept,
            None => cuts.push(cut),
        }
    }
}

type Candidate = (usize, Vec<String>);

/// The largest list that can be shortened, the longest text, and the largest object that can lose members.
struct Survey {
    budget: usize,
    list: Option<Candidate>,
    text: Option<Candidate>,
    object: Option<Candidate>,
}

impl Survey {
    /// Bytes of the value's compact JSON.
    fn measure(&mut self, value: &Value, path: &mut Vec<String>) -> usize {
        match value {
            Value::Array(entries) => {
                let (mut total, mut widest) = (2, 0);
                for (i, entry) in entries.iter().enumerate() {
                    path.push(i.to_string());
                    let size = self.measure(entry, path) + 1;
                    path.pop();
                    total += size;
                    widest = widest.max(size);
                }
                // An entry that is over the budget alone is cut inside, not dropped.
                if entries.len() > 1 && widest <= self.budget {
                    offer(&mut self.list, total, path);
                }
                total
            }
            Value::Object(members) => {
                let (mut total, mut widest) = (2, 0);
                for (name, member) in members {
                    path.push(name.clone());
                    let size = self.measure(member, path);
                    path.pop();
                    total += name.len() + 4 + size;
                    widest = widest.max(size);
                }
                if !members.is_empty() && widest <= self.budget {
                    offer(&mut self.object, total, path);
                }
                total
            }
            Value::String(text) => {
                let size = leaf(value);
                if text.len() > LONG_TEXT {
                    offer(&mut self.text, size, path);
                }
                size
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => leaf(value),
        }
    }
}

fn offer(best: &mut Option<Candidate>, weight: usize, path: &[String]) {
    if best.as_ref().is_none_or(|(known, _)| weight > *known) {
        *best = Some((weight, path.to_vec()));
    }
}

fn leaf(value: &Value) -> usize {
    serde_json::to_string(value).map_or(0, |json| json.len())
}

/// Shortens the list or text at `path` by about `excess` bytes, and by something in any case.
fn cut(value: &mut Value, path: &[String], excess: usize) -> Cut {
    let at = path.join(".");
    let target = path.iter().fold(value, |value, key| match value {
        Value::Array(list) => &mut list[key.parse::<usize>().unwrap_or_default()],
        other => &mut other[key.as_str()],
    });
    match target {
        Value::Array(list) => {
            let of = list.len();
            let mut dropped = 0;
            while list.len() > 1 && dropped < excess {
                dropped += list.pop().map_or(0, |entry| leaf(&entry) + 1);
            }
            Cut { at, kept: list.len(), of, unit: "entries" }
        }
        Value::String(text) => {
            let of = text.chars().count();
            let mut end = text.len().saturating_sub(excess.max(1)).max(LONG_TEXT / 2);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            Cut { at, kept: text.chars().count(), of, unit: "characters" }
        }
        Value::Object(members) => {
            let of = members.len();
            let (mut kept, mut dropped) = (of, 0);
            for (name, member) in members.iter().rev() {
                if dropped >= excess {
                    break;
                }
                kept -= 1;
                dropped += name.len() + leaf(member) + 4;
            }
            *members = std::mem::take(members).into_iter().take(kept).collect();
            Cut { at, kept, of, unit: "members" }
        }
        _ => unreachable!("only lists, texts and objects are offered"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fits_stays() {
        let mut value = json!({"items": [1, 2, 3]});
        assert_eq!(fit(&mut value, 10_000), []);
        assert_eq!(value, json!({"items": [1, 2, 3]}));
    }

    #[test]
    fn whole_entries_go_from_the_end() {
        let entry = |i: usize| json!({"id": i, "text": "x".repeat(100)});
        let mut value = json!({"total": 500, "items": (0..500).map(entry).collect::<Vec<_>>()});
        let cuts = fit(&mut value, 20_000);
        let kept = value["items"].as_array().unwrap();
        assert_eq!(cuts, [Cut { at: "items".into(), kept: kept.len(), of: 500, unit: "entries" }]);
        assert!(kept.len() > 100 && kept.iter().enumerate().all(|(i, e)| e == &entry(i)));
        assert!(value.to_string().len() <= 18_000);
    }

    #[test]
    fn one_huge_entry_is_cut_inside() {
        let episodes: Vec<Value> = (0..400).map(|i| json!({"id": i, "t": "y".repeat(90)})).collect();
        let mut value = json!({"items": [{"id": "a"}, {"id": "b", "episodes": episodes}, {"id": "c"}]});
        let cuts = fit(&mut value, 10_000);
        assert_eq!(cuts[0].at, "items.1.episodes");
        assert_eq!(value["items"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn members_go_where_nothing_else_helps() {
        let many = |of: usize, value: Value| -> Value { (0..of).map(|i| (format!("m{i}"), value.clone())).collect() };
        let deep = (0..100).fold(json!("x".repeat(1_900)), |inner, i| json!({"a": inner, "b": "y".repeat(i * 10)}));
        let named: Value = [("n".repeat(50_000), json!(1))].into_iter().collect();
        for value in
            [many(5_000, json!(1)), many(2_000, json!([1, 2, "three"])), many(500, json!("x".repeat(900))), deep, named]
        {
            let mut value = json!({"id": "a", "found": value});
            let cuts = fit(&mut value, 10_000);
            assert!(value.to_string().len() <= 8_000 && cuts.len() <= MAX_CUTS + 2, "{cuts:?}");
            assert_eq!(value["id"], "a");
            assert_eq!(cuts.last().unwrap().unit, "members");
        }
    }

    #[test]
    fn a_text_is_cut_where_no_list_helps() {
        let mut value = json!({"item": {"description": "ü\"".repeat(30_000)}});
        let cuts = fit(&mut value, 10_000);
        assert_eq!((cuts[0].at.as_str(), cuts[0].unit), ("item.description", "characters"));
        assert!(value.to_string().len() <= 8_000);
    }
}
