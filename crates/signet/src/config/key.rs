//! What a configuration key is: its path, what it takes, its default.

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// true or false.
    Flag,
    /// Whole number in the range.
    Int(i64, i64),
    /// Number in the range.
    Number(f64, f64),
    /// Milliseconds in the range: a whole number, or text such as `90s`, `20m`, `6h`, `7d`.
    Millis(i64, i64),
    /// Bytes in the range: a whole number, or text such as `10MiB`.
    Bytes(i64, i64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
    /// An http or https address.
    Url,
    /// A list of texts.
    Texts,
    /// A secret: `env:NAME`, `$secret:NAME`, or the value itself (masked and warned about).
    Secret,
    /// Anything; its own feature reads it.
    Open,
}

/// One key of `agent.yaml`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    /// Dotted path in its canonical spelling; `*` stands for a name of the user's choice.
    pub(crate) path: &'static str,
    /// What it takes.
    pub(crate) kind: Kind,
    /// Default as JSON; `null` = none.
    pub(crate) default: &'static str,
    /// May be set to null though its default is not null.
    pub(crate) nullable: bool,
    /// One line for the reference.
    pub(crate) doc: &'static str,
    /// Environment variable that wins over the file.
    pub(crate) env: Option<&'static str>,
    /// A change needs a restart.
    pub(crate) restart: bool,
}

/// A key with the usual rest.
pub(crate) const fn key(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key { path, kind, default, nullable: false, doc, env: None, restart: false }
}

impl Key {
    /// The same key that also takes null.
    pub(crate) const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// The same key with an environment variable that wins over the file.
    pub(crate) const fn env(mut self, name: &'static str) -> Self {
        self.env = Some(name);
        self
    }

    /// The same key, read at start only.
    pub(crate) const fn restart(mut self) -> Self {
        self.restart = true;
        self
    }

    /// Whether null is a value of the key.
    pub(crate) fn takes_null(&self) -> bool {
        self.nullable || self.default == "null"
    }

    /// Whether the path holds names of the user's choice.
    pub(crate) fn is_pattern(&self) -> bool {
        self.path.split('.').any(|part| part == "*")
    }

    /// The range or the words, as a person reads them; `None` when anything of the type goes.
    pub(crate) fn range(&self) -> Option<String> {
        match self.kind {
            Kind::Int(min, max) | Kind::Millis(min, max) | Kind::Bytes(min, max) if max == i64::MAX => {
                Some(format!("{min} or more"))
            }
            Kind::Int(min, max) | Kind::Millis(min, max) | Kind::Bytes(min, max) => {
                Some(format!("{min} to {max}"))
            }
            Kind::Number(min, max) if max.is_infinite() => Some(format!("{min} or more")),
            Kind::Number(min, max) => Some(format!("{min} to {max}")),
            Kind::Word(words) => Some(words.join(", ")),
            Kind::Flag | Kind::Text | Kind::Url | Kind::Texts | Kind::Secret | Kind::Open => None,
        }
    }

    /// The type in words.
    pub(crate) const fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Flag => "true or false",
            Kind::Int(..) => "a whole number",
            Kind::Number(..) => "a number",
            Kind::Millis(..) => "milliseconds, or text such as 90s, 20m, 6h, 7d",
            Kind::Bytes(..) => "bytes, or text such as 10MiB",
            Kind::Word(_) => "a word",
            Kind::Text => "text",
            Kind::Url => "an http or https address",
            Kind::Texts => "a list of texts",
            Kind::Secret => "`env:NAME`, `$secret:NAME`, or the value itself",
            Kind::Open => "free",
        }
    }
}
