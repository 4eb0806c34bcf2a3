use super::*;

#[test]
fn comments_and_literals_are_blank_in_the_code_and_keep_their_place() {
    let text =
        "let a = \"x; // no\"; // tail\n/* b /* c */ d */ let e = 'f'; let g: &'static str = r#\"h\"i\"#;";
    let source = Source::parse(text);
    let quiet =
        "let a = \"        \";        \n                  let e = ' '; let g: &'static str = r#\"   \"#;";
    assert_eq!(source.code(), quiet);
    let literals: Vec<_> = source.literals().map(|(_, literal)| literal).collect();
    assert_eq!(literals, ["x; // no", "h\"i"]);
}

#[test]
fn escapes_do_not_end_a_literal() {
    let source = Source::parse(r#"('\'', '"', "\\", "a\"b", b'\n', c"x")"#);
    let literals: Vec<_> = source.literals().map(|(_, literal)| literal).collect();
    assert_eq!(literals, ["\\\\", "a\\\"b", "x"]);
}

#[test]
fn an_identifier_that_ends_in_r_does_not_begin_a_raw_string() {
    let source = Source::parse("for r in r { var\"x\" }");
    assert_eq!(source.words().map(|(_, word)| word).collect::<Vec<_>>(), ["for", "r", "in", "r", "var"]);
}

#[test]
fn lines_count_from_one() {
    let source = Source::parse("a\nb\nc");
    assert_eq!((source.line(0), source.line(2), source.line(4)), (1, 2, 3));
}

#[test]
fn items_under_cfg_test_are_tests_and_others_are_not() {
    let text = "fn real() {}\n#[cfg(test)]\nmod tests { fn a() {} }\n#[cfg(not(test))]\nfn b() {}\n#[cfg(all(test, unix))] mod c;";
    let source = Source::parse(text);
    let inside = |needle: &str| text.find(needle).map(|at| source.in_tests(at));
    assert_eq!(inside("real"), Some(false));
    assert_eq!(inside("fn a"), Some(true));
    assert_eq!(inside("fn b"), Some(false));
    assert_eq!(source.test_modules().collect::<Vec<_>>(), ["c"]);
}

#[test]
fn test_functions_are_found_by_their_attribute() {
    let text = "#[test]\n#[should_panic(expected = \"[\")]\nfn one() { if a { b() } }\n#[tokio::test(flavor = \"x\")] async fn two() {}\n#[testing] fn three() {}";
    let source = Source::parse(text);
    let found: Vec<_> = source.test_fns().into_iter().map(|test| (test.name, &text[test.body])).collect();
    assert_eq!(found, [("one", "{ if a { b() } }"), ("two", "{}")]);
}
