//! Priors: what is recalled often or is new is lifted a little. They reorder; they never drop a row.

use signet_model::Timestamp;
use signet_model::recall::Filters;

use crate::item::Item;
use crate::settings::Prior;

const DAY_MILLIS: i64 = 86_400_000;

/// Words that ask for the present state of things, folded as the index folds them.
const FRESHNESS_WORDS: &[&str] = &[
    "latest",
    "current",
    "currently",
    "now",
    "recent",
    "recently",
    "today",
    "still",
    "newest", // English
    "aktuell",
    "aktuelle",
    "aktuellen",
    "jetzt",
    "heute",
    "neueste",
    "neuesten",
    "neulich",
    "derzeit", // German
    "actuel",
    "actuelle",
    "actuellement",
    "maintenant",
    "aujourd",
    "recemment",
    "dernier",
    "derniere", // French
    "actual",
    "actualmente",
    "ahora",
    "hoy",
    "reciente",
    "ultimo",
    "ultima", // Spanish
    "attuale",
    "attualmente",
    "adesso",
    "oggi",
    "recente", // Italian
    "atual",
    "atualmente",
    "agora",
    "hoje", // Portuguese
    "сейчас",
    "сегодня",
    "теперь",
    "последнии",
    "последняя",
    "последние",
    "недавно", // Russian
    "现在",
    "今天",
    "最新",
    "最近",
    "目前",
    "今",
    "今日",
    "現在",
    "지금",
    "오늘",
    "최근",
];

/// Whole UTC days from `then` to `now`; 0 when `then` is later.
fn days(then: Timestamp, now: Timestamp) -> f64 {
    let day = |at: Timestamp| at.millis().div_euclid(DAY_MILLIS);
    (day(now) - day(then)).max(0) as f64
}

fn halved(days: f64, half_life: f64) -> f64 {
    if half_life > 0.0 { 0.5_f64.powf(days / half_life) } else { 0.0 }
}

/// The lift of a row recalled `count` times, the last time `days` ago.
fn rehearsal(prior: Prior, count: u64, days: f64) -> f64 {
    1.0 + prior.weight * (count as f64 + 1.0).ln() * halved(days, prior.half_life_days)
}

/// The lift of a row `days` old.
fn freshness(prior: Prior, days: f64) -> f64 {
    1.0 + prior.weight * halved(days, prior.half_life_days)
}

/// Whether the question asks for the newest state, without saying since when itself.
fn asks_for_new(words: &[String], filters: &Filters) -> bool {
    let bounded = filters.since.is_some() || filters.until.is_some();
    !bounded && words.iter().any(|word| FRESHNESS_WORDS.contains(&word.as_str()))
}

/// The priors of one question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Priors {
    /// Lift by use.
    pub(crate) rehearsal: Prior,
    /// Lift by age, when the question asks for it.
    pub(crate) freshness: Prior,
    /// The present instant.
    pub(crate) now: Timestamp,
}

/// Lifts every candidate.
pub(crate) fn lift(items: &mut [Item], priors: Priors, words: &[String], filters: &Filters) {
    let fresh = priors.freshness.weight > 0.0 && asks_for_new(words, filters);
    for item in items {
        if let (true, Some(last)) = (item.row.access_count > 0, item.row.last_accessed) {
            let factor = rehearsal(priors.rehearsal, item.row.access_count, days(last, priors.now));
            item.lift("rehearsal", factor);
        }
        if fresh {
            item.lift("freshness", freshness(priors.freshness, days(item.row.memory.created_at, priors.now)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) {
        assert!((left - right).abs() < 0.0001, "{left} is not {right}");
    }

    #[test]
    fn lifts_worked_out_by_hand() {
        let by_use = Prior { weight: 0.1, half_life_days: 30.0 };
        for (count, age, expected) in [(3, 0.0, 1.1386), (3, 30.0, 1.0693), (0, 0.0, 1.0), (10, 60.0, 1.0599)]
        {
            close(rehearsal(by_use, count, age), expected);
        }
        let by_age = Prior { weight: 0.15, half_life_days: 14.0 };
        for (age, expected) in [(0.0, 1.15), (14.0, 1.075), (42.0, 1.01875)] {
            close(freshness(by_age, age), expected);
        }
    }

    #[test]
    fn days_are_whole_utc_days() {
        let at = |text| Timestamp::parse_stored(text).unwrap();
        close(days(at("2026-03-04T23:59:59.000Z"), at("2026-03-05T00:00:00.000Z")), 1.0);
        close(days(at("2026-03-04T00:00:00.000Z"), at("2026-03-04T23:59:59.000Z")), 0.0);
        close(days(at("2026-03-09T00:00:00.000Z"), at("2026-03-04T00:00:00.000Z")), 0.0);
    }

    #[test]
    fn only_freshness_wording_without_a_range_asks_for_new() {
        let words = |text: &str| signet_model::text::search::query(text).words;
        assert!(asks_for_new(&words("What is the latest port?"), &Filters::default()));
        assert!(asks_for_new(&words("Wo wohnt sie jetzt?"), &Filters::default()));
        assert!(!asks_for_new(&words("Which port was it?"), &Filters::default()));
        let since = Filters { since: Some(Timestamp::from_millis(0)), ..Filters::default() };
        assert!(!asks_for_new(&words("What is the latest port?"), &since));
    }
}
