//! Scores of ranked answers against the units that hold the evidence.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::corpus::Question;

/// The figures, in the order of the table. All are percentages.
pub(super) const FIGURES: [&str; 7] =
    ["hit@1", "hit@5", "hit@10", "recall@5", "recall@10", "all gold@10", "old first"];

/// One question with what the recall brought, best first, each unit once.
#[derive(Debug)]
pub(super) struct Answer<'q> {
    pub(super) question: &'q Question,
    pub(super) ranked: Vec<String>,
}

/// Mean figures of a group of questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Scores {
    /// Questions of the group.
    pub(super) questions: usize,
    /// Figure by name; one that no question of the group has is left out.
    pub(super) figures: Vec<(&'static str, f64)>,
}

impl Scores {
    /// A figure by its name.
    pub(super) fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|(figure, _)| *figure == name).map(|(_, value)| *value)
    }
}

/// Scores of all questions, then of each group by name.
pub(super) fn by_group(answers: &[Answer<'_>]) -> Vec<(String, Scores)> {
    let mut groups: BTreeMap<&str, Vec<&Answer<'_>>> = BTreeMap::new();
    for answer in answers {
        for group in &answer.question.groups {
            groups.entry(group).or_default().push(answer);
        }
    }
    let mut scored = vec![("all".to_owned(), scores(&answers.iter().collect::<Vec<_>>()))];
    scored.extend(groups.into_iter().map(|(group, answers)| (group.to_owned(), scores(&answers))));
    scored
}

fn scores(answers: &[&Answer<'_>]) -> Scores {
    let mut sums: BTreeMap<&'static str, (f64, usize)> = BTreeMap::new();
    for answer in answers {
        for (name, value) in figures(answer) {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
        }
    }
    let figures = FIGURES
        .into_iter()
        .filter_map(|name| sums.get(name).map(|(sum, count)| (name, 100.0 * sum / *count as f64)))
        .collect();
    Scores { questions: answers.len(), figures }
}

/// Figures of one question, 0 to 1.
fn figures(answer: &Answer<'_>) -> Vec<(&'static str, f64)> {
    let gold = &answer.question.gold;
    let found = |k: usize| answer.ranked.iter().take(k).filter(|id| gold.contains(*id)).count();
    let hit = |k: usize| f64::from(u8::from(found(k) > 0));
    let recall = |k: usize| found(k) as f64 / gold.len() as f64;
    let mut figures = vec![
        ("hit@1", hit(1)),
        ("hit@5", hit(5)),
        ("hit@10", hit(10)),
        ("recall@5", recall(5)),
        ("recall@10", recall(10)),
        ("all gold@10", f64::from(u8::from(found(10) == gold.len()))),
    ];
    if let Some((old, new)) = &answer.question.replaced {
        figures.push(("old first", f64::from(u8::from(is_first(&answer.ranked, old, new)))));
    }
    figures
}

/// Whether the replaced statement comes before the one that replaced it.
fn is_first(ranked: &[String], old: &BTreeSet<String>, new: &BTreeSet<String>) -> bool {
    let place = |ids: &BTreeSet<String>| ranked.iter().position(|id| ids.contains(id)).unwrap_or(usize::MAX);
    place(old) < place(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(gold: &[&str], replaced: Option<(&str, &str)>) -> Question {
        let set = |id: &str| BTreeSet::from([id.to_owned()]);
        Question {
            text: "q".to_owned(),
            gold: gold.iter().map(|id| (*id).to_owned()).collect(),
            groups: vec!["g".to_owned()],
            replaced: replaced.map(|(old, new)| (set(old), set(new))),
        }
    }

    #[test]
    fn figures_are_means_over_whole_questions() {
        let (first, second) = (question(&["a", "b"], None), question(&["c"], Some(("c", "d"))));
        let ranked = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let answers = [
            Answer { question: &first, ranked: ranked(&["x", "a"]) },
            Answer { question: &second, ranked: ranked(&["c", "d"]) },
        ];
        let scored = by_group(&answers);
        assert_eq!(scored.len(), 2);
        let all = &scored[0].1;
        assert_eq!(scored[1], ("g".to_owned(), all.clone()));
        assert_eq!(
            all.figures,
            [
                ("hit@1", 50.0),
                ("hit@5", 100.0),
                ("hit@10", 100.0),
                ("recall@5", 75.0),
                ("recall@10", 75.0),
                ("all gold@10", 50.0),
                ("old first", 100.0),
            ]
        );
    }
}
