//! Sorting.

use std::cmp::Ordering;

/// Sorts as [`slice::sort_by`] does: what compares as equal stays in place.
///
/// The standard library's sort is several kilobytes of code for each type and each order. This one sorts places, by whatever
/// order, so that the component has it once.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let mut places: Vec<usize> = (0..items.len()).collect();
    sort(&mut places, &|a, b| compare(&items[a], &items[b]));
    let mut slots: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(places.into_iter().filter_map(|place| slots[place].take()));
}

#[inline(never)]
fn sort(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::sort_by;

    #[test]
    fn as_the_standard_library_sorts() {
        for length in [0, 1, 2, 7, 50, 1000] {
            let scattered = |n: usize| (n * 7919 % 31, n.to_string());
            let mut items: Vec<(usize, String)> = (0..length).map(scattered).collect();
            let mut wanted = items.clone();
            wanted.sort_by_key(|(key, _)| *key);
            sort_by(&mut items, |(a, _), (b, _)| a.cmp(b));
            assert_eq!(items, wanted);
        }
    }
}
