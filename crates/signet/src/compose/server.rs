//! Settings as the server wants them.

use std::collections::HashMap;

use signet_model::memory::Guardrails;
use signet_server::config::{ConfigInfo, DaemonInfo, LogInfo, Window, WorkspaceInfo};
use signet_server::route::Rate;
use signet_server::{Mode, ServerConfig};
use signet_store::Store;

use crate::cli::cx::{self, Cx};
use crate::cli::fail::Fail;
use crate::config::settings::RateLimit;
use crate::config::{Loaded, Settings};
use crate::listen::Bound;
use crate::logging::LogOptions;

/// Rules of the surface.
pub(super) fn config(settings: &Settings) -> ServerConfig {
    let pipeline = &settings.memory.pipeline_v2;
    ServerConfig {
        mode: Mode::parse(&settings.auth.mode).unwrap_or(Mode::Local),
        trust_loopback: settings.auth.trust_loopback,
        allowed_hosts: settings.network.allowed_hosts.iter().map(|host| host.to_lowercase()).collect(),
        allowed_origins: settings.network.allowed_origins.clone(),
        token_ttl_seconds: i64::from(settings.auth.default_token_ttl_seconds),
        session_ttl_seconds: i64::from(settings.auth.session_token_ttl_seconds),
        rate_limits: rate_limits(settings),
        guardrails: Guardrails {
            max_content_chars: pipeline.guardrails.max_content_chars,
            chunk_target_chars: pipeline.guardrails.chunk_target_chars,
        },
        mutations_frozen: pipeline.mutations_frozen,
        ..ServerConfig::default()
    }
}

fn rate_limits(settings: &Settings) -> HashMap<Rate, Window> {
    let limits = settings.auth.rate_limits.iter();
    limits.filter_map(|(op, limit)| Some((rate(op)?, window(limit)?))).collect()
}

fn rate(operation: &str) -> Option<Rate> {
    match operation {
        "forget" => Some(Rate::Forget),
        "modify" => Some(Rate::Modify),
        "batchForget" => Some(Rate::BatchForget),
        "admin" => Some(Rate::Admin),
        "recover" => Some(Rate::Recover),
        "handoffRedeem" => Some(Rate::Handoff),
        _ => None,
    }
}

/// A limit without a window is one a minute, as all usual ones are.
fn window(limit: &RateLimit) -> Option<Window> {
    let window_ms = i64::try_from(limit.window_ms.unwrap_or(60_000)).ok()?;
    Some(Window { window_ms, max: limit.max? })
}

/// Facts for status pages.
pub(super) fn info(
    cx: &Cx,
    settings: &Settings,
    loaded: &Loaded,
    store: &Store,
    log: &LogOptions,
    bound: &Bound,
) -> Result<DaemonInfo, Fail> {
    let workspace = cx.workspace()?;
    Ok(DaemonInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        started_at: cx::now(),
        bind: bound.addresses.clone(),
        port: bound.port,
        network_mode: settings.network.mode.clone(),
        os_user: cx.os_user(),
        zone: jiff::tz::TimeZone::system(),
        workspace: WorkspaceInfo { report: store.report().clone(), source: workspace.source.as_str() },
        config: ConfigInfo {
            path: loaded.file.clone().unwrap_or_else(|| workspace.at("agent.yaml")),
            loaded_at: cx::now(),
            errors: Vec::new(),
        },
        log: LogInfo {
            folder: log.file.parent().map(std::path::Path::to_owned),
            file: Some(log.file.clone()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;
    use crate::env::Env;

    fn of(text: &str) -> ServerConfig {
        config(&load::from_text(text.as_bytes(), &Env::default()).settings.unwrap())
    }

    #[test]
    fn the_defaults_of_the_file_are_those_of_the_server() {
        let (ours, theirs) = (of(""), ServerConfig::default());
        assert_eq!((ours.mode, ours.trust_loopback), (theirs.mode, theirs.trust_loopback));
        assert_eq!(
            (ours.token_ttl_seconds, ours.session_ttl_seconds),
            (theirs.token_ttl_seconds, theirs.session_ttl_seconds)
        );
        assert_eq!((ours.guardrails, ours.mutations_frozen), (theirs.guardrails, theirs.mutations_frozen));
        assert_eq!(ours.rate_limits, theirs.rate_limits);
    }

    #[test]
    fn limits_of_the_file_reach_the_server() {
        let config = of("auth:\n  rateLimits:\n    forget:\n      max: 3\n      windowMs: 5s\n");
        assert_eq!(config.rate_limits.get(&Rate::Forget), Some(&Window { window_ms: 5000, max: 3 }));
        assert_eq!(config.rate_limits.len(), 1);
    }
}
