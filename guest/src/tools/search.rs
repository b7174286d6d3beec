//! Search in one library.
//!
//! ABS looks for a query as one piece: «Frank Herbert Dune» finds nothing where «Dune» does. When a query of several words
//! finds nothing, its words are tried one by one here, and the hits that have most of them come first.

use super::param::{DETAIL, LIBRARY_ID, Param, limit};
use super::tool::Tool;
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::Failure;
use crate::keep;
use crate::shape::{Keep, Record, at, episode, item, list, sort_by, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&SEARCH_LIBRARY];

static SEARCH_LIBRARY: Tool = Tool {
    name: "search_library",
    title: "Search a library",
    description: "Finds books (by title, subtitle, ISBN or ASIN only), podcasts, episodes, series, authors, \
                  narrators, tags and genres by a part of the name, few words. All books of a hit: list_library_items filtered \
                  by its name.",
    params: &[LIBRARY_ID, Param::text("q", 200, ""), limit(12), DETAIL],
    // A list for each kind that the description names.
    output: &[],
    hints: Hints::READ,
    routes: &[&table::SEARCH_LIBRARY],
    narrower: "",
    run: |context, args| search_library(context, args),
};

/// So many of a query's words are tried.
const WORDS: usize = 4;

/// Words up to this length are tried only while longer ones found nothing: «the» is in half of all titles.
const SHORT: usize = 3;

fn search_library(context: &Context<'_>, args: &Args) -> Outcome {
    let query = args.text("q").split_whitespace().collect::<Vec<_>>().join(" ");
    let limit = args.integer("limit") as usize;
    let mut hits = ask(context, args, &query)?;
    let mut tried: Vec<String> = Vec::new();
    let words = words(&query);
    if hits.is_empty() && words.len() > 1 {
        let mut by_length = words.clone();
        sort_by(&mut by_length, |a, b| b.chars().count().cmp(&a.chars().count()));
        for word in by_length.into_iter().take(WORDS) {
            if word.chars().count() <= SHORT && !hits.is_empty() {
                break;
            }
            hits.merge(ask(context, args, &word)?);
            tried.push(word);
        }
        hits.best_first(&words);
    }
    let full = hits.longest() >= limit;
    let (found, tried) = (!hits.is_empty(), tried.join(", "));
    let nothing = "Nothing was found. Spelling, accents and the case of non-Latin letters can matter; try one characteristic word.";
    Ok(Answer::untrusted(hits.record(limit, args.full()))
        .note_if(!tried.is_empty(), format!("The whole query is nowhere; its words were tried: {tried}."))
        .note_if(!found, nothing)
        .note_if(full, "At most limit hits of each kind are shown; there may be more."))
}

fn ask(context: &Context<'_>, args: &Args, query: &str) -> Result<Hits, Failure> {
    const COMPACT: Keep = keep! {
        book { libraryItem: item::KEEP },
        podcast { libraryItem: item::KEEP },
        episodes { libraryItem { media { metadata { title } }, recentEpisode: episode::KEEP } },
        series { series { id, name }, books { id } },
        authors { id, name, numBooks },
        narrators,
        tags,
        genres
    };
    let wild = query.contains(['%', '_']);
    // Hits of wildcards take places away from literal ones.
    let limit = if wild { (args.integer("limit") * 4).min(100) } else { args.integer("limit") };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context
        .get(&table::SEARCH_LIBRARY, &[args.text("library_id")], &[("q", query), ("limit", &limit.to_string())], &keep)
        .map_err(|failure| failure.or_not_found(super::libraries::NO_LIBRARY))?;
    let mut hits = Hits::of(&reply);
    if wild {
        hits.only_literal(query);
    }
    Ok(hits)
}

/// The words of a query, without punctuation around them, each once.
fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in query.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !word.is_empty() && !words.iter().any(|known| known.to_lowercase() == word.to_lowercase()) {
            words.push(word.to_owned());
        }
    }
    words
}

/// A kind of hit.
struct Kind {
    name: &'static str,
    /// What ABS calls it.
    abs: &'static str,
    /// Where a hit has its record; empty when it is one.
    record: &'static str,
    /// What tells hits apart.
    key: &'static str,
    /// What ABS compares, as far as it is text.
    compared: &'static [&'static str],
    compact: fn(&Value) -> Record,
}

