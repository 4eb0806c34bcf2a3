//! `signet status`: one screen. Exit 0 even when something is degraded: the question was answered.

use clap::Args;
use serde_json::Value;

use super::cx::Cx;
use super::fail::Fail;
use super::out::Style;
use super::session::Session;
use super::{text, version, when};

/// Arguments of `status`.
#[derive(Debug, Args)]
pub(crate) struct Status {}

/// Shows the status.
pub(crate) fn run(cx: &Cx, _args: &Status) -> Result<(), Fail> {
    // Looking changes nothing: no daemon is started for it.
    let mut session = Session::probe(cx, cx.global.timeout)?;
    let answer = session.get("/api/status", &[]).map_err(|fail| without_workspace(cx, fail))?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    skew(cx, &answer)?;
    head(cx, session.url(), &answer)?;
    let numbers = session.get("/api/memories", &[("limit", "1".to_owned())]).unwrap_or_default();
    let screen = Screen { cx, answer: &answer };
    screen.row("workspace", &screen.workspace())?;
    screen.row("memories", &memories(&numbers))?;
    screen.row("embedding", &screen.embedding())?;
    screen.row("queue", &screen.queue())?;
    screen.row("dreaming", &screen.dreaming())?;
    screen.row("models", &screen.models())?;
    screen.row("backup", &screen.time("/lastBackupAt"))?;
    screen.row("config", &screen.config())?;
    screen.row("log", &screen.text("/logging/logFile"))?;
    for pointer in ["/health/reasons", "/reasons", "/config/errors"] {
        for reason in answer.pointer(pointer).and_then(Value::as_array).into_iter().flatten() {
            let sentence = reason.as_str().map_or_else(|| reason.to_string(), str::to_owned);
            cx.out.line(&format!("  {} {}", cx.out.paint(Style::Warn, "!"), text::one_line(&sentence)))?;
        }
    }
    Ok(())
}

/// On a machine that nobody set up there is more to say than that the daemon is stopped.
fn without_workspace(cx: &Cx, fail: Fail) -> Fail {
    match cx.workspace() {
        Ok(workspace) if fail.text("code") == Some("daemon_stopped") && !workspace.root.exists() => {
            let message = format!("stopped; there is no workspace yet at {}", workspace.root.display());
            fail.with("error", Value::String(message)).hint("signet setup")
        }
        Ok(_) | Err(_) => fail,
    }
}

/// Another minor version is worth one warning; another major version is refused.
pub(crate) fn skew(cx: &Cx, answer: &Value) -> Result<(), Fail> {
    let Some(daemon) = answer.get("version").and_then(Value::as_str) else { return Ok(()) };
    let parts = |version: &str| -> (String, String) {
        let mut parts = version.split('.');
        (parts.next().unwrap_or_default().to_owned(), parts.next().unwrap_or_default().to_owned())
    };
    let (ours, theirs) = (parts(version::NUMBER), parts(daemon));
    if ours.0 != theirs.0 {
        let message = format!("the daemon has version {daemon}, this program {}", version::NUMBER);
        return Err(Fail::with_exit(7, "version_skew", message).hint("signet daemon restart"));
    }
    if ours.1 != theirs.1 {
        cx.out.warn(&format!(
            "the daemon has version {daemon}, this program {}; `signet daemon restart`",
            version::NUMBER
        ));
    }
    Ok(())
}

fn head(cx: &Cx, url: &str, answer: &Value) -> Result<(), Fail> {
    let word = ["/health/status", "/status"]
        .iter()
        .find_map(|pointer| answer.pointer(pointer)?.as_str())
        .unwrap_or("unknown");
    let style = if matches!(word, "healthy" | "running" | "ok") { Style::Good } else { Style::Warn };
    let uptime = answer
        .get("uptime")
        .and_then(Value::as_f64)
        .map(|seconds| format!(", up {}", when::span(seconds as u64)));
    let pid =
        answer.get("pid").and_then(Value::as_u64).map(|pid| format!("process {pid}, ")).unwrap_or_default();
    let line = format!("{} signet {word}", cx.out.paint(style, "●"));
    cx.out.line(&format!(
        "{line}  {}",
        cx.out.paint(Style::Dim, &format!("{pid}{url}{}", uptime.unwrap_or_default()))
    ))
}

/// How many memories the agent has; nothing when it may not know.
fn memories(numbers: &Value) -> String {
    let number = |key: &str| numbers.pointer(&format!("/stats/{key}")).and_then(Value::as_u64);
    match (number("total"), number("withEmbeddings")) {
        (Some(total), Some(vectors)) => format!("{total}, {vectors} with a vector"),
        (Some(total), None) => total.to_string(),
        (None, _) => String::new(),
    }
}

/// Rows of the screen; empty ones are left out.
struct Screen<'a> {
    cx: &'a Cx,
    answer: &'a Value,
}

