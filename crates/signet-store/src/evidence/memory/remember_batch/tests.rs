use signet_model::memory::{Draft, Guardrails, prepare};
use signet_model::{Code, Detail};

use super::super::test_support::{Acts, draft, person, refusal};
use super::*;

fn batch(
    acts: &Acts,
    texts: &[&str],
    together: Together,
) -> Result<Vec<std::result::Result<Remembered, Error>>> {
    let items: Vec<Item> = texts.iter().map(|text| prepare(draft(text), Guardrails::default())).collect();
    let scope = acts.scope.clone();
    acts.write(move |tx| remember_batch(tx, &scope, &person(), (&items, together)))
}

#[test]
fn a_faulty_item_stops_only_itself_or_all() {
    let acts = Acts::new();
    let before = acts.store.dump();
    let error = refusal(batch(&acts, &["one", "", "two"], Together::AllOrNone));
    assert_eq!((error.code, error.details), (Code::InvalidRequest, vec![("index", Detail::Number(1))]));
    assert_eq!(acts.store.dump(), before);
    let results = batch(&acts, &["one", "", "two", "one"], Together::Each).expect("runs");
    assert_eq!(results.iter().map(std::result::Result::is_ok).collect::<Vec<_>>(), [true, false, true, true]);
    assert_eq!(acts.store.number("SELECT count(*) FROM memories"), 2);
}

#[test]
fn a_refused_batch_names_no_row_that_it_took_back() {
    let acts = Acts::new();
    let keyed = |text: &str| Draft { idempotency_key: Some("k".to_owned()), ..draft(text) };
    let run = || {
        let items: Vec<Item> =
            ["one", "two"].map(|text| prepare(keyed(text), Guardrails::default())).into_iter().collect();
        let scope = acts.scope.clone();
        refusal(acts.write(move |tx| remember_batch(tx, &scope, &person(), (&items, Together::AllOrNone))))
    };
    let error = run();
    assert_eq!((error.code, error.details), (Code::IdempotencyMismatch, vec![("index", Detail::Number(1))]));
    let stored = acts.remember(keyed("one")).id;
    let expected = [("existingId", Detail::Text(stored.to_string())), ("index", Detail::Number(1))];
    assert_eq!(run().details, expected, "a row that stays is named");
}
