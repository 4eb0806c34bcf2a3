//! What the figures were measured on. A figure without its machine says nothing.

use std::fmt;

use serde::Serialize;

/// Facts of this machine, as the system tells them.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) memory_gib: f64,
    pub(crate) system: String,
}

/// Looks at this machine.
pub(crate) fn look() -> Machine {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        text.lines().find_map(|line| {
            line.strip_prefix(name)?.split_once([':', '=']).map(|(_, value)| value.trim().to_owned())
        })
    };
    let kib: f64 = field(&read("/proc/meminfo"), "MemTotal")
        .and_then(|value| value.trim_end_matches("kB").trim().parse().ok())
        .unwrap_or_default();
    Machine {
        cpu: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        memory_gib: (kib / 1024.0 / 1024.0).round(),
        system: field(&read("/etc/os-release"), "PRETTY_NAME")
            .map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned()),
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, cores, memory_gib, system } = self;
        write!(f, "{cores} cores of {cpu}, {memory_gib} GiB, {system}")
    }
}
