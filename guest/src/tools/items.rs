//! The items of a library: filtered, sorted, page by page.

use super::param::{DETAIL, Kind, LIBRARY_ID, PAGE, Param, limit};
use super::progress::{self, Records};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::filter::{self, Filter};
use crate::abs::{Failure, entries, sort};
use crate::keep;
use crate::shape::time::date;
use crate::shape::{self, Keep, Record, at, item, list, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_LIBRARY_ITEMS];

const SORT: Param = Param {
    name: "sort",
    kind: Kind::Choice { of: &sort::NAMES, default: None },
    about: "progress: when last listened",
    required: false,
};

const FILTER_GROUP: Param = Param {
    name: "filter_group",
    kind: Kind::Choice { of: &filter::NAMES, default: None },
    about: "",
    required: false,
};

static LIST_LIBRARY_ITEMS: Tool = Tool {
    name: "list_library_items",
    title: "List library items",
    description: "Books or podcasts of a library, filtered and sorted. filter_value is a name from \
                  get_library_filter_data; for progress finished, in-progress, not-started or not-finished; the \
                  last six groups take none. By progress, each has its percent or the date it was finished.",
    params: &[
        LIBRARY_ID,
        PAGE,
        limit(25),
        SORT,
        Param::flag("descending", ""),
        FILTER_GROUP,
        Param::text("filter_value", 500, "").optional(),
        Param::flag("collapse_series", ""),
        DETAIL,
    ],
    output: &[field("total", Integer), field("page", Integer), field("items", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_ITEMS, &table::GET_FILTER_DATA, &table::GET_ME],
    narrower: "",
    run: |context, args| list_library_items(context, args),
};

fn list_library_items(context: &Context<'_>, args: &Args) -> Outcome {
    let filter = Filter::read(args.text_if("filter_group"), args.text_if("filter_value")).map_err(not_sent)?;
    let one_series = filter.as_ref().is_some_and(Filter::is_one_series);
    let sort = match args.text_if("sort") {
        Some(sort::SEQUENCE) if !one_series => {
            return Err(not_sent(
                "sort: sequence is a place in a series; it needs filter_group=series and a series as filter_value",
            ));
        }
        Some(sort) => sort,
        None if one_series => sort::SEQUENCE,
        None => sort::TITLE,
    };
    let (filter, named) = match filter {
        Some(filter) if filter.is_a_name() => {
            let id = id_of(context, args.text("library_id"), &filter)?;
            let named = format!("filter_value is the name of {} {id}.", filter.group());
            (Some(filter.with_id(&id)), Some(named))
        }
        filter => (filter, None),
    };
    // Collapsing within one series, ABS exits on most sort keys, and there is hardly anything to collapse.
    let collapse = args.flag("collapse_series") && !one_series;
    let reply = ask(context, args, sort, filter.as_ref(), collapse)?;
    let items = entries(&reply, "results")?;
    check_kind(&reply, sort, filter.as_ref())?;

    let (page, limit) = (args.integer("page"), args.integer("limit"));
    let total = at(&reply, "total").as_i64();
    let records =
        if is_by_progress(sort, filter.as_ref()) { Records::read(context, args, items) } else { Records::NONE };
    let entries = items.iter().map(|item| {
        let progress = records.of(item);
        match args.full() {
            true => progress::with(item, progress),
            false => entry(item, sort).and(progress.map(shape::progress::brief).unwrap_or_default()).into(),
        }
    });
    let record = Record::new().put("total", total).put("page", page).put_list("items", entries);
    let past_the_end = total.is_some_and(|total| items.is_empty() && total > 0);
    let nothing_exact = total == Some(0) && filter.as_ref().is_some_and(Filter::is_exact);
    let answer = Answer::untrusted(record)
        .page_on(total, page, limit)
        .note_if(past_the_end, format!("Page {page} is past the end; the last one is {}.", last_page(total, limit)))
        .note_if(
            nothing_exact,
            "filter_value is compared exactly, case included; get_library_filter_data shows the values there are.",
        )
        .note_if(records.unread(), progress::UNREAD)
        .note_if(collapse, "A series counts as one entry: total is not the number of books.")
        .note_if(
            args.flag("collapse_series") && one_series,
            "collapse_series was left out: one series has nothing to collapse.",
        );
    let notes = [named, filter.and_then(|filter| filter.odd_decade())];
    Ok(notes.into_iter().flatten().fold(answer, Answer::note))
}

fn ask(
    context: &Context<'_>,
    args: &Args,
    sort: &str,
    filter: Option<&Filter>,
    collapse: bool,
) -> Result<Value, Failure> {
    const COMPACT: Keep = keep! { total, mediaType, results: item::KEEP };
    let (limit, page, fresh) = (args.integer("limit").to_string(), args.integer("page").to_string(), context.fresh());
    let filter_query = filter.map(Filter::query);
    let mut query = vec![("minified", "1"), ("limit", &*limit), ("page", &*page), ("sort", sort)];
    if args.flag("descending") {
        query.push(("desc", "1"));
    }
    if let Some(filter) = &filter_query {
        query.push(("filter", filter));
    }
    if collapse {
        query.push(("collapseseries", "1"));
    }
    if is_by_progress(sort, filter) {
        query.push(("_", &fresh));
    }
    let keep = if args.full() { Keep::All } else { COMPACT };
    context
        .get(&table::LIST_ITEMS, &[args.text("library_id")], &query, &keep)
        .map_err(|failure| failure.or_not_found(super::libraries::NO_LIBRARY))
}

/// Whether the user's progress decides what is shown or where. Then each entry says it, which ABS's lists do not.
fn is_by_progress(sort: &str, filter: Option<&Filter>) -> bool {
    sort::is_progress(sort) || filter.is_some_and(Filter::is_progress)
}

/// ABS ignores what it does not honour in a library of this kind, and shows everything; only its answer tells the kind.
fn check_kind(reply: &Value, sort: &str, filter: Option<&Filter>) -> Result<(), Failure> {
    let kind = text(reply, "mediaType").or_else(|| text(list(reply, "results").first()?, "mediaType"));
    let Some(kind) = kind else { return Ok(()) };
    let problem = match filter {
        Some(filter) if kind == "podcast" => filter.problem_with_podcasts(),
        _ => None,
    };
    match problem.or_else(|| sort::problem(sort, kind)) {
        Some(problem) => Err(Failure::message(format!("Nothing is shown. {problem}."))),
        None => Ok(()),
    }
}

/// The id of the author or series with exactly this name, or else with this name in another case.
fn id_of(context: &Context<'_>, library_id: &str, filter: &Filter) -> Result<String, Failure> {
    const NAMES: Keep = keep! { authors { id, name }, series { id, name } };
    let data = context
        .get(&table::GET_FILTER_DATA, &[library_id], &[], &NAMES)
        .map_err(|failure| failure.or_not_found(super::libraries::NO_LIBRARY))?;
    let ids = |same: &dyn Fn(&str) -> bool| -> Vec<&str> {
        let named = list(&data, filter.group()).iter().filter(|entry| text(entry, "name").is_some_and(same));
        named.filter_map(|entry| text(entry, "id")).collect()
    };
    let wanted = filter.value().to_lowercase();
    let exactly = ids(&|name| name == filter.value());
    let found = if exactly.is_empty() { ids(&|name| name.to_lowercase() == wanted) } else { exactly };
    let group = filter.group();
    match found.as_slice() {
        [id] => Ok((*id).to_owned()),
        [] => Err(Failure::message(format!(
            "filter_value: none of this library's {group} has that name. search_library finds names by a part of them."
        ))),
        several => Err(Failure::message(format!(
            "filter_value: several of this library's {group} have that name. Give the id of one: {}.",
            several.join(", ")
        ))),
    }
}

fn entry(item: &Value, sort: &str) -> Record {
    let record = item::compact(item)
        .put("genres", at(item, "media.metadata.genres").clone())
        .put("tags", at(item, "media.tags").clone());
    match sort {
        "size" => record.put("size", at(item, "size").clone()),
        "birthtimeMs" => record.put("file_created", date(at(item, "birthtimeMs"))),
        "mtimeMs" => record.put("file_modified", date(at(item, "mtimeMs"))),
        _ => record,
    }
}

fn last_page(total: Option<i64>, limit: i64) -> i64 {
    (total.unwrap_or(0) - 1).max(0) / limit.max(1)
}

fn not_sent(problem: impl std::fmt::Display) -> Failure {
    Failure::message(format!("Nothing was sent to Audiobookshelf. {problem}."))
}

#[cfg(test)]
mod tests;
