//! Memory of the process, where the system tells it.

use schemars::JsonSchema;
use serde::Serialize;

/// Memory in MiB; absent where the system does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Resources {
    /// Resident now.
    #[serde(skip_serializing_if = "Option::is_none")]
    rss_mi_b: Option<u64>,
    /// Most that was ever resident.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_rss_mi_b: Option<u64>,
}

/// Reads `/proc/self/status`; other systems have none and show nothing.
pub(super) fn resources() -> Resources {
    std::fs::read_to_string("/proc/self/status").map_or_else(|_| Resources::default(), |text| read(&text))
}

fn read(status: &str) -> Resources {
    let mebibytes = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kibibytes.div_ceil(1024))
    };
    Resources { rss_mi_b: mebibytes("VmRSS:"), peak_rss_mi_b: mebibytes("VmHWM:") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kibibytes_become_mebibytes_rounded_up() {
        let text = "Name:\tsignet\nVmHWM:\t   20481 kB\nVmRSS:\t   10240 kB\n";
        assert_eq!(read(text), Resources { rss_mi_b: Some(10), peak_rss_mi_b: Some(21) });
        assert_eq!(read("nothing"), Resources::default());
    }
}
