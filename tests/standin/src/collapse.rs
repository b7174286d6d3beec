//! `collapseseries=1`: a series stands as one entry, shown by its first book.

use serde_json::{Value, json};

use crate::{
    model::{Item, Library},
    shapes, text,
};

pub(crate) struct Row<'a> {
    pub(crate) item: &'a Item,
    /// Id and sequence of the representative, and every book that passed the filter.
    series: Option<(&'a str, Option<&'a str>, Vec<&'a Item>)>,
}

/// A book in two series appears once: with the first of them.
pub(crate) fn collapse<'a>(data: &'a Library, list: &[&'a Item]) -> Vec<Row<'a>> {
    let listed = |item: &Item| list.iter().any(|i| i.id == item.id);
    let mut rows = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for item in list {
        let Some((id, _)) = item.book().and_then(|book| book.series.first()) else {
            rows.push(Row { item, series: None });
            continue;
        };
        if seen.contains(&id.as_str()) {
            continue;
        }
        seen.push(id);
        let books: Vec<&Item> = data.books_in(id).into_iter().filter(|book| listed(book)).collect();
        let first = books
            .iter()
            .find(|b| b.book().and_then(|b| b.series.first()).is_some_and(|(first, _)| first == id))
            .copied()
            .unwrap_or(item);
        let sequence =
            first.book().and_then(|b| b.series.iter().find(|(s, _)| s == id)).and_then(|(_, s)| s.as_deref());
        rows.push(Row { item: first, series: Some((id, sequence, books)) });
    }
    rows
}

impl Row<'_> {
    /// A collapsed series is sorted by its own name.
    pub(crate) fn title(&self, data: &Library) -> String {
        let series = self.series.as_ref().and_then(|(id, ..)| data.one_series(id));
        series.map_or_else(|| self.item.title().to_owned(), |s| s.name.clone())
    }

    pub(crate) fn json(&self, data: &Library) -> Value {
        let mut out = shapes::minified(data, self.item);
        if let Some((id, sequence, books)) = &self.series {
            let name = data.one_series(id).map_or("", |s| s.name.as_str());
            out["collapsedSeries"] = json!({
                "id": id,
                "name": name,
                "nameIgnorePrefix": text::ignore_prefix(name),
                "sequence": sequence,
                "numBooks": books.len(),
                "libraryItemIds": books.iter().map(|b| b.id.as_str()).collect::<Vec<_>>(),
            });
        }
        out
    }
}
