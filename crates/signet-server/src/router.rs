//! From method and path to a route: literals before parameters, one decoding, nothing else.

use std::cmp::Reverse;

use crate::route::{Route, Verb};

/// Families of routes that the earlier program had and Signet does not: see ARCHITECTURE, section 6.
const NOT_PROVIDED: &[&str] = &[
    "/api/marketplace",
    "/api/mcp/analytics",
    "/api/plugins",
    "/api/skills",
    "/api/tasks",
    "/api/git",
    "/api/update",
    "/api/graphiq",
    "/api/os",
    "/api/cross-agent",
    "/api/secrets",
    "/api/predictor",
    "/api/reflections",
    "/api/changelog",
    "/api/roadmap",
    "/api/readme",
    "/api/troubleshoot",
    "/api/ingest",
    "/api/auth/sso",
    "/api/auth/saml",
    "/api/memory/codex-native-note",
    "/api/memories/curator-slices",
    "/api/sessions/{key}/notes",
    "/api/home/greeting",
    "/v1",
    "/api/inference/execute",
    "/api/inference/stream",
    "/api/inference/requests",
];

const ID_MAX: usize = 128;
const NAME_MAX: usize = 256;

/// The compiled table.
#[derive(Debug)]
pub struct Router {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    route: Route,
    alias: bool,
    parts: Vec<&'static str>,
}

/// What a request leads to.
#[derive(Debug)]
pub enum Found<'a> {
    /// A route, its path parameters, and whether an old name of it was used.
    Route {
        /// The route.
        route: &'a Route,
        /// Parameters, decoded and checked.
        params: Vec<(String, String)>,
        /// The path is a deprecated alias.
        alias: bool,
    },
    /// The path is known under these methods.
    WrongMethod {
        /// Value of `Allow`.
        allow: String,
        /// Template of the path.
        template: &'static str,
    },
    /// A family that Signet does not provide.
    NotProvided,
    /// No such path.
    Nothing,
}

impl Router {
    /// Compiles a table. Literal parts are tried before parameters, wherever they stand in the table.
    pub fn new(table: Vec<Route>) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for route in table {
            let paths =
                std::iter::once((route.path, false)).chain(route.aliases.iter().map(|path| (*path, true)));
            entries.extend(paths.map(|(path, alias)| Entry { route, alias, parts: parts(path).collect() }));
        }
        entries
            .sort_by_key(|entry| Reverse(entry.parts.iter().map(|part| !is_param(part)).collect::<Vec<_>>()));
        Self { entries }
    }

    /// Finds the route of a method and a raw (still encoded) path. `HEAD` finds what `GET` does.
    pub fn find(&self, method: &str, raw_path: &str) -> Found<'_> {
        let Some(sent) = parts(raw_path).map(decode).collect::<Option<Vec<String>>>() else {
            return Found::Nothing;
        };
        let mut template: Option<(&'static str, Vec<&'static str>)> = None;
        for entry in &self.entries {
            let Some(params) = matches(&entry.parts, &sent) else { continue };
            if is_method(entry.route.method, method) {
                return Found::Route { route: &entry.route, params, alias: entry.alias };
            }
            let (_, methods) = template.get_or_insert((entry.route.path, Vec::new()));
            methods.extend(
                methods_of(entry.route.method)
                    .iter()
                    .filter(|m| !methods.contains(m))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
        match template {
            Some((template, methods)) => Found::WrongMethod { allow: methods.join(", "), template },
            None if NOT_PROVIDED.iter().any(|family| is_under(family, &sent)) => Found::NotProvided,
            None => Found::Nothing,
        }
    }
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.strip_suffix('/').unwrap_or(path).split('/').skip(1)
}

fn is_param(part: &str) -> bool {
    part.starts_with('{')
}

fn matches(template: &[&str], sent: &[String]) -> Option<Vec<(String, String)>> {
    if template.len() != sent.len() {
        return None;
    }
    let mut params = Vec::new();
    for (part, value) in template.iter().zip(sent) {
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) if is_value(name, value) => params.push((name.to_owned(), value.clone())),
            None if part == value => {}
            _ => return None,
        }
    }
    Some(params)
}

/// Ids are opaque and of a narrow alphabet; keys and names are free text without control characters.
fn is_value(name: &str, value: &str) -> bool {
    if name == "key" || name == "name" {
        let length = value.chars().count();
        return (1..=NAME_MAX).contains(&length) && !value.chars().any(char::is_control);
    }
    value.len() <= ID_MAX && signet_model::id::is_id(value)
}

fn is_method(verb: Verb, method: &str) -> bool {
    methods_of(verb).contains(&method)
}

fn methods_of(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Get => &["GET", "HEAD"],
        Verb::Post => &["POST"],
        Verb::Patch => &["PATCH"],
        Verb::Put => &["PUT"],
        Verb::Delete => &["DELETE"],
    }
}

fn is_under(family: &str, sent: &[String]) -> bool {
    let family: Vec<&str> = parts(family).collect();
    family.len() <= sent.len() && family.iter().zip(sent).all(|(part, value)| is_param(part) || part == value)
}

/// Percent-decoding, once; `None` when an escape is broken or the result is not UTF-8.
fn decode(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests;
