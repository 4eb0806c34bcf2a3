//! The store: asked through the daemon, or verified read-only when none runs.

use std::path::Path;

use serde_json::Value;
use signet_store::db::backup;
use signet_store::db::open::database;

use super::super::session::Session;
use super::{Finding, Level};

/// Asks the daemon: readiness, embedding checks, gaps.
pub(super) fn ask(session: &mut Session<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Ok((status, ready)) = session.peek("/health/ready") {
        for reason in
            ready.get("reasons").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            let level = if status == 200 { Level::Warn } else { Level::Error };
            findings
                .push(Finding::new(level, "not_ready", reason.replace('_', " ")).fix("signet daemon logs"));
        }
    }
    if has_vectors(session) {
        findings.extend(checks(session));
        findings.extend(gaps(session));
    } else {
        let message = "embedding is switched off: memories are found by their words only";
        findings.push(Finding::new(Level::Info, "embedding", message));
    }
    findings
}

/// Whether vectors are made at all; an answer that does not come is looked into further.
fn has_vectors(session: &mut Session<'_>) -> bool {
    let status = session.get("/api/embeddings/status", &[]).unwrap_or_default();
    status.get("provider").and_then(Value::as_str) != Some("none")
}

fn checks(session: &mut Session<'_>) -> Vec<Finding> {
    let Ok(health) = session.get("/api/embeddings/health", &[]) else { return Vec::new() };
    let checks = health.get("checks").and_then(Value::as_array).into_iter().flatten();
    checks
        .map(|check| {
            let text = |key: &str| check.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let level = match text("status").as_str() {
                "ok" => Level::Info,
                "warn" => Level::Warn,
                _ => Level::Error,
            };
            let finding = Finding::new(level, "embedding", format!("{}: {}", text("name"), text("message")));
            if text("fix").is_empty() { finding } else { finding.fix(text("fix")) }
        })
        .collect()
}

fn gaps(session: &mut Session<'_>) -> Option<Finding> {
    let gaps = session.get("/api/repair/embedding-gaps", &[]).ok()?;
    let missing = gaps.get("unembedded").and_then(Value::as_u64)?;
    let coverage = gaps.get("coverage").and_then(Value::as_str).unwrap_or_default();
    if missing == 0 {
        return Some(Finding::new(Level::Info, "embedding_gaps", "every memory has its vector"));
    }
    let message = format!("{missing} memories have no vector yet (coverage {coverage}); the daemon is at it");
    Some(Finding::new(Level::Info, "embedding_gaps", message))
}

/// Opens the database read-only and checks every page and reference.
pub(super) fn offline(workspace: &Path) -> Vec<Finding> {
    let file = database(workspace);
    if !file.exists() {
        return vec![Finding::new(Level::Info, "database", "there is no database yet")];
    }
    match backup::verify(&file) {
        Ok(report) => {
            let message =
                format!("database is sound: {} memories, schema {}", report.memories, report.schema_version);
            vec![Finding::new(Level::Info, "database", message)]
        }
        Err(error) => {
            let fix = "signet restore <backup> with a verified backup; the damaged file is kept";
            vec![Finding::new(Level::Error, "database", error.to_string()).fix(fix)]
        }
    }
}
