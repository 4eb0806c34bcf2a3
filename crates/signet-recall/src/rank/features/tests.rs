//! Each feature by itself.

use signet_model::memory::Visibility;
use signet_model::recall::Recalled;
use signet_model::text::search::{Counter, query, tokens};
use signet_model::{AgentId, MemoryId, Timestamp};
use signet_store::derived::candidates::Candidate;

use super::{Features, Question};
use crate::item::Item;

/// A candidate with this text for this question, all terms of equal weight.
fn item(question: &str, text: &str, cosine: Option<f64>) -> Item {
    let memory = Recalled {
        agent: AgentId::default_agent(),
        id: MemoryId::from("m"),
        content: text.to_owned(),
        content_length: text.chars().count(),
        truncated: false,
        kind: "fact".to_owned(),
        tags: String::new(),
        pinned: false,
        importance: 0.5,
        confidence: 1.0,
        who: None,
        project: String::new(),
        scope: String::new(),
        visibility: Visibility::Global,
        source_type: "manual".to_owned(),
        source_id: String::new(),
        source_path: None,
        session_id: None,
        created_at: Timestamp::from_millis(0),
        occurred_at: None,
        observed_at: None,
        valid_from: None,
        valid_until: None,
    };
    let row = Candidate {
        rid: 1,
        memory,
        search_text: None,
        normalized: text.to_lowercase(),
        hints: Vec::new(),
        access_count: 0,
        last_accessed: None,
        cosine,
    };
    let terms = query(question).terms;
    let mut item = Item::new(row);
    item.idf = vec![1.0; terms.len()];
    let counter = Counter::new(terms.into_iter().map(|term| term.stem).collect());
    (item.counts, item.length) = counter.count(text);
    assert_eq!(item.length, tokens(text).len());
    item
}

/// Features of the first text among all of them.
fn features(question: &str, texts: &[&str]) -> Features {
    let items: Vec<Item> = texts.iter().map(|text| item(question, text, None)).collect();
    Question::new(&query(question), question, &items).features(&items[0])
}

fn close(left: f64, right: f64) {
    assert!((left - right).abs() < 1e-9, "{left} is not {right}");
}

#[test]
fn words_and_meaning_are_shares_of_the_best() {
    let best = features("red kite", &["red kite", "red door"]);
    let other = features("red kite", &["red door", "red kite"]);
    close(best.lexical, 1.0);
    assert!(other.lexical > 0.3 && other.lexical < 0.7, "{}", other.lexical);
    let items = [item("kite", "a", Some(0.6)), item("kite", "b", Some(0.3)), item("kite", "c", None)];
    let question = Question::new(&query("kite"), "kite", &items);
    let shares: Vec<f64> = items.iter().map(|item| question.features(item).semantic).collect();
    close(shares[0], 1.0);
    close(shares[1], 0.5);
    close(shares[2], 0.0);
}

#[test]
fn coverage_counts_terms_and_not_repeats() {
    close(features("red kite", &["red red red"]).coverage, 0.5);
    close(features("red kite", &["a kite, red"]).coverage, 1.0);
    close(features("red kite", &["nothing"]).coverage, 0.0);
}

#[test]
fn questions_short_and_long_rows_are_told_apart() {
    let asks = |text: &str| features("kite", &[text]).asks;
    close(asks("Is it a kite? "), 1.0);
    close(asks("これは凧ですか？"), 1.0);
    close(asks("It is a kite."), 0.0);
    let long = "kite ".repeat(200);
    close(features("kite", &["kite"]).short, 1.0 - 1.0 / 25.0);
    close(features("kite", &[&long]).short, 0.0);
    close(features("kite", &[&long]).long, 2.0_f64.ln());
    close(features("kite", &["kite"]).long, 0.0);
}

#[test]
fn a_row_may_hold_the_kind_of_answer_that_is_asked_for() {
    let filler = "and some more words to make it a long sentence of ordinary words and nothing else so that it counts in full here now";
    let answers = |question: &str, text: &str| features(question, &[&format!("{text} {filler}")]).answers;
    close(answers("When did the kite fall?", "the kite fell last week"), 1.0);
    close(answers("When did the kite fall?", "the kite fell down"), 0.0);
    close(answers("How many kites are there?", "there are three kites"), 1.0);
    close(answers("How many kites are there?", "there are kites"), 0.0);
    close(answers("Who flew the kite?", "the kite was flown by Ana"), 1.0);
    close(answers("Who flew the kite?", "the kite was flown by somebody"), 0.0);
    close(answers("Wann fiel der Drachen?", "letzte Woche am 3. Mai"), 0.0);
    assert!(features("When did it fall?", &["last week"]).answers < 0.2, "a short row says little");
}

#[test]
fn the_author_and_the_very_letters_count() {
    for (who, expected) in [(Some("Assistant"), 1.0), (Some("ai"), 1.0), (Some("ana"), 0.0), (None, 0.0)] {
        let mut row = item("kite", "a kite", None);
        row.row.memory.who = who.map(str::to_owned);
        let items = [row];
        close(Question::new(&query("kite"), "kite", &items).features(&items[0]).assistant, expected);
    }
    close(features("AND", &["this AND that"]).verbatim, 1.0);
    close(features("AND", &["this and that"]).verbatim, 0.0);
    close(features("  ", &["this and that"]).verbatim, 0.0);
}
