//! Request fields that a route does not know: ignored, and named in the log once an hour.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use signet_model::Timestamp;

use crate::field::spelling;
use crate::route::Route;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// Names held; clients send what they like, so when full the memory starts anew.
const HELD_MAX: usize = 1000;
const NAME_MAX: usize = 64;
/// Fields that every route understands.
const EVERYWHERE: [&str; 5] = ["agentId", "sessionKey", "reason", "changedBy", "runtimePath"];

/// When each unknown field was last named.
#[derive(Debug, Default)]
pub struct Unknown {
    named: Mutex<HashMap<(&'static str, String), Timestamp>>,
}

impl Unknown {
    /// Names the fields of a body that `route` does not know.
    pub fn name(&self, route: &Route, body: &Map<String, Value>, now: Timestamp) {
        let fields = self.fresh(route, body, now);
        if !fields.is_empty() {
            tracing::debug!(route = route.path, fields = fields.join(", "), "fields that are not known here");
        }
    }

    /// The fields of a body that `route` does not know and that were not named within the hour.
    fn fresh(&self, route: &Route, body: &Map<String, Value>, now: Timestamp) -> Vec<String> {
        let unknown = body.keys().filter(|name| !is_known(route, name));
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        if named.len() >= HELD_MAX {
            named.clear();
        }
        let short = unknown.map(|name| name.chars().take(NAME_MAX).collect::<String>());
        short
            .filter(|name| {
                let last = named.insert((route.path, name.clone()), now);
                match last {
                    Some(last) if now.millis() - last.millis() < HOUR_MS => {
                        named.insert((route.path, name.clone()), last);
                        false
                    }
                    _ => true,
                }
            })
            .collect()
    }
}

fn is_known(route: &Route, name: &str) -> bool {
    let of_route = route.fields.iter().any(|field| {
        spelling::same(field.name, name) || field.aliases.iter().any(|alias| spelling::same(alias, name))
    });
    of_route || EVERYWHERE.iter().any(|known| spelling::same(known, name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cx::Reply;
    use crate::field::{Field, Kind};
    use crate::route::{Access, Verb, route};

    #[test]
    fn a_field_is_named_once_an_hour_and_known_ones_never() {
        const FIELDS: &[Field] =
            &[Field::new("sourcePath", Kind::Text { min: 0, max: 9 }, "Path.").also(&["source"])];
        let base = route(
            Verb::Post,
            "/x",
            Access::Any,
            |_| Box::pin(async { Reply::ok(&()) }),
            |_| schemars::Schema::default(),
            "Test.",
        );
        let route = Route { fields: FIELDS, ..base };
        let unknown = Unknown::default();
        let body = json!({"source_path": 1, "source": 1, "agent_id": 1, "extra": 1});
        let fresh =
            |millis| unknown.fresh(&route, body.as_object().expect("object"), Timestamp::from_millis(millis));
        assert_eq!(fresh(0), ["extra"]);
        assert_eq!(fresh(HOUR_MS - 1), Vec::<String>::new());
        assert_eq!(fresh(HOUR_MS), ["extra"]);
    }
}
