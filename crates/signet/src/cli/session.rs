//! A connection to the daemon: which address, which credential, started when it is stopped.

mod whose;

use std::net::IpAddr;
use std::time::Duration;

use serde_json::Value;
use signet_client::{Claims, Client, Credential, Failure, Method, Options};

use super::cx::{self, Cx};
use super::daemon::start;
use super::fail::Fail;
use super::missing;
use crate::{config, holder};

/// Life of a self-signed token in seconds.
const SELF_SIGNED_TTL: u64 = 60;

/// One command's connection.
#[derive(Debug)]
pub(crate) struct Session<'c> {
    cx: &'c Cx,
    runtime: tokio::runtime::Runtime,
    client: Client,
    autostart: bool,
    /// It is not yet known that what listens there serves this workspace.
    unproven: bool,
    /// A person named the address: nothing is known about what runs there, and nothing is started.
    named: bool,
}

/// An address, and whether a person named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// `http://host:port`.
    pub(crate) url: String,
    /// Given by `--url` or `SIGNET_DAEMON_URL`.
    pub(crate) named: bool,
}

impl<'c> Session<'c> {
    /// A session; nothing is sent yet.
    pub(crate) fn open(cx: &'c Cx) -> Result<Self, Fail> {
        Self::at(cx, address(cx)?, cx.global.timeout)
    }

    /// A session with another patience than `--timeout`, which never starts the daemon.
    pub(crate) fn probe(cx: &'c Cx, patience: Duration) -> Result<Self, Fail> {
        let session = Self::at(cx, address(cx)?, patience)?;
        Ok(Self { autostart: false, ..session })
    }

    fn at(cx: &'c Cx, address: Address, timeout: Duration) -> Result<Self, Fail> {
        let runtime = runtime()?;
        let named = address.named;
        let loopback = is_loopback(&address.url);
        let unproven = loopback && !address.named;
        let agent = cx.global.agent.clone().or_else(|| cx.env.get("SIGNET_AGENT_ID").map(str::to_owned));
        let options = Options {
            credential: credential(cx, &address, loopback),
            url: address.url,
            agent,
            timezone: jiff::tz::TimeZone::system().iana_name().map(str::to_owned),
            timeout,
        };
        cx.out.detail(&format!("daemon at {}", options.url));
        let client = Client::new(options)?;
        let autostart = loopback && !named && !cx.global.no_autostart && !cx.env.is_on("SIGNET_NO_AUTOSTART");
        Ok(Self { cx, runtime, client, autostart, unproven, named })
    }

    /// The address in use.
    pub(crate) fn url(&self) -> &str {
        self.client.url()
    }

    /// GET.
    pub(crate) fn get(&mut self, path: &str, query: &[(&str, String)]) -> Result<Value, Fail> {
        let answer = self.retry(|client, runtime| runtime.block_on(client.get(path, query)));
        answer.map_err(|fail| missing::named(fail, path))
    }

    /// POST.
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Result<Value, Fail> {
        self.call(Method::Post, path, Some(body))
    }

