//! What a person hands in: text arguments, standard input, files; and answers read into their types.

use std::io::Read as _;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::fail::Fail;

/// Largest text that is read from a file or standard input (the daemon's own limit is lower).
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// The text of an argument: words joined by spaces, `-` = standard input, `@file` = a file.
pub(crate) fn text(words: &[String]) -> Result<String, Fail> {
    match words {
        [one] if one == "-" => from(std::io::stdin().lock(), "standard input"),
        [one] if one.len() > 1 && one.starts_with('@') => {
            let path = &one[1..];
            let file = std::fs::File::open(path).map_err(|error| Fail::usage(format!("{path}: {error}")))?;
            from(file, path)
        }
        words => Ok(words.join(" ")),
    }
}

fn from(source: impl std::io::Read, name: &str) -> Result<String, Fail> {
    let mut bytes = Vec::new();
    source
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fail::usage(format!("{name}: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Fail::usage(format!("{name} is above 32 MiB")));
    }
    String::from_utf8(bytes).map_err(|_| Fail::usage(format!("{name} is not UTF-8 text")))
}

/// An answer as its type. A field of another type than promised is the daemon's fault.
pub(crate) fn read<T: DeserializeOwned>(answer: Value) -> Result<T, Fail> {
    serde_json::from_value(answer).map_err(|error| {
        Fail::local(format!("the daemon's answer does not read: {error}")).hint("signet doctor")
    })
}
