//! `signet daemon logs`: reads the log files themselves, so it works when the daemon is down.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::cx::Cx;
use super::fail::Fail;
use super::out::Style;
use super::{session, text, when};
use crate::config;
use crate::logging::numbered;

/// Pause between two looks with `-f`.
const POLL: Duration = Duration::from_millis(250);

/// Arguments of `daemon logs`.
#[derive(Debug, Args)]
pub(crate) struct Logs {
    /// Last lines to show.
    #[arg(short = 'n', long = "lines", default_value_t = 100, value_name = "N")]
    lines: usize,
    /// Go on showing new lines.
    #[arg(short = 'f', long)]
    follow: bool,
    /// Only this level and worse.
    #[arg(short = 'l', long, value_enum, default_value = "trace", hide_default_value = true)]
    level: Level,
    /// Only lines whose category starts so.
    #[arg(short = 'c', long, value_name = "CATEGORY")]
    category: Option<String>,
    /// Only lines at or after this time, RFC 3339.
    #[arg(long, value_name = "TIME")]
    since: Option<jiff::Timestamp>,
}

/// Levels, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// Shows the log.
pub(crate) fn run(cx: &Cx, args: &Logs) -> Result<(), Fail> {
    let path = log_file(cx)?;
    if !path.exists() {
        return Err(Fail::new(
            signet_model::Code::NotFound,
            format!("there is no log yet at {}", path.display()),
        ));
    }
    let mut last: VecDeque<String> = VecDeque::new();
    let mut read = 0;
    for file in files(&path) {
        read = each_line(&file, 0, |line| {
            if wanted(args, line) {
                last.push_back(line.to_owned());
                if last.len() > args.lines {
                    last.pop_front();
                }
            }
            Ok(())
        })?;
    }
    for line in &last {
        print(cx, line)?;
    }
    if args.follow { follow(cx, args, &path, read) } else { Ok(()) }
}

fn log_file(cx: &Cx) -> Result<PathBuf, Fail> {
    if let Some(file) = cx.env.get("SIGNET_LOG_FILE") {
        return Ok(PathBuf::from(file));
    }
    let workspace = cx.workspace()?;
    let settings = config::load(&workspace.root, &cx.env).settings;
    let folder = settings.map_or_else(|| ".daemon/logs".to_owned(), |settings| settings.logging.dir);
    Ok(workspace.root.join(folder).join("signet.log"))
}

/// Closed files from the oldest on, then the current one.
fn files(path: &Path) -> Vec<PathBuf> {
    let mut closed: Vec<PathBuf> =
        (1..=100).map(|n| numbered(path, n)).take_while(|file| file.exists()).collect();
    closed.reverse();
    closed.push(path.to_owned());
    closed
}

/// Calls with every whole line from `from` on; returns where the next one begins.
fn each_line(path: &Path, from: u64, mut with: impl FnMut(&str) -> Result<(), Fail>) -> Result<u64, Fail> {
    let failed = |error: std::io::Error| Fail::local(format!("{}: {error}", path.display()));
    let mut file = std::fs::File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(from)).map_err(failed)?;
    let mut reader = BufReader::new(file);
    let (mut at, mut line) = (from, Vec::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 || !line.ends_with(b"\n") {
            return Ok(at);
        }
        at += length as u64;
        with(String::from_utf8_lossy(&line).trim_end())?;
    }
}

fn follow(cx: &Cx, args: &Logs, path: &Path, mut read: u64) -> Result<(), Fail> {
    let runtime = session::runtime()?;
    loop {
        runtime.block_on(async { tokio::time::sleep(POLL).await });
        let Ok(size) = std::fs::metadata(path).map(|metadata| metadata.len()) else { continue };
        if size < read {
            // The file was closed and a new one begun.
            read = 0;
        }
        read = each_line(path, read, |line| if wanted(args, line) { print(cx, line) } else { Ok(()) })?;
    }
}

fn wanted(args: &Logs, line: &str) -> bool {
    let Ok(entry) = serde_json::from_str::<Value>(line) else { return args.category.is_none() };
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
    let level = Level::from_str(text("level"), true).unwrap_or(Level::Trace);
    let since = args
        .since
        .is_none_or(|since| text("timestamp").parse::<jiff::Timestamp>().is_ok_and(|at| at >= since));
    level <= args.level
        && since
        && args.category.as_deref().is_none_or(|category| text("target").starts_with(category))
}

fn print(cx: &Cx, line: &str) -> Result<(), Fail> {
    let entry = serde_json::from_str::<Value>(line);
    let Ok(Value::Object(mut fields)) = entry else { return cx.out.line(&text::one_line(line)) };
    if cx.out.is_json() {
        return cx.out.line(line);
    }
    let mut take = |key: &str| match fields.shift_remove(key) {
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let (at, level, message, target) = (take("timestamp"), take("level"), take("message"), take("target"));
    let style = match level.as_str() {
        "ERROR" => Style::Bad,
        "WARN" => Style::Warn,
        _ => Style::Dim,
    };
    let rest: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={}", bare(value))).collect();
    let line = [
        when::to_the_second(&at),
        cx.out.paint(style, &format!("{level:<5}")),
        target,
        text::one_line(&message),
        text::one_line(&rest.join(" ")),
    ];
    cx.out.line(line.join(" ").trim_end())
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    #[test]
    fn lines_are_chosen_by_level_category_and_time() {
        let line = r#"{"timestamp":"2026-03-04T10:00:00Z","level":"WARN","target":"signet_store::db","message":"m"}"#;
        let chosen = |args: &[&str], line: &str| {
            let args = ["signet", "logs"].into_iter().chain(args.iter().copied());
            let Some(Command::Logs(args)) = Cli::parse_from(args).command else { panic!("logs") };
            wanted(&args, line)
        };
        assert!(chosen(&[], line) && chosen(&["-l", "warn"], line) && chosen(&["-c", "signet_store"], line));
        assert!(!chosen(&["-l", "error"], line) && !chosen(&["-c", "signet_server"], line));
        assert!(
            chosen(&["--since", "2026-03-04T10:00:00Z"], line)
                && !chosen(&["--since", "2026-03-04T10:00:01Z"], line)
        );
        assert!(chosen(&[], "no json at all"));
    }

    #[test]
    fn a_line_that_is_still_written_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signet.log");
        std::fs::write(&path, "one\ntwo\nthr").unwrap();
        let mut seen = Vec::new();
        let read = each_line(&path, 0, |line| {
            seen.push(line.to_owned());
            Ok(())
        });
        assert_eq!((read, seen), (Ok(8), vec!["one".to_owned(), "two".to_owned()]));
    }
}
