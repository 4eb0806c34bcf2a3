//! Memories and questions that look like real ones where it matters to an index: word frequencies fall
//! like in English, most texts are short, and the long tail is names.
//!
//! Everything follows from a seed, so that two runs load the same rows.

use serde_json::{Value, json};

const FUNCTION_WORDS: &str = include_str!("function-words.txt");
const CONTENT_WORDS: &str = include_str!("content-words.txt");
/// Names that the tail is made of.
const NAMES: usize = 30_000;
const TYPES: [&str; 4] = ["fact", "preference", "decision", "event"];
const TAGS: [&str; 8] = ["home", "work", "travel", "health", "music", "garden", "infra", "family"];

/// `SplitMix64`: small, seeded, good enough to draw words with.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// A stream of its own for each seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or_default()
    }

    /// A number in `0.0..1.0`.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Draws words with the frequencies of Zipf's law.
#[derive(Debug)]
pub(crate) struct Words {
    function: Vec<&'static str>,
    content: Vec<&'static str>,
}

impl Words {
    /// The embedded lists.
    pub(crate) fn new() -> Self {
        Self {
            function: FUNCTION_WORDS.split_whitespace().collect(),
            content: CONTENT_WORDS.split_whitespace().collect(),
        }
    }

    /// Words that carry nothing, as in a question that is only a question.
    pub(crate) fn stop_words(&self, rng: &mut Rng, count: usize) -> String {
        self.line(rng, count, |words, rng| words.function[zipf(rng, words.function.len())].to_owned())
    }

    /// A question: mostly words of content.
    pub(crate) fn question(&self, rng: &mut Rng) -> String {
        let count = 3 + rng.below(6);
        self.line(
            rng,
            count,
            |words, rng| if rng.below(3) == 0 { words.any(rng) } else { words.meaningful(rng) },
        )
    }

    /// A memory of 8 to 60 words.
    pub(crate) fn memory(&self, rng: &mut Rng) -> String {
        let count = 8 + rng.below(18) + if rng.below(5) == 0 { rng.below(35) } else { 0 };
        let mut text = self.line(rng, count, Self::any);
        text.push('.');
        text
    }

    /// The body that remembers one memory; `number` makes it one of a kind.
    pub(crate) fn remember_body(&self, rng: &mut Rng, number: usize) -> Value {
        json!({
            "content": format!("{} Note {number}.", self.memory(rng)),
            "type": TYPES[rng.below(TYPES.len())],
            "tags": [TAGS[zipf(rng, TAGS.len())]],
            "importance": 0.5,
        })
    }

    fn any(&self, rng: &mut Rng) -> String {
        // About half of running English is function words.
        if rng.below(2) == 0 {
            self.function[zipf(rng, self.function.len())].to_owned()
        } else {
            self.meaningful(rng)
        }
    }

    fn meaningful(&self, rng: &mut Rng) -> String {
        let rank = zipf(rng, self.content.len() + NAMES);
        self.content.get(rank).map_or_else(|| name(rank), |word| (*word).to_owned())
    }

    fn line(&self, rng: &mut Rng, count: usize, draw: impl Fn(&Self, &mut Rng) -> String) -> String {
        (0..count).map(|_| draw(self, rng)).collect::<Vec<_>>().join(" ")
    }
}

/// A filter that about one row in six passes.
pub(crate) fn filter(rng: &mut Rng) -> (&'static str, Value) {
    if rng.below(2) == 0 {
        ("type", json!(TYPES[rng.below(TYPES.len())]))
    } else {
        ("tags", json!([TAGS[rng.below(TAGS.len())]]))
    }
}

/// A rank below `count` with probability proportional to 1 / (rank + 1).
fn zipf(rng: &mut Rng, count: usize) -> usize {
    let rank = ((count + 1) as f64).powf(rng.unit()) - 1.0;
    (rank as usize).min(count - 1)
}

/// A name that is always the same for a rank.
fn name(rank: usize) -> String {
    const STARTS: [&str; 20] = [
        "Bel", "Cor", "Dan", "Fer", "Gal", "Hel", "Jor", "Kel", "Lor", "Mar", "Nor", "Ol", "Per", "Quin",
        "Ros", "Sel", "Tor", "Val", "Wen", "Zan",
    ];
    const MIDDLES: [&str; 40] = [
        "a", "abi", "ada", "ami", "ana", "ari", "avo", "e", "edi", "eli", "emo", "eno", "era", "esi", "i",
        "ibo", "ida", "ilo", "ima", "ino", "iri", "iso", "o", "obi", "ode", "oli", "omi", "ona", "ori",
        "ova", "u", "ubi", "uda", "uli", "umi", "una", "uri", "uso", "y", "yla",
    ];
    const ENDS: [&str; 40] = [
        "bert", "ck", "dale", "den", "dor", "far", "field", "ford", "gan", "gard", "ham", "hart", "hild",
        "ka", "land", "ler", "ley", "lin", "man", "mer", "mond", "na", "nard", "ner", "nick", "ra", "ric",
        "rin", "ris", "ron", "sen", "shaw", "son", "stein", "ston", "ta", "ton", "vic", "ville", "wood",
    ];
    let (start, rest) = (STARTS[rank % STARTS.len()], rank / STARTS.len());
    let (middle, rest) = (MIDDLES[rest % MIDDLES.len()], rest / MIDDLES.len());
    format!("{start}{middle}{}", ENDS[rest % ENDS.len()])
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn the_same_seed_writes_the_same_texts() {
        let words = Words::new();
        let write = |seed| {
            let mut rng = Rng::new(seed);
            (words.memory(&mut rng), words.question(&mut rng))
        };
        assert_eq!(write(7), write(7));
        assert_ne!(write(7), write(8));
    }

    #[test]
    fn names_are_distinct() {
        let names: HashSet<String> = (0..NAMES).map(name).collect();
        assert_eq!(names.len(), NAMES);
    }

    #[test]
    fn frequencies_fall_as_in_a_language() {
        let words = Words::new();
        let mut rng = Rng::new(1);
        let mut counts: HashMap<String, usize> = HashMap::new();
        for _ in 0..2_000 {
            for word in words.memory(&mut rng).split(' ') {
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        }
        let total: usize = counts.values().sum();
        let share = counts["the"] * 100 / total;
        assert!((4..16).contains(&share), "the: {share} %");
        assert!(
            counts.values().filter(|count| **count == 1).count() * 3 > counts.len(),
            "a long tail of rare words"
        );
    }
}
