//! Times as people read them.

use serde_json::Value;

/// Milliseconds since 1970 as ISO 8601 in UTC, to the second; null for anything else. ABS sends all its times this way.
pub fn iso(value: &Value) -> Value {
    let Some(ms) = value.as_i64().or_else(|| value.as_f64().map(|f| f as i64)) else { return Value::Null };
    if !(0..253_402_300_800_000).contains(&ms) {
        return Value::Null;
    }
    let seconds = ms / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z").into()
}

/// The date alone.
pub fn date(value: &Value) -> Value {
    match iso(value) {
        Value::String(text) => text[..10].into(),
        _ => Value::Null,
    }
}

/// Seconds, rounded to tenths and without a fraction where there is none; null for anything else.
pub fn seconds(value: &Value) -> Value {
    let Some(seconds) = value.as_f64() else { return Value::Null };
    let tenths = (seconds * 10.0).round();
    if tenths % 10.0 == 0.0 && tenths.abs() < 9e15 { ((tenths / 10.0) as i64).into() } else { (tenths / 10.0).into() }
}

/// The sum of durations, rounded likewise; what is no number adds nothing.
pub fn total<'a>(durations: impl Iterator<Item = &'a Value>) -> Value {
    seconds(&durations.filter_map(Value::as_f64).sum::<f64>().into())
}

/// Year, month and day of a day number (0 is 1970-01-01) in the Gregorian calendar. Counts from March, so that the leap
/// day is the last of its year, in eras of 400 years, which all have 146 097 days.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let day_of_era = day.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn dates() {
        let cases = [
            (json!(0), json!("1970-01-01T00:00:00Z")),
            (json!(951_782_400_000_i64), json!("2000-02-29T00:00:00Z")),
            (json!(1_785_110_399_999_i64), json!("2026-07-26T23:59:59Z")),
            (json!(1.7e12), json!("2023-11-14T22:13:20Z")),
            (json!(null), json!(null)),
            (json!("x"), json!(null)),
            (json!(-1), json!(null)),
            (json!(1e300), json!(null)),
        ];
        for (ms, want) in cases {
            assert_eq!(iso(&ms), want, "{ms}");
        }
        assert_eq!(date(&json!(951_868_800_000_i64)), json!("2000-03-01"));
    }

    #[test]
    fn rounding() {
        for (value, want) in
            [(json!(12), json!(12)), (json!(12.04), json!(12)), (json!(12.06), json!(12.1)), (json!("7"), json!(null))]
        {
            assert_eq!(seconds(&value), want);
        }
    }

    #[test]
    fn sums() {
        assert_eq!(total([json!(1.04), json!(2.04), json!(null), json!("7")].iter()), json!(3.1));
        assert_eq!(total([].iter()), json!(0));
    }
}
