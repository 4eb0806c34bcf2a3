//! Everything that is printed: results to standard output, notes to standard error.
//!
//! Owns: terminal or pipe, colour, JSON, tables, and that stored text can never steer a terminal.

use std::io::{IsTerminal as _, Write as _};

use serde_json::Value;

use super::fail::Fail;
use super::flag_name;
use super::text;
use crate::env::Env;

/// Form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people, or tab-separated in a pipe.
    Human,
    /// The API body.
    Json,
    /// One line an item.
    JsonLines,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A role of text, coloured or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Names, ids in focus.
    Strong,
    /// What matters less.
    Dim,
    /// All is well.
    Good,
    /// Look here.
    Warn,
    /// Broken.
    Bad,
}

/// Where output goes and how it looks.
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
#[derive(Debug, Clone)]
pub(crate) struct Out {
    /// Form of the result.
    pub(crate) format: Format,
    /// Standard output is a terminal.
    pub(crate) terminal: bool,
    /// Columns of the terminal.
    pub(crate) width: usize,
    /// Results only.
    pub(crate) quiet: bool,
    /// Notes on what is done.
    pub(crate) verbose: bool,
    colour: bool,
    colour_notes: bool,
    pager: Option<Pager>,
}

/// Program that shows what does not fit on one screen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pager {
    /// Program and arguments.
    command: String,
    /// Lines of the terminal.
    rows: usize,
}

/// What the flags say about output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Form of the result.
    pub(crate) format: Format,
    /// Colour.
    pub(crate) color: ColorChoice,
    /// `--quiet`.
    pub(crate) quiet: bool,
    /// `--verbose`.
    pub(crate) verbose: bool,
    /// `--no-pager`.
    pub(crate) no_pager: bool,
}

