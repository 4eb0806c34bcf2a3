//! The daemon's log: readable lines on standard error, JSON lines in a file that is rotated by size.
//!
//! Never holds content, prompts, tokens or secrets; the callers log ids and counts.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use signet_store::private;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Lines before the file is open that are kept for it.
const EARLY_BYTES: usize = 64 * 1024;

/// Where and how much.
#[derive(Debug, Clone)]
pub(crate) struct LogOptions {
    /// Least important level.
    pub(crate) level: String,
    /// Filter of the person (`SIGNET_LOG`), instead of the level.
    pub(crate) filter: Option<String>,
    /// Also on standard error.
    pub(crate) stderr: bool,
    /// Current file.
    pub(crate) file: PathBuf,
    /// A file is closed at this size.
    pub(crate) max_bytes: u64,
    /// Closed files that are kept.
    pub(crate) max_files: usize,
}

/// The log file. Lines are held back until [`LogFile::open`], which comes after the workspace's lock:
/// a second daemon writes nothing.
#[derive(Debug, Clone)]
pub(crate) struct LogFile {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    max_bytes: u64,
    max_files: usize,
    file: Option<(File, u64)>,
    early: Vec<u8>,
}

/// Installs the log of this process. A bad filter is the error.
pub(crate) fn install(options: &LogOptions) -> Result<LogFile, String> {
    let targets = targets(options)?;
    let file = LogFile::new(options);
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(file.clone());
    let stderr = options.stderr.then(|| {
        tracing_subscriber::fmt::layer()
            .with_writer(io::stderr)
            .with_ansi(io::IsTerminal::is_terminal(&io::stderr()))
            .with_filter(targets.clone())
    });
    let installed = tracing_subscriber::registry().with(lines.with_filter(targets)).with(stderr).try_init();
    installed.map_err(|error| error.to_string())?;
    Ok(file)
}

/// Our crates at the wanted level, everything else from warnings on.
fn targets(options: &LogOptions) -> Result<Targets, String> {
    if let Some(filter) = &options.filter {
        return filter.parse().map_err(|error| format!("SIGNET_LOG `{filter}`: {error}"));
    }
    let ours =
        ["signet", "signet_server", "signet_store", "signet_provider", "signet_recall", "signet_workers"];
    let mut directives = vec!["warn".to_owned()];
    directives.extend(ours.iter().map(|target| format!("{target}={}", options.level)));
    directives.join(",").parse().map_err(|error| format!("log level `{}`: {error}", options.level))
}

impl LogFile {
    fn new(options: &LogOptions) -> Self {
        let inner = Inner {
            path: options.file.clone(),
            max_bytes: options.max_bytes,
            max_files: options.max_files,
            file: None,
            early: Vec::new(),
        };
        Self { inner: Arc::new(Mutex::new(inner)) }
    }

    /// Opens the file (0600) and writes what was held back.
    pub(crate) fn open(&self) -> io::Result<()> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.open()?;
        let early = std::mem::take(&mut inner.early);
        inner.append(&early)
    }
}

impl Inner {
    fn open(&mut self) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            private::folder(folder).map_err(io::Error::other)?;
        }
        let mut file = private::file(&self.path).map_err(io::Error::other)?;
        let size = io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
        self.file = Some((file, size));
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.as_ref().is_some_and(|(_, size)| *size > 0 && size + bytes.len() as u64 > self.max_bytes)
        {
            self.rotate()?;
        }
        let Some((file, size)) = &mut self.file else {
            let room = EARLY_BYTES.saturating_sub(self.early.len());
            self.early.extend_from_slice(&bytes[..bytes.len().min(room)]);
            return Ok(());
        };
        file.write_all(bytes)?;
        *size += bytes.len() as u64;
        Ok(())
    }

    /// `signet.log` becomes `signet.log.1`, that one `.2`, and so on; the oldest is dropped.
    fn rotate(&mut self) -> io::Result<()> {
        self.file = None;
        let closed = |n: usize| numbered(&self.path, n);
        for n in (1..self.max_files).rev() {
            if closed(n).exists() {
                std::fs::rename(closed(n), closed(n + 1))?;
            }
        }
        std::fs::rename(&self.path, closed(1))?;
        self.open()
    }
}

/// Name of a closed file.
pub(crate) fn numbered(path: &Path, n: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{n}"));
    PathBuf::from(name)
}

/// One event's line; a full disk must not stop the daemon, so a failed line is dropped.
#[derive(Debug)]
pub(crate) struct Line<'f>(&'f LogFile);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut inner = self.0.inner.lock().unwrap_or_else(PoisonError::into_inner);
        drop(inner.append(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'f> MakeWriter<'f> for LogFile {
    type Writer = Line<'f>;

    fn make_writer(&'f self) -> Self::Writer {
        Line(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(file: PathBuf) -> LogOptions {
        LogOptions {
            level: "info".to_owned(),
            filter: None,
            stderr: false,
            file,
            max_bytes: 100,
            max_files: 2,
        }
    }

    #[test]
    fn lines_wait_for_the_file_and_old_files_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/signet.log");
        let log = LogFile::new(&options(path.clone()));
        Line(&log).write_all(b"early\n").unwrap();
        assert!(!path.exists());
        log.open().unwrap();
        for n in 0..8 {
            Line(&log).write_all(format!("{n} {}\n", "x".repeat(60)).as_bytes()).unwrap();
        }
        let mut names: Vec<String> = path
            .parent()
            .unwrap()
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["signet.log", "signet.log.1", "signet.log.2"]);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("7 "));
        assert!(std::fs::read_to_string(numbered(&path, 2)).unwrap().starts_with("5 "));
    }

    #[test]
    fn a_bad_filter_is_named() {
        let mut options = options(PathBuf::from("x"));
        assert!(targets(&options).is_ok());
        options.filter = Some("signet=loud".to_owned());
        assert!(targets(&options).unwrap_err().contains("SIGNET_LOG"));
    }
}
