//! The environment, read once. The only place of the product that looks at it (INV-10).

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Environment variables by name; an empty value counts as unset.
#[derive(Debug, Clone, Default)]
pub(crate) struct Env {
    vars: BTreeMap<String, String>,
}

impl Env {
    /// The variables of this process. Values that are not UTF-8 are read with replacement characters.
    pub(crate) fn process() -> Self {
        let vars = std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .collect();
        Self { vars }
    }

    /// Variables of a test.
    #[cfg(test)]
    pub(crate) fn of(vars: &[(&str, &str)]) -> Self {
        Self { vars: vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect() }
    }

    /// A variable; `None` when unset or empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a switch is on: set, and none of `0`, `false`, `no`, `off`.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|value| !matches!(value.to_ascii_lowercase().as_str(), "0" | "false" | "no" | "off"))
    }

    /// The home folder.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.get("HOME").or_else(|| self.get("USERPROFILE")).map(PathBuf::from)
    }

    /// The items of a comma list.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let items = self.get(name).unwrap_or_default().split(',');
        items.map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }
}
