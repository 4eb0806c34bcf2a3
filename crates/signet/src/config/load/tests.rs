use std::os::unix::fs::symlink;

use super::*;

/// What is refused of a workspace in which `make` made `agent.yaml`.
fn refusal(make: impl FnOnce(&Path)) -> Option<String> {
    let workspace = tempfile::tempdir().unwrap();
    let path = workspace.path().join("agent.yaml");
    make(&path);
    let loaded = load(workspace.path(), &Env::default());
    assert_eq!(loaded.settings.is_none(), loaded.errors().next().is_some());
    let errors: Vec<String> = loaded.errors().map(|issue| loaded.describe(issue)).collect();
    errors.first().map(|error| error.replace(path.to_str().unwrap(), "[file]"))
}

#[test]
fn what_is_no_readable_file_is_never_taken_for_all_defaults() {
    let remedy = "put a regular file in its place, or move it away to run with all defaults";
    let dangling = refusal(|path| symlink("/nowhere/agent.yaml", path).unwrap());
    assert_eq!(dangling, Some(format!("[file]: is a symbolic link that leads nowhere; {remedy}")));
    let folder = refusal(|path| std::fs::create_dir(path).unwrap());
    assert_eq!(folder, Some(format!("[file]: is a folder; {remedy}")));
    let device = refusal(|path| symlink("/dev/zero", path).unwrap());
    assert_eq!(device, Some(format!("[file]: is not a regular file; {remedy}")));
    let pipe = refusal(|path| {
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    });
    assert_eq!(pipe, Some(format!("[file]: is not a regular file; {remedy}")));
    assert!(refusal(|path| symlink(path, path).unwrap()).unwrap().starts_with("[file]: cannot be read: "));
}

#[test]
fn a_file_a_link_to_one_and_none_are_fine() {
    assert_eq!(refusal(|path| std::fs::write(path, "search:\n  alpha: 0.5\n").unwrap()), None);
    let linked = |path: &Path| {
        let real = path.with_file_name("elsewhere.yaml");
        std::fs::write(&real, "search:\n  alpha: 0.5\n").unwrap();
        symlink(real, path).unwrap();
    };
    assert_eq!(refusal(linked), None);
    assert_eq!(refusal(|_| {}), None);
}

#[test]
fn a_workspace_below_a_file_has_no_configuration() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("file"), "").unwrap();
    assert_eq!(find(&root.path().join("file/workspace")), None);
}
