//! A real look at whether it works: store a sentence, find it with other words, erase it again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use signet_client::{Client, RecallAnswer, RememberAnswer};

use super::super::cx::Cx;
use super::super::fail::Fail;
use super::super::input;
use super::super::session::{self, Session};

/// Kept apart from everything a person stores.
const SCOPE: &str = "signet-setup-check";
const TEXT: &str = "Our cat Minka is allergic to chicken.";
/// No word of the text is in it.
const QUESTION: &str = "Which food makes the pet ill?";
/// A word of the text.
const WORDS: &str = "Minka";
/// How long the vector may take; the first one loads the model.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the look showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Check {
    /// What ran: hybrid or keyword.
    pub(super) method: String,
    /// Found with other words.
    pub(super) by_meaning: bool,
    /// How long the recall took.
    pub(super) millis: u128,
}

impl Check {
    /// For people.
    pub(super) fn sentence(&self) -> String {
        if self.by_meaning {
            format!("stored a sentence and found it by meaning, in {} ms; it is erased again", self.millis)
        } else {
            "stored a sentence and found it by its words (there are no vectors); it is erased again"
                .to_owned()
        }
    }
}

/// Looks. An answer that does not come, or comes without the sentence, is the error.
pub(super) fn run(cx: &Cx) -> Result<Check, Fail> {
    let mut session = cx.session()?;
    let body =
        json!({ "content": TEXT, "who": "setup", "scope": SCOPE, "visibility": "private", "type": "fact" });
    let stored: RememberAnswer = input::read(session.post("/api/memory/remember", &body)?)?;
    let outcome = look(&mut session, &stored.id);
    let erase = json!({ "reason": "check of setup", "confirm": stored.id, "erase": true });
    let erased = session.post(&Client::at("/api/memory/", &stored.id, "/purge"), &erase);
    let check = outcome?;
    erased?;
    Ok(check)
}

/// What to say when the provider of vectors did not answer its last call.
fn silent_provider(session: &Session<'_>) -> Option<Fail> {
    let (_, ready) = session.peek("/health/ready").ok()?;
    provider_fault(ready.get("embedding")?)
}

fn provider_fault(embedding: &Value) -> Option<Fail> {
    if embedding.get("available").and_then(Value::as_bool) != Some(false) {
        return None;
    }
    let text = |key: &str| embedding.get(key).and_then(Value::as_str).unwrap_or_default();
    let note = if text("note").is_empty() { String::new() } else { format!(": {}", text("note")) };
    let message = format!("the embedding provider `{}` does not answer{note}", text("provider"));
    Some(Fail::with_exit(1, "check_failed", message).hint(
        "the daemon runs and finds memories by their words; start the provider or change `embedding` in \
         agent.yaml, then run `signet setup` again",
    ))
}

fn look(session: &mut Session<'_>, id: &str) -> Result<Check, Fail> {
    let has_vectors = session.get("/api/embeddings/status", &[]).is_ok_and(|status| {
        status.get("provider").and_then(Value::as_str).is_some_and(|name| name != "none")
    });
    let deadline = Instant::now() + PATIENCE;
    let runtime = session::runtime()?;
    loop {
        let question = if has_vectors { QUESTION } else { WORDS };
        let began = Instant::now();
        let answer =
            session.post("/api/memory/recall", &json!({ "query": question, "scope": SCOPE, "limit": 3 }))?;
        let millis = began.elapsed().as_millis();
        let answer: RecallAnswer = input::read(answer)?;
        if answer.results.iter().any(|hit| hit.id == id) {
            return Ok(Check { method: answer.method, by_meaning: has_vectors, millis });
        }
        if has_vectors && let Some(fail) = silent_provider(session) {
            return Err(fail);
        }
        if !has_vectors || Instant::now() >= deadline {
            let message = "the daemon stored a sentence and does not find it again";
            return Err(Fail::with_exit(1, "check_failed", message).hint("signet doctor"));
        }
        runtime.block_on(async { tokio::time::sleep(Duration::from_millis(50)).await });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_that_does_not_answer_is_named_and_one_that_was_not_called_is_not() {
        let silent = json!({ "provider": "ollama", "available": false, "note": "connection refused" });
        let fail = provider_fault(&silent).unwrap();
        assert_eq!(
            (fail.exit, fail.text("error")),
            (1, Some("the embedding provider `ollama` does not answer: connection refused"))
        );
        assert_eq!(provider_fault(&json!({ "provider": "native", "available": "unknown" })), None);
        assert_eq!(provider_fault(&json!({ "provider": "native", "available": true })), None);
    }
}
