//! Every field of every route, out of its type, range and length: 400 that names the field.
#![expect(clippy::expect_used, reason = "tests")]

use serde_json::{Map, Value, json};
use signet_server::field::{Field, Kind, spelling};
use signet_server::http::table;
use signet_server::input::Input;
use signet_server::route::Route;
use signet_server::testing::TestServer;

fn concrete(path: &str) -> String {
    path.split('/')
        .map(|part| if part.starts_with('{') { "some-id" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

/// A value the field takes.
fn good(field: &Field) -> Value {
    match field.kind {
        Kind::Text { min, .. } => json!("x".repeat(min.max(1))),
        Kind::Bool => json!(true),
        Kind::Int { min, .. } | Kind::Clamped { min, .. } => json!(min),
        Kind::Number { min, .. } => json!(min),
        Kind::Time | Kind::TimeUntil => json!("2026-03-04T05:06:07Z"),
        Kind::Tags => json!(["a"]),
        Kind::Texts { min_len, .. } => json!(["x".repeat(min_len.max(1))]),
        Kind::OneOf(words) => json!(words[0]),
        Kind::SomeOf(words) => json!([words[0]]),
        Kind::Object { .. } => json!({}),
        Kind::Record(fields) => Value::Object(required(fields)),
        Kind::Items { fields, .. } | Kind::Each { fields, .. } => json!([required(fields)]),
        Kind::Id => json!("id-1"),
    }
}

/// Another value the field takes.
fn other(field: &Field) -> Option<Value> {
    match field.kind {
        Kind::Text { min, max } if max > min.max(1) => Some(json!("y".repeat(min.max(1) + 1))),
        Kind::Bool => Some(json!(false)),
        Kind::Int { min, max } | Kind::Clamped { min, max, .. } if max > min => Some(json!(min + 1)),
        Kind::Number { max, .. } => Some(json!(max)),
        Kind::Time | Kind::TimeUntil => Some(json!("2027-03-04T05:06:07Z")),
        Kind::Tags => Some(json!(["b"])),
        Kind::OneOf(words) if words.len() > 1 => Some(json!(words[1])),
        Kind::Id => Some(json!("id-2")),
        _ => None,
    }
}

/// Values the field does not take.
fn bad(field: &Field) -> Vec<Value> {
    let long = |max: usize| json!("語".repeat(max + 1));
    match field.kind {
        // Beyond a million characters the body limit speaks first.
        Kind::Text { max, .. } if max >= 1_000_000 => vec![json!(1), json!({})],
        Kind::Text { min, max } => {
            let mut values = vec![json!(1), json!([]), long(max)];
            if min > 0 {
                values.push(json!(""));
            }
            values
        }
        Kind::Bool => vec![json!("yes"), json!(2), json!([])],
        Kind::Int { min, max } => vec![json!("x"), json!(1.5), json!(min - 1), json!(max.saturating_add(1))],
        Kind::Clamped { .. } => vec![json!("x"), json!(true), json!([])],
        Kind::Number { min, max } => vec![json!("x"), json!(min - 1.0), json!(max + 1.0), json!([])],
        Kind::Time | Kind::TimeUntil => vec![json!("yesterday"), json!(5), json!("2026-13-01T00:00:00Z")],
        Kind::Tags => vec![json!(5), json!([1]), json!(["a,b"]), json!([long(64)])],
        Kind::Texts { max, max_len, .. } => {
            let mut values = vec![json!("x"), json!([1])];
            values.push(json!(vec!["xxxxx"; max + 1]));
            if max_len < 100_000 {
                values.push(json!([long(max_len)]));
            }
            values
        }
        Kind::OneOf(_) => vec![json!("no such word"), json!(1)],
        Kind::SomeOf(_) => vec![json!(["no such word"]), json!(1)],
        Kind::Object { max_bytes } => vec![json!([]), json!("x"), json!({ "x": "y".repeat(max_bytes) })],
        Kind::Record(_) => vec![json!([]), json!("x")],
        Kind::Items { max, fields } => {
            vec![json!({}), json!([1]), json!(vec![required(fields); max + 1])]
        }
        // A faulty item has its own refusal.
        Kind::Each { max, fields } => vec![json!({}), json!(vec![required(fields); max + 1])],
        Kind::Id => vec![json!("a b"), json!("x".repeat(129)), json!(1)],
    }
}

fn required(fields: &'static [Field]) -> Map<String, Value> {
    fields
        .iter()
        .filter(|field| field.required.is_some())
        .map(|field| (field.name.to_owned(), good(field)))
        .collect()
}

/// Every field with its route.
fn fields() -> Vec<(Route, &'static Field)> {
    table().into_iter().flat_map(|route| route.fields.iter().map(move |field| (route, field))).collect()
}

fn check(route: &Route, body: &Value) -> Result<Input, signet_model::Error> {
    Input::check(route.fields, body.as_object().expect("object"), &[], &jiff::tz::TimeZone::UTC)
}

#[test]
fn both_spellings_of_every_field_are_one_field() {
    for (route, field) in fields() {
        let mut plain = required(route.fields);
        plain.insert(field.name.to_owned(), good(field));
        let expect = check(&route, &Value::Object(plain.clone())).expect("good values");
        for twin in [spelling::snake(field.name), spelling::camel(field.name)] {
            let mut body = plain.clone();
            body.remove(field.name);
            body.insert(twin.clone(), good(field));
            assert_eq!(check(&route, &Value::Object(body)), Ok(expect.clone()), "{} {twin}", route.path);
        }
    }
}

#[test]
fn two_different_values_of_one_field_conflict() {
    let mut tried = 0;
    for (route, field) in fields() {
        let (twin, Some(other)) = (spelling::snake(field.name), other(field)) else { continue };
        let second = if twin == field.name { spelling::camel(field.name) } else { twin };
        if second == field.name {
            continue;
        }
        let mut body = required(route.fields);
        body.insert(field.name.to_owned(), good(field));
        body.insert(second, other);
        let error = check(&route, &Value::Object(body)).expect_err("they differ");
        assert_eq!((error.code.as_str(), error.field.as_deref()), ("conflicting_fields", Some(field.name)));
        tried += 1;
    }
    assert!(tried > 0);
}

#[tokio::test]
async fn a_wrong_value_is_400_and_names_its_field() {
    let server = TestServer::start().await;
    let mut tried = 0;
    for (route, field) in fields() {
        for value in bad(field) {
            let mut body = required(route.fields);
            body.insert(field.name.to_owned(), value.clone());
            let call = server.call(route.method.as_str(), &concrete(route.path)).json(&Value::Object(body));
            let answer = call.send().await;
            let shown: String = value.to_string().chars().take(60).collect();
            let place = format!("{} {} {shown}: {}", route.path, field.name, answer.body);
            assert_eq!((answer.status, answer.code()), (400, "invalid_request"), "{place}");
            let named = answer.body["field"].as_str().expect("a field").to_owned();
            assert!(named == field.name || named.starts_with(&format!("{}[", field.name)), "{place}");
            tried += 1;
        }
    }
    assert!(tried > 20);
}

#[tokio::test]
async fn a_required_field_has_its_sentence() {
    let server = TestServer::start().await;
    let mut tried = 0;
    for (route, field) in fields() {
        let Some(sentence) = field.required else { continue };
        for missing in [None, Some(Value::Null), Some(json!("  "))] {
            let mut body = required(route.fields);
            body.remove(field.name);
            if let Some(value) = &missing {
                body.insert(field.name.to_owned(), value.clone());
            }
            let call = server.call(route.method.as_str(), &concrete(route.path)).json(&Value::Object(body));
            let answer = call.send().await;
            let place = format!("{} {} {missing:?}", route.path, field.name);
            assert_eq!((answer.status, answer.body["error"].as_str()), (400, Some(sentence)), "{place}");
            assert_eq!(answer.body["field"], field.name, "{place}");
            tried += 1;
        }
    }
    assert!(tried > 0);
}
