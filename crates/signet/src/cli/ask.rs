//! Questions to a person: only on a terminal, never with `--json`, each with a default.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use super::cx::Cx;
use super::fail::Fail;

/// Whether a person can be asked.
pub(crate) fn possible(cx: &Cx) -> bool {
    !cx.out.is_json() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks before something that cannot be taken back. `--yes` = yes. Without a terminal: exit 2.
pub(crate) fn confirm(cx: &Cx, question: &str) -> Result<bool, Fail> {
    if cx.global.yes {
        return Ok(true);
    }
    if !possible(cx) {
        return Err(Fail::usage(format!("{question} needs a confirmation")).hint("add --yes"));
    }
    let answer = line(&format!("{question} [y/N] "))?;
    Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes"))
}

/// Asks for a text; empty = the default.
pub(crate) fn text(question: &str, default: &str) -> Result<String, Fail> {
    let shown = if default.is_empty() { String::new() } else { format!(" [{default}]") };
    let answer = line(&format!("{question}{shown}: "))?;
    Ok(if answer.is_empty() { default.to_owned() } else { answer })
}

/// Asks for one of a few words; asks again until it is one of them.
pub(crate) fn choice(question: &str, words: &[&str], default: &str) -> Result<String, Fail> {
    loop {
        let answer = text(&format!("{question} ({})", words.join(", ")), default)?;
        match words.iter().find(|word| **word == answer.to_lowercase()) {
            Some(word) => return Ok((*word).to_owned()),
            None => drop(std::io::stderr().write_all(b"  Please answer with one of these words.\n")),
        }
    }
}

fn line(prompt: &str) -> Result<String, Fail> {
    let failed = |error: std::io::Error| Fail::local(format!("the terminal: {error}"));
    let mut stderr = std::io::stderr();
    stderr.write_all(prompt.as_bytes()).and_then(|()| stderr.flush()).map_err(failed)?;
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    if read == 0 {
        return Err(Fail::with_exit(130, "interrupted", "interrupted"));
    }
    Ok(answer.trim().to_owned())
}
