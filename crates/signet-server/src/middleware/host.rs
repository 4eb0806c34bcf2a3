//! The Host check: what defeats DNS rebinding.

use std::net::IpAddr;

use axum::http::header::HOST;
use axum::http::{HeaderMap, Uri};
use signet_model::{Code, Error};

use super::link::Link;

/// Host and port as the client named them; the host in lower case, without brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// Name or IP literal.
    pub host: String,
    /// Port, when named.
    pub port: Option<u16>,
}

impl Authority {
    /// Reads `name`, `name:port`, `[v6]` or `[v6]:port`.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']')?;
                host.parse::<std::net::Ipv6Addr>().ok()?;
                (host, rest)
            }
            None => text.find(':').map_or((text, ""), |colon| text.split_at(colon)),
        };
        let port = match port.strip_prefix(':') {
            Some(port) => Some(port.parse().ok()?),
            None if port.is_empty() => None,
            None => return None,
        };
        let named = !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && !b"/@?#\\".contains(&b));
        named.then(|| Self { host: host.to_ascii_lowercase(), port })
    }
}

/// The authority of a request when it is one of ours: `localhost`, a loopback literal, the literal of
/// the socket's own address, or a listed name; any port, because a port forward changes it.
pub fn check(headers: &HeaderMap, uri: &Uri, link: Link, allowed: &[String]) -> Result<Authority, Error> {
    let authority = sent(headers, uri)?;
    let literal = authority.host.parse::<IpAddr>().ok().map(|ip| ip.to_canonical());
    let ours = match literal {
        Some(ip) => ip.is_loopback() || ip == link.local.ip().to_canonical(),
        None => authority.host == "localhost",
    };
    if ours || allowed.iter().any(|name| name.eq_ignore_ascii_case(&authority.host)) {
        return Ok(authority);
    }
    Err(Error::new(Code::HostNotAllowed, "this host name is not served")
        .hint("add the name to `network.allowedHosts`, or use localhost"))
}

fn sent(headers: &HeaderMap, uri: &Uri) -> Result<Authority, Error> {
    let wrong = |sentence: &str| Error::field("host", sentence);
    let mut hosts = headers.get_all(HOST).iter();
    let text = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().map_err(|_| wrong("the Host header does not read"))?,
        (Some(_), Some(_)) => return Err(wrong("the Host header is given twice")),
        // HTTP/2 sends the host as :authority.
        (None, _) => uri.authority().ok_or_else(|| wrong("the Host header is missing"))?.as_str(),
    };
    Authority::parse(text).ok_or_else(|| wrong("the Host header does not read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(hosts: &[&str], local: &str) -> Result<Authority, Code> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, host.parse().expect("header"));
        }
        let link =
            Link { peer: "127.0.0.1:1".parse().expect("address"), local: local.parse().expect("address") };
        let allowed = ["Notes.example".to_owned()];
        check(&headers, &Uri::from_static("/health"), link, &allowed).map_err(|error| error.code)
    }

    #[test]
    fn local_names_literals_and_listed_names_pass_with_any_port() {
        for host in [
            "localhost",
            "LOCALHOST:9999",
            "127.0.0.1:3850",
            "127.8.8.8",
            "[::1]:3850",
            "[::ffff:127.0.0.1]",
            "notes.EXAMPLE:80",
            "100.64.0.7:3850",
        ] {
            assert!(verdict(&[host], "100.64.0.7:3850").is_ok(), "{host}");
        }
    }

    #[test]
    fn every_other_name_is_refused() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "localhost.",
            "100.64.0.8",
            "0.0.0.0",
            "2130706433",
            "x.notes.example",
        ] {
            assert_eq!(verdict(&[host], "100.64.0.7:3850"), Err(Code::HostNotAllowed), "{host}");
        }
    }

    #[test]
    fn a_missing_doubled_or_broken_host_is_400() {
        for hosts in
            [&[][..], &["localhost", "localhost"], &["localhost:x"], &["[::1"], &[""], &["a@b"], &["[evil]"]]
        {
            assert_eq!(verdict(hosts, "127.0.0.1:1"), Err(Code::InvalidRequest), "{hosts:?}");
        }
    }

    #[test]
    fn http2_names_the_host_in_the_uri() {
        let link = Link {
            peer: "127.0.0.1:1".parse().expect("address"),
            local: "127.0.0.1:2".parse().expect("address"),
        };
        let uri = Uri::from_static("http://localhost:3850/health");
        let authority = check(&HeaderMap::new(), &uri, link, &[]).expect("ours");
        assert_eq!(authority, Authority { host: "localhost".to_owned(), port: Some(3850) });
    }
}