impl Out {
    /// Output of this process.
    pub(crate) fn process(wanted: Wanted, env: &Env) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let notes_terminal = std::io::stderr().is_terminal();
        Self {
            format: wanted.format,
            terminal,
            width: columns(env),
            quiet: wanted.quiet,
            verbose: wanted.verbose,
            colour: coloured(wanted.color, terminal, env),
            colour_notes: coloured(wanted.color, notes_terminal, env),
            pager: if terminal && !wanted.no_pager { pager(env) } else { None },
        }
    }

    /// Whether the result is JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.format != Format::Human
    }

    /// Prints a line of the result.
    #[expect(clippy::unused_self, reason = "all printing goes through the output of the command")]
    pub(crate) fn line(&self, line: &str) -> Result<(), Fail> {
        put(&format!("{line}\n"))
    }

    /// Prints an answer as it came: indented on a terminal, compact in a pipe.
    pub(crate) fn json(&self, body: &Value) -> Result<(), Fail> {
        let text = if self.terminal { format!("{body:#}") } else { body.to_string() };
        self.line(&text)
    }

    /// Prints an answer that is a list: with `--jsonl` the items of `key`, one a line.
    pub(crate) fn json_list(&self, body: &Value, key: &str) -> Result<(), Fail> {
        match (self.format, body.get(key).and_then(Value::as_array)) {
            (Format::JsonLines, Some(items)) => {
                put(&items.iter().fold(String::new(), |lines, item| lines + &item.to_string() + "\n"))
            }
            (Format::JsonLines, None) => self.line(&body.to_string()),
            _ => self.json(body),
        }
    }

    /// Prints rows: aligned under a head and cut to the width on a terminal, tab-separated without a head
    /// in a pipe. `flexible` is the column that gives way.
    pub(crate) fn table(&self, head: &[&str], flexible: usize, rows: &[Vec<String>]) -> Result<(), Fail> {
        if self.terminal {
            self.page(&self.aligned(head, flexible, rows))
        } else {
            let lines = rows.iter().map(|row| {
                let cells: Vec<String> = row.iter().map(|cell| text::tab_safe(cell)).collect();
                format!("{}\n", cells.join("\t"))
            });
            put(&lines.collect::<String>())
        }
    }

    /// Shows a long list through the pager; without one, or when it does not start, prints it.
    fn page(&self, text: &str) -> Result<(), Fail> {
        match &self.pager {
            Some(pager) if text.lines().count() >= pager.rows => {
                through(&pager.command, text).or_else(|_| put(text))
            }
            Some(_) | None => put(text),
        }
    }

    fn aligned(&self, head: &[&str], flexible: usize, rows: &[Vec<String>]) -> String {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| text::one_line(cell)).collect()).collect();
        let mut widths: Vec<usize> = head.iter().map(|title| text::width(title)).collect();
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(text::width(cell));
            }
        }
        let others: usize =
            widths.iter().enumerate().filter(|(n, _)| *n != flexible).map(|(_, width)| width + 2).sum();
        if let Some(width) = widths.get_mut(flexible) {
            *width = (*width).min(self.width.saturating_sub(others).max(10));
        }
        let columns: Vec<Column> = widths
            .iter()
            .enumerate()
            .map(|(n, width)| Column { width: *width, right: n != flexible && is_numeric(&rows, n) })
            .collect();
        let titles: Vec<String> = head.iter().map(|title| (*title).to_owned()).collect();
        let mut out = format!("{}\n", self.paint(Style::Dim, &row_line(&titles, &columns)));
        for row in &rows {
            out.push_str(&row_line(row, &columns));
            out.push('\n');
        }
        out
    }

    /// Text in a style, when colour is on.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        paint(self.colour, style, text)
    }

    /// A note on standard error; nothing with `--quiet`. A closed standard error is no fault.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            drop(std::io::stderr().write_all(format!("{text}\n").as_bytes()));
        }
    }

    /// A note that only `--verbose` shows.
    pub(crate) fn detail(&self, text: &str) {
        if self.verbose {
            self.note(&paint(self.colour_notes, Style::Dim, text));
        }
    }

    /// A warning on standard error.
    pub(crate) fn warn(&self, text: &str) {
        self.note(&format!("{} {text}", paint(self.colour_notes, Style::Warn, "warning:")));
    }

    /// A failure: JSON on standard output when JSON was asked for, else a sentence on standard error.
    pub(crate) fn failure(&self, fail: &Fail) {
        if fail.is_silent() {
            return;
        }
        if self.is_json() {
            drop(self.json(&fail.body));
            return;
        }
        let message = text::lines(&flag_name::in_text(fail, fail.text("error").unwrap_or("it failed")));
        let mut out = format!("{} {message}\n", paint(self.colour_notes, Style::Bad, "error:"));
        if let Some(hint) = fail.text("hint") {
            let label = paint(self.colour_notes, Style::Dim, "hint:");
            out = format!("{out}{label} {}\n", text::lines(&flag_name::in_text(fail, hint)));
        }
        drop(std::io::stderr().write_all(out.as_bytes()));
    }
}

/// `$PAGER`, and the size of the screen.
fn pager(env: &Env) -> Option<Pager> {
    let command = env.get("PAGER")?.to_owned();
    let rows = usize::from(rustix::termios::tcgetwinsize(std::io::stdout()).ok()?.ws_row);
    (rows > 0).then_some(Pager { command, rows })
}

/// Hands a text to a program. A reader who leaves early is no failure.
fn through(command: &str, text: &str) -> std::io::Result<()> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or("less");
    let mut child =
        std::process::Command::new(program).args(words).stdin(std::process::Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        drop(stdin.write_all(text.as_bytes()));
    }
    child.wait().map(drop)
}

/// A column of a table.
struct Column {
    /// Columns of the terminal.
    width: usize,
    /// Numbers stand at the right.
    right: bool,
}