const KINDS: [Kind; 8] = [
    Kind {
        name: "books",
        abs: "book",
        record: "libraryItem",
        key: "libraryItem.id",
        compared: &["libraryItem.media.metadata.title", "libraryItem.media.metadata.subtitle"],
        compact: |hit| item::compact(at(hit, "libraryItem")),
    },
    Kind {
        name: "podcasts",
        abs: "podcast",
        record: "libraryItem",
        key: "libraryItem.id",
        compared: &["libraryItem.media.metadata.title", "libraryItem.media.metadata.author"],
        // ABS counts no episodes here and says 0.
        compact: |hit| item::compact(at(hit, "libraryItem")).without("episodes"),
    },
    Kind {
        name: "episodes",
        abs: "episodes",
        record: "libraryItem",
        key: "libraryItem.recentEpisode.id",
        compared: &["libraryItem.recentEpisode.title"],
        compact: |hit| {
            episode::compact(at(hit, "libraryItem.recentEpisode"))
                .put("podcast", at(hit, "libraryItem.media.metadata.title").clone())
        },
    },
    Kind {
        name: "series",
        abs: "series",
        record: "",
        key: "series.id",
        compared: &["series.name"],
        compact: |hit| Record::new().copy(at(hit, "series"), &["id", "name"]).put("books", list(hit, "books").len()),
    },
    Kind {
        name: "authors",
        abs: "authors",
        record: "",
        key: "id",
        compared: &["name"],
        compact: |hit| Record::new().copy(hit, &["id", "name"]).put("books", at(hit, "numBooks").clone()),
    },
    Kind {
        name: "narrators",
        abs: "narrators",
        record: "",
        key: "name",
        compared: &["name"],
        compact: |hit| named(hit, "books", "numBooks"),
    },
    Kind {
        name: "tags",
        abs: "tags",
        record: "",
        key: "name",
        compared: &["name"],
        compact: |hit| named(hit, "items", "numItems"),
    },
    Kind {
        name: "genres",
        abs: "genres",
        record: "",
        key: "name",
        compared: &["name"],
        compact: |hit| named(hit, "items", "numItems"),
    },
];

fn named(hit: &Value, count: &str, abs: &str) -> Record {
    Record::new().copy(hit, &["name"]).put(count, at(hit, abs).clone())
}

/// What ABS found, one list for each of [`KINDS`].
struct Hits([Vec<Value>; KINDS.len()]);

impl Hits {
    fn of(reply: &Value) -> Hits {
        Hits(KINDS.each_ref().map(|kind| list(reply, kind.abs).to_vec()))
    }

    fn is_empty(&self) -> bool {
        self.longest() == 0
    }

    fn longest(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Adds what is new.
    fn merge(&mut self, other: Hits) {
        for ((kind, hits), more) in KINDS.iter().zip(&mut self.0).zip(other.0) {
            for hit in more {
                if !hits.iter().any(|known| at(known, kind.key) == at(&hit, kind.key)) {
                    hits.push(hit);
                }
            }
        }
    }

    /// Those with most of the words first, in any of their texts: a book's author counts too.
    fn best_first(&mut self, words: &[String]) {
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        for (kind, hits) in KINDS.iter().zip(&mut self.0) {
            let found = |hit: &Value| {
                let texts = Value::from((kind.compact)(hit)).to_string().to_lowercase();
                words.iter().filter(|word| texts.contains(word.as_str())).count()
            };
            let mut counted: Vec<(usize, Value)> = hits.drain(..).map(|hit| (found(&hit), hit)).collect();
            sort_by(&mut counted, |(a, _), (b, _)| b.cmp(a));
            hits.extend(counted.into_iter().map(|(_, hit)| hit));
        }
    }

    /// `%` and `_` are wildcards in ABS. Here they are themselves.
    fn only_literal(&mut self, query: &str) {
        for (kind, hits) in KINDS.iter().zip(&mut self.0) {
            hits.retain(|hit| {
                kind.compared.iter().any(|path| text(hit, path).is_some_and(|text| has_literal(text, query)))
            });
        }
    }

    fn record(self, limit: usize, full: bool) -> Record {
        KINDS.iter().zip(self.0).fold(Record::new(), |record, (kind, hits)| {
            let entries = hits.iter().take(limit).map(|hit| match kind.record {
                _ if !full => (kind.compact)(hit).into(),
                "" => hit.clone(),
                path => at(hit, path).clone(),
            });
            record.put(kind.name, entries.collect::<Vec<Value>>())
        })
    }
}

/// Whether the query's wildcard characters stand in the text where the query has them. All else is compared loosely, since
/// ABS has compared it already, perhaps without accents.
fn has_literal(text: &str, query: &str) -> bool {
    let text: Vec<char> = text.chars().filter(|c| !('\u{300}'..='\u{36F}').contains(c)).collect();
    let query: Vec<char> = query.chars().filter(|c| !('\u{300}'..='\u{36F}').contains(c)).collect();
    let same = |(text, query): (&char, &char)| {
        let loose = !text.is_ascii() || !query.is_ascii();
        let wildcard = matches!(query, '%' | '_');
        text.eq_ignore_ascii_case(query) || (loose && !wildcard)
    };
    text.windows(query.len()).any(|part| part.iter().zip(&query).all(same))
}

#[cfg(test)]
mod tests;
