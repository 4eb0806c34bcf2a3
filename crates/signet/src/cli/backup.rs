//! `signet backup`: one verified file, copied page by page while the daemon may go on writing.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use signet_model::Code;
use signet_store::db::backup::{self, BackupReport, texts};

use super::cx::{self, Cx};
use super::fail::Fail;
use super::{offline, text};

/// Arguments of `backup`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Backup {
    #[command(subcommand)]
    command: Option<Action>,
    /// The file to make, or a folder to make it in [default: backups/ of the workspace].
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
}

/// What to do with backups.
#[derive(Debug, Subcommand)]
enum Action {
    /// Check every page and reference of a backup; exit 8 when it is not sound.
    Verify {
        /// The backup.
        file: PathBuf,
    },
}

/// Makes or verifies a backup.
pub(crate) fn run(cx: &Cx, args: &Backup) -> Result<(), Fail> {
    match &args.command {
        Some(Action::Verify { file }) => verify(cx, file),
        None => create(cx, args.output.as_deref()),
    }
}

fn create(cx: &Cx, output: Option<&Path>) -> Result<(), Fail> {
    let workspace = cx.workspace()?;
    let folder = match output {
        Some(path) if !path.is_dir() => return tell(cx, "Made", &made(&workspace.root, path)?),
        Some(folder) => folder.to_owned(),
        None => workspace.at("backups"),
    };
    let stamp: String = cx::ids().now().to_string().chars().filter(char::is_ascii_digit).collect();
    tell(cx, "Made", &made(&workspace.root, &folder.join(format!("signet-{stamp}.db")))?)
}

fn made(workspace: &Path, to: &Path) -> Result<BackupReport, Fail> {
    let to = std::path::absolute(to).map_err(|error| Fail::usage(format!("{}: {error}", to.display())))?;
    backup::create(workspace, &to).map_err(offline::explain)
}

fn verify(cx: &Cx, file: &Path) -> Result<(), Fail> {
    match backup::verify(file) {
        Ok(report) => {
            refuse_altered(cx, file)?;
            tell(cx, "Sound:", &report)
        }
        Err(error) if error.code() == Code::Corrupt => {
            cx.out.failure(&offline::explain(error));
            Err(Fail::findings())
        }
        Err(error) => Err(offline::explain(error)),
    }
}

/// Names the memories whose text is no longer the one that was stored.
fn refuse_altered(cx: &Cx, file: &Path) -> Result<(), Fail> {
    let texts = texts::compare(file).map_err(offline::explain)?;
    if texts.altered == 0 {
        return Ok(());
    }
    let message = format!(
        "{} does not verify: the text of {} of {} memories was altered ({})",
        file.display(),
        texts.altered,
        texts.checked,
        texts.named.join(", ")
    );
    let fail = Fail::new(Code::Corrupt, message)
        .hint("use another backup; every other memory of this one is sound, and `signet restore` takes it");
    cx.out.failure(&fail.with("altered", json!(texts.altered)).with("memories", json!(texts.named)));
    Err(Fail::findings())
}

fn tell(cx: &Cx, what: &str, report: &BackupReport) -> Result<(), Fail> {
    let path = report.path.display().to_string();
    if cx.out.is_json() {
        return cx.out.json(&answer(&path, report));
    }
    cx.out.line(&format!(
        "{what} {path}\n{}, {}, schema {}, SHA-256 {}",
        memories(report),
        text::size(report.bytes),
        report.schema_version,
        report.sha256
    ))
}

/// How many memories a backup holds, with the noun.
pub(crate) fn memories(report: &BackupReport) -> String {
    text::count(report.memories, "memory", "memories")
}

fn answer(path: &str, report: &BackupReport) -> Value {
    json!({
        "path": path, "memories": report.memories, "bytes": report.bytes,
        "schemaVersion": report.schema_version, "sha256": report.sha256,
    })
}
