//! `--limit`: a whole number, and a word when the daemon takes another one.

use std::ops::RangeInclusive;

use super::cx::Cx;

/// A whole number of a flag.
pub(super) fn whole(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "give a whole number, such as 10".to_owned())
}

/// The daemon keeps a limit within its bounds; who asked for another one is told.
pub(super) fn clamped(cx: &Cx, asked: u32, bounds: RangeInclusive<u32>) {
    if let Some(sentence) = told(asked, &bounds) {
        cx.out.note(&sentence);
    }
}

fn told(asked: u32, bounds: &RangeInclusive<u32>) -> Option<String> {
    let (least, most) = (*bounds.start(), *bounds.end());
    (!bounds.contains(&asked))
        .then(|| format!("--limit is {} here: it goes from {least} to {most}", asked.clamp(least, most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_limit_than_the_one_asked_for_is_told() {
        assert_eq!(told(9999, &(1..=100)).as_deref(), Some("--limit is 100 here: it goes from 1 to 100"));
        assert_eq!(told(0, &(1..=100)).as_deref(), Some("--limit is 1 here: it goes from 1 to 100"));
        assert_eq!(told(10, &(1..=100)), None);
        assert_eq!(whole("10"), Ok(10));
        assert!(whole("ten").unwrap_err().contains("whole number"));
    }
}
