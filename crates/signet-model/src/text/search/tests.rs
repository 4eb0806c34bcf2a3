//! The search form, seen through its terms.

use super::{Language, prepare, query, tokens};

/// Whether the index would hold every term of the query for this text.
fn finds(text: &str, asked: &str) -> bool {
    let form = prepare(text).unwrap_or_else(|| text.to_owned());
    let stems: Vec<Vec<u8>> = tokens(&form).into_iter().map(|token| token.stem).collect();
    let query = query(asked);
    !query.terms.is_empty() && query.terms.iter().all(|term| stems.contains(&term.stem))
}

#[test]
fn plain_text_needs_no_search_form() {
    assert_eq!(prepare("The user's build server runs Ubuntu on port 8080."), None);
    assert_eq!(prepare("Café in München, naïve — “quoted”"), None);
}

#[test]
fn scripts_without_spaces_are_found_by_part() {
    for (text, asked) in [
        ("ユーザーは東京都渋谷区に住んでいます。", "渋谷"),
        ("ユーザーは東京都渋谷区に住んでいます。", "住んで"),
        ("用户对花生过敏，不能吃花生酱。", "过敏"),
        ("用户对花生过敏，不能吃花生酱。", "花"),
        ("사용자는 매일 아침 커피를 마신다.", "커피"),
        ("ผู้ใช้ชอบกาแฟดำ", "กาแฟ"),
        ("ผู้ใช้ชอบกาแฟดำ", "ผู้ใช้"),
    ] {
        assert!(finds(text, asked), "{asked} in {text}");
    }
    assert!(!finds("用户对花生过敏", "生花"));
}

#[test]
fn words_with_vowel_signs_stay_whole() {
    assert!(finds("उपयोगकर्ता शाकाहारी है।", "शाकाहारी"));
    assert!(!finds("उपयोगकर्ता शाकाहारी है।", "शाकाहार"));
    assert!(finds("مُحَمَّد يعمل هنا", "محمد"));
}

#[test]
fn identifiers_are_found_whole_and_by_part() {
    let text = "C++ is preferred over C# for audio; foo-bar stays in src/lib/foo_bar.rs, see getUserName.";
    for asked in ["src/lib/foo_bar.rs", "foo_bar.rs", "foo_bar", "bar", "C++", "C#", "getUserName", "user"] {
        assert!(finds(text, asked), "{asked}");
    }
    assert!(!finds("C is old", "C++"));
    assert!(finds("The token count is 1,234,567", "1234567"));
    assert!(finds("version v1.2.3-rc.1+build5.", "v1.2.3-rc.1+build5"));
}

#[test]
fn symbols_are_words_and_punctuation_is_not() {
    let text = "The deploy emoji is 🚀 and the rollback emoji is 🔙, 5€.";
    assert!(finds(text, "🚀"));
    assert!(finds(text, "rollback🔙"));
    assert!(finds(text, "€"));
    assert!(!finds(text, "🎉"));
    assert!(finds("done 👍🏽", "👍"));
    for nothing in ["   ", "*", "\"()-:^", "…"] {
        assert_eq!(query(nothing).terms, Vec::new(), "{nothing}");
    }
}

#[test]
fn hidden_characters_hide_nothing() {
    assert!(finds("pass\u{200b}word\u{202e} rotated", "password"));
    assert!(finds("Cafe\u{301} Zoe\u{308}", "Café Zoë"));
    assert!(finds("Café Zoë", "Cafe\u{301} Zoe\u{308}"));
    assert!(finds("Пользователь живёт там", "живет"));
    assert!(finds("am Größten", "grössten"));
}

#[test]
fn a_word_of_a_megabyte_is_found_by_its_start() {
    let word = "a".repeat(1 << 20);
    assert!(finds(&word, &"a".repeat(8_000)));
}

#[test]
fn function_words_are_dropped_by_language_unless_nothing_is_left() {
    let stems = |text: &str| -> Vec<String> {
        query(text).terms.into_iter().map(|t| String::from_utf8(t.stem).unwrap()).collect()
    };
    assert_eq!(stems("What OS does the build server run?"), ["os", "build", "server", "run"]);
    assert_eq!(query("Wann war der Krieg?").language, Some(Language::German));
    assert_eq!(stems("war and peace"), ["war", "peac"]);
    let only = query("What is it?");
    assert!(only.phrase);
    assert_eq!(only.words, ["what", "is", "it"]);
    assert!(!query("花生").phrase);
}
