//! `recall --explain`: what each channel brought and what each stage let through.

use serde_json::Value;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;

/// Prints channels, stages, drop reasons, and the memory that was asked about.
pub(super) fn tables(cx: &Cx, explain: &Value) -> Result<(), Fail> {
    channels(cx, explain)?;
    stages(cx, explain)?;
    target(cx, explain)
}

fn channels(cx: &Cx, explain: &Value) -> Result<(), Fail> {
    let Some(Value::Object(channels)) = explain.get("channels") else { return Ok(()) };
    let rows: Vec<Vec<String>> = channels
        .iter()
        .map(|(name, channel)| {
            let ran = channel.get("ran").and_then(Value::as_bool) == Some(true);
            let why = text(channel, "skippedReason");
            let note = if ran {
                String::new()
            } else {
                format!("did not run: {}", if why.is_empty() { "-" } else { &why })
            };
            let none = text(channel, "candidates") == "0" || !ran;
            let best = if none { "–".to_owned() } else { decimal(channel, "topScore") };
            vec![name.clone(), text(channel, "candidates"), best, note]
        })
        .collect();
    heading(cx, "Channels")?;
    cx.out.table(&["channel", "candidates", "best", "note"], 3, &rows)
}

fn stages(cx: &Cx, explain: &Value) -> Result<(), Fail> {
    let Some(Value::Array(stages)) = explain.get("stages") else { return Ok(()) };
    let rows: Vec<Vec<String>> = stages
        .iter()
        .map(|stage| {
            vec![
                text(stage, "name"),
                text(stage, "in"),
                text(stage, "out"),
                text(stage, "droppedTotal"),
                decimal(stage, "ms"),
                reasons(stage),
            ]
        })
        .collect();
    heading(cx, "Stages")?;
    cx.out.table(&["stage", "in", "out", "dropped", "ms", "reasons"], 5, &rows)
}

/// Drop reasons of a stage with their counts, most frequent first.
fn reasons(stage: &Value) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for dropped in stage.get("dropped").and_then(Value::as_array).into_iter().flatten() {
        let reason = text(dropped, "reason");
        match counts.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((reason, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect::<Vec<_>>().join(", ")
}

fn target(cx: &Cx, explain: &Value) -> Result<(), Fail> {
    let Some(target) = explain.get("target").filter(|target| target.is_object()) else { return Ok(()) };
    let (stage, reason) = (text(target, "droppedAt"), text(target, "reason"));
    let found = target
        .get("foundIn")
        .and_then(Value::as_array)
        .map(|channels| channels.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "));
    let found = found.filter(|channels| !channels.is_empty()).unwrap_or_else(|| "no channel".to_owned());
    heading(cx, "Why not")?;
    let verdict = match (stage.as_str(), reason.as_str()) {
        ("", "") => "it is among the results".to_owned(),
        ("", reason) => reason.to_owned(),
        (stage, reason) => format!("dropped at {stage}: {reason}"),
    };
    cx.out.line(&format!("{}: found in {found}; {verdict}", text(target, "id")))
}

fn heading(cx: &Cx, title: &str) -> Result<(), Fail> {
    if cx.out.terminal { cx.out.line(&format!("\n{}", cx.out.paint(Style::Strong, title))) } else { Ok(()) }
}

fn text(value: &Value, key: &str) -> String {
    match value.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => String::new(),
    }
}

fn decimal(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_f64).map(|number| format!("{number:.2}")).unwrap_or_default()
}