    /// Any call.
    pub(crate) fn call(&mut self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Fail> {
        let answer = self.retry(|client, runtime| runtime.block_on(client.call(method, path, body)));
        answer.map_err(|fail| missing::named(fail, path))
    }

    /// One try without starting anything, with the status whatever it is.
    pub(crate) fn peek(&self, path: &str) -> Result<(u16, Value), Failure> {
        self.runtime.block_on(self.client.exchange(Method::Get, path, None))
    }

    /// `/health`. Until it is known whose daemon listens, no credential is shown to it.
    pub(crate) fn health(&self) -> Result<Value, Failure> {
        let stranger;
        let client = if self.unproven {
            stranger = self.client.without_credential();
            &stranger
        } else {
            &self.client
        };
        self.runtime.block_on(client.exchange(Method::Get, "/health", None)).map(|(_, health)| health)
    }

    /// Refuses an answer of `/health` that comes from the daemon of another workspace. Who names an address
    /// means whatever runs there.
    pub(crate) fn refuse_foreign(&self, health: &Value) -> Result<(), Fail> {
        if !self.unproven {
            return Ok(());
        }
        whose::refuse_foreign(&self.cx.workspace()?.root, self.url(), health)
    }

    /// Makes sure, before anything is asked or stored, that this workspace's daemon is asked.
    fn prove(&mut self) -> Result<(), Fail> {
        if !self.unproven {
            return Ok(());
        }
        match self.health() {
            Ok(health) => self.refuse_foreign(&health)?,
            Err(failure @ Failure::Silent { .. }) => return Err(self.explain(failure)),
            // The call itself finds out, and says so or starts the daemon.
            Err(_) => return Ok(()),
        }
        self.unproven = false;
        Ok(())
    }

    /// A call; when nobody listens, the daemon is started and the call is made once more.
    fn retry(
        &mut self,
        call: impl Fn(&Client, &tokio::runtime::Runtime) -> Result<Value, Failure>,
    ) -> Result<Value, Fail> {
        self.prove()?;
        let began = std::time::Instant::now();
        let answer = match call(&self.client, &self.runtime) {
            Err(Failure::Refused { url }) => {
                self.start_daemon(url)?;
                call(&self.client, &self.runtime)
            }
            answer => answer,
        };
        self.cx.out.detail(&format!("answered in {} ms", began.elapsed().as_millis()));
        answer.map_err(|failure| self.explain(failure))
    }

    fn start_daemon(&mut self, url: String) -> Result<(), Fail> {
        if self.named {
            return Err(Fail::with_exit(7, "daemon_stopped", format!("nothing listens at {url}"))
                .hint("is the address right? It was given with --url or SIGNET_DAEMON_URL"));
        }
        let workspace = self.cx.workspace()?;
        if !self.autostart {
            return Err(Fail::from(Failure::Refused { url }));
        }
        if workspace.stopped_marker().exists() {
            let stopped = Fail::from(Failure::Refused { url });
            return Err(
                stopped.hint("it was stopped with `signet daemon stop`; start it with `signet daemon start`")
            );
        }
        let ready = start::start_and_wait(self.cx, Duration::from_secs(10))?;
        self.cx.out.note(&format!("signet: started the daemon (process {}, {})", ready.pid, ready.url));
        if ready.url != self.client.url() {
            let address = Address { url: ready.url, named: false };
            *self = Self::at(self.cx, address, self.cx.global.timeout)?;
        }
        Ok(())
    }

    /// Names the process that is silent, when the workspace's lock does.
    fn explain(&self, failure: Failure) -> Fail {
        let silent = matches!(failure, Failure::Silent { .. }) && !self.named;
        let fail = Fail::from(failure);
        let holder = self.cx.workspace().ok().and_then(|workspace| holder::read(&workspace.root));
        match holder.and_then(|holder| holder.pid).filter(|pid| silent && holder::lives(*pid)) {
            Some(pid) => {
                let message = format!("{} (process {pid} lives)", fail.text("error").unwrap_or_default());
                fail.with("error", Value::String(message)).with("pid", Value::from(pid))
            }
            None => fail,
        }
    }
}

/// A runtime of one thread: a client command makes one call at a time.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Fail> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Fail::local(format!("the runtime does not start: {error}")))
}

/// The daemon's address: `--url`, `SIGNET_DAEMON_URL`, `SIGNET_HOST` and `SIGNET_PORT`, what the lock file
/// announces, what the configuration says.
pub(crate) fn address(cx: &Cx) -> Result<Address, Fail> {
    let named = cx.global.url.clone().or_else(|| cx.env.get("SIGNET_DAEMON_URL").map(str::to_owned));
    if let Some(url) = named {
        return Ok(Address { url: url.trim_end_matches('/').to_owned(), named: true });
    }
    let port_of_env = cx.env.get("SIGNET_PORT").filter(|port| *port != "0");
    if let Some(host) = cx.env.get("SIGNET_HOST") {
        let port = port_of_env.unwrap_or("3850");
        return Ok(Address { url: format!("http://{}:{port}", bracketed(host)), named: false });
    }
    let workspace = cx.workspace()?;
    if let Some(holder) = holder::read(&workspace.root)
        && let (Some(url), Some(pid)) = (holder.url, holder.pid)
        && holder::lives(pid)
    {
        return Ok(Address { url, named: false });
    }
    let loaded = config::load(&workspace.root, &cx.env);
    let port = loaded.settings.as_ref().map(|settings| settings.network.port).filter(|port| *port != 0);
    let bind = loaded.settings.and_then(|settings| settings.network.bind);
    let host =
        bind.filter(|bind| !matches!(bind.as_str(), "0.0.0.0" | "::")).unwrap_or("127.0.0.1".to_owned());
    Ok(Address { url: format!("http://{}:{}", bracketed(&host), port.unwrap_or(3850)), named: false })
}

