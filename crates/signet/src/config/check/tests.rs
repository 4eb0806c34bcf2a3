use serde_json::json;

use super::*;
use crate::config::{load, value};
use crate::env::Env;

fn lines(text: &str) -> Vec<String> {
    check(text.as_bytes(), &[]).issues.iter().map(ToString::to_string).collect()
}

/// YAML that sets one dotted path; free names are called `x`.
fn setting(path: &str, value: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let mut out = String::new();
    for (depth, part) in parts.iter().enumerate() {
        let name = match (*part, depth) {
            ("*", 2) if path.starts_with("inference.workloads") => "default",
            ("*", 2) if path.starts_with("auth.") => "forget",
            ("*", _) => "x",
            (name, _) => name,
        };
        let end = if depth + 1 == parts.len() { format!(" {value}\n") } else { "\n".to_owned() };
        out = format!("{out}{}{name}:{end}", "  ".repeat(depth));
    }
    out
}

fn named(path: &str) -> String {
    let parts = setting(path, "1");
    parts.lines().map(|line| line.trim().split(':').next().unwrap()).collect::<Vec<_>>().join(".")
}

#[test]
fn every_default_is_json_and_its_own_kind_takes_it() {
    for key in section::keys() {
        let default = value::default(key).unwrap();
        if !key.is_pattern() && !default.is_null() {
            assert_eq!(lines(&setting(key.path, key.default)), Vec::<String>::new(), "{}", key.path);
        }
    }
}

