//! The fixture of hostile texts and harmless look-alikes, whole.

use serde_json::Value;
use signet_model::safety::scan;

fn texts<'v>(samples: &'v Value, list: &str) -> Vec<&'v str> {
    samples[list].as_array().into_iter().flatten().filter_map(|item| item["text"].as_str()).collect()
}

#[test]
fn hostile_texts_are_not_eligible_and_look_alikes_are_clean() {
    let samples: Value =
        serde_json::from_str(include_str!("data/injection-samples.json")).unwrap_or_default();
    let (hostile, look_alikes) = (texts(&samples, "hostile"), texts(&samples, "benign_lookalikes"));
    assert_eq!((hostile.len(), look_alikes.len()), (6, 2), "the fixture is read");
    for text in hostile {
        assert!(!scan(text).context_eligible(), "{text}");
    }
    for text in look_alikes {
        assert_eq!(scan(text).reasons, Vec::<&str>::new(), "{text}");
    }
}