/// Whether every cell of a column is a number or stands for none.
fn is_numeric(rows: &[Vec<String>], n: usize) -> bool {
    let number = |cell: &String| cell.chars().all(|ch| ch.is_ascii_digit() || matches!(ch, '.' | '–'));
    let cells = || rows.iter().filter_map(|row| row.get(n));
    cells().all(number) && cells().any(|cell| cell.starts_with(|ch: char| ch.is_ascii_digit()))
}

fn row_line(cells: &[String], columns: &[Column]) -> String {
    let mut line = String::new();
    for (n, (cell, column)) in cells.iter().zip(columns).enumerate() {
        let cut = text::cut(cell, column.width);
        let pad = " ".repeat(column.width.saturating_sub(text::width(&cut)));
        let padded = if column.right { pad + &cut } else { cut + &pad };
        line.push_str(&padded);
        if n + 1 < cells.len() {
            line.push_str("  ");
        }
    }
    line.trim_end().to_owned()
}

fn paint(on: bool, style: Style, text: &str) -> String {
    if !on {
        return text.to_owned();
    }
    let code = match style {
        Style::Strong => "1",
        Style::Dim => "2",
        Style::Good => "32",
        Style::Warn => "33",
        Style::Bad => "31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

fn coloured(choice: ColorChoice, terminal: bool, env: &Env) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if env.get("NO_COLOR").is_some() => false,
        ColorChoice::Auto if env.is_on("CLICOLOR_FORCE") => true,
        ColorChoice::Auto => terminal && env.get("TERM") != Some("dumb"),
    }
}

fn columns(env: &Env) -> usize {
    let asked = env.get("COLUMNS").and_then(|text| text.parse().ok());
    let seen = || rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
    asked.or_else(seen).filter(|columns| *columns >= 20).unwrap_or(80)
}

fn put(text: &str) -> Result<(), Fail> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        std::io::ErrorKind::BrokenPipe => Fail::pipe_closed(),
        _ => Fail::local(format!("standard output: {error}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(width: usize) -> Out {
        let (format, colour) = (Format::Human, false);
        Out {
            format,
            terminal: true,
            width,
            quiet: false,
            verbose: false,
            colour,
            colour_notes: false,
            pager: None,
        }
    }

    #[test]
    fn tables_fit_the_terminal_by_display_width() {
        let rows = [
            vec!["1".to_owned(), "東京都は日本の首都です。とても長い文".to_owned(), "fact".to_owned()],
            vec!["22".to_owned(), "short".to_owned(), "rule".to_owned()],
        ];
        let text = terminal(34).aligned(&["#", "text", "type"], 1, &rows);
        let first = text.lines().nth(1).unwrap();
        assert!(first.starts_with(" 1  東京都") && first.contains('…') && first.ends_with("fact"), "{first}");
        assert_eq!(text.lines().nth(2), Some("22  short                     rule"));
        assert!(text.lines().all(|line| text::width(line) <= 34), "{text}");
    }

    #[test]
    fn stored_text_cannot_steer_the_terminal() {
        let rows = [vec!["\u{1b}[2J\u{1b}]0;owned\u{7}x\u{202e}y".to_owned()]];
        let text = terminal(40).aligned(&["text"], 0, &rows);
        assert!(
            !text.contains('\u{1b}') && !text.contains('\u{7}') && !text.contains('\u{202e}'),
            "{text:?}"
        );
    }

    #[test]
    fn colour_rules() {
        let env = |vars: &[(&str, &str)]| Env::of(vars);
        assert!(coloured(ColorChoice::Auto, true, &env(&[])));
        assert!(!coloured(ColorChoice::Auto, false, &env(&[])));
        assert!(!coloured(ColorChoice::Auto, true, &env(&[("TERM", "dumb")])));
        assert!(coloured(ColorChoice::Auto, false, &env(&[("CLICOLOR_FORCE", "1")])));
        assert!(!coloured(ColorChoice::Auto, true, &env(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")])));
        assert!(coloured(ColorChoice::Always, false, &env(&[("NO_COLOR", "1")])));
    }
}
