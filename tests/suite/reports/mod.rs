//! Public bug reports of other servers, clients and hosts that this server would plausibly repeat. Each row of the table is a
//! test named after it (`a5_id_on_a_notification`), on the wire where it is about the wire, or a line of
//! `not-applicable.md` that says why there is nothing to test.

mod a;
mod b;
mod c;
mod d;
mod e;
mod f;
mod g;
#[cfg(target_os = "linux")]
mod private;

use std::collections::BTreeSet;

/// The table.
const ROWS: [(&str, &[u32]); 7] = [
    ("a", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17, 19, 20, 21, 23]),
    ("b", &[1, 3, 4, 6, 7, 8, 9, 10, 11, 12]),
    ("c", &[1, 2, 5, 6, 8, 10]),
    ("d", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 19, 21, 22, 23]),
    ("e", &[1, 2, 3, 4, 6, 7, 8, 10, 12]),
    ("f", &[1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25]),
    ("g", &[1, 3, 4, 5]),
];

const FILES: [(&str, &str); 7] = [
    ("a", include_str!("a.rs")),
    ("b", include_str!("b.rs")),
    ("c", include_str!("c.rs")),
    ("d", include_str!("d.rs")),
    ("e", include_str!("e.rs")),
    ("f", include_str!("f.rs")),
    ("g", include_str!("g.rs")),
];

/// The rows of one section's tests: functions marked as tests whose names begin with a row's id.
fn tested(source: &str) -> impl Iterator<Item = String> {
    source.split("#[tokio::test]").skip(1).map(|test| {
        let name = test.split("fn ").nth(1).unwrap_or_else(|| panic!("no function: {test}"));
        name.split('_').next().expect("split gives a part").to_owned()
    })
}

#[test]
fn every_row_is_a_test_or_a_reason() {
    let rows: BTreeSet<String> =
        ROWS.iter().flat_map(|(section, rows)| rows.iter().map(move |row| format!("{section}{row}"))).collect();
    let mut tests = BTreeSet::new();
    for (section, source) in FILES {
        for row in tested(source) {
            assert!(row.starts_with(section), "{row} is in {section}.rs");
            tests.insert(row);
        }
    }
    let reasons: BTreeSet<String> = include_str!("not-applicable.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | "))
        .map(|(row, reason)| (row.to_lowercase(), reason))
        .filter(|(row, _)| row != "row" && !row.starts_with('-'))
        .inspect(|(row, reason)| assert!(reason.len() > 20, "{row} has no reason"))
        .map(|(row, _)| row)
        .collect();
    println!("{} rows: {} tested, {} not applicable", rows.len(), tests.len(), reasons.len());
    assert_eq!(tests.intersection(&reasons).collect::<Vec<_>>(), [""; 0], "both");
    assert_eq!(tests.union(&reasons).cloned().collect::<BTreeSet<_>>(), rows);
}
