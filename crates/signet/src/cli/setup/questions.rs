//! The questions of setup: at most six, each with a default, only on a terminal.

use super::super::ask;
use super::super::cx::Cx;
use super::super::fail::Fail;
use super::{Answers, Setup};

/// Answers from flags, questions and defaults, in this order.
pub(super) fn ask(cx: &Cx, args: &Setup) -> Result<Answers, Fail> {
    let configured = crate::config::load::find(&cx.workspace()?.root).is_some();
    let interactive = !args.non_interactive && !args.dry_run && !cx.global.yes && ask::possible(cx);
    // With a configuration in place there is nothing left to ask: it is kept as it is.
    let asks = interactive && !configured;
    let name = match &args.name {
        Some(name) => name.clone(),
        None if asks => ask::text("Name of the agent", &cx.os_user())?,
        None => cx.os_user(),
    };
    let description = match &args.description {
        Some(description) => description.clone(),
        None if asks => ask::text("What is it for, in one line", "")?,
        None => String::new(),
    };
    let provider = match args.embedding_provider {
        Some(provider) => provider.word(),
        None if asks => embedding()?,
        None => "native",
    };
    let (model, dimensions) = model(args, provider, asks)?;
    let start = match (args.no_start, interactive) {
        (true, _) => false,
        (false, true) if asks => ask::choice("Start the daemon now", &["yes", "no"], "yes")? == "yes",
        (false, _) => true,
    };
    let mode = args.mode.map_or("local", super::Mode::word);
    Ok(Answers { name, description, provider, model, dimensions, mode, start })
}

fn embedding() -> Result<&'static str, Fail> {
    let words = ["native", "ollama", "openai", "none"];
    let chosen = ask::choice("Where are vectors made? native needs nothing else", &words, "native")?;
    Ok(words.into_iter().find(|word| *word == chosen).unwrap_or("native"))
}

fn model(args: &Setup, provider: &str, asks: bool) -> Result<(Option<String>, Option<u32>), Fail> {
    let (usual, length) = match provider {
        "ollama" => ("nomic-embed-text", 768),
        "openai" => ("text-embedding-3-small", 1536),
        _ => return Ok((args.embedding_model.clone(), args.embedding_dimensions)),
    };
    let model = match &args.embedding_model {
        Some(model) => model.clone(),
        None if asks => ask::text("Embedding model", usual)?,
        None => usual.to_owned(),
    };
    let dimensions = match args.embedding_dimensions {
        Some(dimensions) => dimensions,
        None if asks => {
            let typed = ask::text("Length of its vectors", &length.to_string())?;
            typed.parse().map_err(|_| Fail::usage(format!("`{typed}` is no whole number")))?
        }
        None => length,
    };
    Ok((Some(model), Some(dimensions)))
}
