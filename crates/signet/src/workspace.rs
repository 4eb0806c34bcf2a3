//! Where the workspace is, and the names of what lies in it.

use std::path::{Path, PathBuf};

use crate::env::Env;

/// How the workspace was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// `--workspace`.
    Flag,
    /// `$SIGNET_WORKSPACE`.
    Workspace,
    /// `$SIGNET_PATH`.
    Path,
    /// `~/.agents`.
    Default,
}

impl Source {
    /// The word in status.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Workspace => "SIGNET_WORKSPACE",
            Self::Path => "SIGNET_PATH",
            Self::Default => "default",
        }
    }
}

/// The workspace folder; it may not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workspace {
    /// Absolute path.
    pub(crate) root: PathBuf,
    /// How it was chosen.
    pub(crate) source: Source,
}

impl Workspace {
    /// Chooses: flag, `SIGNET_WORKSPACE`, `SIGNET_PATH`, `~/.agents`. `None` without any of them and
    /// without a home folder. The result never depends on the current folder later on.
    pub(crate) fn choose(flag: Option<&Path>, env: &Env) -> Option<Self> {
        let chosen = match flag {
            Some(path) => Some((path.to_owned(), Source::Flag)),
            None => env
                .get("SIGNET_WORKSPACE")
                .map(|path| (PathBuf::from(path), Source::Workspace))
                .or_else(|| env.get("SIGNET_PATH").map(|path| (PathBuf::from(path), Source::Path)))
                .or_else(|| env.home().map(|home| (home.join(".agents"), Source::Default))),
        };
        let (path, source) = chosen?;
        let path = expand_home(path, env);
        let root = std::path::absolute(&path).unwrap_or(path);
        Some(Self { root, source })
    }

    /// A path inside.
    pub(crate) fn at(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Folder of runtime files.
    pub(crate) fn daemon_dir(&self) -> PathBuf {
        self.root.join(".daemon")
    }

    /// The token secret.
    pub(crate) fn secret(&self) -> PathBuf {
        self.daemon_dir().join("auth-secret")
    }

    /// The marker that a person stopped the daemon.
    pub(crate) fn stopped_marker(&self) -> PathBuf {
        self.daemon_dir().join("stopped")
    }
}

fn expand_home(path: PathBuf, env: &Env) -> PathBuf {
    match (path.strip_prefix("~"), env.home()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_d2_and_empty_is_unset() {
        let all = Env::of(&[("SIGNET_WORKSPACE", "/w"), ("SIGNET_PATH", "/p"), ("HOME", "/h")]);
        let path = Env::of(&[("SIGNET_WORKSPACE", ""), ("SIGNET_PATH", "/p"), ("HOME", "/h")]);
        let home = Env::of(&[("HOME", "/h")]);
        let chosen = |flag: Option<&str>, env: &Env| {
            Workspace::choose(flag.map(Path::new), env).map(|w| (w.root.display().to_string(), w.source))
        };
        assert_eq!(chosen(Some("/f"), &all), Some(("/f".to_owned(), Source::Flag)));
        assert_eq!(chosen(Some("~/x"), &all), Some(("/h/x".to_owned(), Source::Flag)));
        assert_eq!(chosen(None, &all), Some(("/w".to_owned(), Source::Workspace)));
        assert_eq!(chosen(None, &path), Some(("/p".to_owned(), Source::Path)));
        assert_eq!(chosen(None, &home), Some(("/h/.agents".to_owned(), Source::Default)));
        assert_eq!(chosen(None, &Env::default()), None);
    }
}
