//! Instants: milliseconds since 1970 in UTC, written as RFC 3339 with milliseconds.

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// An instant with millisecond precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

/// A point in time as a caller wrote it, and how it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadTime {
    /// The instant.
    pub at: Timestamp,
    /// The text named no zone, so the caller's was assumed.
    pub assumed_zone: bool,
    /// The text was a date without a time.
    pub date_only: bool,
}

/// Which end of a bare date is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateEdge {
    /// Its first instant.
    Start,
    /// The first instant of the next day.
    End,
}

impl Timestamp {
    /// From milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This instant moved by `millis`.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Reads the form that [`fmt::Display`] writes; `None` for any other text.
    pub fn parse_stored(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|t| Self(t.as_millisecond()))
    }

    /// Reads an RFC 3339 time, a zone-less time or a bare date, in `zone` where it names none.
    /// `None` when it is none of these.
    pub fn read(text: &str, zone: &TimeZone, edge: DateEdge) -> Option<ReadTime> {
        let text = text.trim();
        let year_first = text.len() >= 10 && text.as_bytes()[..4].iter().all(u8::is_ascii_digit);
        if !year_first {
            return None;
        }
        if let Ok(at) = text.parse::<jiff::Timestamp>() {
            return Some(ReadTime { at: Self(at.as_millisecond()), assumed_zone: false, date_only: false });
        }
        if text.len() == 10 {
            let mut date = text.parse::<Date>().ok()?;
            if edge == DateEdge::End {
                date = date.tomorrow().ok()?;
            }
            let at = date.to_zoned(zone.clone()).ok()?.timestamp();
            return Some(ReadTime { at: Self(at.as_millisecond()), assumed_zone: true, date_only: true });
        }
        let at = text.parse::<DateTime>().ok()?.to_zoned(zone.clone()).ok()?.timestamp();
        Some(ReadTime { at: Self(at.as_millisecond()), assumed_zone: true, date_only: false })
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        write!(f, "{}", at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_form_sorts_as_text_and_reads_back() {
        let at = Timestamp::from_millis(1_772_634_300_007);
        assert_eq!(at.to_string(), "2026-03-04T14:25:00.007Z");
        assert_eq!(Timestamp::parse_stored(&at.to_string()), Some(at));
    }

    #[test]
    fn zone_less_text_is_read_in_the_callers_zone() {
        let tokyo = TimeZone::get("Asia/Tokyo").expect("bundled zone");
        let read = Timestamp::read("2026-03-04T23:30:00", &tokyo, DateEdge::Start).expect("reads");
        assert_eq!(read.at.to_string(), "2026-03-04T14:30:00.000Z");
        assert!(read.assumed_zone);
        let date = Timestamp::read("2026-03-04", &tokyo, DateEdge::End).expect("reads");
        assert_eq!(date.at.to_string(), "2026-03-04T15:00:00.000Z");
        assert!(Timestamp::read("yesterday", &tokyo, DateEdge::Start).is_none());
    }
}
