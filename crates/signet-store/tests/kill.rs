//! Acknowledged writes survive the death of the process at any moment, and no closure survives by half.
//!
//! The test starts itself again as a child that writes from several threads and prints what was
//! acknowledged; it kills the child, opens the workspace and compares.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test with a main of its own")]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::json;
use signet_store::control::meta;
use signet_store::db::damage::Check;
use signet_store::db::lifecycle::LastStop;
use signet_store::fault::{Action, Faults, Point};
use signet_store::testing::{TestClock, dump, seeded_ids};
use signet_store::{OpenOptions, Store};

const TESTS: [(&str, fn()); 5] = [
    ("a_kill_at_a_random_moment_loses_no_acknowledged_write", killed_at_random_moments),
    ("a_kill_with_the_rollback_journal_loses_no_acknowledged_write", killed_with_the_rollback_journal),
    ("a_death_at_each_fault_point_leaves_whole_groups", died_at_fault_points),
    ("a_death_in_a_migration_leaves_the_schema_as_before", died_in_a_migration),
    ("every_file_is_private_under_a_permissive_umask", permissive_umask),
];

const THREADS: usize = 16;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((role, rest)) = args.split_first()
        && role == "child"
    {
        return child(rest);
    }
    let flag = |name: &str| args.iter().any(|arg| arg == name);
    let chosen: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    for (name, test) in TESTS {
        let wanted = chosen.is_empty() || chosen.iter().any(|filter| name.contains(filter.as_str()));
        if flag("--ignored") {
            // There are none.
        } else if flag("--list") {
            println!("{name}: test");
        } else if wanted {
            test();
        }
    }
}

/// Writes until it dies. Arguments: workspace, prefix of the keys, fault point, visits before it strikes.
fn child(args: &[String]) {
    let faults = Faults::default();
    let point = match args[2].as_str() {
        "before-commit" => Some(Point::BeforeCommit),
        "after-commit" => Some(Point::AfterCommit),
        "mid-group" => Some(Point::MidGroup),
        "in-migration" => Some(Point::InMigration),
        _ => None,
    };
    if let Some(point) = point {
        faults.arm(point, Action::Abort, args[3].parse().unwrap());
    }
    let mut options = OpenOptions::new(&args[0], seeded_ids(&TestClock::new(), 1));
    options.faults = faults;
    let store = Store::open(&options).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let writer = store.writer();
            let prefix = &args[1];
            scope.spawn(move || {
                for n in 0.. {
                    let key = format!("{prefix}/{thread}/{n}");
                    let written = key.clone();
                    writer
                        .write_blocking(move |tx| {
                            meta::set(tx, &format!("{written}/left"), &json!("x".repeat(n % 900)))?;
                            meta::set(tx, &format!("{written}/right"), &json!(n))
                        })
                        .unwrap();
                    println!("{key}");
                }
            });
        }
    });
}

/// A running child and what it prints.
struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

fn start(workspace: &Path, prefix: &str, point: &str, passes: u32) -> Running {
    // A shell sets the umask, which would otherwise be this process's own.
    let mut child = Command::new("sh")
        .args(["-c", "umask 000; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .arg("child")
        .arg(workspace)
        .args([prefix, point, &passes.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    Running { child, lines }
}

impl Running {
    /// Kills the child after `count` acknowledgements; returns all that it printed.
    fn kill_after(mut self, count: usize) -> BTreeSet<String> {
        let mut acknowledged: BTreeSet<String> =
            self.lines.by_ref().take(count).map(Result::unwrap).collect();
        self.child.kill().unwrap();
        acknowledged.extend(self.lines.map(Result::unwrap));
        self.child.wait().unwrap();
        acknowledged
    }

    /// Waits for the child's own end; returns what it printed.
    fn until_it_dies(mut self) -> BTreeSet<String> {
        let acknowledged = self.lines.map(Result::unwrap).collect();
        assert!(!self.child.wait().unwrap().success());
        acknowledged
    }
}

/// Opens the workspace as a restart does and returns the keys of whole closures; fails on a half one.
fn reopened(workspace: &Path) -> BTreeSet<String> {
    let store = Store::open(&OpenOptions::new(workspace, seeded_ids(&TestClock::new(), 2))).unwrap();
    assert_eq!(store.last_stop(), LastStop::Unclean);
    while store.health().report().check == Check::Running {
        std::thread::yield_now();
    }
    assert_eq!(store.health().report().check, Check::Passed);
    let raw = rusqlite::Connection::open(workspace.join("memory/memories.db")).unwrap();
    let sound: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    assert_eq!(raw.query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| row.get(0)), Ok(0));
    let keys = |side: &str| -> BTreeSet<String> {
        let sql = format!(
            "SELECT substr(key, 1, length(key) - {}) FROM daemon_meta WHERE key LIKE '%{side}'",
            side.len()
        );
        raw.prepare(&sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let left = keys("/left");
    assert_eq!(left, keys("/right"), "a closure was stored by half");
    left
}

fn killed_at_random_moments() {
    let workspace = tempfile::tempdir().unwrap();
    kill_again_and_again(workspace.path(), 12);
}

fn killed_with_the_rollback_journal() {
    let root = tempfile::tempdir().unwrap();
    // A synced folder gets the safe journal, which a kill leaves to be rolled back at the next start.
    kill_again_and_again(&root.path().join("Dropbox").join("agents"), 8);
}

fn kill_again_and_again(workspace: &Path, rounds: usize) {
    let mut acknowledged = BTreeSet::new();
    let mut seed = 0x5347_4E54_u64;
    for round in 0..rounds {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let count = (seed >> 33) as usize % 700;
        acknowledged.extend(start(workspace, &format!("round {round}"), "none", 0).kill_after(count + 1));
        let stored = reopened(workspace);
        let lost: Vec<_> = acknowledged.difference(&stored).collect();
        assert!(lost.is_empty(), "round {round} lost {lost:?}");
    }
    assert!(acknowledged.len() > 500);
}

fn died_at_fault_points() {
    for (point, passes) in [("before-commit", 7), ("after-commit", 7), ("mid-group", 20)] {
        let workspace = tempfile::tempdir().unwrap();
        let acknowledged = start(workspace.path(), point, point, passes).until_it_dies();
        assert!(!acknowledged.is_empty());
        let stored = reopened(workspace.path());
        assert!(acknowledged.is_subset(&stored), "{point}");
        // A thread may have died between its answer and its line, and has one write under way at most.
        let unanswered = stored.difference(&acknowledged).count();
        assert!(unanswered <= THREADS, "{point}: {unanswered}");
        assert!(unanswered > 0 || point != "after-commit");
    }
}

fn died_in_a_migration() {
    let (died, fresh) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let acknowledged = start(died.path(), "x", "in-migration", 0).until_it_dies();
    assert_eq!(acknowledged, BTreeSet::new());
    let contents = |workspace: &Path| {
        drop(Store::open(&OpenOptions::new(workspace, seeded_ids(&TestClock::new(), 3))).unwrap());
        let raw = rusqlite::Connection::open(workspace.join("memory/memories.db")).unwrap();
        dump::dump(&raw, &["schema_migrations_audit"])
    };
    assert_eq!(contents(died.path()), contents(fresh.path()));
}

fn permissive_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let workspace = root.path().join("a b/ü 名");
    start(&workspace, "x", "none", 0).kill_after(50);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut folders = vec![workspace];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            assert_eq!(mode(&path), 0o600, "{}", path.display());
            files += 1;
        }
    }
    assert!(files >= 4, "database, log, shared memory, lock");
}
