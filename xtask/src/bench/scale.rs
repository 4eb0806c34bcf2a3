//! `cargo xtask bench scale`: speed and memory at growing numbers of memories.
//!
//! Rows are loaded with vectors of a scripted embedding server on loopback that answers at once, since
//! the native model would need minutes per ten thousand rows. What the native model costs is measured
//! by itself, on a workspace of its own, and added in the figures that say so.

mod embedder;
mod load;
mod native;
mod report;
mod text;
mod timing;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use self::report::{Bound, Report, broken};
use self::text::Words;
use super::daemon::{self, Daemon};
use super::machine;
use crate::output::{complain, say};

/// What to measure, and how to judge it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Numbers of memories, growing.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    rows: Vec<usize>,
    /// Recalls per kind of question.
    #[arg(long, default_value_t = 300)]
    recalls: usize,
    /// Writes of the eight clients together.
    #[arg(long, default_value_t = 4_000)]
    writes: usize,
    /// A built binary to measure instead of building one.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Write the figures there as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// A JSON list of bounds; a broken one fails the run.
    #[arg(long)]
    gate: Option<PathBuf>,
    /// Leave out what needs the native model.
    #[arg(long)]
    without_native: bool,
}

/// Measures, prints a table, and judges it when a gate is given.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    // A gate that cannot be read is said before an hour of work.
    let bounds: Vec<Bound> = match &args.gate {
        None => Vec::new(),
        Some(path) => read_bounds(path)?,
    };
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => daemon::build(&crate::workspace_root()?, "release")?,
    };
    let mut report = Report::new(machine::look());
    say(&format!("machine: {}", report.machine));
    say(&format!("rows are loaded with vectors of a scripted server ({} dimensions)", embedder::DIMENSIONS));
    if !args.without_native {
        native::measure(&binary, args, &mut report)?;
    }
    load::measure(&binary, args, &mut report)?;

    report.table().iter().for_each(|line| say(line));
    if let Some(path) = &args.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)?)
            .with_context(|| format!("writing {}", path.display()))?;
    }
    let broken = broken(&report, &bounds);
    for sentence in &broken {
        complain(&format!("gate: {sentence}"));
    }
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read_bounds(path: &Path) -> Result<Vec<Bound>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

/// What a measurement works with.
struct Bench<'b> {
    binary: &'b Path,
    workspace: tempfile::TempDir,
    settings: String,
    words: Words,
}

impl<'b> Bench<'b> {
    fn new(binary: &'b Path, settings: String) -> Result<Self> {
        let workspace = tempfile::Builder::new().prefix("signet-bench-").tempdir()?;
        Ok(Self { binary, workspace, settings, words: Words::new() })
    }

    fn start(&self) -> Result<Daemon> {
        Daemon::start(self.binary, self.workspace.path(), &self.settings)
    }
}
