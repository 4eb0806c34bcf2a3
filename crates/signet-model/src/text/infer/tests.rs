use super::kind;

const TABLE: [(&str, &[&str]); 6] = [
    (
        "preference",
        &[
            "I prefer tabs",
            "She prefers vim",
            "the preferred editor",
            "He likes tea",
            "we want logs",
            "Ana wants dark mode",
            "PREFER: short names",
            "I decided that I prefer rust",
            "likes, and issue trackers",
            "(want) more",
        ],
    ),
    (
        "decision",
        &[
            "We decided on Postgres",
            "the team agreed to ship",
            "We will use axum",
            "will  use two spaces",
            "Will use\nsqlite",
            "agreed: no meetings",
            "decided, always",
            "They will use it, a bug",
        ],
    ),
    (
        "learning",
        &[
            "I learned that WAL grows",
            "discovered a path",
            "TIL about fts5",
            "til: cargo has a lock",
            "learned the hard way, always",
            "We discovered the bug",
        ],
    ),
    (
        "issue",
        &[
            "there is a bug",
            "Issue 42 is open",
            "the build is broken",
            "bug-fix pending",
            "broken!",
            "a BUG must go",
            "(issue)",
            "issue:never",
        ],
    ),
    (
        "rule",
        &[
            "never push on friday",
            "always run the tests",
            "you must sign",
            "Must not deploy",
            "ALWAYS!",
            "never.",
            "it must",
            "tests, always",
        ],
    ),
    (
        "fact",
        &[
            "debug the parser",
            "debugging takes time",
            "bugs everywhere",
            "issues are open",
            "unbroken chain",
            "mustard is yellow",
            "nevertheless it works",
            "wanted poster",
            "unlikely",
            "unwanted",
            "until tomorrow",
            "stile",
            "relearned",
            "we will not use it",
            "willuse",
            "preference file",
            "likeshift",
            "must_not_match",
            "tilde",
            "",
            "最高の選択",
            "disagreed strongly",
        ],
    ),
];

#[test]
fn a_table_of_sentences() {
    let mut cases = 0;
    for (expected, sentences) in TABLE {
        for sentence in sentences {
            assert_eq!(kind(sentence), expected, "{sentence:?}");
            cases += 1;
        }
    }
    assert!(cases >= 60, "{cases} cases");
}
