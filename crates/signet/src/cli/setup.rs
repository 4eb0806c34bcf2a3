//! `signet setup`: missing files, a running daemon, and a real look at whether it works.

mod check;
mod files;
mod questions;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use self::check::Check;
use self::files::Plan;
use super::cx::Cx;
use super::daemon::start;
use super::fail::Fail;
use super::out::Style;

/// Arguments of `setup`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Setup {
    /// Ask nothing.
    #[arg(long)]
    non_interactive: bool,
    /// Name of the agent.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// One line about the agent.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Where vectors are made; native needs no network, none searches by words only.
    #[arg(long, value_enum, value_name = "PROVIDER")]
    embedding_provider: Option<Provider>,
    /// Model of an `ollama` or `openai` provider.
    #[arg(long, value_name = "MODEL")]
    embedding_model: Option<String>,
    /// Length of that model's vectors.
    #[arg(long, value_name = "N")]
    embedding_dimensions: Option<u32>,
    /// Who needs a credential: nobody, everybody, or callers from other machines.
    #[arg(long, value_enum, value_name = "MODE")]
    mode: Option<Mode>,
    /// Show what would be written, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not start the daemon.
    #[arg(long)]
    no_start: bool,
}

/// Where vectors are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Provider {
    Native,
    Ollama,
    Openai,
    None,
}

impl Provider {
    const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Ollama => "ollama",
            Self::Openai => "openai",
            Self::None => "none",
        }
    }
}

/// Who needs a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    Local,
    Team,
    Hybrid,
}

impl Mode {
    const fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Team => "team",
            Self::Hybrid => "hybrid",
        }
    }
}

/// What the files are made of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answers {
    name: String,
    description: String,
    provider: &'static str,
    model: Option<String>,
    dimensions: Option<u32>,
    mode: &'static str,
    start: bool,
}

/// Sets up.
pub(crate) fn run(cx: &Cx, args: &Setup) -> Result<(), Fail> {
    let workspace = cx.workspace()?;
    let answers = questions::ask(cx, args)?;
    let plan = Plan::make(&workspace.root, &answers)?;
    if args.dry_run {
        return show_plan(cx, &plan);
    }
    plan.write()?;
    report_files(cx, &plan)?;
    if !answers.start {
        if cx.out.is_json() {
            return cx.out.json(&summary(&plan, None, None));
        }
        return cx.out.line("The daemon is not started: signet daemon start");
    }
    let ready = start::start_and_wait(cx, Duration::from_secs(10))?;
    if !cx.out.is_json() {
        let verb = if ready.was_running { "runs already" } else { "started" };
        tick(cx, &format!("daemon {verb}: process {} at {}", ready.pid, ready.url))?;
    }
    let check = check::run(cx)?;
    if cx.out.is_json() {
        return cx.out.json(&summary(&plan, Some(&ready), Some(&check)));
    }
    tick(cx, &check.sentence())?;
    next(cx, answers.mode)
}

fn summary(plan: &Plan, ready: Option<&start::Ready>, check: Option<&Check>) -> serde_json::Value {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    json!({
        "workspace": plan.workspace.display().to_string(),
        "written": names(&plan.written()),
        "kept": names(&plan.kept),
        "daemon": ready.map(|ready| json!({ "pid": ready.pid, "url": ready.url, "started": !ready.was_running })),
        "check": check.map(|check| json!({ "ok": true, "method": check.method, "byMeaning": check.by_meaning, "ms": check.millis })),
    })
}

fn show_plan(cx: &Cx, plan: &Plan) -> Result<(), Fail> {
    if cx.out.is_json() {
        return cx.out.json(&summary(plan, None, None));
    }
    for file in &plan.files {
        cx.out.line(&cx.out.paint(Style::Strong, &format!("+++ {}", file.path.display())))?;
        for line in file.added.lines() {
            cx.out.line(&cx.out.paint(Style::Good, &format!("+{line}")))?;
        }
    }
    for path in &plan.kept {
        cx.out.line(
            &cx.out.paint(Style::Dim, &format!("    {} is there and stays as it is", path.display())),
        )?;
    }
    cx.out.note("Nothing was written (--dry-run).");
    Ok(())
}

fn report_files(cx: &Cx, plan: &Plan) -> Result<(), Fail> {
    if cx.out.is_json() {
        return Ok(());
    }
    let names = |paths: &[PathBuf]| {
        let names =
            paths.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
        names.collect::<Vec<_>>().join(", ")
    };
    tick(cx, &format!("workspace {}", plan.workspace.display()))?;
    let written = plan.written();
    if !written.is_empty() {
        tick(cx, &format!("wrote {}", names(&written)))?;
    }
    if !plan.kept.is_empty() {
        tick(cx, &format!("kept {}", names(&plan.kept)))?;
    }
    Ok(())
}

fn tick(cx: &Cx, sentence: &str) -> Result<(), Fail> {
    cx.out.line(&format!("{} {sentence}", cx.out.paint(Style::Good, "✓")))
}

fn next(cx: &Cx, mode: &str) -> Result<(), Fail> {
    cx.out.line("")?;
    cx.out.line("Try:")?;
    for (command, what) in [
        ("signet remember \"We deploy to production on Friday afternoons\"", "store something"),
        ("signet recall \"when do we release?\"", "find it by meaning"),
        ("signet status", "see how it is"),
    ] {
        cx.out.line(&format!("  {command:<64}{}", cx.out.paint(Style::Dim, what)))?;
    }
    if mode != "local" {
        cx.out.line(&format!(
            "  {:<64}{}",
            "signet token create --role admin",
            cx.out.paint(Style::Dim, "the first credential for other machines")
        ))?;
    }
    Ok(())
}
