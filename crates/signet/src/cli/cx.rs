//! What every command gets: flags, environment, workspace, output.

use std::sync::Arc;

use signet_model::{Clock, Ids, SystemClock};

use super::Global;
use super::fail::Fail;
use super::out::{Out, Wanted};
use super::session::Session;
use crate::env::Env;
use crate::workspace::Workspace;

/// Context of one command.
#[derive(Debug)]
pub(crate) struct Cx {
    /// Global flags.
    pub(crate) global: Global,
    /// Environment.
    pub(crate) env: Env,
    /// Output.
    pub(crate) out: Out,
    workspace: Option<Workspace>,
}

impl Cx {
    /// The context of this process.
    pub(crate) fn new(global: Global, env: Env) -> Self {
        let wanted = Wanted {
            format: global.format(),
            color: global.color,
            quiet: global.quiet,
            verbose: global.verbose,
            no_pager: global.no_pager,
        };
        let out = Out::process(wanted, &env);
        let workspace = Workspace::choose(global.workspace.as_deref(), &env);
        Self { global, env, out, workspace }
    }

    /// The workspace, or exit 2 when there is no way to tell where it is.
    pub(crate) fn workspace(&self) -> Result<&Workspace, Fail> {
        self.workspace.as_ref().ok_or_else(|| {
            Fail::usage("no workspace: HOME is not set").hint("name one with --workspace or SIGNET_WORKSPACE")
        })
    }

    /// A connection to the daemon.
    pub(crate) fn session(&self) -> Result<Session<'_>, Fail> {
        Session::open(self)
    }

    /// The user of the operating system.
    pub(crate) fn os_user(&self) -> String {
        os_user(&self.env)
    }
}

/// The present instant.
pub(crate) fn now() -> signet_model::Timestamp {
    SystemClock.now()
}

/// The user of the operating system, by name, else by number.
pub(crate) fn os_user(env: &Env) -> String {
    let named = env.get("USER").or_else(|| env.get("LOGNAME")).or_else(|| env.get("USERNAME"));
    named.map_or_else(|| user_of(rustix::process::getuid().as_raw()), str::to_owned)
}

/// Name of a user number, as `/etc/passwd` knows it; else the number itself.
fn user_of(number: u32) -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let mut known =
        fields.filter(|fields| fields.get(2).and_then(|field| field.parse().ok()) == Some(number));
    let name = known.next().and_then(|fields| fields.first().map(|name| (*name).to_owned()));
    name.unwrap_or_else(|| number.to_string())
}

/// The machine's clock and randomness.
pub(crate) fn ids() -> Ids {
    Ids::new(Arc::new(SystemClock), Arc::new(random))
}

/// Random bytes of the system.
pub(crate) fn random(buffer: &mut [u8]) {
    // The source of a running kernel does not fail; ids would still be unique by their time.
    let _ = getrandom::fill(buffer);
}

#[cfg(test)]
impl Cx {
    /// The context of these arguments in this environment.
    pub(crate) fn of(args: &[&str], env: &[(&str, &str)]) -> Self {
        use clap::Parser as _;
        let args = std::iter::once("signet").chain(args.iter().copied());
        Self::new(super::Cli::parse_from(args).global, Env::of(env))
    }
}
