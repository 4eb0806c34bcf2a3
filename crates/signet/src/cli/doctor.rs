//! `signet doctor`: what is wrong, and what to do about each.

mod daemon;
mod folder;
mod settings;
mod store;

use clap::Args;
use serde_json::{Value, json};

use super::cx::Cx;
use super::fail::Fail;
use super::out::Style;
use super::text;

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Take away rights that are too wide.
    #[arg(long)]
    fix: bool,
    /// Do not ask the daemon.
    #[arg(long)]
    offline: bool,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Info,
    Warn,
    Error,
}

impl Level {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    level: Level,
    code: &'static str,
    message: String,
    fix: Option<String>,
}

impl Finding {
    fn new(level: Level, code: &'static str, message: impl Into<String>) -> Self {
        Self { level, code, message: message.into(), fix: None }
    }

    fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    fn as_json(&self) -> Value {
        json!({ "level": self.level.as_str(), "code": self.code, "message": self.message, "fix": self.fix })
    }
}

/// Looks at everything. Exit 8 when something is a warning or an error.
pub(crate) fn run(cx: &Cx, args: &Doctor) -> Result<(), Fail> {
    let workspace = &cx.workspace()?.root;
    let mut findings = folder::look(workspace, args.fix);
    findings.extend(settings::look(workspace, &cx.env));
    let state = daemon::look(cx, args.offline)?;
    findings.extend(state.findings);
    match state.answers {
        Some(mut session) => findings.extend(store::ask(cx, &mut session)),
        None => findings.extend(store::offline(workspace)),
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    report(cx, &findings)
}

fn report(cx: &Cx, findings: &[Finding]) -> Result<(), Fail> {
    if cx.out.is_json() {
        let all: Vec<Value> = findings.iter().map(Finding::as_json).collect();
        cx.out.json_list(&json!({ "findings": all }), "findings")?;
    } else if cx.out.terminal {
        for finding in findings {
            let (mark, style) = match finding.level {
                Level::Info => ("✓", Style::Good),
                Level::Warn => ("!", Style::Warn),
                Level::Error => ("✗", Style::Bad),
            };
            cx.out.line(&format!("{} {}", cx.out.paint(style, mark), text::one_line(&finding.message)))?;
            if let Some(fix) = &finding.fix {
                cx.out.line(&cx.out.paint(Style::Dim, &format!("  → {}", text::one_line(fix))))?;
            }
        }
    } else {
        let rows: Vec<Vec<String>> = findings
            .iter()
            .map(|f| {
                vec![
                    f.level.as_str().to_owned(),
                    f.code.to_owned(),
                    f.message.clone(),
                    f.fix.clone().unwrap_or_default(),
                ]
            })
            .collect();
        cx.out.table(&[], 0, &rows)?;
    }
    if findings.iter().any(|finding| finding.level > Level::Info) { Err(Fail::findings()) } else { Ok(()) }
}
