//! Results of a recall for people: a block a result on a terminal, a line a result in a pipe.

use signet_client::{RecallAnswer, RecallHit};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::{id, text, when};

/// Lines of a text that are shown unless `--full` asks for all.
const LINES: usize = 4;

/// Prints the results and, on standard error, what was not as it should be.
pub(super) fn answer(cx: &Cx, full: bool, answer: &RecallAnswer) -> Result<(), Fail> {
    caveats(cx, answer);
    if answer.results.is_empty() {
        cx.out.line("No memories match.")?;
        if answer.explain.is_none() {
            cx.out.note("Try other words, or --explain to see what was left out.");
        }
        return Ok(());
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
    let ids: Vec<&str> = answer.results.iter().map(|hit| hit.id.as_str()).collect();
    let id_length = id::telling_length(&ids);
    for (n, hit) in answer.results.iter().enumerate() {
        block(cx, &Shown { full, id_length }, n, hit)?;
    }
    Ok(())
}

/// How much of a result is shown.
struct Shown {
    /// The whole text.
    full: bool,
    /// As much of the id as tells the results apart.
    id_length: usize,
}

fn block(cx: &Cx, shown: &Shown, n: usize, hit: &RecallHit) -> Result<(), Fail> {
    let out = &cx.out;
    let mut lines = text::wrap(&hit.content, out.width.saturating_sub(5).clamp(20, 100));
    let cut = !shown.full && lines.len() > LINES;
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
    facts.push(hit.id.chars().take(shown.id_length).collect());
    facts.push(channels(hit));
    facts.retain(|fact| !fact.is_empty());
    for line in joined(&facts, out.width.saturating_sub(5)) {
        out.line(&out.paint(Style::Dim, &format!("     {line}")))?;
    }
    Ok(())
}

/// The facts with dots between them, in as many lines as they need: a fact is broken only when it alone is
/// wider than a line.
fn joined(facts: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts.iter().map(|fact| text::one_line(fact)) {
        match lines.last_mut() {
            Some(line) if text::width(line) + 3 + text::width(&fact) <= columns => {
                line.push_str(" · ");
                line.push_str(&fact);
            }
            Some(_) | None => lines.extend(text::wrap(&fact, columns)),
        }
    }
    lines
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

/// What a degradation means for the reader.
fn sentence(degradation: &str) -> String {
    match degradation {
        "embedding_unavailable" => {
            "searched by words only: the embedding provider does not answer (signet doctor)".to_owned()
        }
        "profile_mismatch" => {
            "searched by words only: the stored vectors are of another model (signet doctor)".to_owned()
        }
        "fts_incomplete" => "the index of words is being rebuilt: memories may be missing".to_owned(),
        other => format!("degraded: {}", other.replace('_', " ")),
    }
}

fn caveats(cx: &Cx, answer: &RecallAnswer) {
    let mut all = answer.meta.degradations.clone();
    all.extend(answer.meta.degradation.clone().filter(|first| !all.contains(first)));
    for degradation in all {
        cx.out.warn(&sentence(&degradation));
    }
    if answer.meta.vector_completeness.as_deref() == Some("recent-window") {
        let rows = answer.meta.searched_window.unwrap_or_default();
        cx.out.warn(&format!(
            "only the newest {rows} memories were compared by meaning; `signet status` tells why"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_go_to_the_next_line_whole() {
        let facts = ["0.83", "2026-03-04", "fact", "#db #infra", "01a23223-6e80"].map(str::to_owned);
        assert_eq!(joined(&facts, 80), ["0.83 · 2026-03-04 · fact · #db #infra · 01a23223-6e80"]);
        assert_eq!(joined(&facts, 20), ["0.83 · 2026-03-04", "fact · #db #infra", "01a23223-6e80"]);
    }

    #[test]
    fn degradations_are_said_in_sentences() {
        assert!(sentence("embedding_unavailable").starts_with("searched by words only"));
        assert_eq!(sentence("of_another_version"), "degraded: of another version");
    }
}
