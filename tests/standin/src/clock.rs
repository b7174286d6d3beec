//! Dates in UTC, the time zone of the recorded server.

use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) const DAY: i64 = 86_400_000;
pub(crate) const HOUR: i64 = 3_600_000;
/// 2025-01-01T00:00Z: when the sample library began. Everything but the listening history counts from here.
pub(crate) const EPOCH: i64 = 1_735_689_600_000;

const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
}

/// Year, month 1..12, day 1..31.
pub(crate) fn civil(ms: i64) -> (i64, u32, u32) {
    // Counted in years that begin in March, so that the leap day comes last.
    let days = ms.div_euclid(DAY) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u32, day as u32)
}

/// `2026-11-30`
pub(crate) fn date(ms: i64) -> String {
    let (year, month, day) = civil(ms);
    format!("{year:04}-{month:02}-{day:02}")
}

pub(crate) fn weekday(ms: i64) -> &'static str {
    WEEKDAYS[ms.div_euclid(DAY).rem_euclid(7) as usize]
}

/// `2026-11-30T06:00:00.000Z`
pub(crate) fn iso(ms: i64) -> String {
    let (h, m, s) = time_of_day(ms);
    format!("{}T{h:02}:{m:02}:{s:02}.{:03}Z", date(ms), ms.rem_euclid(1000))
}

/// `Fri, 01 May 2026 06:00:00 +0000`
pub(crate) fn rfc2822(ms: i64) -> String {
    let (year, month, day) = civil(ms);
    let (h, m, s) = time_of_day(ms);
    let name = &weekday(ms)[..3];
    format!("{name}, {day:02} {} {year:04} {h:02}:{m:02}:{s:02} +0000", MONTHS[month as usize - 1])
}

fn time_of_day(ms: i64) -> (i64, i64, i64) {
    let s = ms.rem_euclid(DAY) / 1000;
    (s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_around_the_corners() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(EPOCH), "2025-01-01");
        assert_eq!(date(EPOCH - 1), "2024-12-31");
        assert_eq!(date(951_782_400_000), "2000-02-29");
        assert_eq!(rfc2822(1_777_615_200_000), "Fri, 01 May 2026 06:00:00 +0000");
        assert_eq!(iso(1_762_351_200_000), "2025-11-05T14:00:00.000Z");
    }
}
