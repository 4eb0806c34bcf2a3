//! `auth` and `network`: who may call, and where the daemon listens.

use std::net::IpAddr;

use super::super::check::Findings;
use super::super::key::{Key, Kind, key};

/// Operations with a rate limit.
const OPERATIONS: &[&str] = &[
    "forget",
    "modify",
    "batchForget",
    "forceDelete",
    "admin",
    "recover",
    "handoffRedeem",
    "inferenceExplain",
    "inferenceExecute",
    "inferenceGateway",
    "recallLlm",
];

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key(
        "auth.mode",
        Kind::Word(&["local", "team", "hybrid"]),
        "\"local\"",
        "local: this machine only; team: a credential for everybody; hybrid: a credential for other machines.",
    )
    .restart(),
    key("auth.trustLoopback", Kind::Flag, "true", "hybrid: callers on this machine need no credential.").restart(),
    key("auth.defaultTokenTtlSeconds", Kind::Int(60, 31_536_000), "604800", "Life of a token that names none.")
        .restart(),
    key("auth.sessionTokenTtlSeconds", Kind::Int(60, 31_536_000), "86400", "Life of a session token.").restart(),
    key("auth.rateLimits.*.windowMs", Kind::Millis(1000, 3_600_000), "null", "Window of the operation's limit."),
    key("auth.rateLimits.*.max", Kind::Int(1, 100_000), "null", "Calls of the operation in a window."),
    key(
        "network.mode",
        Kind::Word(&["localhost", "tailscale"]),
        "\"localhost\"",
        "tailscale also listens on the tailnet address; needs auth.mode hybrid or team.",
    )
    .restart(),
    key("network.bind", Kind::Text, "null", "Address to listen on instead of 127.0.0.1 and ::1.")
        .env("SIGNET_BIND")
        .restart(),
    key("network.port", Kind::Int(1, 65_535), "3850", "Port.").env("SIGNET_PORT").restart(),
    key("network.allowedHosts", Kind::Texts, "[]", "Host names, exact, under which the daemon may be reached."),
    key("network.allowedOrigins", Kind::Texts, "[]", "Web origins, exact, that may call the daemon."),
];

/// Rules over several keys: an open address needs credentials.
pub(crate) fn validate(found: &mut Findings) {
    let open_mode = found.text("auth.mode").as_deref() == Some("local");
    if let Some(bind) = found.text("network.bind") {
        match bind.parse::<IpAddr>() {
            Ok(address) if !address.is_loopback() && open_mode => found.refuse(
                "network.bind",
                format!("`network.bind` {bind} is not a loopback address; that needs `auth.mode: team` or `hybrid`"),
            ),
            Ok(_) => {}
            Err(_) => found.refuse("network.bind", format!("`network.bind` must be an IP address, not `{bind}`")),
        }
    }
    if open_mode && found.text("network.mode").as_deref() == Some("tailscale") {
        found.refuse(
            "network.mode",
            "`network.mode: tailscale` needs `auth.mode: team` or `hybrid`".to_owned(),
        );
    }
    for name in found.names_under("auth.rateLimits") {
        if !OPERATIONS.contains(&name.as_str()) {
            let path = format!("auth.rateLimits.{name}");
            found.refuse(&path, format!("`{path}` is no operation; they are {}", OPERATIONS.join(", ")));
        } else if found.int(&format!("auth.rateLimits.{name}.max")).is_none() {
            let path = format!("auth.rateLimits.{name}");
            found.refuse(&path, format!("`{path}` needs `max`, the calls of a window"));
        }
    }
}
