use super::cut;

const INNER: &str = "Stored memory of earlier sessions.\n- Ana likes tea (2026-03-04, manual)\n";

fn block() -> String {
    format!("<signet-memory v=\"1\" kind=\"prompt\" hash=\"0011223344556677\">\n{INNER}</signet-memory>")
}

fn check(text: &str, expected: &str) {
    let cut = cut(text);
    assert_eq!(cut.text.trim(), expected, "{text:?}");
    assert!(cut.removed, "{text:?}");
}

#[test]
fn the_envelope_goes_and_what_was_said_stays() {
    check(&format!("before {} after", block()), "before  after");
    check(&format!("{}\nfirst\n{}\nsecond", block(), block()), "first\n\nsecond");
    check(&block().replace('\n', " "), "");
    check(&block().to_uppercase(), "");
    check(&format!("a {} b", block().replace("<signet", "< signet").replace("</", "< / ")), "a  b");
    check(&format!("a <signet-memory v=\"1\">{}</signet-memory> b", block()), "a  b");
}

#[test]
fn escaped_forms_are_recognised() {
    let html = block().replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    check(&format!("said {html} this"), "said  this");
    check(&html.replace('&', "&amp;"), "");
    let json = block().replace('"', "\\\"").replace('\n', "\\n");
    check(&format!("{{\"out\":\"{json}\"}}"), "{\"out\":\"\"}");
    check(&json.replace('<', "\\u003c").replace('>', "\\u003E"), "");
    check(&json.replace("</", "<\\/"), "");
    check(&block().replace('<', "‹"), "");
}

#[test]
fn a_block_split_over_two_messages_goes_from_both() {
    let whole = format!("question {} answer", block());
    let at = whole.find("Ana").expect("inside");
    check(&whole[..at], "question");
    check(&whole[at..], "answer");
    check("question <signet-memory v=\"1\" ki", "question");
}

#[test]
fn older_markers_go() {
    check("[memory active | /remember | /recall]\nhello", "hello");
    check("hello\n[signet active]\n- a fact\n- another\nworld", "hello\nworld");
    check("[signet:recall | query=tea | results=2]\n- Ana likes tea\n  more of it\nreal words", "real words");
    check("## Relevant Memories (auto-loaded | scored)\n\n- x\ntext\n# Mine\nkept", "# Mine\nkept");
    check("x <memory-feedback>{\"a\":1}</memory-feedback> y", "x  y");
}

#[test]
fn other_text_stays_as_it_is() {
    for text in [
        "plain",
        "the tag signet-memory without brackets",
        "<signet-memory-store>kept</signet-memory-store>",
        "if a < b then signet-memory",
        "- [signet actively] is a name",
        "## Relevant Memories\n- kept",
    ] {
        let cut = cut(text);
        assert_eq!((cut.text.as_str(), cut.removed), (text, false));
    }
}

proptest::proptest! {
    #[test]
    fn nothing_of_an_injected_block_survives(before in "[a-z \n]{0,30}", after in "[a-z \n]{0,30}") {
        let cut = cut(&format!("{before}{}{after}", block()));
        proptest::prop_assert_eq!(cut.text, format!("{before}{after}"));
    }

    #[test]
    fn any_text_is_survived(text in "(\\PC|<|/|signet-memory|>|&lt;|\n|\\[signet active){0,40}") {
        cut(&text);
    }
}
