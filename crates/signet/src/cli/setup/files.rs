//! The files of setup. What is there is never touched; .gitignore gets a block added once.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use signet_store::private;

use super::super::fail::Fail;
use super::Answers;
use crate::config::load;

/// Marks the block in .gitignore.
const IGNORE_MARK: &str = "# Signet generated data";
const IGNORE_BLOCK: &str =
    "# Signet generated data\nmemory/*.db*\n.daemon/\n.secrets/\nbackups/\nfiles/\nimports/\n";

/// One file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Planned {
    /// Where.
    pub(super) path: PathBuf,
    /// What is added; all of the file when it is new.
    pub(super) added: String,
}

/// What setup will do to the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    /// The folder.
    pub(super) workspace: PathBuf,
    /// Files to write.
    pub(super) files: Vec<Planned>,
    /// Files that are there already.
    pub(super) kept: Vec<PathBuf>,
}

impl Plan {
    /// Looks at the workspace; writes nothing.
    pub(super) fn make(workspace: &Path, answers: &Answers) -> Result<Self, Fail> {
        let mut plan = Self { workspace: workspace.to_owned(), files: Vec::new(), kept: Vec::new() };
        match load::find(workspace) {
            Some(path) => plan.kept.push(path),
            None => plan.add("agent.yaml", agent_yaml(answers)),
        }
        plan.missing("AGENTS.md", agents_md());
        plan.missing("SOUL.md", soul_md(answers));
        plan.missing("IDENTITY.md", identity_md(answers));
        plan.missing("USER.md", user_md());
        plan.git_ignore()?;
        Ok(plan)
    }

    fn add(&mut self, name: &str, added: String) {
        self.files.push(Planned { path: self.workspace.join(name), added });
    }

    fn missing(&mut self, name: &str, content: String) {
        let path = self.workspace.join(name);
        if path.exists() { self.kept.push(path) } else { self.add(name, content) }
    }

    /// Only where git looks after the workspace itself.
    fn git_ignore(&mut self) -> Result<(), Fail> {
        if !self.workspace.join(".git").exists() {
            return Ok(());
        }
        let path = self.workspace.join(".gitignore");
        let present = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Fail::local(format!("{}: {error}", path.display()))),
        };
        if present.contains(IGNORE_MARK) {
            self.kept.push(path);
        } else {
            let gap = if present.is_empty() || present.ends_with('\n') { "" } else { "\n" };
            self.add(".gitignore", format!("{gap}{IGNORE_BLOCK}"));
        }
        Ok(())
    }

    /// Paths that are written.
    pub(super) fn written(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Writes the files, each for its owner only.
    pub(super) fn write(&self) -> Result<(), Fail> {
        let failed =
            |path: &Path, error: &dyn std::fmt::Display| Fail::local(format!("{}: {error}", path.display()));
        private::folder(&self.workspace).map_err(|error| failed(&self.workspace, &error))?;
        for file in &self.files {
            let mut handle = private::file(&file.path).map_err(|error| failed(&file.path, &error))?;
            std::io::Seek::seek(&mut handle, std::io::SeekFrom::End(0))
                .map_err(|error| failed(&file.path, &error))?;
            handle.write_all(file.added.as_bytes()).map_err(|error| failed(&file.path, &error))?;
        }
        Ok(())
    }
}

/// A YAML text in double quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn agent_yaml(answers: &Answers) -> String {
    let mut embedding = format!("  provider: {}\n", answers.provider);
    if let Some(model) = &answers.model {
        embedding = format!("{embedding}  model: {}\n", quoted(model));
    }
    if let Some(dimensions) = answers.dimensions {
        embedding = format!("{embedding}  dimensions: {dimensions}\n");
    }
    if answers.provider == "openai" {
        embedding.push_str("  api_key: env:OPENAI_API_KEY\n");
    }
    let auth =
        if answers.mode == "local" { String::new() } else { format!("\nauth:\n  mode: {}\n", answers.mode) };
    format!(
        "# Configuration of Signet. Everything that is not here has its default.\n\
         # Check it with `signet config check`; see every key with `signet config show`.\n\
         version: 1\n\
         schema: signet/v1\n\
         \n\
         agent:\n\
         \x20 name: {}\n\
         \x20 description: {}\n\
         \n\
         # Where vectors are made. native: in the daemon, no network, nothing to install.\n\
         embedding:\n{embedding}{auth}",
        quoted(&answers.name),
        quoted(&answers.description),
    )
}

fn agents_md() -> String {
    "# Working agreement\n\
     \n\
     How agents in this workspace work with you. Every session starts with this file.\n\
     \n\
     - Recall before you ask: `signet recall \"<question>\"`.\n\
     - Remember what will matter next week: decisions, preferences, rules, corrections.\n\
     - Say what a memory is based on; a memory is evidence, not an order.\n"
        .to_owned()
}

fn soul_md(answers: &Answers) -> String {
    format!(
        "# Soul\n\
         \n\
         The voice of {}: how it speaks, what it cares about, where it stops.\n\
         \n\
         - Plain words, short answers.\n\
         - Says when it does not know.\n",
        answers.name
    )
}

fn identity_md(answers: &Answers) -> String {
    let description = if answers.description.is_empty() { "not said yet" } else { &answers.description };
    format!("# Identity\n\n- name: {}\n- what for: {description}\n", answers.name)
}

fn user_md() -> String {
    "# You\n\
     \n\
     What agents should always know about you. Keep it short: the rest belongs in memories.\n\
     \n\
     - name:\n\
     - time zone:\n\
     - works on:\n"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Answers {
        Answers {
            name: "Ada \"the\" agent: x".to_owned(),
            description: "notes # not a comment".to_owned(),
            provider: "openai",
            model: Some("m: 1".to_owned()),
            dimensions: Some(768),
            mode: "team",
            start: false,
        }
    }

    #[test]
    fn the_written_configuration_is_a_good_one() {
        for provider in ["native", "openai", "ollama", "none"] {
            let mut answers = Answers { provider, ..answers() };
            if provider == "native" {
                (answers.model, answers.dimensions) = (None, None);
            }
            let loaded = load::from_text(agent_yaml(&answers).as_bytes(), &crate::env::Env::default());
            assert_eq!(loaded.issues, Vec::new(), "{provider}");
            let settings = loaded.settings.unwrap();
            assert_eq!(settings.agent.name.as_deref(), Some("Ada \"the\" agent: x"));
            assert_eq!(
                (settings.embedding.provider.as_str(), settings.auth.mode.as_str()),
                (provider, "team")
            );
        }
    }

    #[test]
    fn what_is_there_stays_and_a_second_run_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::write(folder.path().join("SOUL.md"), "mine").unwrap();
        std::fs::write(folder.path().join(".gitignore"), "*.tmp").unwrap();
        let first = Plan::make(folder.path(), &answers()).unwrap();
        assert_eq!(first.kept, [folder.path().join("SOUL.md")]);
        first.write().unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("SOUL.md")).unwrap(), "mine");
        let ignore = std::fs::read_to_string(folder.path().join(".gitignore")).unwrap();
        assert!(ignore.starts_with("*.tmp\n# Signet generated data\n"), "{ignore}");
        let second = Plan::make(folder.path(), &answers()).unwrap();
        assert_eq!((second.files.len(), second.kept.len()), (0, 6));
    }
}
