//! From arguments to exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::cx::Cx;
use super::fail::Fail;
use super::out::{ColorChoice, Format, Out, Wanted};
use super::{Cli, old_names, version};
use crate::env::Env;

/// Runs the command line.
pub(crate) fn main(args: Vec<OsString>, env: Env) -> ExitCode {
    let out = early_output(&args, &env);
    let outcome = match parse(args) {
        Ok(cli) => {
            let cx = Cx::new(cli.global.clone(), env);
            let outcome = match &cli.command {
                _ if cli.version => version::run(&cx),
                Some(command) => super::run(&cx, command),
                None => Err(Fail::usage("name a command").hint("signet --help")),
            };
            outcome.inspect_err(|fail| cx.out.failure(fail))
        }
        Err(Refusal::Help(help)) => out.line(help.trim_end()),
        Err(Refusal::Usage(fail, rendered)) => {
            match rendered {
                Some(text) if !out.is_json() => out.note(text.trim_end()),
                Some(_) | None => out.failure(&fail),
            }
            Err(fail)
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => ExitCode::from(fail.exit),
    }
}

/// Why there is no command to run.
enum Refusal {
    /// Help was asked for.
    Help(String),
    /// Wrong usage, and clap's own rendering of it.
    Usage(Fail, Option<String>),
}

/// Output before the flags are known: enough to say that they are wrong.
fn early_output(args: &[OsString], env: &Env) -> Out {
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let format = if has("--json") || has("--jsonl") { Format::Json } else { Format::Human };
    Out::process(
        Wanted { format, color: ColorChoice::Auto, quiet: false, verbose: false, no_pager: true },
        env,
    )
}

fn parse(args: Vec<OsString>) -> Result<Cli, Refusal> {
    // Paths may be any bytes; everything else is text, and clap's own message would not say which argument.
    let takes_path = ["-p", "--workspace", "--path", "--into"];
    for (n, arg) in args.iter().enumerate().skip(1) {
        let after_path_flag = n > 1 && takes_path.iter().any(|flag| args[n - 1] == *flag);
        if arg.to_str().is_none() && !after_path_flag {
            let message = format!("argument {n} is not UTF-8: {}", arg.to_string_lossy());
            return Err(Refusal::Usage(Fail::usage(message), None));
        }
    }
    Cli::try_parse_from(args).map_err(|error| refusal(&error))
}

fn refusal(error: &clap::Error) -> Refusal {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return Refusal::Help(error.to_string()),
        ErrorKind::InvalidSubcommand => {
            if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
                && let Some(instead) = old_names::instead(name)
            {
                let fail = Fail::usage(format!("there is no command `{name}`")).hint(instead);
                return Refusal::Usage(fail, None);
            }
        }
        ErrorKind::UnknownArgument => {
            if let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
                && let Some(instead) = old_names::instead_of_flag(flag)
            {
                let fail = Fail::usage(format!("there is no flag `{flag}`")).hint(instead);
                return Refusal::Usage(fail, None);
            }
        }
        _ => {}
    }
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let sentence = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    Refusal::Usage(Fail::usage(sentence), Some(text))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    fn refused(args: &[&[u8]]) -> String {
        let args = std::iter::once(&b"signet"[..]).chain(args.iter().copied());
        match parse(args.map(|arg| OsString::from_vec(arg.to_vec())).collect()) {
            Err(Refusal::Usage(fail, _)) => fail.text("error").unwrap_or_default().to_owned(),
            Err(Refusal::Help(_)) => "help".to_owned(),
            Ok(_) => "accepted".to_owned(),
        }
    }

    #[test]
    fn paths_may_be_any_bytes_and_nothing_else() {
        assert_eq!(refused(&[b"-p", b"/caf\xe9", b"status"]), "accepted");
        assert_eq!(refused(&[b"recall", b"caf\xe9"]), "argument 2 is not UTF-8: caf\u{fffd}");
    }

    #[test]
    fn old_names_are_told_from_typing_errors() {
        assert_eq!(refused(&[b"marketplace"]), "there is no command `marketplace`");
        assert_eq!(refused(&[b"recal", b"x"]), "unrecognized subcommand 'recal'");
        assert_eq!(refused(&[b"--help"]), "help");
    }
}