impl Screen<'_> {
    fn row(&self, label: &str, value: &str) -> Result<(), Fail> {
        if value.is_empty() {
            return Ok(());
        }
        let label = self.cx.out.paint(Style::Dim, &format!("{label:<11}"));
        self.cx.out.line(&format!("  {label}{}", text::one_line(value)))
    }

    fn text(&self, pointer: &str) -> String {
        match self.answer.pointer(pointer) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(flag)) => flag.to_string(),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => String::new(),
        }
    }

    /// The folder, and why it is that one when this command chose the same.
    fn workspace(&self) -> String {
        let path = self.text("/agentsDir");
        match self.cx.workspace() {
            Ok(chosen) if chosen.root.as_os_str() == path.as_str() => {
                format!("{path} ({})", chosen.source.as_str())
            }
            Ok(_) | Err(_) => path,
        }
    }

    fn time(&self, pointer: &str) -> String {
        let stored = self.text(pointer);
        if stored.is_empty() { stored } else { when::local(&stored) }
    }

    fn embedding(&self) -> String {
        let (provider, model) = (self.text("/embedding/provider"), self.text("/embedding/model"));
        let mut parts = vec![format!("{provider} {model}").trim().to_owned()];
        let coverage = self.text("/embedding/coverage");
        if !coverage.is_empty() {
            parts.push(format!("coverage {coverage}"));
        }
        let state = self.text("/embedding/migration/state");
        if !matches!(state.as_str(), "" | "none" | "ready") {
            parts.push(format!(
                "migration {state} {}/{}",
                self.text("/embedding/migration/staged"),
                self.text("/embedding/migration/total")
            ));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    fn queue(&self) -> String {
        let states = ["pending", "leased", "completed", "dead"];
        let counts = states.map(|state| (state, self.text(&format!("/pipeline/queue/memory/{state}"))));
        let shown = counts.iter().filter(|(_, count)| !count.is_empty());
        shown.map(|(state, count)| format!("{count} {state}")).collect::<Vec<_>>().join(", ")
    }

    fn dreaming(&self) -> String {
        match (self.text("/dreaming/enabled").as_str(), self.text("/dreaming/blockedBy").as_str()) {
            ("", _) => String::new(),
            ("false", _) => "off".to_owned(),
            (_, "") => "on".to_owned(),
            (_, reason) => format!("waits ({})", reason.replace('_', " ")),
        }
    }

    fn models(&self) -> String {
        match self.text("/inference/configured").as_str() {
            "false" => "none configured: nothing is sent anywhere".to_owned(),
            "true" => "configured".to_owned(),
            _ => String::new(),
        }
    }

    /// Whether the daemon serves this machine's workspace and the file is not there.
    fn has_no_file(&self, path: &str) -> bool {
        let agents_dir = self.text("/agentsDir");
        let ours = self.cx.workspace().is_ok_and(|ours| ours.root.as_os_str() == agents_dir.as_str());
        ours && !std::path::Path::new(path).exists()
    }

    fn config(&self) -> String {
        let path = self.text("/config/path");
        match self.text("/config/ok").as_str() {
            "false" => format!("{path} (bad: the last good one is in effect)"),
            _ if self.has_no_file(&path) => "none (all defaults)".to_owned(),
            _ => path,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_made_of_what_is_there() {
        let cx = Cx::of(&["status"], &[("SIGNET_WORKSPACE", "/w")]);
        let answer = json!({
            "agentsDir": "/w",
            "embedding": { "provider": "native", "model": "m", "coverage": "80.0%", "migration": { "state": "building", "staged": 1, "total": 5 } },
            "pipeline": { "queue": { "memory": { "pending": 2, "dead": 0 } } },
            "dreaming": { "enabled": true, "blockedBy": "no_provider" },
            "inference": { "configured": false },
            "config": { "path": "/w/agent.yaml", "ok": false },
        });
        let screen = Screen { cx: &cx, answer: &answer };
        assert_eq!(screen.workspace(), "/w (SIGNET_WORKSPACE)");
        assert_eq!(screen.embedding(), "native m, coverage 80.0%, migration building 1/5");
        assert_eq!(screen.queue(), "2 pending, 0 dead");
        assert_eq!(screen.dreaming(), "waits (no provider)");
        assert!(screen.models().starts_with("none configured"));
        assert!(screen.config().contains("last good"));
        let answer = json!({ "agentsDir": "/w", "config": { "path": "/w/agent.yaml", "ok": true } });
        assert_eq!(Screen { cx: &cx, answer: &answer }.config(), "none (all defaults)");
        let answer = json!({ "agentsDir": "/far", "config": { "path": "/far/agent.yaml", "ok": true } });
        assert_eq!(Screen { cx: &cx, answer: &answer }.config(), "/far/agent.yaml");
        let empty = json!({});
        let screen = Screen { cx: &cx, answer: &empty };
        let rows = [
            screen.embedding(),
            screen.queue(),
            screen.dreaming(),
            screen.models(),
            screen.time("/lastBackupAt"),
        ];
        assert_eq!(rows, [""; 5].map(str::to_owned));
    }

    #[test]
    fn only_a_foreign_major_version_is_refused() {
        let cx = Cx::of(&["-q", "status"], &[]);
        assert_eq!(skew(&cx, &json!({ "version": version::NUMBER })), Ok(()));
        assert_eq!(skew(&cx, &json!({ "version": "0.7.0" })), Ok(()));
        assert_eq!(skew(&cx, &json!({})), Ok(()));
        assert_eq!(skew(&cx, &json!({ "version": "9.0.0" })).unwrap_err().exit, 7);
    }
}
