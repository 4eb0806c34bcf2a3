use super::*;
use crate::cx::{Cx, Reply};
use crate::route::{Access, HandlerFuture, route};

fn handler(_: Cx) -> HandlerFuture {
    Box::pin(async { Reply::ok(&()) })
}

fn entry(method: Verb, path: &'static str) -> Route {
    route(method, path, Access::Any, handler, |_| schemars::Schema::default(), "Test.")
}

fn router() -> Router {
    Router::new(vec![
        entry(Verb::Get, "/api/memory/{id}"),
        entry(Verb::Get, "/api/memory/search"),
        entry(Verb::Delete, "/api/memory/{id}"),
        entry(Verb::Get, "/api/memory/{id}/history"),
        Route { aliases: &["/api/memory/save"], ..entry(Verb::Post, "/api/memory/remember") },
        entry(Verb::Get, "/api/sessions/{key}"),
    ])
}

/// Template and parameters, or what was found instead.
fn find(method: &str, path: &str) -> String {
    match router().find(method, path) {
        Found::Route { route, params, alias } => {
            let params: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let alias = if alias { " alias" } else { "" };
            format!("{} {}{alias}", route.path, params.join(" ")).trim_end().to_owned()
        }
        Found::WrongMethod { allow, template } => format!("405 {template} {allow}"),
        Found::NotProvided => "not provided".to_owned(),
        Found::Nothing => "nothing".to_owned(),
    }
}

#[test]
fn literals_come_before_parameters() {
    for (method, path, expect) in [
        ("GET", "/api/memory/search", "/api/memory/search"),
        ("GET", "/api/memory/search/", "/api/memory/search"),
        ("HEAD", "/api/memory/search", "/api/memory/search"),
        ("GET", "/api/memory/abc", "/api/memory/{id} id=abc"),
        ("DELETE", "/api/memory/search", "/api/memory/{id} id=search"),
        ("GET", "/api/memory/abc/history", "/api/memory/{id}/history id=abc"),
        ("POST", "/api/memory/save", "/api/memory/remember  alias"),
        ("POST", "/api/memory/abc", "405 /api/memory/{id} GET, HEAD, DELETE"),
        ("PUT", "/api/memory/save", "405 /api/memory/remember POST, GET, HEAD, DELETE"),
        ("GET", "/api/unknown", "nothing"),
        ("GET", "/api/memory", "nothing"),
        ("GET", "//api/memory/search", "nothing"),
    ] {
        assert_eq!(find(method, path), expect, "{method} {path}");
    }
}

#[test]
fn parameters_are_decoded_once_and_checked() {
    for (path, expect) in [
        ("/api/memory/a%2Fb", "/api/memory/{id} id=a/b"),
        ("/api/sessions/%C3%BC%20x", "/api/sessions/{key} key=ü x"),
        ("/api/sessions/%2525", "/api/sessions/{key} key=%25"),
    ] {
        assert_eq!(find("GET", path), expect);
    }
    let long = format!("/api/memory/{}", "x".repeat(129));
    for path in [
        "/api/memory/a%20b",
        "/api/memory/%00",
        "/api/memory/%zz",
        "/api/memory/%ff",
        "/api/memory/%",
        "/api/memory/a%5cb",
        "/api/sessions/a%0ab",
        &long,
    ] {
        assert_eq!(find("GET", path), "nothing", "{path}");
    }
}

#[test]
fn families_that_are_not_provided_are_named() {
    for path in [
        "/api/plugins",
        "/api/plugins/x/y",
        "/v1/chat/completions",
        "/api/sessions/abc/notes",
        "/api/git/status",
    ] {
        assert_eq!(find("GET", path), "not provided", "{path}");
    }
    for path in ["/api/pluginsx", "/api/githost", "/v2"] {
        assert_eq!(find("GET", path), "nothing", "{path}");
    }
}
