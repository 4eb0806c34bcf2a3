//! The command line: the tree of commands, global flags, and what every command gets.
//!
//! Owns: arguments, output, exit codes. Must not know: any rule of the product; those are the daemon's.

pub(crate) mod agent;
pub(crate) mod api_key;
pub(crate) mod ask;
pub(crate) mod backup;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod cx;
pub(crate) mod daemon;
pub(crate) mod doctor;
pub(crate) mod entry;
pub(crate) mod fail;
pub(crate) mod flag_name;
pub(crate) mod help;
pub(crate) mod id;
pub(crate) mod input;
pub(crate) mod limit;
pub(crate) mod logs;
pub(crate) mod memory;
pub(crate) mod missing;
pub(crate) mod offline;
pub(crate) mod old_names;
pub(crate) mod out;
pub(crate) mod project;
pub(crate) mod rebuild;
pub(crate) mod recall;
pub(crate) mod receipt;
pub(crate) mod remember;
pub(crate) mod restore;
pub(crate) mod session;
pub(crate) mod setup;
pub(crate) mod status;
pub(crate) mod text;
pub(crate) mod token;
pub(crate) mod version;
pub(crate) mod when;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use self::cx::Cx;
use self::fail::Fail;
use self::out::{ColorChoice, Format};

/// A memory for AI agents that stays on your machine.
#[derive(Debug, Parser)]
#[command(
    name = "signet",
    about = "A memory for AI agents that stays on your machine.",
    after_help = help::ROOT,
    disable_version_flag = true,
    arg_required_else_help = true,
    subcommand_value_name = "COMMAND",
    max_term_width = 110
)]
pub(crate) struct Cli {
    /// Flags of every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// Print the version and the schema version.
    #[arg(short = 'V', long)]
    pub(crate) version: bool,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Flags of every command.
#[expect(clippy::doc_markdown, reason = "the texts are help of the command line")]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Workspace folder [env: SIGNET_WORKSPACE, SIGNET_PATH] [default: ~/.agents].
    #[arg(short = 'p', long, alias = "path", global = true, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Address of the daemon [env: SIGNET_DAEMON_URL].
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Agent [env: SIGNET_AGENT_ID] [default: default].
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) agent: Option<String>,
    /// Print the answer as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print lists as one JSON object a line.
    #[arg(long, global = true, conflicts_with = "json")]
    pub(crate) jsonl: bool,
    /// Print the result only.
    #[arg(short = 'q', long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell on standard error what is done.
    #[arg(short = 'v', long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colour.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        value_name = "auto|always|never"
    )]
    pub(crate) color: ColorChoice,
    /// Do not start the daemon when it is stopped [env: SIGNET_NO_AUTOSTART].
    #[arg(long, global = true)]
    pub(crate) no_autostart: bool,
    /// Longest wait for an answer: 2500ms, 10s, 5m.
    #[arg(long, global = true, value_parser = duration, default_value = "30s", value_name = "DURATION")]
    pub(crate) timeout: Duration,
    /// Never show long lists through `$PAGER`.
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    /// Answer every question with yes.
    #[arg(long, global = true)]
    pub(crate) yes: bool,
}

impl Global {
    /// Form of the result.
    pub(crate) fn format(&self) -> Format {
        match (self.json, self.jsonl) {
            (_, true) => Format::JsonLines,
            (true, false) => Format::Json,
            (false, false) => Format::Human,
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set up a workspace, start the daemon, and try it out.
    #[command(visible_alias = "install", after_help = help::SETUP)]
    Setup(setup::Setup),
    /// Store a memory.
    #[command(after_help = help::REMEMBER)]
    Remember(remember::Remember),
    /// Find memories by meaning and by words.
    #[command(visible_alias = "search", after_help = help::RECALL)]
    Recall(recall::Recall),
    /// Look at, change, forget and recover memories.
    #[command(subcommand, after_help = help::MEMORY)]
    Memory(memory::Memory),
    /// Receipts of purges.
    #[command(subcommand)]
    Receipt(receipt::Receipt),
    /// One screen about the daemon and the store.
    Status(status::Status),
    /// Look for problems and say what to do about each.
    #[command(after_help = help::DOCTOR)]
    Doctor(doctor::Doctor),
    /// Run, start, stop and watch the daemon.
    #[command(subcommand, after_help = help::DAEMON)]
    Daemon(daemon::Daemon),
    /// The same as `daemon start`.
    #[command(hide = true)]
    Start(daemon::start::Start),
    /// The same as `daemon stop`.
    #[command(hide = true)]
    Stop(daemon::stop::Stop),
    /// The same as `daemon restart`.
    #[command(hide = true)]
    Restart(daemon::restart::Restart),
    /// The same as `daemon logs`.
    #[command(hide = true)]
    Logs(logs::Logs),
    /// Check and show the configuration.
    #[command(subcommand, after_help = help::CONFIG)]
    Config(config::Config),
    /// Agents and what they may read of each other.
    #[command(subcommand)]
    Agent(agent::Agent),
    /// Access tokens.
    #[command(subcommand, after_help = help::TOKEN)]
    Token(token::Token),
    /// API keys of programs.
    #[command(subcommand)]
    ApiKey(api_key::ApiKey),
    /// Copy the database into one verified file, while the daemon runs or not.
    Backup(backup::Backup),
    /// Put a verified backup in the place of the database.
    Restore(restore::Restore),
    /// Drop and remake derived tables; the daemon must be stopped.
    Rebuild(rebuild::Rebuild),
    /// Print a completion script.
    #[command(after_help = help::COMPLETIONS)]
    Completions(completions::Completions),
}

/// Runs a command.
pub(crate) fn run(cx: &Cx, command: &Command) -> Result<(), Fail> {
    match command {
        Command::Setup(args) => setup::run(cx, args),
        Command::Remember(args) => remember::run(cx, args),
        Command::Recall(args) => recall::run(cx, args),
        Command::Memory(command) => memory::run(cx, command),
        Command::Receipt(command) => receipt::run(cx, command),
        Command::Status(args) => status::run(cx, args),
        Command::Doctor(args) => doctor::run(cx, args),
        Command::Daemon(command) => daemon::run(cx, command),
        Command::Start(args) => daemon::start::run(cx, args),
        Command::Stop(args) => daemon::stop::run(cx, args),
        Command::Restart(args) => daemon::restart::run(cx, args),
        Command::Logs(args) => logs::run(cx, args),
        Command::Config(command) => config::run(cx, command),
        Command::Agent(command) => agent::run(cx, command),
        Command::Token(command) => token::run(cx, command),
        Command::ApiKey(command) => api_key::run(cx, command),
        Command::Backup(args) => backup::run(cx, args),
        Command::Restore(args) => restore::run(cx, args),
        Command::Rebuild(args) => rebuild::run(cx, args),
        Command::Completions(args) => completions::run(cx, args),
    }
}

/// A duration of a flag.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let millis = crate::config::value::duration_millis(text);
    let millis = millis.and_then(|millis| u64::try_from(millis).ok()).filter(|millis| *millis > 0);
    millis.map(Duration::from_millis).ok_or_else(|| "give a time such as 2500ms, 10s or 5m".to_owned())
}
