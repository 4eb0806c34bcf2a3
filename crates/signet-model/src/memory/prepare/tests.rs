use super::*;
use crate::Timestamp;

fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

fn ready(draft: Draft) -> Prepared {
    prepare(draft, Guardrails::default()).expect("is accepted")
}

fn refused(draft: Draft) -> (Code, String) {
    let error = prepare(draft, Guardrails::default()).expect_err("is refused");
    (error.code, error.message)
}

fn content(prepared: &Prepared) -> String {
    match &prepared.texts {
        Texts::One(text) => text.content.clone(),
        Texts::Slices { slices, .. } => slices.iter().map(|slice| slice.content.as_str()).collect(),
    }
}

#[test]
fn prefixes_set_what_the_body_leaves_open() {
    let prepared = ready(draft("Critical: [Ops,DB]: never drop it"));
    assert_eq!(
        (
            content(&prepared).as_str(),
            prepared.pinned,
            prepared.importance,
            prepared.why,
            prepared.kind.as_str()
        ),
        ("never drop it", true, 1.0, "explicit-critical", "rule")
    );
    assert_eq!(prepared.tags, ["ops", "db"]);
    let told = ready(Draft {
        importance: Some(0.2),
        pinned: Some(false),
        tags: Some(vec!["Own".to_owned()]),
        kind: Some("Decision".to_owned()),
        ..draft("critical: [ops]: never drop it")
    });
    assert_eq!((told.importance, told.pinned, told.kind.as_str()), (0.2, false, "decision"));
    assert_eq!(told.tags, ["Own"]);
}

#[test]
fn plain_text_gets_the_defaults_and_keeps_its_lines() {
    let prepared = ready(draft("  # Title\r\n\r\n\tcode  here\r\n| a | b |\n "));
    assert_eq!(content(&prepared), "# Title\n\n\tcode  here\n| a | b |");
    assert_eq!((prepared.importance, prepared.pinned, prepared.why), (0.8, false, "explicit"));
    assert_eq!(prepared.kind, "fact");
}

#[test]
fn blank_texts_are_refused_by_what_they_are() {
    for blank in ["", " \u{feff}\n", "critical:  ", "critical: \u{3000}"] {
        assert_eq!(
            refused(draft(blank)),
            (Code::InvalidRequest, "content is required".to_owned()),
            "{blank:?}"
        );
    }
    let own = "<signet-memory v=\"1\" kind=\"prompt\" hash=\"0\">\n- a\n</signet-memory>\n";
    assert_eq!(refused(draft(own)), (Code::InvalidRequest, "content is only injected context".to_owned()));
    assert_eq!(content(&ready(draft(&format!("{own}I like tea")))), "I like tea");
}

#[test]
fn nul_is_repaired_and_named() {
    let prepared = ready(draft("a\0b"));
    assert_eq!(content(&prepared), "a\u{fffd}b");
    assert_eq!(prepared.draft.repaired, ["content"]);
    assert_eq!(ready(draft("ab")).draft.repaired, Vec::<&str>::new());
    let beside =
        Draft { tags: Some(vec!["t\0".to_owned()]), hints: vec!["what is it\0?".to_owned()], ..draft("ab") };
    assert_eq!(ready(beside).draft.repaired, ["tags", "hints"]);
}

#[test]
fn long_text_is_split_and_put_together_again() {
    let text = "A sentence with some words in it.\nAnd code:\n```\nx = 1.  y\n```\n".repeat(40);
    let prepared = ready(draft(&text));
    assert!(matches!(&prepared.texts, Texts::Slices { slices, hash }
        if slices.len() > 2 && *hash == normal::content_hash(text.trim_end())));
    assert_eq!(content(&prepared), text.trim_end());
    let exact = "x".repeat(800);
    assert!(matches!(ready(draft(&exact)).texts, Texts::One(_)));
    let whole = ready(Draft { structured: Some("{}".to_owned()), ..draft(&text) });
    assert!(matches!(whole.texts, Texts::One(_)));
}

#[test]
fn what_does_not_go_together_or_fit_is_refused() {
    let long = "word ".repeat(300);
    assert_eq!(
        refused(Draft { supersedes: Some("m1".into()), ..draft(&long) }).1,
        "supersedes cannot be combined with oversized content (auto-chunking)"
    );
    assert_eq!(refused(draft(&"x".repeat(MAX_CONTENT + 1))).0, Code::BodyTooLarge);
    let row = Draft { structured: Some("{}".to_owned()), ..draft(&"x".repeat(MAX_ROW + 1)) };
    assert_eq!(refused(row).0, Code::BodyTooLarge);
    let times = crate::memory::Times {
        valid_from: Some(Timestamp::from_millis(2)),
        valid_until: Some(Timestamp::from_millis(1)),
        ..Default::default()
    };
    assert_eq!(refused(Draft { times, ..draft("x") }).1, "validUntil must not be before validFrom");
}

#[test]
fn fields_out_of_range_are_refused_by_name() {
    let field = |draft: Draft| prepare(draft, Guardrails::default()).expect_err("is refused").field;
    let text = |s: &str| s.to_owned();
    for (draft, name) in [
        (Draft { importance: Some(1.01), ..draft("x") }, "importance"),
        (Draft { importance: Some(f64::NAN), ..draft("x") }, "importance"),
        (Draft { kind: Some(text("no spaces")), ..draft("x") }, "type"),
        (Draft { kind: Some("t".repeat(65)), ..draft("x") }, "type"),
        (Draft { tags: Some(vec![text("a,b")]), ..draft("x") }, "tags"),
        (Draft { tags: Some(vec!["t".repeat(65)]), ..draft("x") }, "tags"),
        (Draft { tags: Some((0..33).map(|n| n.to_string()).collect()), ..draft("x") }, "tags"),
        (Draft { hints: vec![text("four")], ..draft("x") }, "hints"),
        (Draft { hints: vec!["h".repeat(301)], ..draft("x") }, "hints"),
        (Draft { hints: (0..11).map(|n| format!("hint number {n}")).collect(), ..draft("x") }, "hints"),
    ] {
        assert_eq!(field(draft.clone()).as_deref(), Some(name), "{draft:?}");
    }
}

#[test]
fn equal_tags_and_hints_count_once() {
    let prepared = ready(Draft {
        tags: Some(["b", " a ", "", "b"].map(str::to_owned).to_vec()),
        hints: ["who drinks tea?", " who drinks tea? "].map(str::to_owned).to_vec(),
        ..draft("Ana drinks tea")
    });
    assert_eq!(prepared.tags, ["b", "a"]);
    assert_eq!(prepared.hints.len(), 1);
}
