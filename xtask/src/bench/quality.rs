//! `cargo xtask bench locomo` and `beam`: how good the recall is, measured over HTTP on public questions.
//!
//! The conversations are loaded into a fresh workspace, one turn or message a memory, and every question
//! is asked of the daemon as any caller would. No model judges the answers: a question counts by the ids
//! of the turns that hold its evidence. The data stays outside the repository.

mod ask;
mod beam;
mod corpus;
mod locomo;
mod score;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use self::ask::{Mode, Run};
use self::corpus::Corpus;
use self::score::Scores;
use super::daemon;
use crate::output::{complain, say};

/// What to measure, and how to judge it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder that holds the data sets `locomo` and `beam100k`.
    #[arg(long)]
    data: PathBuf,
    /// Channels that answer.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Mode::Hybrid, Mode::Lexical])]
    modes: Vec<Mode>,
    /// Only the first this many conversations.
    #[arg(long)]
    conversations: Option<usize>,
    /// A built binary to measure instead of building one.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Write the figures there as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// A JSON list of least figures; one that is not reached fails the run.
    #[arg(long)]
    gate: Option<PathBuf>,
}

/// The data sets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DataSet {
    /// Two people's chat turns, with questions about them.
    Locomo,
    /// Long chats with an assistant, with questions of ten abilities.
    Beam,
}

impl DataSet {
    fn read(self, data: &Path) -> Result<Vec<Corpus>> {
        match self {
            Self::Locomo => locomo::read(data),
            Self::Beam => beam::read(data),
        }
    }
}

/// One line of the table: a mode and a group of questions.
#[derive(Debug, Serialize)]
struct Line {
    mode: Mode,
    group: String,
    scores: Scores,
}

/// A figure that must be reached.
#[derive(Debug, Deserialize)]
struct Least {
    mode: Mode,
    group: String,
    figure: String,
    min: f64,
}

/// Measures, prints a table, and judges it when a gate is given.
pub(crate) fn run(set: DataSet, args: &Args) -> Result<ExitCode> {
    let gate: Vec<Least> = match &args.gate {
        None => Vec::new(),
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)
            .with_context(|| format!("reading {}", path.display()))?,
    };
    let mut corpora = set.read(&args.data)?;
    corpora.truncate(args.conversations.unwrap_or(usize::MAX));
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => daemon::build(&crate::workspace_root()?, "release")?,
    };
    let mut run = Run::start(&binary, &corpora, args.modes.contains(&Mode::Hybrid))?;
    let mut lines = Vec::new();
    for mode in &args.modes {
        let answers = run.ask(&corpora, *mode)?;
        lines.extend(score::by_group(&answers).into_iter().map(|(group, scores)| Line {
            mode: *mode,
            group,
            scores,
        }));
    }
    run.stop()?;

    for line in table(&lines) {
        say(&line);
    }
    if let Some(path) = &args.json {
        std::fs::write(path, serde_json::to_string_pretty(&lines)?)
            .with_context(|| format!("writing {}", path.display()))?;
    }
    let missed = missed(&lines, &gate);
    for sentence in &missed {
        complain(&format!("gate: {sentence}"));
    }
    Ok(if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn table(lines: &[Line]) -> Vec<String> {
    let measured = |name: &&str| lines.iter().any(|line| line.scores.figure(name).is_some());
    let head: Vec<&str> = score::FIGURES.into_iter().filter(measured).collect();
    let mut table = vec![
        format!("| channels | questions | n | {} |", head.join(" | ")),
        format!("| --- | --- | ---: |{}", " ---: |".repeat(head.len())),
    ];
    for line in lines {
        let values: Vec<String> =
            head.iter().map(|name| line.scores.figure(name).map_or_else(|| "-".to_owned(), shown)).collect();
        let (mode, group, n) = (line.mode.as_str(), &line.group, line.scores.questions);
        table.push(format!("| {mode} | {group} | {n} | {} |", values.join(" | ")));
    }
    table
}

fn shown(value: f64) -> String {
    format!("{value:.1}")
}

/// Sentences about the figures that were not reached. One that was not measured was not reached.
fn missed(lines: &[Line], gate: &[Least]) -> Vec<String> {
    gate.iter()
        .filter_map(|least| {
            let what = format!("{} {} {}", least.mode.as_str(), least.group, least.figure);
            let line = lines.iter().find(|line| line.mode == least.mode && line.group == least.group);
            match line.and_then(|line| line.scores.figure(&least.figure)) {
                None => Some(format!("{what} was not measured")),
                Some(value) if value < least.min => {
                    Some(format!("{what} is {value:.1}, at least {} wanted", least.min))
                }
                Some(_) => None,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(hit_at_5: f64) -> Line {
        let scores = Scores { questions: 2, figures: vec![("hit@5", hit_at_5)] };
        Line { mode: Mode::Hybrid, group: "all".to_owned(), scores }
    }

    #[test]
    fn a_gate_names_what_was_not_reached() {
        let gate = |min: f64, figure: &str| {
            vec![Least { mode: Mode::Hybrid, group: "all".to_owned(), figure: figure.to_owned(), min }]
        };
        assert_eq!(missed(&[line(63.0)], &gate(63.0, "hit@5")), Vec::<String>::new());
        assert_eq!(
            missed(&[line(62.9)], &gate(63.0, "hit@5")),
            ["hybrid all hit@5 is 62.9, at least 63 wanted"]
        );
        assert_eq!(missed(&[line(63.0)], &gate(1.0, "hit@7")), ["hybrid all hit@7 was not measured"]);
    }

    #[test]
    fn the_table_has_a_line_for_each_group() {
        let table = table(&[line(62.94)]);
        assert_eq!(table.len(), 3);
        assert_eq!(table[0], "| channels | questions | n | hit@5 |");
        assert_eq!(table[2], "| hybrid | all | 2 | 62.9 |");
    }
}
