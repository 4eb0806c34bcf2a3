use serde_json::json;

use super::*;
use crate::cx::{Cx, Reply};
use crate::route::{HandlerFuture, route};

fn grant_of(
    body: &Value,
    query: &[(&str, &str)],
    header: Option<&str>,
    own: Option<&str>,
) -> Result<String, Error> {
    let query: Vec<_> = query.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let body = body.as_object().expect("object");
    let session = body.get("sessionKey").and_then(Value::as_str);
    let named = Named { body, query: &query, header, session_key: session };
    let restriction = Restriction { agent: own.map(str::to_owned), ..Restriction::default() };
    grant(named, &restriction).map(|scope| scope.agent().as_str().to_owned())
}

#[test]
fn the_agent_is_found_in_the_documented_order() {
    let session = json!({"sessionKey": "agent:dora:main"});
    for (body, query, header, own, expect) in [
        (json!({"agentId": "alice"}), vec![], None, None, "alice"),
        (json!({"agent_id": "alice"}), vec![("agentId", "alice")], Some("alice"), Some("alice"), "alice"),
        (json!({}), vec![("agent_id", "bob")], None, None, "bob"),
        (json!({}), vec![], Some("carol"), None, "carol"),
        (session.clone(), vec![], Some("carol"), None, "carol"),
        (session.clone(), vec![], None, None, "dora"),
        (session, vec![], None, Some("dora"), "dora"),
        (json!({"sessionKey": "plain"}), vec![], None, Some("erin"), "erin"),
        (json!({"agentId": ""}), vec![], None, None, "default"),
        (json!({}), vec![], None, None, "default"),
    ] {
        assert_eq!(
            grant_of(&body, &query, header, own).expect("granted"),
            expect,
            "{body} {query:?} {header:?}"
        );
    }
}

#[test]
fn two_different_agents_are_400_and_a_foreign_one_is_403() {
    let conflict = grant_of(&json!({"agentId": "a"}), &[], Some("b"), None).expect_err("they differ");
    assert_eq!(conflict.code, Code::ConflictingFields);
    for sent in [json!({"agentId": "b"}), json!({"sessionKey": "agent:b:x"})] {
        let error = grant_of(&sent, &[], None, Some("a")).expect_err("foreign");
        assert_eq!(
            (error.code, error.message.as_str()),
            (Code::ScopeRestricted, "scope restricted to agent 'a'")
        );
    }
}

#[test]
fn an_agent_name_has_its_form() {
    for name in ["a b", "../x", "ü", &"x".repeat(65), "*"] {
        let error = grant_of(&json!({ "agentId": name }), &[], None, None).expect_err("refused");
        assert_eq!(error.field.as_deref(), Some("agentId"), "{name}");
    }
}

const FIELDS: &[Field] = &[
    Field::new("project", Kind::Text { min: 1, max: 99 }, "Project."),
    Field::new("who", Kind::Text { min: 1, max: 99 }, "Who."),
];

const BATCH: &[Field] = &[
    Field::new("items", Kind::Items { max: 9, fields: ITEM }, "Items."),
    Field::new("patches", Kind::Each { max: 9, fields: ITEM }, "Items."),
];

const ITEM: &[Field] = &[
    Field::new("project", Kind::Text { min: 1, max: 99 }, "Project."),
    Field::new("agentId", Kind::Id, "Agent."),
];

fn scope() -> AgentScope {
    AgentScope::granted(AgentId::from("alice"), None, None)
}

fn handler(_: Cx) -> HandlerFuture {
    Box::pin(async { Reply::ok(&()) })
}

fn restrict_as(verb: Verb, body: &Value, restriction: &Restriction) -> Result<Input, Error> {
    let access = Access::Needs(signet_model::Permission::Remember);
    let base = route(verb, "/x", access, handler, |_| schemars::Schema::default(), "Test.");
    let route = Route { fields: FIELDS, ..base };
    let zone = jiff::tz::TimeZone::UTC;
    let mut input = Input::check(FIELDS, body.as_object().expect("object"), &[], &zone).expect("valid");
    restrict(&route, &mut input, restriction, &scope()).map(|()| input)
}

