//! Speed and memory of the native provider: `cargo run --release -p signet-provider --example encode_bench`.
//!
//! Prints the time to the first vector, the time of a short question alone and beside a running batch,
//! texts a second, and the resident memory at each step.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::{Duration, Instant};

use signet_model::embed::{EmbedError, EmbedRole, Embedder};
use signet_provider::native::{NativeEmbedder, NativeOptions};

/// About 125 tokens.
const PARAGRAPH: &str = "The meeting started late because the projector failed, so Ana summarised the budget from \
memory while Tomas looked for a spare cable in the cupboard next to the kitchen. Afterwards they agreed to move the \
release to the second week of June, to keep the old importer for one more quarter, and to ask the customers in Lyon \
whether the new export works for them. Paul will write the answer to the auditors, and Mira takes over the work on \
the search index until the end of the month, since the tests on the large data set still fail on two of the five \
machines.";
const QUESTION: &str = "when is the release planned?";
/// About 25 tokens.
const NOTE: &str =
    "Remember that Paul moved from Lisbon to Rotterdam in March and prefers to be called after ten.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), EmbedError> {
    let embedder = NativeEmbedder::new(&NativeOptions::default()).map_err(|cause| EmbedError {
        class: signet_model::embed::EmbedFailure::Provider,
        message: cause.to_string(),
    })?;
    println!("before the first text: {} MB resident", resident());
    let start = Instant::now();
    question(&embedder).await?;
    println!("first question, load included: {:.0} ms, {} MB resident", millis(start.elapsed()), resident());
    let mut alone = Vec::new();
    for _ in 0..100 {
        alone.push(question(&embedder).await?);
    }
    println!("question: p50 {:.1} ms, p95 {:.1} ms", percentile(&mut alone, 50), percentile(&mut alone, 95));
    for (name, text, count) in [("125 tokens", PARAGRAPH, 200), ("25 tokens", NOTE, 600)] {
        let start = Instant::now();
        embedder.embed(EmbedRole::Document, vec![text.to_owned(); count]).await?;
        println!("texts of {name}: {:.0} a second", count as f64 / start.elapsed().as_secs_f64());
    }
    let mut beside = Vec::new();
    let batch = embedder.embed(EmbedRole::Document, vec![PARAGRAPH.to_owned(); 200]);
    tokio::pin!(batch);
    loop {
        tokio::select! {
            biased;
            done = &mut batch => { done?; break }
            took = question(&embedder) => beside.push(took?),
        }
    }
    println!(
        "question beside a batch: p50 {:.1} ms, p95 {:.1} ms",
        percentile(&mut beside, 50),
        percentile(&mut beside, 95)
    );
    println!("after use: {} MB resident", resident());
    Ok(())
}

async fn question(embedder: &NativeEmbedder) -> Result<f64, EmbedError> {
    let start = Instant::now();
    embedder.embed(EmbedRole::Query, vec![QUESTION.to_owned()]).await?;
    Ok(millis(start.elapsed()))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default()
}

/// Resident memory in megabytes; 0 where /proc does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
