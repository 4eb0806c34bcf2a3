//! One workspace that grows: at each number of rows recall, writes, start and memory are measured.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::report::Report;
use super::text::{Rng, Words, filter};
use super::timing::{Times, millis};
use super::{Args, Bench, embedder};
use crate::bench::daemon::{Daemon, pause};
use crate::bench::http::Client;
use crate::output::say;

/// Items of one remember-batch, which is the most that it takes.
const BATCH: usize = 100;
const CLIENTS: usize = 8;
/// Longest silence of the embedding queue.
const STALL: Duration = Duration::from_mins(5);

/// Measures at each number of rows of `args`.
pub(super) fn measure(binary: &Path, args: &Args, report: &mut Report) -> Result<()> {
    let port = embedder::start()?;
    let settings = format!(
        "embedding:\n  provider: openai\n  model: scripted\n  dimensions: {}\n  base_url: http://127.0.0.1:{port}/v1\n\
         memory:\n  pipelineV2:\n    embeddingTracker:\n      pollMs: 100\n      batchSize: 20\n",
        embedder::DIMENSIONS
    );
    let bench = Bench::new(binary, settings)?;
    let mut daemon = bench.start()?;
    report.put("start_first_ms", 0, millis(daemon.ready_after()));
    let mut loaded = 0;
    for rows in &args.rows {
        load(&bench.words, &daemon, loaded, *rows, report)?;
        loaded = *rows;
        recalls(&bench.words, &daemon, args.recalls, *rows, report)?;
        report.put("memory_loaded_mib", *rows, daemon.resident_mib().unwrap_or_default());
        let written = writes(&bench.words, &daemon, args.writes, *rows)?;
        report.put("writes_8_clients_per_s", *rows, written);
        wait_for_vectors(&mut daemon.client()?)?;
        daemon.stop()?;
        daemon = bench.start()?;
        report.put("start_ms", *rows, millis(daemon.ready_after()));
        report.put("memory_after_start_mib", *rows, daemon.resident_mib().unwrap_or_default());
    }
    daemon.stop()
}

fn load(words: &Words, daemon: &Daemon, from: usize, to: usize, report: &mut Report) -> Result<()> {
    say(&format!("loading rows {from} to {to}"));
    let mut client = daemon.client()?;
    let started = Instant::now();
    for first in (from..to).step_by(BATCH) {
        let items: Vec<Value> = (first..to.min(first + BATCH))
            .map(|number| words.remember_body(&mut Rng::new(number as u64), number))
            .collect();
        let wanted = items.len();
        let answer = client.post_ok("/api/memory/remember-batch", &json!({ "items": items }))?;
        let stored = answer["stored"].as_u64().unwrap_or_default();
        ensure!(stored == wanted as u64, "{stored} of {wanted} rows stored: {answer}");
    }
    report.put("load_rows_per_s", to, (to - from) as f64 / started.elapsed().as_secs_f64());
    wait_for_vectors(&mut client)?;
    report.put("load_with_vectors_rows_per_s", to, (to - from) as f64 / started.elapsed().as_secs_f64());
    Ok(())
}

/// Waits until every row has its vector.
pub(super) fn wait_for_vectors(client: &mut Client) -> Result<()> {
    let mut last = (u64::MAX, Instant::now());
    loop {
        let gaps = client.get("/api/repair/embedding-gaps")?;
        let open = gaps.body["unembedded"]
            .as_u64()
            .with_context(|| format!("no number of gaps in {}", gaps.body))?;
        if open == 0 {
            return Ok(());
        }
        if open < last.0 {
            last = (open, Instant::now());
        }
        ensure!(last.1.elapsed() < STALL, "{open} rows wait for a vector and nothing moves");
        pause(Duration::from_millis(50));
    }
}

fn recalls(words: &Words, daemon: &Daemon, count: usize, rows: usize, report: &mut Report) -> Result<()> {
    let mut client = daemon.client()?;
    let mut rng = Rng::new(rows as u64 ^ 0x5EED);
    let mut kinds: [(&str, Times, usize); 3] = [
        ("recall", Times::default(), 0),
        ("recall_filtered", Times::default(), 0),
        ("recall_stop_words", Times::default(), 0),
    ];
    // Questions of all kinds take turns, so that a slow moment of the machine falls on all.
    for _ in 0..count {
        let plain = json!({"query": words.question(&mut rng), "limit": 10});
        let mut filtered = json!({"query": words.question(&mut rng), "limit": 10});
        let (name, value) = filter(&mut rng);
        filtered[name] = value;
        let stop_words = json!({"query": words.stop_words(&mut rng, 7), "limit": 10});
        for ((_, times, found), body) in kinds.iter_mut().zip([plain, filtered, stop_words]) {
            let answer = times.measure(|| client.post_ok("/api/memory/recall", &body))?;
            *found += answer["results"].as_array().map_or(0, Vec::len);
        }
    }
    ensure!(kinds[0].2 > 0, "no question found anything: a fast empty answer is no measurement");
    for (name, times, found) in &kinds {
        report.put(&format!("{name}_p50_ms"), rows, times.quantile(0.5));
        report.put(&format!("{name}_p95_ms"), rows, times.quantile(0.95));
        report.put(&format!("{name}_results"), rows, *found as f64 / count as f64);
    }
    Ok(())
}

/// Acknowledged writes a second of eight clients that each wait for their answers.
fn writes(words: &Words, daemon: &Daemon, count: usize, rows: usize) -> Result<f64> {
    let each = count / CLIENTS;
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        clients.push((number, daemon.client()?));
    }
    let started = Instant::now();
    let done: Vec<Result<()>> = std::thread::scope(|scope| {
        let running: Vec<_> = clients
            .into_iter()
            .map(|(number, mut client)| {
                scope.spawn(move || {
                    let mut rng = Rng::new((rows * CLIENTS + number) as u64 ^ 0x0D15_EA5E);
                    for nth in 0..each {
                        // Numbers far above those of the loaded rows: each text is new.
                        let body =
                            words.remember_body(&mut rng, rows * 1000 + number * each + nth + 1_000_000_000);
                        client.post_ok("/api/memory/remember", &body)?;
                    }
                    Ok(())
                })
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| anyhow::bail!("a client panicked")))
            .collect()
    });
    let elapsed = started.elapsed().as_secs_f64();
    done.into_iter().collect::<Result<()>>()?;
    Ok((each * CLIENTS) as f64 / elapsed)
}