fn bracketed(host: &str) -> String {
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

/// Host of an address, without port and brackets.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => authority.split(':').next().unwrap_or(authority),
    }
}

/// Whether the address is this machine's.
pub(crate) fn is_loopback(url: &str) -> bool {
    let host = host_of(url);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A credential is sent to this machine, to trusted origins, and where a flag says so; never elsewhere.
fn credential(cx: &Cx, address: &Address, loopback: bool) -> Credential {
    let trusted = cx.env.list("SIGNET_TRUSTED_DAEMON_ORIGINS");
    let trusted = trusted.iter().any(|origin| origin.trim_end_matches('/') == address.url);
    if !(loopback || trusted || cx.global.url.is_some()) {
        return Credential::None;
    }
    let given = cx.env.get("SIGNET_TOKEN").or_else(|| cx.env.get("SIGNET_API_KEY"));
    if let Some(token) = given {
        return Credential::Bearer(token.to_owned());
    }
    if loopback {
        self_signed(cx, SELF_SIGNED_TTL, "admin").map_or(Credential::None, Credential::Bearer)
    } else {
        Credential::None
    }
}

/// A token signed with the workspace's secret; `None` when this user cannot read it.
pub(crate) fn self_signed(cx: &Cx, ttl: u64, role: &str) -> Option<String> {
    let secret = std::fs::read(cx.workspace().ok()?.secret()).ok().filter(|secret| secret.len() == 32)?;
    let issued_at = u64::try_from(cx::now().millis() / 1000).unwrap_or_default();
    let claims = Claims { subject: format!("cli:{}", cx.os_user()), role: role.to_owned(), issued_at, ttl };
    Some(signet_client::sign(&secret, &claims))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(args: &[&str], vars: &[(&str, &str)]) -> (String, bool) {
        let workspace = tempfile::tempdir().unwrap();
        std::fs::write(workspace.path().join("agent.yaml"), "network:\n  port: 4000\n").unwrap();
        let mut vars = vars.to_vec();
        vars.push(("SIGNET_WORKSPACE", workspace.path().to_str().unwrap()));
        let mut all = vec!["status"];
        all.extend(args);
        let address = address(&Cx::of(&all, &vars)).unwrap();
        (address.url, address.named)
    }

    #[test]
    fn the_address_comes_from_flag_environment_and_file_in_this_order() {
        let env =
            [("SIGNET_DAEMON_URL", "http://127.0.0.1:2/"), ("SIGNET_HOST", "::1"), ("SIGNET_PORT", "3")];
        assert_eq!(url(&["--url", "http://127.0.0.1:1/"], &env), ("http://127.0.0.1:1".to_owned(), true));
        assert_eq!(url(&[], &env), ("http://127.0.0.1:2".to_owned(), true));
        assert_eq!(url(&[], &env[1..]), ("http://[::1]:3".to_owned(), false));
        assert_eq!(url(&[], &env[2..]), ("http://127.0.0.1:3".to_owned(), false));
        assert_eq!(url(&[], &[]), ("http://127.0.0.1:4000".to_owned(), false));
    }

    #[test]
    fn a_credential_leaves_the_machine_only_where_it_was_told_to() {
        let sent = |args: &[&str], vars: &[(&str, &str)], url: &str| {
            let mut vars = vars.to_vec();
            vars.extend([("HOME", "/nowhere"), ("SIGNET_TOKEN", "t")]);
            let mut all = vec!["status"];
            all.extend(args);
            let address = Address { url: url.to_owned(), named: true };
            credential(&Cx::of(&all, &vars), &address, is_loopback(url)) != Credential::None
        };
        let (near, far) = ("http://127.0.0.1:1", "http://memory.example:1");
        assert!(sent(&[], &[], near));
        assert!(!sent(&[], &[], far));
        assert!(sent(&["--url", far], &[], far));
        assert!(sent(&[], &[("SIGNET_TRUSTED_DAEMON_ORIGINS", "http://memory.example:1")], far));
        assert!(!sent(&[], &[("SIGNET_TRUSTED_DAEMON_ORIGINS", "http://memory.example:2")], far));
    }

    #[test]
    fn loopback_is_decided_by_the_host_alone() {
        for url in ["http://127.0.0.1:3850", "http://localhost:1", "http://[::1]:3850", "https://127.9.9.9"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://10.0.0.1:3850",
            "http://127.0.0.1@evil.example",
            "http://localhost.evil.example",
            "http://[::2]:1",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
