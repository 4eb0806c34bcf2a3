//! Chinese and Korean lines are found by their rarest part.

use serde_json::Value;
use signet_model::recall::Channels;

use crate::world::World;

const CHINESE: &str = include_str!("../data/multilingual/zh.jsonl");
const KOREAN: &str = include_str!("../data/multilingual/ko.jsonl");

fn lines(file: &str) -> Vec<String> {
    let texts = file.lines().filter(|line| !line.is_empty()).map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["text"].as_str().unwrap().to_owned()
    });
    texts.collect()
}

/// Two-character parts of Han runs.
fn han_pairs(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    chars.windows(2).filter(|pair| han(pair[0]) && han(pair[1])).map(String::from_iter).collect()
}

fn hangul_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !('\u{ac00}'..='\u{d7a3}').contains(&c));
    words.filter(|word| word.chars().count() >= 2).map(str::to_owned).collect()
}

/// Asks every line by the part that stands in the fewest lines, and wants it among five in 98 of 100.
async fn by_rarest_part(file: &str, parts: fn(&str) -> Vec<String>) {
    let texts = lines(file);
    let world = World::of(&texts.iter().map(String::as_str).collect::<Vec<_>>(), Channels::Text).await;
    let lines_with = |part: &String| texts.iter().filter(|text| text.contains(part)).count();
    let mut found = 0;
    for text in &texts {
        let part = parts(text).into_iter().min_by_key(lines_with).expect("a part");
        let hits = world.texts(&part).await;
        let hit = hits.iter().take(5).any(|hit| text.starts_with(hit.as_str()));
        found += usize::from(hit);
    }
    assert!(texts.len() >= 20, "{} lines", texts.len());
    assert!(found * 100 >= texts.len() * 98, "{found} of {}", texts.len());
}

#[tokio::test]
async fn chinese_lines_are_found_by_two_characters() {
    by_rarest_part(CHINESE, han_pairs).await;
}

#[tokio::test]
async fn korean_lines_are_found_by_a_word() {
    by_rarest_part(KOREAN, hangul_words).await;
}

#[tokio::test]
async fn parts_of_words_come_first() {
    let texts = [
        "用户对花生过敏",
        "東京都渋谷区",
        "사용자는 매일 아침 커피를 마신다.",
        "花は生きている",
        "차를 마신다",
    ];
    let world = World::of(&texts, Channels::Text).await;
    for (query, text) in [("花生", texts[0]), ("渋谷", texts[1]), ("커피", texts[2])] {
        assert_eq!(world.texts(query).await.first().map(String::as_str), Some(text));
    }
}
