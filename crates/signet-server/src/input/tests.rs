use serde_json::json;

use super::*;

const FIELDS: &[Field] = &[
    Field::new("content", Kind::Text { min: 1, max: 5 }, "Text."),
    Field::new("agentId", Kind::Id, "Agent."),
    Field::new("limit", Kind::Clamped { default: 10, min: 1, max: 100 }, "Most results."),
    Field::new("if_version", Kind::Int { min: 1, max: 9 }, "Version."),
    Field::new("importance", Kind::Number { min: 0.0, max: 1.0 }, "Weight."),
    Field::new("tags", Kind::Tags, "Tags."),
    Field::new("pinned", Kind::Bool, "Pinned."),
    Field::new("since", Kind::Time, "From."),
    Field::new("until", Kind::TimeUntil, "To."),
    Field::new("hints", Kind::Texts { max: 2, min_len: 2, max_len: 3 }, "Hints."),
    Field::new("mode", Kind::OneOf(&["preview", "execute"]), "Mode."),
    Field::new("kinds", Kind::SomeOf(&["memory", "claim"]), "Kinds."),
    Field::new("metadata", Kind::Object { max_bytes: 10 }, "Facts."),
    Field::new("sourcePath", Kind::Text { min: 0, max: 9 }, "Path.").also(&["source"]),
    Field::new("time", Kind::Record(&[Field::new("start", Kind::Time, "Start.")]), "Range."),
    Field::new("items", Kind::Items { max: 2, fields: ITEM }, "Items."),
    Field::new("patches", Kind::Each { max: 2, fields: ITEM }, "Patches."),
];

const ITEM: &[Field] = &[Field::new("id", Kind::Id, "Id.").required("id is required")];

fn zone() -> jiff::tz::TimeZone {
    jiff::tz::TimeZone::get("Asia/Tokyo").expect("bundled zone")
}

fn check(body: &Value, query: &[(&str, &str)]) -> Result<Input, Error> {
    let query: Vec<_> = query.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Input::check(FIELDS, body.as_object().expect("an object"), &query, &zone())
}

fn body(body: &Value) -> Input {
    check(body, &[]).expect("valid")
}

/// The field and the sentence of the refusal.
fn refusal(body: &Value) -> (String, String) {
    let error = check(body, &[]).expect_err("invalid");
    assert_eq!(error.kind().http_status(), 400);
    (error.field.expect("names its field"), error.message)
}

#[test]
fn a_limit_is_floored_and_clamped_and_words_are_refused() {
    for (sent, expect) in [
        (json!({}), 10),
        (json!({"limit": 0}), 1),
        (json!({"limit": 12.9}), 12),
        (json!({"limit": -3}), 1),
        (json!({"limit": 5000}), 100),
        (json!({"limit": 1e300}), 100),
        (json!({"limit": null}), 10),
    ] {
        assert_eq!(body(&sent).int("limit"), Some(expect), "{sent}");
    }
    assert_eq!(refusal(&json!({"limit": "x"})), ("limit".to_owned(), "limit must be a number".to_owned()));
    for text in ["x", "NaN", "inf", "1,2"] {
        assert!(check(&json!({}), &[("limit", text)]).is_err(), "{text}");
    }
    assert_eq!(check(&json!({}), &[("limit", "12.9")]).expect("valid").int("limit"), Some(12));
}

#[test]
fn both_spellings_and_both_places_are_one_field() {
    for sent in [json!({"agentId": "a"}), json!({"agent_id": "a"}), json!({"agentId": "a", "agent_id": "a"})]
    {
        assert_eq!(body(&sent).text("agentId"), Some("a"), "{sent}");
    }
    assert_eq!(body(&json!({"ifVersion": 2})).int("if_version"), Some(2));
    assert_eq!(body(&json!({"source": "/x"})).text("sourcePath"), Some("/x"));
    assert_eq!(
        check(&json!({"agentId": "a"}), &[("agent_id", "a")]).expect("equal").text("agentId"),
        Some("a")
    );
    for conflict in [
        check(&json!({"agentId": "a", "agent_id": "b"}), &[]),
        check(&json!({"agentId": "a"}), &[("agentId", "b")]),
        check(&json!({}), &[("agentId", "a"), ("agentId", "b")]),
    ] {
        let error = conflict.expect_err("they differ");
        assert_eq!((error.code, error.field.as_deref()), (Code::ConflictingFields, Some("agentId")));
    }
}

#[test]
fn numbers_of_body_and_query_compare_as_numbers() {
    let input = check(&json!({"importance": 0.5}), &[("importance", "0.50")]).expect("equal");
    assert_eq!(input.number("importance"), Some(0.5));
}

#[test]
fn lengths_count_characters_not_bytes() {
    assert_eq!(body(&json!({"content": "語語語語語"})).text("content"), Some("語語語語語"));
    let (field, sentence) = refusal(&json!({"content": "語語語語語語"}));
    assert_eq!((field.as_str(), sentence.as_str()), ("content", "content must be 1 to 5 characters long"));
    assert_eq!(refusal(&json!({"content": ""})).0, "content");
}

