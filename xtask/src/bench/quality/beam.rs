//! BEAM at 100 K tokens: long chats of one person with an assistant.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::corpus::{Corpus, Question, Unit};

/// Reads the conversations in numeric order.
pub(super) fn read(data: &Path) -> Result<Vec<Corpus>> {
    let folder = data.join("beam100k");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut numbers: Vec<u32> =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.iter().map(|number| conversation(&folder.join(number.to_string()), *number)).collect()
}

fn conversation(folder: &Path, number: u32) -> Result<Corpus> {
    let chat = unpacked(&folder.join("chat.json.gz"))?;
    let probes = unpacked(&folder.join("probing_questions.json.gz"))?;
    let units = units(&chat);
    let questions = questions(&probes, &units);
    Ok(Corpus { name: format!("beam-{number}"), units, questions })
}

fn units(chat: &Value) -> Vec<Unit> {
    let batches = chat.as_array().into_iter().flatten();
    let turns = batches.filter_map(|batch| batch["turns"].as_array()).flatten();
    turns.filter_map(Value::as_array).flatten().map(unit).collect()
}

fn unit(message: &Value) -> Unit {
    Unit {
        id: message["id"].to_string(),
        text: without_mark(message["content"].as_str().unwrap_or_default()).to_owned(),
        who: message["role"].as_str().unwrap_or_default().to_owned(),
        at: None,
    }
}

/// The text without the trailing `->-> 1,1` that the data set puts behind questions.
fn without_mark(text: &str) -> &str {
    match text.rsplit_once("->->") {
        Some((said, mark)) if mark.chars().all(|c| c.is_ascii_digit() || c == ',' || c.is_whitespace()) => {
            said.trim_end()
        }
        _ => text,
    }
}

fn questions(probes: &Value, units: &[Unit]) -> Vec<Question> {
    let known: BTreeSet<&str> = units.iter().map(|unit| unit.id.as_str()).collect();
    let mut questions = Vec::new();
    for (ability, probes) in probes.as_object().into_iter().flatten() {
        for probe in probes.as_array().into_iter().flatten() {
            let source = &probe["source_chat_ids"];
            let gold = ids(source, &known);
            if gold.is_empty() {
                continue;
            }
            let replaced = (ability == "knowledge_update")
                .then(|| (ids(&source["original_info"], &known), ids(&source["updated_info"], &known)))
                .filter(|(old, new)| !old.is_empty() && !new.is_empty());
            questions.push(Question {
                text: probe["question"].as_str().unwrap_or_default().to_owned(),
                gold,
                groups: vec![ability.clone()],
                replaced,
            });
        }
    }
    questions
}

/// All message ids in nested lists and objects.
fn ids(value: &Value, known: &BTreeSet<&str>) -> BTreeSet<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(|item| ids(item, known)).collect(),
        Value::Object(fields) => fields.values().flat_map(|item| ids(item, known)).collect(),
        Value::Number(number) => {
            Some(number.to_string()).filter(|id| known.contains(id.as_str())).into_iter().collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => BTreeSet::new(),
    }
}

fn unpacked(path: &Path) -> Result<Value> {
    let output = Command::new("gzip").arg("-dc").arg(path).output().context("running gzip")?;
    ensure!(output.status.success(), "gzip cannot read {}", path.display());
    serde_json::from_slice(&output.stdout).with_context(|| format!("reading {}", path.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_mark_behind_a_question_goes_and_nothing_else() {
        assert_eq!(without_mark("Can you help? ->-> 1,12"), "Can you help?");
        assert_eq!(without_mark("a ->-> b"), "a ->-> b");
        assert_eq!(without_mark("plain"), "plain");
    }

    #[test]
    fn evidence_is_taken_from_nested_lists_and_questions_without_any_are_left_out() {
        let chat = json!([{"turns": [[{"id": 0, "role": "user", "content": "a"}, {"id": 7, "role": "assistant", "content": "b"}]]}]);
        let probes = json!({
            "knowledge_update": [{"question": "q", "source_chat_ids": {"original_info": [0], "updated_info": [[7]]}}],
            "abstention": [{"question": "none", "source_chat_ids": null}],
        });
        let questions = questions(&probes, &units(&chat));
        assert_eq!(questions.len(), 1);
        let set = |id: &str| BTreeSet::from([id.to_owned()]);
        assert_eq!(questions[0].gold, BTreeSet::from(["0".to_owned(), "7".to_owned()]));
        assert_eq!(questions[0].replaced, Some((set("0"), set("7"))));
    }
}
