//! The store: asked through the daemon, or verified read-only when none runs.

use std::path::Path;

use serde_json::Value;
use signet_store::db::backup;
use signet_store::db::open::database;

use super::super::cx::Cx;
use super::super::session::Session;
use super::super::text;
use super::{Finding, Level};

/// Asks the daemon: readiness, embedding checks, gaps. Nothing is said twice.
pub(super) fn ask(cx: &Cx, session: &mut Session<'_>) -> Vec<Finding> {
    let with_vectors = has_vectors(session);
    let health = session.get("/api/embeddings/health", &[]).unwrap_or_default();
    let provider_fails = with_vectors && complains(&health, "provider-available");
    let mut findings = Vec::new();
    if let Ok((status, ready)) = session.peek("/health/ready") {
        let reasons = ready.get("reasons").and_then(Value::as_array).into_iter().flatten();
        for reason in reasons.filter_map(Value::as_str) {
            if provider_fails && reason.contains("embedding") {
                continue;
            }
            let level = if status == 200 { Level::Warn } else { Level::Error };
            findings
                .push(Finding::new(level, "not_ready", reason.replace('_', " ")).fix("signet daemon logs"));
        }
    }
    if with_vectors {
        findings.extend(checks(cx, &health));
        if !complains(&health, "coverage") {
            findings.extend(gaps(session));
        }
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

/// What each check of the vectors looks at, in words.
const SUBJECTS: &[(&str, &str)] = &[
    ("provider-available", "the embedding provider"),
    ("coverage", "memories with a vector"),
    ("dimension-mismatch", "length of the vectors"),
    ("model-drift", "model of the vectors"),
    ("null-vectors", "content of the vectors"),
    ("vec-table-sync", "index of the vectors"),
    ("orphaned-embeddings", "vectors that are left over"),
];

/// One line when all checks are good; else those that are not. `--verbose` and JSON have all of them.
fn checks(cx: &Cx, health: &Value) -> Vec<Finding> {
    let checks = health.get("checks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let findings: Vec<Finding> = checks.iter().map(checked).collect();
    let good = findings.iter().all(|finding| finding.level == Level::Info);
    if cx.out.verbose || cx.out.is_json() {
        findings
    } else if good && !findings.is_empty() {
        let message = format!("vectors are sound ({})", text::count(findings.len(), "check", "checks"));
        vec![Finding::new(Level::Info, "embedding", message)]
    } else {
        findings.into_iter().filter(|finding| finding.level > Level::Info).collect()
    }
}

fn checked(check: &Value) -> Finding {
    let text = |key: &str| check.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let level = match text("status").as_str() {
        "ok" => Level::Info,
        "warn" => Level::Warn,
        _ => Level::Error,
    };
    let name = text("name");
    let subject = SUBJECTS.iter().find(|(id, _)| *id == name).map_or(name.as_str(), |(_, subject)| subject);
    let finding = Finding::new(level, "embedding", format!("{subject}: {}", text("message")));
    if text("fix").is_empty() { finding } else { finding.fix(text("fix")) }
}

/// Whether the check of this name is not good: what it says need not be said again.
fn complains(health: &Value, name: &str) -> bool {
    let checks = health.get("checks").and_then(Value::as_array).into_iter().flatten();
    let is = |check: &Value, key: &str, word: &str| check.get(key).and_then(Value::as_str) == Some(word);
    checks.into_iter().any(|check| is(check, "name", name) && !is(check, "status", "ok"))
}

fn gaps(session: &mut Session<'_>) -> Option<Finding> {
    let gaps = session.get("/api/repair/embedding-gaps", &[]).ok()?;
    let missing = gaps.get("unembedded").and_then(Value::as_u64)?;
    let coverage = gaps.get("coverage").and_then(Value::as_str).unwrap_or_default();
    if missing == 0 {
        return None;
    }
    let memories = text::count(missing, "memory", "memories");
    let message = format!("{memories} without a vector yet (coverage {coverage}); the daemon is at it");
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
            let memories = crate::cli::backup::memories(&report);
            let message = format!("database is sound: {memories}, schema {}", report.schema_version);
            vec![Finding::new(Level::Info, "database", message)]
        }
        Err(error) => {
            let fix = "signet restore <backup> with a verified backup; the damaged file is kept";
            vec![Finding::new(Level::Error, "database", error.to_string()).fix(fix)]
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn health(status: &str) -> Value {
        json!({ "checks": [
            { "name": "coverage", "status": "ok", "message": "100.0%" },
            { "name": "dimension-mismatch", "status": status, "message": "2 of 3 are of another length", "fix": "x" },
        ]})
    }

    #[test]
    fn good_vectors_are_one_line_and_bad_ones_have_no_ids() {
        let quiet = Cx::of(&["doctor"], &[]);
        let said = |cx: &Cx, status: &str| {
            checks(cx, &health(status)).into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        assert_eq!(said(&quiet, "ok"), ["vectors are sound (2 checks)"]);
        assert_eq!(said(&quiet, "fail"), ["length of the vectors: 2 of 3 are of another length"]);
        assert_eq!(said(&Cx::of(&["-v", "doctor"], &[]), "ok").len(), 2);
        assert!(complains(&health("fail"), "dimension-mismatch"));
        assert!(!complains(&health("fail"), "coverage"));
    }
}
