//! The record of a recall: what each stage took in, added, dropped and let through.

use std::time::{Duration, Instant};

use signet_model::recall::explain::MOST_DROPPED;
use signet_model::recall::{Dropped, Reason, Stage, StageTime, Target};

use crate::item::Item;

/// The stages so far. It only records: nothing here changes a result.
#[derive(Debug)]
pub(crate) struct Trace {
    stages: Vec<Stage>,
    drops: Vec<(&'static str, Dropped)>,
    laps: Vec<(&'static str, Duration)>,
    since: Instant,
}

impl Trace {
    /// A record that starts now.
    pub(crate) fn new() -> Self {
        Self { stages: Vec::new(), drops: Vec::new(), laps: Vec::new(), since: Instant::now() }
    }

    /// The time since the last mark belongs to this stage, whose counts are noted later: channels run
    /// one after the other, and only their union tells what each added.
    pub(crate) fn lap(&mut self, name: &'static str) {
        let now = Instant::now();
        self.laps.push((name, now - self.since));
        self.since = now;
    }

    /// A stage that added candidates to those that were there.
    pub(crate) fn added(&mut self, name: &'static str, entered: usize, added: usize) {
        self.push(name, entered, added, Vec::new());
    }

    /// A stage that let all candidates through, changed or reordered.
    pub(crate) fn passed(&mut self, name: &'static str, entered: usize) {
        self.push(name, entered, 0, Vec::new());
    }

    /// A stage that dropped candidates.
    pub(crate) fn dropped(&mut self, name: &'static str, entered: usize, dropped: Vec<Dropped>) {
        self.push(name, entered, 0, dropped);
    }

    fn push(&mut self, name: &'static str, entered: usize, added: usize, dropped: Vec<Dropped>) {
        let now = Instant::now();
        let laps =
            self.laps.iter().filter(|(stage, _)| *stage == name).map(|(_, took)| *took).sum::<Duration>();
        let dropped_total = dropped.len();
        self.drops.extend(dropped.iter().map(|dropped| (name, dropped.clone())));
        self.stages.push(Stage {
            name,
            entered,
            added,
            left: entered + added - dropped_total,
            took: laps + (now - self.since),
            dropped: dropped.into_iter().take(MOST_DROPPED).collect(),
            dropped_total,
        });
        self.since = now;
    }

    /// Time per stage, for the answer's meta.
    pub(crate) fn times(&self) -> Vec<StageTime> {
        self.stages.iter().map(|stage| StageTime { name: stage.name, took: stage.took }).collect()
    }

    /// The stage that dropped the id, and why.
    pub(crate) fn drop_of(&self, id: &str) -> Option<(&'static str, &Dropped)> {
        self.drops.iter().find(|(_, dropped)| dropped.id == id).map(|(stage, dropped)| (*stage, dropped))
    }

    /// The stages, in order.
    pub(crate) fn into_stages(self) -> Vec<Stage> {
        self.stages
    }
}

/// The note of one dropped candidate.
pub(crate) fn drop_note(item: &Item, reason: Reason) -> Dropped {
    Dropped { id: item.row.memory.id.to_string(), reason, detail: Some(format!("{:.4}", item.value)) }
}

/// What became of an id that the request asks about.
pub(crate) fn target(id: &str, hits: &[Item], trace: &Trace, unfound: Option<&Unfound>) -> Target {
    if let Some(hit) = hits.iter().find(|hit| hit.row.memory.id.as_str() == id) {
        let found_in = hit.found_in();
        return Target { id: id.to_owned(), found_in, dropped_at: None, reason: None, detail: None };
    }
    if let Some((stage, dropped)) = trace.drop_of(id) {
        return Target {
            id: id.to_owned(),
            found_in: unfound.map_or_else(Vec::new, |unfound| unfound.found_in.clone()),
            dropped_at: Some(stage),
            reason: Some(dropped.reason),
            detail: dropped.detail.clone(),
        };
    }
    let (dropped_at, reason, detail) = match unfound {
        Some(unfound) => (unfound.stage, unfound.reason, unfound.detail.clone()),
        None => (None, Reason::NotFound, None),
    };
    Target { id: id.to_owned(), found_in: Vec::new(), dropped_at, reason: Some(reason), detail }
}

/// What is known of an asked id from the snapshot: channels whose value it has, and why it would not be
/// a candidate.
#[derive(Debug, Clone)]
pub(crate) struct Unfound {
    /// Channels in which it has a value.
    pub(crate) found_in: Vec<&'static str>,
    /// Stage that keeps it out.
    pub(crate) stage: Option<&'static str>,
    /// Why.
    pub(crate) reason: Reason,
    /// Its values in words.
    pub(crate) detail: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(id: &str, reason: Reason) -> Dropped {
        Dropped { id: id.to_owned(), reason, detail: None }
    }

    #[test]
    fn every_stage_balances_and_a_long_list_is_cut_but_counted() {
        let mut trace = Trace::new();
        trace.added("lexical", 0, 300);
        trace.dropped(
            "fuse",
            300,
            (0..150).map(|i| dropped(&i.to_string(), Reason::BelowMinScore)).collect(),
        );
        trace.passed("rank", 150);
        assert_eq!(trace.times().len(), 3);
        let late = trace.drop_of("149").map(|(stage, dropped)| (stage, dropped.reason));
        assert_eq!(late, Some(("fuse", Reason::BelowMinScore)), "found beyond the list");
        assert_eq!(trace.drop_of("150"), None);
        let stages = trace.into_stages();
        for stage in &stages {
            assert_eq!(stage.entered - stage.dropped_total + stage.added, stage.left);
        }
        assert_eq!((stages[1].dropped.len(), stages[1].dropped_total), (MOST_DROPPED, 150));
    }

    #[test]
    fn an_id_that_no_stage_saw_is_told_from_one_that_may_not_be_known() {
        let trace = Trace::new();
        let outside = Unfound {
            found_in: vec!["lexical"],
            stage: Some("scope"),
            reason: Reason::FilteredTag,
            detail: None,
        };
        let known = target("x", &[], &trace, Some(&outside));
        assert_eq!((known.dropped_at, known.reason), (Some("scope"), Some(Reason::FilteredTag)));
        let unknown = target("x", &[], &trace, None);
        assert_eq!((unknown.dropped_at, unknown.reason), (None, Some(Reason::NotFound)));
    }
}