#[test]
fn every_key_one_step_out_of_range_is_refused_with_the_range() {
    let mut checked = 0;
    for key in section::keys() {
        let outside: Vec<String> = match key.kind {
            Kind::Int(min, max) | Kind::Millis(min, max) | Kind::Bytes(min, max) => {
                [min.checked_sub(1), max.checked_add(1)].iter().flatten().map(ToString::to_string).collect()
            }
            Kind::Number(min, max) if max.is_infinite() => vec![(min - 0.01).to_string()],
            Kind::Number(min, max) => vec![(min - 0.01).to_string(), (max + 0.01).to_string()],
            Kind::Word(_) => vec!["nonsense".to_owned()],
            _ => vec![],
        };
        for value in outside {
            let found = check(setting(key.path, &value).as_bytes(), &[]);
            let issue = found.issues.iter().find(|i| i.path == named(key.path)).expect(key.path);
            assert!(issue.is_error() && issue.place.line > 0, "{issue:?}");
            assert!(issue.message.contains(&key.range().unwrap()), "{}", issue.message);
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn every_key_with_one_letter_changed_suggests_the_right_key() {
    for key in section::keys().filter(|key| !key.is_pattern()) {
        let (folder, leaf) = key.path.rsplit_once('.').unwrap_or(("", key.path));
        let last = leaf.len() - 1;
        let wrong = format!("{}{}", &leaf[..last], if leaf.ends_with('q') { "z" } else { "q" });
        let path = join(folder, &wrong);
        let found = check(setting(&path, "1").as_bytes(), &[]);
        let issue = found.issues.iter().find(|i| i.path == path).expect(&path);
        assert_eq!(issue.nearest.as_deref(), Some(key.path));
        assert!(issue.place.line > 0);
    }
}

#[test]
fn every_retired_key_is_refused_with_its_replacement() {
    for (path, instead) in legacy::RETIRED {
        let found = check(setting(path, "1").as_bytes(), &[]);
        assert_eq!(found.issues.len(), 1, "{path}: {:?}", found.issues);
        assert_eq!(found.issues[0].replacement.as_deref(), Some(*instead));
        assert!(found.issues[0].is_error() && found.issues[0].message.contains("retired"));
    }
}

#[test]
fn keys_without_effect_are_named_and_no_refusal() {
    for path in legacy::IGNORED {
        let found = check(setting(path, "1").as_bytes(), &[]);
        assert_eq!(found.issues.len(), 1, "{path}: {:?}", found.issues);
        assert!(!found.issues[0].is_error(), "{path}");
    }
}

#[test]
fn renamed_keys_are_read_once_and_warned_about() {
    for (old, now) in legacy::RENAMED {
        let path = format!("memory.pipelineV2.{now}");
        let default = leaf(&path).unwrap().default;
        let old = format!("memory.pipelineV2.{old}");
        let found = check(setting(&old, default).as_bytes(), &[]);
        assert_eq!(found.issues.len(), 1, "{old}: {:?}", found.issues);
        assert!(!found.issues[0].is_error());
        assert!(found.set().any(|(key, _, _)| key == path), "{old}");
    }
    let found = check(b"hooks:\n  sessionStart:\n    maxInjectChars: 4000\n", &[]);
    assert_eq!(found.int("hooks.sessionStart.maxInjectTokens"), Some(1000));
    let both = "memory:\n  pipelineV2:\n    workerPollMs: 500\n    worker:\n      pollMs: 600\n";
    assert!(lines(both).iter().any(|line| line.contains("different values")), "{:?}", lines(both));
}

#[test]
fn twins_are_one_key_and_must_agree() {
    assert_eq!(lines("search:\n  min_score: 0.2\n  minScore: 0.2\n"), Vec::<String>::new());
    assert_eq!(
        lines("search:\n  min_score: 0.2\n  minScore: 0.3\n"),
        [
            "3:13: `search.min_score` is given as `search.min_score` and as `search.minScore`, with different values"
        ]
    );
    let found = check(b"memory:\n  pipeline_v2:\n    guardrails:\n      max_content_chars: 900\n", &[]);
    assert_eq!(found.int("memory.pipelineV2.guardrails.maxContentChars"), Some(900));
}

#[test]
fn all_problems_of_a_file_are_listed_at_once_in_file_order() {
    let text = "embeddings:\n  model: x\nsearch:\n  alpa: 0.5\n  top_k: 500\nnetwork:\n  port: ninety\n";
    assert_eq!(
        lines(text),
        [
            "1:1: `embeddings` is retired; use `embedding`",
            "4:3: unknown key `search.alpa`; did you mean `search.alpha`?",
            "5:10: `search.top_k` must be in the range 1 to 200, not 500",
            "7:9: `network.port` must be a whole number (1 to 65535), not `ninety`",
        ]
    );
}

#[test]
fn wrong_shapes() {
    for (text, part) in [
        ("- a\n", "must be a mapping"),
        ("search: 5\n", "`search` must be a section"),
        ("search:\n  alpha: [1]\n", "not a list"),
        ("search:\n  alpha:\n    x: 1\n", "not a section"),
        ("search:\n  rehearsal_enabled: yes\n", "true or false"),
        ("search:\n  rehearsal_enabled: \"true\"\n", "true or false"),
        ("search:\n  top_k: \"20\"\n", "a whole number"),
        ("search:\n  alpha: .nan\n", "a number"),
        ("harnesses: codex\n", "a list of texts"),
        ("embedding:\n  base_url: ftp://x\n", "http or https"),
        ("memory:\n  database: /elsewhere.db\n", "memory/memories.db"),
        ("network:\n  bind: 0.0.0.0\n", "auth.mode: team"),
        ("network:\n  mode: tailscale\n", "auth.mode: team"),
        ("auth:\n  rateLimits:\n    forget:\n      windowMs: 5s\n", "needs `max`"),
        ("auth:\n  rateLimits:\n    forge:\n      max: 3\n", "is no operation"),
        ("inference:\n  workloads:\n    poetry:\n      target: x\n", "is no workload"),
        ("embedding:\n  model: bge-small\n", "modelDir"),
        ("embedding:\n  dimensions: 768\n", "is 384"),
        ("memory:\n  pipelineV2:\n    documents:\n      chunkOverlap: 1990\n", "chunkSize - 50"),
        ("memory:\n  pipelineV2:\n    guardrails:\n      chunkTargetChars: 900\n", "at most maxContentChars"),
        ("memory:\n  dreaming:\n    maxConcurrentPasses: 3\n", "maxLlmConcurrency"),
    ] {
        let lines = lines(text);
        assert_eq!(lines.len(), 1, "{text}: {lines:?}");
        assert!(lines[0].contains(part), "{text}: {lines:?}");
    }
    assert_eq!(check(b"a: \xff\n", &[]).issues[0].message, "the file is not UTF-8");
    assert!(check(&vec![b'#'; MAX_BYTES + 1], &[]).issues[0].message.contains("above"));
}

#[test]
fn good_shapes() {
    for text in [
        "",
        "# only a comment\n",
        "search:\n",
        "memory:\n  dreaming:\n    maxInterval: 12h\n    maxOutputTokens: null\n",
        "memory:\n  pipelineV2:\n    documents:\n      maxContentBytes: 10MiB\n",
        "embedding:\n  provider: openai\n  model: m\n  dimensions: 768\n  base_url: http://127.0.0.1:1/v1\n  api_key: env:K\n",
        "auth:\n  mode: team\nnetwork:\n  bind: 0.0.0.0\n",
        "hooks:\n  contextProfiles:\n    small: [AGENTS.md]\n",
        "inference:\n  targets:\n    big:\n      account: main\n      models:\n        gpt-4.1:\n          model: gpt-4.1\n",
        "\u{feff}search:\n  alpha: 0.5\n",
    ] {
        assert_eq!(lines(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_secret_in_the_file_is_a_warning() {
    let found = check(b"embedding:\n  api_key: sk-123\n", &[]);
    assert_eq!(found.issues.len(), 1);
    assert!(!found.issues[0].is_error() && found.issues[0].message.contains("env:NAME"));
    assert!(!found.issues[0].message.contains("sk-123"));
}

#[test]
fn environment_wins_over_the_file_and_is_checked_too() {
    let file = b"network:\n  port: 4000\n";
    let read = |vars: &[(&str, &str)]| load::from_text(file, &Env::of(vars));
    assert_eq!(read(&[]).values["network.port"].value, json!(4000));
    let env = read(&[("SIGNET_PORT", "4001"), ("SIGNET_ALLOWED_HOSTS", "a.local, b.local")]);
    assert_eq!(
        (env.values["network.port"].value.clone(), env.values["network.port"].origin),
        (json!(4001), load::Origin::Env)
    );
    assert_eq!(env.settings.unwrap().network.allowed_hosts, ["a.local", "b.local"]);
    assert_eq!(read(&[("SIGNET_PORT", "0")]).settings.unwrap().network.port, 0);
    let bad = read(&[("SIGNET_PORT", "70000")]);
    assert!(bad.settings.is_none());
    assert_eq!(
        bad.issues[0].to_string(),
        "environment variable SIGNET_PORT must be in the range 1 to 65535, not 70000"
    );
}

proptest::proptest! {
    /// Whatever a file holds, it is read or refused; every refusal has a place in the file or names a rule.
    #[test]
    fn no_text_makes_the_check_panic(text in "[a-z0-9:#&*!|>{}\\[\\],'\"~\\- \n\t]{0,200}") {
        for issue in check(text.as_bytes(), &[]).issues {
            proptest::prop_assert!(!issue.message.is_empty());
        }
    }

    /// The same for files that begin like real ones.
    #[test]
    fn no_value_makes_the_check_panic(n in 0..300_usize, value in "\\PC{0,40}") {
        let keys: Vec<_> = section::keys().collect();
        let text = setting(keys[n % keys.len()].path, &value);
        for issue in check(text.as_bytes(), &[]).issues {
            proptest::prop_assert!(issue.place.line <= text.lines().count() + 1);
        }
    }
}