#[test]
fn projects_are_compared_normalised_filled_or_refused() {
    let only = Restriction { projects: Some(vec!["/t/app".to_owned()]), ..Restriction::default() };
    let kept = restrict_as(Verb::Post, &json!({"project": "/t/x/../app/"}), &only).expect("the same folder");
    assert_eq!(kept.text("project"), Some("/t/x/../app/"));
    assert_eq!(restrict_as(Verb::Post, &json!({}), &only).expect("filled").text("project"), Some("/t/app"));
    let error = restrict_as(Verb::Post, &json!({"project": "/t/app2"}), &only).expect_err("foreign");
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::ScopeRestricted, "scope restricted to project '/t/app'")
    );

    let two =
        Restriction { projects: Some(vec!["/a".to_owned(), "/b".to_owned()]), ..Restriction::default() };
    assert_eq!(
        restrict_as(Verb::Get, &json!({}), &two).expect("filtered by the query").text("project"),
        None
    );
    assert_eq!(
        restrict_as(Verb::Post, &json!({}), &two).expect_err("which one?").code,
        Code::ScopeRestricted
    );
    assert!(restrict_as(Verb::Post, &json!({"project": "/b"}), &two).is_ok());
}

#[test]
fn the_user_is_filled_or_refused() {
    let own = Restriction { user: Some("mia".to_owned()), ..Restriction::default() };
    assert_eq!(restrict_as(Verb::Post, &json!({}), &own).expect("filled").text("who"), Some("mia"));
    let error = restrict_as(Verb::Post, &json!({"who": "tom"}), &own).expect_err("foreign");
    assert_eq!(error.message, "scope restricted to user 'mia'");
    assert_eq!(
        restrict_as(Verb::Post, &json!({"who": "tom"}), &Restriction::default()).expect("free").text("who"),
        Some("tom")
    );
}

#[test]
fn items_are_held_to_the_same_scope() {
    let base = route(
        Verb::Post,
        "/x",
        Access::Needs(signet_model::Permission::Remember),
        handler,
        |_| schemars::Schema::default(),
        "Test.",
    );
    let route = Route { fields: BATCH, ..base };
    let only = Restriction { projects: Some(vec!["/t/app".to_owned()]), ..Restriction::default() };
    let restrict = |body: &Value| {
        let zone = jiff::tz::TimeZone::UTC;
        let mut input = Input::check(BATCH, body.as_object().expect("object"), &[], &zone).expect("valid");
        super::restrict(&route, &mut input, &only, &scope()).map(|()| input)
    };
    let kept = restrict(&json!({"items": [{}, {"project": "/t/app", "agentId": "alice"}]})).expect("inside");
    let projects: Vec<_> =
        kept.items("items").expect("sent").iter().map(|item| item.text("project")).collect();
    assert_eq!(projects, [Some("/t/app"); 2]);
    assert_eq!(
        restrict(&json!({"items": [{"project": "/t/b"}]})).expect_err("foreign").code,
        Code::ScopeRestricted
    );
    assert_eq!(
        restrict(&json!({"items": [{"agentId": "bob"}]})).expect_err("foreign").code,
        Code::ConflictingFields
    );

    let each = restrict(&json!({"patches": [{}, {"project": "/t/b"}, {"agentId": "bob"}]}))
        .expect("judged one by one");
    let verdicts: Vec<_> = each
        .each("patches")
        .expect("sent")
        .iter()
        .map(|verdict| verdict.as_ref().map(|item| item.text("project")).map_err(|error| error.code))
        .collect();
    assert_eq!(verdicts, [Ok(Some("/t/app")), Err(Code::ScopeRestricted), Err(Code::ConflictingFields)]);
}
