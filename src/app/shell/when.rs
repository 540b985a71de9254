//! When something was, in words.

use outwit_core::platform::time::{SystemTime, UNIX_EPOCH};

/// How long ago a time is, such as `3 hours ago`. A time to come is `just now`.
pub fn ago(when: SystemTime) -> String {
    let minutes = when.elapsed().unwrap_or_default().as_secs() / 60;
    let (number, unit) = match minutes {
        0 => return "just now".into(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

/// The date and time, such as `2026-03-01 09:05 UTC`: which time zone the user is in is not known.
pub fn date(when: SystemTime) -> String {
    let seconds = when.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let hour = seconds / 3600 % 24;
    let minute = seconds / 60 % 60;
    format!("{} {hour:02}:{minute:02} UTC", day(seconds / 86_400))
}

/// The date so many days after 1970-01-01, such as `2026-03-01`.
pub fn day(days: u64) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day so many days after 1970-01-01, as in Hinnant's `civil_from_days`: years begin in March,
/// so that the leap day is the last, and 400 of them have 146,097 days.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let since_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * since_march + 2) / 5 + 1;
    let month = if since_march < 10 { since_march + 3 } else { since_march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::platform::time::Duration;

    #[test]
    fn ages_have_one_unit() {
        let before = |seconds| ago(SystemTime::now() - Duration::from_secs(seconds));
        assert_eq!(before(5), "just now");
        assert_eq!(before(65), "1 minute ago");
        assert_eq!(before(3 * 3600 + 90), "3 hours ago");
        assert_eq!(before(26 * 3600), "1 day ago");
        assert_eq!(ago(SystemTime::now() + Duration::from_secs(600)), "just now");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01 00:00 UTC");
        assert_eq!(at(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(at(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(at(4_107_542_400), "2100-03-01 00:00 UTC");
        assert_eq!(date(UNIX_EPOCH - Duration::from_secs(9)), "1970-01-01 00:00 UTC");
    }
}
