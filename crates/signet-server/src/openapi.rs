//! OpenAPI 3.1 from the route table: nothing here is written by hand twice.

mod fields;
pub mod tables;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::route::{Access, Route, Verb};

/// Schema of an answer type, for [`crate::route::route`].
pub fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Schema of an object whose keys are not fixed.
pub fn any_object(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object", "additionalProperties": true })
}

/// The description of a table of routes.
pub fn document(table: &[Route]) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = SchemaGenerator::new(settings);
    let mut paths: Map<String, Value> = Map::new();
    for route in table {
        let operation = operation(route, &mut generator);
        for (path, alias) in
            std::iter::once((route.path, false)).chain(route.aliases.iter().map(|path| (*path, true)))
        {
            let mut operation = operation.clone();
            if alias {
                operation["deprecated"] = Value::Bool(true);
                operation["operationId"] = json!(operation_id(route.method, path));
            }
            let methods = paths.entry(path.to_owned()).or_insert_with(|| json!({}));
            methods[method(route.method)] = operation;
        }
    }
    let mut schemas: Map<String, Value> = generator.take_definitions(true);
    schemas.insert("Refusal".to_owned(), refusal());
    schemas.sort_keys();
    paths.sort_keys();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Signet",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
            "description": "The local HTTP API of the Signet daemon. Every request field is accepted in \
                camelCase and in snake_case.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "credential": { "type": "http", "scheme": "bearer",
                "description": "A signed token, or an API key (`sig_sk_…`)." } },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let answer = (route.answer)(generator);
    let mut operation = json!({
        "operationId": operation_id(route.method, route.path),
        "summary": route.doc,
        "security": if route.access == Access::Open { json!([{}]) } else { json!([{ "credential": [] }]) },
        "x-signet-permission": access_word(route.access),
        "responses": {
            "2XX": { "description": "Done.", "content": { "application/json": { "schema": answer } } },
            "default": { "description": "Refused.", "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/Refusal" } } } },
        },
    });
    let mut parameters: Vec<Value> = path_parameters(route.path);
    if has_body(route.method) {
        if !route.fields.is_empty() {
            operation["requestBody"] =
                json!({ "content": { "application/json": { "schema": fields::object(route.fields) } } });
        }
    } else {
        parameters.extend(route.fields.iter().map(fields::parameter));
    }
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters);
    }
    operation
}

fn path_parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect()
}

const fn has_body(verb: Verb) -> bool {
    matches!(verb, Verb::Post | Verb::Patch | Verb::Put)
}

const fn method(verb: Verb) -> &'static str {
    match verb {
        Verb::Get => "get",
        Verb::Post => "post",
        Verb::Patch => "patch",
        Verb::Put => "put",
        Verb::Delete => "delete",
    }
}

/// `open`, `any`, or the word of the permission.
pub(crate) const fn access_word(access: Access) -> &'static str {
    match access {
        Access::Open => "open",
        Access::Any => "any",
        Access::Needs(permission) => permission.as_str(),
    }
}

fn operation_id(verb: Verb, path: &str) -> String {
    let words = path.split(['/', '-', '.']).filter(|word| !word.is_empty());
    let words = words.map(|word| word.trim_matches(['{', '}'])).collect::<Vec<_>>().join("_");
    format!("{}_{words}", method(verb))
}

fn refusal() -> Value {
    let codes: Vec<&str> = signet_model::Code::ALL.iter().map(|code| code.as_str()).collect();
    json!({
        "type": "object",
        "required": ["error", "code"],
        "properties": {
            "error": { "type": "string", "description": "One sentence." },
            "code": { "type": "string", "enum": codes },
            "hint": { "type": "string", "description": "What to do." },
            "field": { "type": "string", "description": "The request field at fault." },
        },
        "additionalProperties": true,
    })
}
