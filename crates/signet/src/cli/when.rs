//! Times for people: the local zone with its offset.

use jiff::tz::TimeZone;

/// `2026-03-04 14:05 +01:00` in a zone; a text that is no time is shown as it is.
pub(crate) fn in_zone(stored: &str, zone: &TimeZone) -> String {
    match stored.parse::<jiff::Timestamp>() {
        Ok(at) => at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M %:z").to_string(),
        Err(_) => stored.to_owned(),
    }
}

/// The same in this machine's zone.
pub(crate) fn local(stored: &str) -> String {
    in_zone(stored, &TimeZone::system())
}

/// The same with seconds, for logs.
pub(crate) fn to_the_second(stored: &str) -> String {
    match stored.parse::<jiff::Timestamp>() {
        Ok(at) => at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S %:z").to_string(),
        Err(_) => stored.to_owned(),
    }
}

/// The day alone, for narrow places.
pub(crate) fn day(stored: &str) -> String {
    local(stored).chars().take(10).collect()
}

/// `3 d 4 h`, `12 min`, `5 s`: the two largest units.
pub(crate) fn span(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_with_offset() {
        let paris = TimeZone::get("Europe/Paris").unwrap();
        assert_eq!(in_zone("2026-03-04T13:05:00.000Z", &paris), "2026-03-04 14:05 +01:00");
        assert_eq!(in_zone("never", &paris), "never");
        assert_eq!([span(5), span(125), span(7500), span(100_000)], ["5 s", "2 min", "2 h 5 min", "1 d 3 h"]);
    }
}
