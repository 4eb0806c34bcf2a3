//! The daemon's sockets: addresses of the configuration, and who has the port when it is taken.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use crate::cli::fail::Fail;
use crate::config::settings::Network;

/// Bound sockets, all on one port.
#[derive(Debug)]
pub(crate) struct Bound {
    /// Listeners, ready for tokio.
    pub(crate) listeners: Vec<TcpListener>,
    /// Their addresses.
    pub(crate) addresses: Vec<IpAddr>,
    /// Their port.
    pub(crate) port: u16,
}

impl Bound {
    /// The address for clients on this machine.
    pub(crate) fn url(&self) -> String {
        let first = self.addresses.first().copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let host = match first {
            IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
            IpAddr::V6(address) if address.is_unspecified() => format!("[{}]", Ipv6Addr::LOCALHOST),
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        format!("http://{host}:{}", self.port)
    }
}

/// Binds. A port that is taken: exit 7 with its owner; never another port.
pub(crate) fn bind(network: &Network) -> Result<Bound, Fail> {
    let mut wanted: Vec<IpAddr> = match network.bind.as_deref().map(str::parse) {
        Some(Ok(address)) => vec![address],
        Some(Err(_)) | None => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
    };
    if network.mode == "tailscale" {
        let tailnet = tailnet_addresses();
        if tailnet.is_empty() {
            return Err(Fail::with_exit(
                7,
                "no_tailnet",
                "`network.mode: tailscale`, but this machine has no tailnet address",
            )
            .hint("start tailscale first, or set `network.mode: localhost`"));
        }
        wanted.extend(tailnet);
    }
    let mut bound = Bound { listeners: Vec::new(), addresses: Vec::new(), port: network.port };
    for address in wanted {
        match TcpListener::bind(SocketAddr::new(address, bound.port)) {
            Ok(listener) => {
                bound.port =
                    listener.local_addr().map_err(|error| failed(address, bound.port, &error))?.port();
                listener.set_nonblocking(true).map_err(|error| failed(address, bound.port, &error))?;
                bound.listeners.push(listener);
                bound.addresses.push(address);
            }
            // A machine without IPv6 has no ::1, and that is no fault.
            Err(error)
                if !bound.listeners.is_empty()
                    && address == IpAddr::V6(Ipv6Addr::LOCALHOST)
                    && error.kind() == std::io::ErrorKind::AddrNotAvailable => {}
            Err(error) => return Err(failed(address, bound.port, &error)),
        }
    }
    Ok(bound)
}

fn failed(address: IpAddr, port: u16, error: &std::io::Error) -> Fail {
    if error.kind() != std::io::ErrorKind::AddrInUse {
        return Fail::with_exit(
            7,
            "cannot_listen",
            format!("cannot listen on {}: {error}", SocketAddr::new(address, port)),
        );
    }
    let owner =
        owner_of(port).map_or("another program".to_owned(), |(pid, name)| format!("process {pid} ({name})"));
    Fail::with_exit(7, "port_in_use", format!("port {port} is in use by {owner}"))
        .hint("stop that program, or set `network.port` in agent.yaml or SIGNET_PORT to a free port")
}

/// Process that listens on a port, as far as this user may see it.
fn owner_of(port: u16) -> Option<(u32, String)> {
    let inodes: Vec<String> = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| std::fs::read_to_string(table).ok())
        .flat_map(|table| listening_inodes(&table, port))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    if inodes.is_empty() {
        return None;
    }
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(files) = std::fs::read_dir(entry.path().join("fd")) else { continue };
        let holds = files
            .flatten()
            .filter_map(|file| std::fs::read_link(file.path()).ok())
            .any(|target| target.to_str().is_some_and(|target| inodes.iter().any(|inode| inode == target)));
        if holds {
            let name = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
            return Some((pid, name.trim().to_owned()));
        }
    }
    None
}

/// Socket inodes of a `/proc/net/tcp` table that listen (state 0A) on the port.
fn listening_inodes(table: &str, port: u16) -> Vec<String> {
    let suffix = format!(":{port:04X}");
    table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (local, state, inode) = (fields.get(1)?, fields.get(3)?, fields.get(9)?);
            (local.ends_with(&suffix) && *state == "0A").then(|| (*inode).to_owned())
        })
        .collect()
}

/// This machine's addresses in `100.64.0.0/10` and `fd7a:115c:a1e0::/48`.
fn tailnet_addresses() -> Vec<IpAddr> {
    let v4 = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    let v6 = std::fs::read_to_string("/proc/net/if_inet6").unwrap_or_default();
    let mut found: Vec<IpAddr> = tailnet_v4(&v4).into_iter().map(IpAddr::V4).collect();
    found.extend(tailnet_v6(&v6).into_iter().map(IpAddr::V6));
    found
}

/// Local addresses of a routing trie: a line with the address, then one with `host LOCAL`.
fn tailnet_v4(trie: &str) -> Vec<Ipv4Addr> {
    let lines: Vec<&str> = trie.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for pair in lines.windows(2) {
        let address = pair[0].strip_prefix("|-- ").and_then(|text| text.parse::<Ipv4Addr>().ok());
        if let Some(address) = address.filter(|_| pair[1].contains("host LOCAL")) {
            let [first, second, ..] = address.octets();
            if first == 100 && (64..128).contains(&second) && !found.contains(&address) {
                found.push(address);
            }
        }
    }
    found
}

fn tailnet_v6(table: &str) -> Vec<Ipv6Addr> {
    let addresses =
        table.lines().filter_map(|line| u128::from_str_radix(line.split_whitespace().next()?, 16).ok());
    addresses
        .map(Ipv6Addr::from)
        .filter(|address| address.segments()[..3] == [0xfd7a, 0x115c, 0xa1e0])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_names_its_owner() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let network = Network {
            mode: "localhost".to_owned(),
            bind: None,
            port,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
        };
        let fail = bind(&network).unwrap_err();
        assert_eq!((fail.exit, fail.text("code")), (7, Some("port_in_use")));
        let pid = std::process::id().to_string();
        assert!(fail.text("error").unwrap().contains(&pid), "{fail:?}");
        let free = bind(&Network { port: 0, ..network }).unwrap();
        assert!(free.port > 0 && free.url() == format!("http://127.0.0.1:{}", free.port));
    }

    #[test]
    fn tailnet_addresses_are_read_from_the_kernels_tables() {
        let trie = "Main:\n  |-- 100.101.1.2\n     /32 host LOCAL\n  |-- 100.102.0.0\n     /32 link UNICAST\n  |-- 100.9.0.1\n     /32 host LOCAL\n";
        assert_eq!(tailnet_v4(trie), [Ipv4Addr::new(100, 101, 1, 2)]);
        let table = "fd7a115ca1e000000000000000000001 05 80 00 80 tailscale0\n00000000000000000000000000000001 01 80 10 80 lo\n";
        assert_eq!(tailnet_v6(table).len(), 1);
    }
}
