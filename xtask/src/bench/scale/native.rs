//! What the native model costs: memory before and after its first use, and the time of a question.

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::json;

use super::report::Report;
use super::text::Rng;
use super::timing::{Times, millis};
use super::{Args, Bench};

/// Memories that are embedded natively.
const ROWS: usize = 200;

/// Measures on an empty workspace, and then with a few natively embedded rows.
pub(super) fn measure(binary: &Path, args: &Args, report: &mut Report) -> Result<()> {
    let bench = Bench::new(binary, "embedding:\n  provider: native\n  warmNative: false\n".to_owned())?;
    bench.start()?.stop()?;
    let daemon = bench.start()?;
    report.put("start_ms", 0, millis(daemon.ready_after()));
    report.put("memory_idle_mib", 0, daemon.resident_mib().unwrap_or_default());
    let mut client = daemon.client()?;
    let mut first = Times::default();
    for number in 0..ROWS {
        let body = bench.words.remember_body(&mut Rng::new(number as u64), number);
        first.measure(|| client.post_ok("/api/memory/remember", &body))?;
    }
    super::load::wait_for_vectors(&mut client)?;
    let mut rng = Rng::new(0xA11CE);
    let (mut both, mut words_only) = (Times::default(), Times::default());
    let mut found = 0;
    for _ in 0..args.recalls {
        let query = bench.words.question(&mut rng);
        let answer =
            both.measure(|| client.post_ok("/api/memory/recall", &json!({"query": query, "limit": 10})))?;
        found += answer["results"].as_array().map_or(0, Vec::len);
        words_only
            .measure(|| client.get(&format!("/memory/search?limit=10&q={}", query.replace(' ', "+"))))?;
    }
    ensure!(found > 0, "no question found anything");
    report.put("native_remember_p50_ms", ROWS, first.quantile(0.5));
    report.put("native_recall_p50_ms", ROWS, both.quantile(0.5));
    report.put("native_recall_p95_ms", ROWS, both.quantile(0.95));
    report.put("native_question_p50_ms", ROWS, both.quantile(0.5) - words_only.quantile(0.5));
    report.put("memory_after_use_mib", ROWS, daemon.resident_mib().unwrap_or_default());
    daemon.stop()
}
