//! The project of the current folder: its git repository, else the folder itself.

use std::path::{Path, PathBuf};

use super::fail::Fail;

/// The project around `folder`. A worktree counts as its main repository when `follow_worktrees` says so.
pub(crate) fn around(folder: &Path, follow_worktrees: Worktrees) -> PathBuf {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    for root in folder.ancestors() {
        let git = root.join(".git");
        if git.is_dir() {
            return root.to_owned();
        }
        if git.is_file() {
            let main = (follow_worktrees == Worktrees::Follow).then(|| main_repository(root, &git)).flatten();
            return main.unwrap_or_else(|| root.to_owned());
        }
    }
    folder
}

/// What a worktree counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worktrees {
    /// Its main repository.
    Follow,
    /// Itself.
    Keep,
}

/// The main repository of a worktree: `.git` is a file `gitdir: <main>/.git/worktrees/<name>`.
/// `None` for submodules, whose `.git` file leads to `modules`.
fn main_repository(root: &Path, git: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(git).ok()?;
    let target = root.join(text.strip_prefix("gitdir:")?.trim());
    let worktrees =
        target.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "worktrees"))?;
    let main =
        worktrees.parent().filter(|dir| dir.file_name().is_some_and(|name| name == ".git"))?.parent()?;
    std::fs::canonicalize(main).ok()
}

/// A project as a flag names it: `.` and paths that exist are resolved, any other text is a name.
pub(crate) fn named(text: &str, follow_worktrees: Worktrees) -> Result<String, Fail> {
    let path = Path::new(text);
    let is_path = text == "." || text.starts_with("./") || text.starts_with("../") || text == "..";
    if is_path || (path.is_absolute() && path.is_dir()) {
        return as_text(&around(path, follow_worktrees));
    }
    Ok(text.to_owned())
}

/// The path as text; a path that is not UTF-8 cannot be a project name.
pub(crate) fn as_text(path: &Path) -> Result<String, Fail> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Fail::usage(format!("{} is not UTF-8", path.display()))
            .hint("name the project with --project, or --global-project")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repository_worktree_submodule_and_plain_folder() {
        let folder = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(folder.path()).unwrap();
        for dir in [
            "main/.git/worktrees/feature",
            "main/src/deep",
            "feature/src",
            "main/.git/modules/sub",
            "main/sub",
            "plain/x",
        ] {
            std::fs::create_dir_all(base.join(dir)).unwrap();
        }
        let gitdir = |of: &str, to: PathBuf| {
            std::fs::write(base.join(of).join(".git"), format!("gitdir: {}\n", to.display())).unwrap();
        };
        gitdir("feature", base.join("main/.git/worktrees/feature"));
        gitdir("main/sub", PathBuf::from("../.git/modules/sub"));
        let project = |dir: &str| around(&base.join(dir), Worktrees::Follow);
        assert_eq!(project("main/src/deep"), base.join("main"));
        assert_eq!(project("feature/src"), base.join("main"));
        assert_eq!(around(&base.join("feature/src"), Worktrees::Keep), base.join("feature"));
        assert_eq!(project("main/sub"), base.join("main/sub"));
        assert_eq!(project("plain/x"), base.join("plain/x"));
        assert_eq!(named("billing", Worktrees::Follow).unwrap(), "billing");
    }
}
