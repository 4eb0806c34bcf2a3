//! Results of a recall for people: a block a result on a terminal, a line a result in a pipe.

use signet_client::{RecallAnswer, RecallHit};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::{text, when};

/// Lines of a text that are shown unless `--full` asks for all.
const LINES: usize = 4;

/// Prints the results and, on standard error, what was not as it should be.
pub(super) fn answer(cx: &Cx, full: bool, answer: &RecallAnswer) -> Result<(), Fail> {
    caveats(cx, answer);
    if answer.results.is_empty() {
        return cx.out.line("No memories match.");
    }
    if !cx.out.terminal {
        let rows: Vec<Vec<String>> =
            answer.results.iter().enumerate().map(|(n, hit)| cells(n, hit)).collect();
        return cx.out.table(&[], 0, &rows);
    }
    let count = answer.results.len();
    let noun = if count == 1 { "result" } else { "results" };
    let took = answer.meta.timings.get("totalMs").and_then(serde_json::Value::as_f64);
    let took = took.map(|ms| format!(", {ms:.0} ms")).unwrap_or_default();
    cx.out.line(&cx.out.paint(Style::Dim, &format!("{count} {noun} ({}{took})", answer.method)))?;
    for (n, hit) in answer.results.iter().enumerate() {
        block(cx, full, n, hit)?;
    }
    Ok(())
}

fn block(cx: &Cx, full: bool, n: usize, hit: &RecallHit) -> Result<(), Fail> {
    let out = &cx.out;
    let mut lines = text::wrap(&hit.content, out.width.saturating_sub(5).clamp(20, 100));
    let cut = !full && lines.len() > LINES;
    if cut {
        lines.truncate(LINES);
    }
    if (cut || hit.truncated)
        && let Some(last) = lines.last_mut()
        && !last.ends_with('…')
    {
        last.push('…');
    }
    out.line("")?;
    for (row, line) in lines.iter().enumerate() {
        let margin = if row == 0 { format!("{:>3}  ", n + 1) } else { " ".repeat(5) };
        out.line(&format!("{}{line}", out.paint(Style::Strong, &margin)))?;
    }
    let mut facts =
        vec![format!("{:.2}", hit.score), hit.created_at.as_deref().map(when::day).unwrap_or_default()];
    facts.extend(hit.kind.clone());
    facts.extend(
        hit.tags
            .as_deref()
            .filter(|tags| !tags.is_empty())
            .map(|tags| format!("#{}", tags.replace(',', " #"))),
    );
    facts.extend(hit.pinned.then(|| "pinned".to_owned()));
    facts.push(hit.id.clone());
    facts.push(channels(hit));
    let facts =
        text::one_line(&facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · "));
    out.line(&out.paint(Style::Dim, &format!("     {}", text::cut(&facts, out.width.saturating_sub(5)))))
}

/// Source, and the value of each channel that found it.
fn channels(hit: &RecallHit) -> String {
    let values: Vec<String> = hit
        .evidence
        .iter()
        .filter_map(|(name, value)| Some((name, number(value)?)))
        .map(|(name, value)| format!("{name} {value:.2}"))
        .collect();
    if values.is_empty() { hit.source.clone() } else { format!("{} ({})", hit.source, values.join(", ")) }
}

/// The number of a channel, whether it stands alone or as `score` of an object.
pub(super) fn number(value: &serde_json::Value) -> Option<f64> {
    value
        .as_f64()
        .or_else(|| ["score", "value", "normalised", "raw"].iter().find_map(|key| value.get(key)?.as_f64()))
}

fn cells(n: usize, hit: &RecallHit) -> Vec<String> {
    vec![
        (n + 1).to_string(),
        format!("{:.4}", hit.score),
        hit.created_at.as_deref().map(when::local).unwrap_or_default(),
        hit.kind.clone().unwrap_or_default(),
        hit.tags.clone().unwrap_or_default(),
        hit.id.clone(),
        hit.source.clone(),
        hit.content.clone(),
    ]
}

fn caveats(cx: &Cx, answer: &RecallAnswer) {
    let mut all = answer.meta.degradations.clone();
    all.extend(answer.meta.degradation.clone().filter(|first| !all.contains(first)));
    for degradation in all {
        cx.out.warn(&format!("degraded: {}", degradation.replace('_', " ")));
    }
    if answer.meta.vector_completeness.as_deref() == Some("recent-window") {
        let rows = answer.meta.searched_window.unwrap_or_default();
        cx.out.warn(&format!(
            "only the newest {rows} memories were compared by meaning; `signet status` tells why"
        ));
    }
}
