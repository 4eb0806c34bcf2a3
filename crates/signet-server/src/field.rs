//! Request fields as a table: one declaration validates the request and writes its schema.
//!
//! Owns: the shapes a field can have and its spellings. Must not do: look at a request (see `input`).

pub mod spelling;

/// What a field takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Text of `min..=max` Unicode scalar values (counted as sent).
    Text {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: usize,
    },
    /// true or false; in a query also 1 and 0.
    Bool,
    /// Whole number in the range, else refused.
    Int {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// Number clamped into the range after rounding down; not a number is refused.
    Clamped {
        /// When absent.
        default: i64,
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// Number in the range, else refused.
    Number {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// RFC 3339, zone-less in the caller's zone, or a date (its start).
    Time,
    /// As [`Kind::Time`], a date meaning its end.
    TimeUntil,
    /// Comma string, string array, or null.
    Tags,
    /// Array of texts.
    Texts {
        /// Most items.
        max: usize,
        /// Fewest characters of one.
        min_len: usize,
        /// Most characters of one.
        max_len: usize,
    },
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Several of these words, as array or comma string.
    SomeOf(&'static [&'static str]),
    /// JSON object of at most this many bytes.
    Object {
        /// Most bytes, serialised.
        max_bytes: usize,
    },
    /// JSON object with these fields.
    Record(&'static [Field]),
    /// Array of objects with these fields; one faulty item refuses the request.
    Items {
        /// Most items.
        max: usize,
        /// Fields of one.
        fields: &'static [Field],
    },
    /// Array of objects with these fields; a faulty item is kept as its own refusal, so that a batch
    /// can answer item by item.
    Each {
        /// Most items.
        max: usize,
        /// Fields of one.
        fields: &'static [Field],
    },
    /// An id: 1 to 128 characters of `[A-Za-z0-9_:.@/-]`.
    Id,
}

/// One field of a request, in body or query.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// `camelCase` name; the `snake_case` twin is accepted too.
    pub name: &'static str,
    /// Other spellings beside the twin.
    pub aliases: &'static [&'static str],
    /// What it takes.
    pub kind: Kind,
    /// The sentence of the refusal when it is absent, blank or null; `None` = optional.
    pub required: Option<&'static str>,
    /// The sentence of the refusal when its value is wrong; `None` = made from the kind.
    pub wrong: Option<&'static str>,
    /// One line for the reference.
    pub doc: &'static str,
}

impl Field {
    /// An optional field.
    pub const fn new(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        Self { name, aliases: &[], kind, required: None, wrong: None, doc }
    }

    /// The same field, required.
    #[must_use]
    pub const fn required(mut self, sentence: &'static str) -> Self {
        self.required = Some(sentence);
        self
    }

    /// The same field with other spellings.
    #[must_use]
    pub const fn also(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The same field with a fixed sentence for wrong values.
    #[must_use]
    pub const fn wrong(mut self, sentence: &'static str) -> Self {
        self.wrong = Some(sentence);
        self
    }
}
