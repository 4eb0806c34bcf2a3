//! `signet daemon status`: running, not answering, or stopped. Never starts anything.

use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value, json};
use signet_client::Failure;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::session::Session;
use crate::cli::when;
use crate::holder;

/// Longest wait for an answer; a daemon that needs longer is not answering.
const PATIENCE: Duration = Duration::from_secs(5);

/// Arguments of `daemon status`.
#[derive(Debug, Args)]
pub(crate) struct Status {}

/// State of the daemon.
#[derive(Debug)]
pub(crate) enum State {
    /// It answers: its `/health`.
    Running(Value),
    /// It listens and does not answer.
    Silent(Duration),
    /// Nobody listens.
    Stopped,
    /// Somebody answers who is no Signet daemon, or the address is wrong.
    Other(Fail),
}

/// Asks once.
pub(crate) fn state(session: &Session<'_>) -> State {
    match session.health() {
        Ok(body) => match session.refuse_foreign(&body) {
            Ok(()) => State::Running(body),
            Err(foreign) => State::Other(foreign),
        },
        Err(Failure::Refused { .. }) => State::Stopped,
        Err(Failure::Silent { after, .. }) => State::Silent(after),
        Err(failure) => State::Other(failure.into()),
    }
}

/// Shows the state. Exit 0 in each of them: the question was answered.
pub(crate) fn run(cx: &Cx, _args: &Status) -> Result<(), Fail> {
    let session = Session::probe(cx, PATIENCE)?;
    let holder = holder::read(&cx.workspace()?.root).filter(|holder| holder.pid.is_some_and(holder::lives));
    let state = state(&session);
    if cx.out.is_json() {
        return cx.out.json(&as_json(&state, session.url(), holder.as_ref().and_then(|holder| holder.pid)));
    }
    match state {
        State::Running(health) => running(cx, session.url(), &health),
        State::Silent(after) => {
            let mark = cx.out.paint(Style::Warn, "◐");
            let who = holder.map_or_else(
                || "a process".to_owned(),
                |holder| format!("process {}", holder.pid.unwrap_or_default()),
            );
            cx.out.line(&format!(
                "{mark} not answering: {who} at {} has been silent for {:.0} s",
                session.url(),
                after.as_secs_f32()
            ))?;
            cx.out.line("  It is busy or hung. If it stays so: signet daemon restart")
        }
        State::Stopped => {
            cx.out.line(&format!("{} stopped", cx.out.paint(Style::Dim, "○")))?;
            cx.out.line("  Start it with: signet daemon start")
        }
        State::Other(fail) => Err(fail),
    }
}

fn as_json(state: &State, url: &str, pid: Option<u32>) -> Value {
    let word = match state {
        State::Running(_) => "running",
        State::Silent(_) => "not_answering",
        State::Stopped => "stopped",
        State::Other(_) => "unreachable",
    };
    let mut body = Map::from_iter([
        ("state".to_owned(), json!(word)),
        ("url".to_owned(), json!(url)),
        ("pid".to_owned(), json!(pid)),
    ]);
    if let State::Running(health) = state {
        body.insert("health".to_owned(), health.clone());
    }
    Value::Object(body)
}

fn running(cx: &Cx, url: &str, health: &Value) -> Result<(), Fail> {
    let status = health.get("status").and_then(Value::as_str).unwrap_or("unknown");
    let style = if status == "healthy" { Style::Good } else { Style::Warn };
    cx.out.line(&format!("{} running ({status})", cx.out.paint(style, "●")))?;
    let uptime = health.get("uptime").and_then(Value::as_f64).map(|seconds| when::span(seconds as u64));
    let memory =
        health.pointer("/resources/rssMiB").and_then(Value::as_f64).map(|mib| format!("{mib:.0} MiB"));
    let text = |key: &str| {
        health.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let rows = [
        ("process", text("pid")),
        ("address", Some(url.to_owned())),
        ("version", text("version")),
        ("up for", uptime),
        ("memory", memory),
        ("workspace", text("agentsDir")),
    ];
    for (label, value) in rows {
        if let Some(value) = value.filter(|value| value != "null") {
            cx.out.line(&format!("  {}{value}", cx.out.paint(Style::Dim, &format!("{label:<11}"))))?;
        }
    }
    for reason in
        health.get("reasons").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        cx.out.line(&format!("  {} {reason}", cx.out.paint(Style::Warn, "!")))?;
    }
    Ok(())
}
