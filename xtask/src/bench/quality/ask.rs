//! Loads the conversations into a daemon and asks it the questions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::corpus::{Corpus, Unit};
use super::score::Answer;
use crate::bench::daemon::{Daemon, pause};
use crate::bench::http::Client;
use crate::output::say;

/// Memories of one request.
const BATCH: usize = 100;
/// Longest time for all vectors.
const EMBEDDING: Duration = Duration::from_hours(1);
/// How often the vectors that are missing are counted.
const LOOK: Duration = Duration::from_millis(500);
/// Results asked for; parts of one unit take several places.
const LIMIT: usize = 50;

/// One message is one memory: texts are not split below the largest size that can be set.
const SETTINGS: &str =
    "memory:\n  pipelineV2:\n    guardrails:\n      maxContentChars: 20000\n      chunkTargetChars: 20000\n";

/// Which channels answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// Words and vectors, as shipped.
    Hybrid,
    /// Words only.
    Lexical,
}

impl Mode {
    /// The word of the mode.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Lexical => "lexical",
        }
    }
}

/// A daemon that holds the conversations.
#[derive(Debug)]
pub(super) struct Run {
    daemon: Daemon,
    client: Client,
    /// Unit of each memory, by the memory's id.
    unit_of: BTreeMap<String, Vec<String>>,
    _workspace: tempfile::TempDir,
}

impl Run {
    /// Starts a daemon on a fresh workspace, loads the conversations and waits for their vectors.
    pub(super) fn start(binary: &Path, corpora: &[Corpus], with_vectors: bool) -> Result<Self> {
        let workspace = tempfile::Builder::new().prefix("signet-bench-").tempdir()?;
        let settings = if with_vectors {
            SETTINGS.to_owned()
        } else {
            format!("{SETTINGS}embedding:\n  provider: none\n")
        };
        let daemon = Daemon::start(binary, workspace.path(), &settings)?;
        let client = daemon.client()?;
        let mut run = Self { daemon, client, unit_of: BTreeMap::new(), _workspace: workspace };
        for corpus in corpora {
            for units in corpus.units.chunks(BATCH) {
                run.remember(&corpus.name, units)?;
            }
        }
        if with_vectors {
            run.wait_for_vectors()?;
        }
        Ok(run)
    }

    /// Stops the daemon.
    pub(super) fn stop(self) -> Result<()> {
        self.daemon.stop()
    }

    fn remember(&mut self, project: &str, units: &[Unit]) -> Result<()> {
        let items: Vec<Value> = units.iter().map(|unit| item(project, unit)).collect();
        let answer = self.client.post_ok("/api/memory/remember-batch", &json!({ "items": items }))?;
        let results = answer["results"].as_array().context("results of the batch")?;
        ensure!(results.len() == units.len(), "{} results for {} texts", results.len(), units.len());
        for (unit, result) in units.iter().zip(results) {
            let one = result["id"].as_str().into_iter();
            let parts = result["ids"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let ids: BTreeSet<&str> = one.chain(parts).collect();
            ensure!(!ids.is_empty(), "unit {} of {project} was not stored: {result}", unit.id);
            for id in ids {
                // Two units with the same text are one memory.
                self.unit_of.entry(id.to_owned()).or_default().push(unit.id.clone());
            }
        }
        Ok(())
    }

    fn wait_for_vectors(&mut self) -> Result<()> {
        let started = Instant::now();
        loop {
            let listed = self.client.get("/api/memories?limit=1")?.body;
            let count = |name: &str| listed["stats"][name].as_u64().context("counts of memories");
            let missing = count("total")?.saturating_sub(count("withEmbeddings")?);
            if missing == 0 {
                say(&format!("vectors after {:.0} s", started.elapsed().as_secs_f64()));
                return Ok(());
            }
            ensure!(started.elapsed() < EMBEDDING, "{missing} vectors are missing after {EMBEDDING:?}");
            pause(LOOK);
        }
    }

    /// Asks every question inside its conversation.
    pub(super) fn ask<'q>(&mut self, corpora: &'q [Corpus], mode: Mode) -> Result<Vec<Answer<'q>>> {
        let mut answers = Vec::new();
        for corpus in corpora {
            for question in &corpus.questions {
                let ranked = self.ranked(&corpus.name, &question.text, mode)?;
                answers.push(Answer { question, ranked });
            }
        }
        Ok(answers)
    }

    /// Units that the recall brings, best first, each once.
    fn ranked(&mut self, project: &str, query: &str, mode: Mode) -> Result<Vec<String>> {
        let rows = match mode {
            Mode::Hybrid => {
                let body = json!({
                    "query": query, "project": project, "limit": LIMIT, "recallSurface": "other",
                });
                let answer = self.client.post_ok("/api/memory/recall", &body)?;
                ensure!(answer["meta"]["degradation"].is_null(), "degraded: {}", answer["meta"]);
                answer
            }
            Mode::Lexical => {
                let path =
                    format!("/memory/search?q={}&project={}&limit={LIMIT}", escaped(query), escaped(project));
                let answer = self.client.get(&path)?;
                ensure!(answer.status == 200, "GET {path} answered {}: {}", answer.status, answer.body);
                answer.body
            }
        };
        let ids = rows["results"].as_array().context("results")?.iter().filter_map(|row| row["id"].as_str());
        let mut ranked: Vec<String> = Vec::new();
        for unit in ids.filter_map(|id| self.unit_of.get(id)).flatten() {
            if !ranked.contains(unit) {
                ranked.push(unit.clone());
            }
        }
        Ok(ranked)
    }
}

fn item(project: &str, unit: &Unit) -> Value {
    let mut item = json!({ "content": unit.text, "who": unit.who, "project": project });
    if let Some(at) = &unit.at {
        item["createdAt"] = json!(at);
    }
    item
}

/// A text as part of a query string.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let escape = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_strings_are_escaped() {
        assert_eq!(escaped("why & é?"), "why%20%26%20%C3%A9%3F");
    }

    #[test]
    fn a_unit_without_a_time_is_stored_without_one() {
        let unit = Unit { id: "1".to_owned(), text: "t".to_owned(), who: "user".to_owned(), at: None };
        assert_eq!(item("p", &unit), json!({ "content": "t", "who": "user", "project": "p" }));
    }
}
