//! Rules that every row of the route table keeps.

use std::collections::HashSet;

use signet_model::Permission;
use signet_server::field::{Field, Kind, spelling};
use signet_server::http::table;
use signet_server::route::{Access, Rate, Route, Verb};
use signet_server::router::{Found, Router};

fn paths(route: &Route) -> Vec<&'static str> {
    std::iter::once(route.path).chain(route.aliases.iter().copied()).collect()
}

#[test]
fn no_two_routes_share_method_and_path() {
    let mut seen = HashSet::new();
    for route in table() {
        for path in paths(&route) {
            let shape: Vec<&str> =
                path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect();
            assert!(seen.insert((route.method.as_str(), shape.join("/"))), "{path}");
        }
    }
    assert!(!seen.is_empty());
}

#[test]
fn every_literal_sibling_of_a_parameter_reaches_its_own_route() {
    let router = Router::new(table());
    let mut walked = 0;
    for route in table() {
        for path in paths(&route) {
            let concrete = path.split('/').map(|part| if part.starts_with('{') { "some-id" } else { part });
            let concrete = concrete.collect::<Vec<_>>().join("/");
            match router.find(route.method.as_str(), &concrete) {
                Found::Route { route: found, .. } => assert_eq!(found.path, route.path, "{concrete}"),
                other => panic!("{concrete}: {other:?}"),
            }
            walked += 1;
        }
    }
    assert!(walked > 0);
}

#[test]
fn open_routes_are_the_documented_ones() {
    let open: Vec<&str> = table().iter().filter(|r| r.access == Access::Open).map(|r| r.path).collect();
    assert_eq!(
        open,
        [
            "/health",
            "/health/live",
            "/health/ready",
            "/api/mode",
            "/api/auth/whoami",
            "/api/auth/methods",
            "/api/auth/handoff/redeem",
            "/api/auth/login",
        ]
    );
}

#[test]
fn administration_that_changes_something_is_rate_limited() {
    let admin: Vec<Route> = table()
        .into_iter()
        .filter(|route| route.access == Access::Needs(Permission::Admin) && route.method != Verb::Get)
        .collect();
    assert!(!admin.is_empty());
    for route in admin {
        assert_eq!(route.rate, Rate::Admin, "{}", route.path);
    }
}

fn walk(fields: &'static [Field], path: &str) {
    let mut names = HashSet::new();
    for field in fields {
        for name in std::iter::once(field.name).chain(field.aliases.iter().copied()) {
            assert!(names.insert(spelling::snake(name)), "{path}: {name} is declared twice");
        }
        assert!(field.doc.ends_with('.'), "{path}: {} has no sentence", field.name);
        match field.kind {
            Kind::Clamped { default, min, max } => {
                assert!((min..=max).contains(&default), "{path}: {}", field.name);
                assert!(field.required.is_none(), "{path}: {} has a default", field.name);
            }
            Kind::Record(fields) | Kind::Items { fields, .. } | Kind::Each { fields, .. } => {
                walk(fields, path);
            }
            Kind::Text { .. }
            | Kind::Bool
            | Kind::Int { .. }
            | Kind::Number { .. }
            | Kind::Time
            | Kind::TimeUntil
            | Kind::Tags
            | Kind::Texts { .. }
            | Kind::OneOf(_)
            | Kind::SomeOf(_)
            | Kind::Object { .. }
            | Kind::Id => {}
        }
    }
}

#[test]
fn fields_are_declared_once_and_explained() {
    let table = table();
    assert!(table.iter().any(|route| !route.fields.is_empty()));
    for route in table {
        walk(route.fields, route.path);
        assert!(route.doc.ends_with('.'), "{} has no sentence", route.path);
    }
}
