//! Refused calls for the audit file: equal ones within a minute are one line with a count, so that a
//! flood cannot fill the disk.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use signet_model::Timestamp;
use signet_store::control::denials::{ROTATE_AT, append};

const WINDOW_MS: i64 = 60_000;
/// Different refusals held at once; more than that are written out early.
const HELD_MAX: usize = 256;

/// One refusal. No body, no query, no credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Denial {
    /// When it was first refused.
    #[serde(serialize_with = "as_text")]
    pub time: Timestamp,
    /// Request id of the first.
    pub request_id: String,
    /// Code of the refusal.
    pub code: &'static str,
    /// HTTP status.
    pub status: u16,
    /// Method.
    pub method: String,
    /// Route template; unknown paths are not written, they could carry anything.
    pub route: Option<&'static str>,
    /// Peer address.
    pub peer: IpAddr,
    /// Host header.
    pub host: Option<String>,
    /// Origin header.
    pub origin: Option<String>,
    /// Subject, where one was known.
    pub principal: Option<String>,
    /// Permission or limit involved.
    pub about: Option<String>,
    /// How many equal ones.
    pub count: u64,
}

type Key = (IpAddr, Option<&'static str>, &'static str);

/// Refusals of the running minute.
#[derive(Debug, Clone)]
pub struct Denials {
    path: Arc<PathBuf>,
    held: Arc<Mutex<HashMap<Key, Denial>>>,
}

impl Denials {
    /// Refusals that go to this file.
    pub fn new(path: PathBuf) -> Self {
        Self { path: Arc::new(path), held: Arc::default() }
    }

    /// Counts one refusal; answers the lines that are due.
    pub fn note(&self, denial: Denial) -> Vec<String> {
        let now = denial.time;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let room = held.len() < HELD_MAX;
        let due = take(&mut held, |entry| !room || now.millis() - entry.time.millis() >= WINDOW_MS);
        held.entry((denial.peer, denial.route, denial.code))
            .and_modify(|entry| entry.count += 1)
            .or_insert(denial);
        due
    }

    /// Takes out the lines whose minute is over.
    pub fn due(&self, now: Timestamp) -> Vec<String> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        take(&mut held, |entry| now.millis() - entry.time.millis() >= WINDOW_MS)
    }

    /// Takes out everything, at the end of the daemon.
    pub fn all(&self) -> Vec<String> {
        take(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner), |_| true)
    }

    /// Writes lines to the file; a failure is logged, a refusal is answered all the same. Blocks.
    pub fn write(&self, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        if let Err(error) = append(&self.path, lines, ROTATE_AT) {
            tracing::error!(%error, lines = lines.len(), "refused calls could not be recorded");
        }
    }
}

fn take(held: &mut HashMap<Key, Denial>, over: impl Fn(&Denial) -> bool) -> Vec<String> {
    let mut out: Vec<Denial> = held.extract_if(|_, entry| over(entry)).map(|(_, entry)| entry).collect();
    out.sort_by_key(|entry| entry.time);
    out.iter().filter_map(|entry| serde_json::to_string(entry).ok()).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn as_text<S: serde::Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denial(code: &'static str, millis: i64) -> Denial {
        Denial {
            time: Timestamp::from_millis(millis),
            request_id: format!("r{millis}"),
            code,
            status: 403,
            method: "GET".to_owned(),
            route: Some("/api/status"),
            peer: IpAddr::from([127, 0, 0, 1]),
            host: Some("evil.example".to_owned()),
            origin: None,
            principal: None,
            about: None,
            count: 1,
        }
    }

    fn denials() -> (tempfile::TempDir, Denials) {
        let folder = tempfile::tempdir().expect("folder");
        let path = signet_store::control::denials::path(folder.path());
        (folder, Denials::new(path))
    }

    #[test]
    fn equal_refusals_of_a_minute_are_one_line_with_a_count() {
        let (_folder, denials) = denials();
        for millis in 0..1000 {
            assert_eq!(denials.note(denial("host_not_allowed", millis)), Vec::<String>::new());
        }
        denials.note(denial("permission_denied", 1000));
        assert_eq!(denials.due(Timestamp::from_millis(59_999)), Vec::<String>::new());
        let lines = denials.due(Timestamp::from_millis(60_000));
        let expect = r#"{"time":"1970-01-01T00:00:00.000Z","requestId":"r0","code":"host_not_allowed","status":403,"method":"GET","route":"/api/status","peer":"127.0.0.1","host":"evil.example","origin":null,"principal":null,"about":null,"count":1000}"#;
        assert_eq!(lines, [expect]);
        assert_eq!(denials.all().len(), 1);
        assert_eq!(denials.all().len(), 0);
    }

    #[test]
    fn the_next_refusal_brings_out_what_is_due() {
        let (_folder, denials) = denials();
        denials.note(denial("host_not_allowed", 0));
        assert_eq!(denials.note(denial("host_not_allowed", 60_000)).len(), 1);
    }

    #[test]
    fn a_million_equal_refusals_write_a_few_lines() {
        let (folder, denials) = denials();
        for n in 0..1_000_000_i64 {
            let lines = denials.note(denial("rate_limited", n));
            denials.write(&lines);
        }
        denials.write(&denials.all());
        let file = signet_store::control::denials::path(folder.path());
        let text = std::fs::read_to_string(file).expect("written");
        assert_eq!(text.lines().count(), 17);
        let counts = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("json"));
        assert_eq!(counts.map(|line| line["count"].as_u64().expect("count")).sum::<u64>(), 1_000_000);
    }

    #[test]
    fn many_different_refusals_do_not_grow_without_end() {
        let (_folder, denials) = denials();
        let mut written = 0;
        for n in 0..10_000_u32 {
            let peer = IpAddr::from(n.to_be_bytes());
            written += denials.note(Denial { peer, ..denial("host_not_allowed", 0) }).len();
        }
        assert!(denials.all().len() <= HELD_MAX);
        assert!(written >= 10_000 - HELD_MAX);
    }
}