#[test]
fn each_kind_refuses_another_type() {
    for (field, value) in [
        ("content", json!(1)),
        ("agentId", json!("a b")),
        ("agentId", json!("x".repeat(129))),
        ("if_version", json!(1.5)),
        ("if_version", json!(10)),
        ("if_version", json!("2")),
        ("importance", json!(1.01)),
        ("importance", json!("0.5")),
        ("pinned", json!(1)),
        ("since", json!("yesterday")),
        ("hints", json!("ab")),
        ("hints", json!(["a"])),
        ("hints", json!(["ab", "ab", "ab"])),
        ("mode", json!("Preview")),
        ("kinds", json!(["memory", "x"])),
        ("metadata", json!([])),
        ("metadata", json!({"key": "too long"})),
        ("time", json!("now")),
        ("items", json!({})),
    ] {
        assert_eq!(refusal(&json!({ field: value })).0, field);
    }
}

#[test]
fn tags_come_as_text_array_or_null() {
    let tags = |sent: Value| body(&json!({"tags": sent})).texts("tags").map(<[String]>::to_vec);
    assert_eq!(tags(json!(" b, a ,,b")), Some(vec!["b".to_owned(), "a".to_owned()]));
    assert_eq!(tags(json!(["b", " a ", "", "b"])), Some(vec!["b".to_owned(), "a".to_owned()]));
    assert_eq!(tags(json!("")), Some(vec![]));
    assert!(body(&json!({"tags": null})).is_null("tags"));
    assert!(!body(&json!({})).has("tags"));
    let rule = "tags must be a string, string array, or null";
    assert_eq!(refusal(&json!({"tags": 3})).1, rule);
    assert_eq!(refusal(&json!({"tags": [1]})).1, rule);
    let many: Vec<_> = (0..33).map(|n| n.to_string()).collect();
    for (wrong, rule) in [
        (json!(["a,b"]), "tags must not have a comma inside an array item"),
        (json!(["x".repeat(65)]), "tags must have items of at most 64 characters"),
        (json!(many), "tags must have at most 32 items"),
        (json!(many.join(",")), "tags must have at most 32 items"),
    ] {
        assert_eq!(refusal(&json!({"tags": wrong})), ("tags".to_owned(), rule.to_owned()));
    }
    assert_eq!(
        check(&json!({}), &[("tags", "a"), ("tags", "b")])
            .expect("a list")
            .texts("tags")
            .map(<[String]>::len),
        Some(2)
    );
}

#[test]
fn times_without_zone_are_read_in_the_callers() {
    let read = |field: &str, text: &str| body(&json!({ field: text })).read_time(field).expect("a time");
    assert_eq!(read("since", "2026-03-04T23:30:00").at.to_string(), "2026-03-04T14:30:00.000Z");
    assert!(read("since", "2026-03-04T23:30:00").assumed_zone);
    assert!(!read("since", "2026-03-04T23:30:00+01:00").assumed_zone);
    assert_eq!(read("since", "2026-03-04").at.to_string(), "2026-03-03T15:00:00.000Z");
    assert_eq!(read("until", "2026-03-04").at.to_string(), "2026-03-04T15:00:00.000Z");
}

#[test]
fn flags_of_a_query_may_be_digits() {
    for (text, expect) in [("1", true), ("0", false), ("true", true), ("false", false)] {
        assert_eq!(check(&json!({}), &[("pinned", text)]).expect("valid").maybe_flag("pinned"), Some(expect));
    }
    assert!(check(&json!({}), &[("pinned", "yes")]).is_err());
    assert_eq!(check(&json!({}), &[("pinned", "")]).expect("empty = absent").maybe_flag("pinned"), None);
}

#[test]
fn nested_faults_are_named_by_their_path() {
    assert_eq!(
        body(&json!({"time": {"start": "2026-03-04T00:00:00Z"}}))
            .record("time")
            .and_then(|t| t.time("start"))
            .map(Timestamp::millis),
        Some(1_772_582_400_000)
    );
    assert_eq!(refusal(&json!({"time": {"start": 1}})).0, "time.start");
    assert_eq!(
        refusal(&json!({"items": [{"id": "a"}, {}]})),
        ("items[1].id".to_owned(), "items[1]: id is required".to_owned())
    );
    let no_object = ("items[1]".to_owned(), "items[1] must be an object".to_owned());
    assert_eq!(refusal(&json!({"items": [{"id": "a"}, 1]})), no_object);
    for faulty in [json!({}), json!(null), json!("x")] {
        let each = body(&json!({"patches": [{"id": "a"}, faulty]}));
        let verdicts: Vec<bool> = each.each("patches").expect("sent").iter().map(Result::is_ok).collect();
        assert_eq!(verdicts, [true, false]);
    }
}

#[test]
fn a_required_field_may_not_be_absent_blank_or_null() {
    const REQUIRED: &[Field] =
        &[Field::new("content", Kind::Text { min: 1, max: 9 }, "Text.").required("content is required")];
    for sent in [json!({}), json!({"content": null}), json!({"content": " \n"})] {
        let error =
            Input::check(REQUIRED, sent.as_object().expect("object"), &[], &zone()).expect_err("missing");
        assert_eq!(
            (error.message.as_str(), error.field.as_deref()),
            ("content is required", Some("content"))
        );
    }
}

#[test]
fn unknown_fields_are_ignored() {
    assert_eq!(body(&json!({"extra": 1})), body(&json!({})));
}
