use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::slices;

#[test]
fn sentences_are_joined_up_to_the_target() {
    assert_eq!(
        slices("One is here. Two is here! Three? Four is longer than others.", 26),
        ["One is here. Two is here! ", "Three? ", "Four is longer than others."],
    );
    assert_eq!(slices("short", 600), ["short"]);
    assert_eq!(slices("", 600), Vec::<&str>::new());
}

#[test]
fn wide_stops_end_a_sentence_without_a_space() {
    assert_eq!(
        slices("今日は雨。明日は晴れ！たぶん。そう。", 9),
        ["今日は雨。", "明日は晴れ！", "たぶん。そう。"]
    );
}

#[test]
fn a_code_block_stays_whole_up_to_twice_the_target() {
    let code = "```sh\nls -la. Yes. No.\necho two. three.\n```\n";
    let text = format!("Before the code.\n{code}After it. And more words here.");
    assert!(slices(&text, 25).contains(&code), "{:?}", slices(&text, 25));
    let cut = slices(&text, 12);
    assert!(!cut.contains(&code) && cut.concat() == text);
}

#[test]
fn an_unclosed_fence_and_a_fence_inside_a_longer_one_hold() {
    let text = "a.\n````\n```\nb. c.\n```\n````\nd.";
    assert_eq!(slices(text, 24), ["a.\n", "````\n```\nb. c.\n```\n````\nd."]);
    assert_eq!(slices("x.\n~~~\nopen. still. open.", 10).concat(), "x.\n~~~\nopen. still. open.");
}

#[test]
fn one_word_of_a_mebibyte_is_cut_at_graphemes() {
    let word = "e\u{301}".repeat(1 << 19);
    let cut = slices(&word, 600);
    assert_eq!(cut.concat(), word);
    assert!(cut.iter().all(|slice| slice.chars().count() <= 600 && slice.starts_with('e')));
}

#[test]
fn a_short_end_joins_the_slice_before() {
    let text = format!("{} {} end.", "a".repeat(99) + ".", "b".repeat(99) + ".");
    assert_eq!(slices(&text, 100).len(), 2);
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,400}",
        "[a-z .!?\n`~。！\u{301}\u{200d}👩🇩 ]{0,600}",
        proptest::collection::vec("(```\n|a{1,40}\\. |b{1,80}|\n|。|e\u{301}{1,5})", 0..60)
            .prop_map(|v| v.concat()),
    ]
}

proptest! {
    #[test]
    fn slices_put_together_are_the_text(text in texts(), target in 1_usize..80) {
        prop_assert_eq!(slices(&text, target).concat(), text);
    }

    #[test]
    fn no_slice_cuts_a_grapheme_or_is_empty(text in texts(), target in 1_usize..80) {
        let bounds: std::collections::BTreeSet<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
        let mut at = 0;
        for slice in slices(&text, target) {
            prop_assert!(!slice.is_empty());
            at += slice.len();
            prop_assert!(bounds.contains(&at));
        }
    }

    #[test]
    fn no_slice_is_far_above_the_target(text in texts(), target in 1_usize..80) {
        let longest = text.graphemes(true).map(|g| g.chars().count()).max().unwrap_or(0);
        for slice in slices(&text, target) {
            prop_assert!(slice.chars().count() <= 2 * target.max(longest) + target / 4);
        }
    }
}
