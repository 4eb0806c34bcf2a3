//! Figures by name, as a table for people and as JSON for programs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bench::machine::Machine;

/// Everything one run measured. A name says what, its unit, and at how many rows: `recall_p50_ms@1000`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) figures: BTreeMap<String, f64>,
}

impl Report {
    /// No figures yet.
    pub(super) const fn new(machine: Machine) -> Self {
        Self { machine, figures: BTreeMap::new() }
    }

    /// Keeps a figure.
    pub(super) fn put(&mut self, name: &str, rows: usize, value: f64) {
        self.figures.insert(format!("{name}@{rows}"), (value * 1000.0).round() / 1000.0);
    }

    /// One line a measurement, one column a number of rows.
    pub(super) fn table(&self) -> Vec<String> {
        let split =
            |key: &str| key.split_once('@').map(|(name, rows)| (name.to_owned(), rows.parse().unwrap_or(0)));
        let cells: BTreeMap<(String, usize), f64> =
            self.figures.iter().filter_map(|(key, value)| Some((split(key)?, *value))).collect();
        let mut columns: Vec<usize> = cells.keys().map(|(_, rows)| *rows).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut names: Vec<&str> = cells.keys().map(|(name, _)| name.as_str()).collect();
        names.dedup();
        let row = |first: &str, rest: Vec<String>| format!("| {first} | {} |", rest.join(" | "));
        let mut lines = vec![
            row("measurement", columns.iter().map(|rows| format!("{rows} memories")).collect()),
            row("---", columns.iter().map(|_| "---:".to_owned()).collect()),
        ];
        for name in names {
            let values = columns.iter().map(|rows| {
                cells.get(&(name.to_owned(), *rows)).map_or_else(|| "-".to_owned(), |value| shown(*value))
            });
            lines.push(row(name, values.collect()));
        }
        lines
    }
}

fn shown(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// A bound on a figure, or on a figure as a multiple of another, which holds on any machine.
#[derive(Debug, Deserialize)]
pub(super) struct Bound {
    figure: String,
    #[serde(default)]
    over: Option<String>,
    #[serde(default)]
    max: Option<f64>,
    #[serde(default)]
    min: Option<f64>,
}

/// Sentences about the bounds that do not hold. A figure that was not measured does not hold either.
pub(super) fn broken(report: &Report, bounds: &[Bound]) -> Vec<String> {
    bounds.iter().filter_map(|bound| break_of(report, bound)).collect()
}

fn break_of(report: &Report, bound: &Bound) -> Option<String> {
    let Some(value) = report.figures.get(&bound.figure).copied() else {
        return Some(format!("{} was not measured", bound.figure));
    };
    let (name, value) = match &bound.over {
        None => (bound.figure.clone(), value),
        Some(base) => match report.figures.get(base) {
            None => return Some(format!("{base} was not measured")),
            Some(base_value) => (format!("{} / {base}", bound.figure), value / base_value),
        },
    };
    if bound.max.is_none() && bound.min.is_none() {
        return Some(format!("{name}: the gate sets no bound"));
    }
    let over =
        bound.max.filter(|max| value > *max).map(|max| format!("{name} is {value:.2}, at most {max} wanted"));
    let under = bound
        .min
        .filter(|min| value < *min)
        .map(|min| format!("{name} is {value:.2}, at least {min} wanted"));
    over.or(under)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let machine = Machine { cpu: String::new(), cores: 1, memory_gib: 1.0, system: String::new() };
        let mut report = Report::new(machine);
        report.put("recall_p50_ms", 1000, 2.0);
        report.put("recall_p50_ms", 100_000, 30.04);
        report.put("writes_per_s", 100_000, 1500.0);
        report
    }

    fn check(bound: &str, says: &[&str]) {
        let bound: Bound = serde_json::from_str(bound).expect("a bound");
        assert_eq!(broken(&report(), &[bound]), says);
    }

    #[test]
    fn the_table_has_a_column_for_each_number_of_rows() {
        assert_eq!(
            report().table(),
            [
                "| measurement | 1000 memories | 100000 memories |",
                "| --- | ---: | ---: |",
                "| recall_p50_ms | 2.0 | 30.0 |",
                "| writes_per_s | - | 1500 |",
            ]
        );
    }

    #[test]
    fn bounds_hold_or_say_why_not() {
        check(r#"{"figure": "recall_p50_ms@100000", "max": 60}"#, &[]);
        check(
            r#"{"figure": "recall_p50_ms@100000", "max": 20}"#,
            &["recall_p50_ms@100000 is 30.04, at most 20 wanted"],
        );
        check(
            r#"{"figure": "writes_per_s@100000", "min": 2000}"#,
            &["writes_per_s@100000 is 1500.00, at least 2000 wanted"],
        );
        check(r#"{"figure": "recall_p50_ms@100000", "over": "recall_p50_ms@1000", "max": 16}"#, &[]);
        check(
            r#"{"figure": "recall_p50_ms@100000", "over": "recall_p50_ms@1000", "max": 15}"#,
            &["recall_p50_ms@100000 / recall_p50_ms@1000 is 15.02, at most 15 wanted"],
        );
    }

    #[test]
    fn what_was_not_measured_or_not_bounded_does_not_pass() {
        check(r#"{"figure": "nothing@1", "max": 1}"#, &["nothing@1 was not measured"]);
        check(r#"{"figure": "writes_per_s@100000", "over": "x@1", "max": 1}"#, &["x@1 was not measured"]);
        check(r#"{"figure": "writes_per_s@100000"}"#, &["writes_per_s@100000: the gate sets no bound"]);
    }
}
