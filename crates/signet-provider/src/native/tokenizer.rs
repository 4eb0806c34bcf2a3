//! Texts to token ids, cut at a word where they are longer than the model takes.

use tokenizers::Tokenizer;

use super::LoadError;

/// Characters a token covers at most, for cutting long texts before they are tokenized: ordinary text
/// has four to six.
const CHARS_A_TOKEN: usize = 32;

/// Token ids of a text with the model's special tokens around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) ids: Vec<u32>,
    /// The text was longer than the model takes.
    pub(super) truncated: bool,
}

/// The tokenizer of a model.
#[derive(Debug)]
pub(super) struct TextTokenizer {
    inner: Tokenizer,
    before: Vec<u32>,
    after: Vec<u32>,
    most: usize,
}

impl TextTokenizer {
    /// From a `tokenizer.json`, for texts of at most `most` tokens, special ones included.
    pub(super) fn new(json: &[u8], most: usize) -> Result<Self, LoadError> {
        let fault =
            |cause: tokenizers::Error| LoadError::new(format!("tokenizer.json does not load: {cause}"));
        let mut inner = Tokenizer::from_bytes(json).map_err(fault)?;
        // The published file cuts and pads to 128 tokens; both are done here.
        inner.with_truncation(None).map_err(fault)?;
        inner.with_padding(None);
        let special = inner.encode_fast("", true).map_err(fault)?.get_ids().to_vec();
        let (before, after) = special.split_at(special.len().min(1));
        if special.len() + 1 > most {
            return Err(LoadError::new(format!("{most} tokens leave no room for text")));
        }
        Ok(Self { before: before.to_vec(), after: after.to_vec(), inner, most })
    }

    /// Tokens of a text. `Err` is the tokenizer's sentence for a text it refuses.
    pub(super) fn tokens(&self, text: &str) -> Result<Tokens, String> {
        let (text, cut) = head(text, self.most * CHARS_A_TOKEN);
        let room = self.most - self.before.len() - self.after.len();
        let fault = |cause: tokenizers::Error| cause.to_string();
        let encoding = self.inner.encode_fast(text, false).map_err(fault)?;
        let length = encoding.get_ids().len();
        // The fast way does not tell words; few texts are long enough to ask again.
        let kept = if length > room {
            whole_words(self.inner.encode_char_offsets(text, false).map_err(fault)?.get_word_ids(), room)
        } else {
            length
        };
        let ids = [&self.before, &encoding.get_ids()[..kept], &self.after].concat();
        Ok(Tokens { ids, truncated: cut || kept < length })
    }
}

/// The first `most` characters of a text, back to the last white space among them when there is one.
fn head(text: &str, most: usize) -> (&str, bool) {
    let Some((end, _)) = text.char_indices().nth(most) else { return (text, false) };
    let end = text[..end].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(end);
    (&text[..end], true)
}

/// How many tokens of whole words fit into `room`; a first word longer than that is cut inside.
fn whole_words(words: &[Option<u32>], room: usize) -> usize {
    if words.len() <= room {
        return words.len();
    }
    let split = words[room];
    let kept =
        words[..room].iter().rposition(|word| split.is_none() || *word != split).map_or(0, |at| at + 1);
    if kept == 0 { room } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::pack;

    #[test]
    fn ids_are_those_of_the_reference() {
        let tokenizer = TextTokenizer::new(&pack::tokenizer().unwrap(), 256).unwrap();
        let ids = |text: &str| tokenizer.tokens(text).unwrap().ids;
        assert_eq!(ids("Hello, world!"), [101, 7592, 1010, 2088, 999, 102]);
        assert_eq!(ids(""), [101, 102]);
        assert_eq!(ids("Müller"), ids("muller"), "accents and case do not matter to this model");
    }

    #[test]
    fn long_texts_are_cut_at_a_word() {
        let tokenizer = TextTokenizer::new(&pack::tokenizer().unwrap(), 8).unwrap();
        let long = tokenizer.tokens("one two three four embeddings five").unwrap();
        let short = tokenizer.tokens("one two three four").unwrap();
        assert_eq!(long.ids, short.ids, "`embeddings` has three pieces and does not fit whole");
        assert!(long.truncated && !short.truncated);
        let huge = tokenizer.tokens(&"embeddings".repeat(100_000)).unwrap();
        assert!(huge.truncated && huge.ids.len() <= 8);
    }

    #[test]
    fn cuts() {
        assert_eq!(head("añb c", 3), ("añb", true));
        assert_eq!(head("a b c", 4), ("a b", true));
        assert_eq!(head("abc", 3), ("abc", false));
        assert_eq!(whole_words(&[Some(0), Some(1), Some(1), Some(1)], 3), 1);
        assert_eq!(whole_words(&[Some(0), Some(0)], 1), 1);
        assert_eq!(whole_words(&[Some(0), Some(1)], 1), 1);
        assert_eq!(whole_words(&[], 1), 0);
    }

    #[test]
    fn a_broken_file_is_named() {
        let message = TextTokenizer::new(b"{}", 8).unwrap_err().to_string();
        assert!(message.starts_with("tokenizer.json does not load"), "{message}");
        assert!(TextTokenizer::new(&pack::tokenizer().unwrap(), 2).is_err());
    }
}
