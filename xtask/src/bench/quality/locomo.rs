//! LoCoMo: chats of two people over months.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::corpus::{Corpus, Question, Unit};

/// Category of the questions that have no answer in the chat, only a place to look.
const ADVERSARIAL: i64 = 5;

/// Reads the development half.
pub(super) fn read(data: &Path) -> Result<Vec<Corpus>> {
    let path = data.join("locomo").join("locomo-dev.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let dialogues: Vec<Value> = serde_json::from_str(&text)?;
    Ok(dialogues.iter().map(dialogue).collect())
}

fn dialogue(dialogue: &Value) -> Corpus {
    let conversation = &dialogue["conversation"];
    let mut units = Vec::new();
    let mut number = 1;
    // A session may be missing; a date without a session follows the last one.
    while !conversation[format!("session_{number}_date_time")].is_null() {
        let at = conversation[format!("session_{number}_date_time")].as_str().and_then(time);
        let turns = conversation[format!("session_{number}")].as_array().map_or(&[][..], Vec::as_slice);
        units.extend(turns.iter().map(|turn| unit(turn, at.clone())));
        number += 1;
    }
    let known: BTreeSet<&str> = units.iter().map(|unit| unit.id.as_str()).collect();
    let questions = dialogue["qa"].as_array().map_or(&[][..], Vec::as_slice);
    let questions = questions.iter().filter_map(|asked| question(asked, &known)).collect();
    Corpus { name: dialogue["sample_id"].as_str().unwrap_or_default().to_owned(), units, questions }
}

fn unit(turn: &Value, at: Option<String>) -> Unit {
    let field = |name: &str| turn[name].as_str().unwrap_or_default();
    let caption = turn["blip_caption"].as_str().map(|caption| format!(" [{caption}]")).unwrap_or_default();
    Unit {
        id: field("dia_id").to_owned(),
        text: format!("{}: {}{caption}", field("speaker"), field("text")),
        who: field("speaker").to_owned(),
        at,
    }
}

fn question(asked: &Value, known: &BTreeSet<&str>) -> Option<Question> {
    let strings = asked["evidence"].as_array()?.iter().filter_map(Value::as_str);
    let gold: BTreeSet<String> = strings.flat_map(ids).filter(|id| known.contains(id.as_str())).collect();
    let category = asked["category"].as_i64()?;
    let mut groups = vec![format!("category {category}")];
    if category != ADVERSARIAL {
        groups.push("categories 1-4".to_owned());
    }
    let text = asked["question"].as_str()?.to_owned();
    (!gold.is_empty()).then_some(Question { text, gold, groups, replaced: None })
}

/// Every `D<n>:<m>` in a string, without leading zeros.
fn ids(text: &str) -> Vec<String> {
    let starts = text.match_indices('D').map(|(at, _)| &text[at + 1..]);
    starts
        .filter_map(|rest| {
            let (session, rest) = rest.split_once(':')?;
            let turn: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let (session, turn): (u32, u32) = (session.parse().ok()?, turn.parse().ok()?);
            Some(format!("D{session}:{turn}"))
        })
        .collect()
}

/// `1:56 pm on 8 May, 2023` as RFC 3339.
fn time(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (clock, date) = text.split_once(" on ")?;
    let (clock, half) = clock.trim().split_once(' ')?;
    let (hour, minute) = clock.split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = hour % 12 + if half == "pm" { 12 } else { 0 };
    let mut parts = date.split([' ', ',']).filter(|part| !part.is_empty());
    let day: u32 = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|month| *month == name)? + 1;
    let year: u32 = parts.next()?.parse().ok()?;
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_ids_are_read_as_they_are_written() {
        assert_eq!(time("1:56 pm on 8 May, 2023").as_deref(), Some("2023-05-08T13:56:00Z"));
        assert_eq!(time("12:09 am on 13 September, 2023").as_deref(), Some("2023-09-13T00:09:00Z"));
        assert_eq!(time("soon"), None);
        assert_eq!(ids("D8:6; D9:017 and D"), ["D8:6", "D9:17"]);
    }

    #[test]
    fn questions_without_known_evidence_are_left_out() {
        let dialogue = serde_json::json!({
            "sample_id": "c", "conversation": {
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "Hi", "blip_caption": "a dog"}],
            },
            "qa": [
                {"question": "who?", "evidence": ["D1:01"], "category": 4},
                {"question": "what?", "evidence": ["D9:9"], "category": 1},
                {"question": "none?", "evidence": [], "category": 1},
            ],
        });
        let corpus = super::dialogue(&dialogue);
        assert_eq!(corpus.units[0].text, "Ana: Hi [a dog]");
        let asked: Vec<&str> = corpus.questions.iter().map(|question| question.text.as_str()).collect();
        assert_eq!(asked, ["who?"]);
        assert_eq!(corpus.questions[0].groups, ["category 4", "categories 1-4"]);
    }
}
