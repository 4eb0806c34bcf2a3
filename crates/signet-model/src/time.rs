//! Instants: milliseconds since 1970 in UTC, written as RFC 3339 with milliseconds.

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// An instant with millisecond precision, within the years 0000 to 9999: each has its written form.
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

/// 0000-01-01T00:00:00.000Z.
const FIRST: i64 = -62_167_219_200_000;
/// 9999-12-30T22:00:00.000Z: the last one that jiff holds.
const LAST: i64 = 253_402_207_200_000;

impl Timestamp {
    /// From milliseconds since 1970. An instant out of range becomes the first or the last one.
    pub const fn from_millis(millis: i64) -> Self {
        if millis < FIRST {
            Self(FIRST)
        } else if millis > LAST {
            Self(LAST)
        } else {
            Self(millis)
        }
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This instant moved by `millis`, at most to the first or the last one.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// Reads the form that [`fmt::Display`] writes; `None` for any other text.
    pub fn parse_stored(text: &str) -> Option<Self> {
        let at = text.parse::<jiff::Timestamp>().ok()?.as_millisecond();
        // A year before 0000 is no text of ours.
        (FIRST..=LAST).contains(&at).then_some(Self(at))
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
            return Some(ReadTime { at: Self::from_jiff(at), assumed_zone: false, date_only: false });
        }
        if text.len() == 10 {
            let mut date = text.parse::<Date>().ok()?;
            if edge == DateEdge::End {
                date = date.tomorrow().ok()?;
            }
            let at = date.to_zoned(zone.clone()).ok()?.timestamp();
            return Some(ReadTime { at: Self::from_jiff(at), assumed_zone: true, date_only: true });
        }
        let at = text.parse::<DateTime>().ok()?.to_zoned(zone.clone()).ok()?.timestamp();
        Some(ReadTime { at: Self::from_jiff(at), assumed_zone: true, date_only: false })
    }

    fn from_jiff(at: jiff::Timestamp) -> Self {
        Self::from_millis(at.as_millisecond())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never the fallback: the whole range of this type is within jiff's.
        let at = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MAX);
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
    fn an_instant_out_of_range_becomes_the_first_or_the_last_one() {
        let (first, last) = (Timestamp::from_millis(i64::MIN), Timestamp::from_millis(i64::MAX));
        assert_eq!(first.to_string(), "0000-01-01T00:00:00.000Z");
        assert_eq!(last.to_string(), "9999-12-30T22:00:00.000Z");
        assert_eq!((first.plus_millis(-1), last.plus_millis(1)), (first, last));
        assert_eq!(last.plus_millis(-1).to_string(), "9999-12-30T21:59:59.999Z");
        for end in [first, last] {
            assert_eq!(Timestamp::parse_stored(&end.to_string()), Some(end));
        }
        assert_eq!(Timestamp::parse_stored("-000001-12-31T23:59:59.999Z"), None);
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
