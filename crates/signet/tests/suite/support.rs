//! A home of its own for each test, the built binary in it, and a daemon that cannot outlive the test.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Longest wait for something that must happen; far beyond what it takes.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A temporary home with a workspace in it. Nothing of the machine's environment is seen.
#[derive(Debug)]
pub(crate) struct Home {
    dir: TempDir,
    folder: String,
    vars: Vec<(String, String)>,
}

/// What a command said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Said {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Standard output of a command that must have worked.
    pub(crate) fn ok(&self) -> &str {
        assert_eq!(self.code, 0, "{self:?}");
        &self.out
    }
}

impl Home {
    /// A home without vectors: fast, and enough wherever meaning is not the question.
    pub(crate) fn new() -> Self {
        let home = Self::bare();
        home.write("agent.yaml", "embedding:\n  provider: none\n");
        home
    }

    /// A home without any file.
    pub(crate) fn bare() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), folder: ".agents".to_owned(), vars: Vec::new() }
    }

    /// The same home with the workspace under another name.
    pub(crate) fn in_folder(mut self, folder: &str) -> Self {
        let from = self.workspace();
        folder.clone_into(&mut self.folder);
        std::fs::create_dir_all(self.workspace().parent().unwrap()).unwrap();
        if from.exists() {
            std::fs::rename(from, self.workspace()).unwrap();
        }
        self
    }

    /// The same home with an environment variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The workspace.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.dir.path().join(&self.folder)
    }

    /// The home folder.
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Writes a file into the workspace.
    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.workspace().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// A command of the built binary, with nothing in its environment but this home.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_signet"));
        command.args(args);
        self.dress(&mut command);
        command
    }

    /// Gives any command this home.
    pub(crate) fn dress(&self, command: &mut Command) {
        command
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("SIGNET_WORKSPACE", self.workspace())
            .env("SIGNET_PORT", "0")
            .env("USER", "ada")
            .env("TZ", "UTC")
            .current_dir(self.path())
            .stdin(Stdio::null());
        for (name, value) in &self.vars {
            command.env(name, value);
        }
    }

    /// Runs a command to its end. It never starts a daemon.
    pub(crate) fn signet(&self, args: &[&str]) -> Said {
        let mut command = self.command(args);
        command.env("SIGNET_NO_AUTOSTART", "1");
        said(&mut command)
    }

    /// What the lock file says, when it is whole.
    pub(crate) fn lock(&self) -> Option<Value> {
        let text = std::fs::read_to_string(self.workspace().join(".daemon/daemon.lock")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Processes that have this home's workspace on their command line or in their environment.
    pub(crate) fn left_running(&self) -> Vec<u32> {
        let needle = self.dir.path().to_str().unwrap().as_bytes().to_owned();
        let holds = |path: PathBuf| {
            std::fs::read(path).is_ok_and(|text| text.windows(needle.len()).any(|window| window == needle))
        };
        std::fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
            .filter(|pid| *pid != std::process::id())
            .filter(|pid| holds(PathBuf::from(format!("/proc/{pid}/environ"))))
            .collect()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        for pid in self.left_running() {
            if let Some(pid) = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap_or_default()) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

/// Runs a command to its end.
pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// Looks again and again until there is an answer.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not happen");
        #[expect(
            clippy::disallowed_methods,
            reason = "another process is polled, a few milliseconds at a time"
        )]
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A daemon in a home of its own.
#[derive(Debug)]
pub(crate) struct TestDaemon {
    /// Its home.
    pub(crate) home: Home,
    /// Its address.
    pub(crate) url: String,
    child: Child,
}

impl TestDaemon {
    /// A ready daemon in a new home without vectors.
    pub(crate) fn start() -> Self {
        Self::start_in(Home::new())
    }

    /// A ready daemon in this home.
    pub(crate) fn start_in(home: Home) -> Self {
        let mut command = home.command(&["daemon", "run"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut daemon = Self { home, url: String::new(), child };
        daemon.url = daemon.wait_ready();
        daemon
    }

    fn wait_ready(&mut self) -> String {
        let pid = u64::from(self.child.id());
        until("a ready daemon", || {
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("the daemon ended with {status}: {}", self.log());
            }
            let lock = self.home.lock().filter(|lock| lock["pid"] == pid)?;
            let url = lock["url"].as_str()?.to_owned();
            std::net::TcpStream::connect(url.strip_prefix("http://")?).ok().map(|_| url)
        })
    }

    /// The log file.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.home.workspace().join(".daemon/logs/signet.log")).unwrap_or_default()
    }

    /// Process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Runs a command against it.
    pub(crate) fn signet(&self, args: &[&str]) -> Said {
        self.home.signet(args)
    }

    /// Runs a command that must work, and reads its JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let mut args = args.to_vec();
        args.insert(0, "--json");
        let said = self.signet(&args);
        said.ok();
        said.json()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_raw(i32::try_from(self.pid()).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits for its end; the exit code, when it was not killed.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        until("the end of the daemon", || self.child.try_wait().unwrap()).code()
    }

    /// Kills it without warning, as a power cut would.
    pub(crate) fn kill(mut self) -> Home {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.into_home()
    }

    /// The home, once the daemon has ended.
    pub(crate) fn into_home(mut self) -> Home {
        assert!(self.child.try_wait().unwrap().is_some(), "the daemon still runs");
        std::mem::replace(&mut self.home, Home::bare())
    }
}

impl Drop for TestDaemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !std::thread::panicking() {
            assert_eq!(self.home.left_running(), Vec::<u32>::new(), "processes are left");
        }
    }
}

/// Text with what differs from run to run replaced by names.
pub(crate) fn stable(text: &str, home: &Home) -> String {
    let text = text.replace(home.path().to_str().unwrap(), "[home]");
    let mut out = Vec::new();
    for word in text.split_inclusive(|ch: char| ch.is_whitespace() || matches!(ch, ',' | ')' | '(' | '"')) {
        let bare =
            word.trim_end_matches(|ch: char| ch.is_whitespace() || matches!(ch, ',' | ')' | '(' | '"'));
        let name = if is_id(bare) {
            Some("[id]")
        } else if bare.starts_with("http://127.0.0.1:") {
            Some("[url]")
        } else {
            None
        };
        out.push(name.map_or_else(|| word.to_owned(), |name| word.replacen(bare, name, 1)));
    }
    out.concat()
}

fn is_id(word: &str) -> bool {
    word.len() == 36
        && word
            .chars()
            .enumerate()
            .all(|(n, ch)| if [8, 13, 18, 23].contains(&n) { ch == '-' } else { ch.is_ascii_hexdigit() })
}

/// Arguments as the operating system has them.
pub(crate) fn os(text: &[u8]) -> &OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(text)
}
