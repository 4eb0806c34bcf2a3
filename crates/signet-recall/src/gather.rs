//! One snapshot: every channel's candidates in every owner's rows, and the rows themselves.

mod target;
mod values;

use std::collections::BTreeMap;

use signet_model::AgentScope;
use signet_model::recall::{ChannelReport, Completeness, Degradation, Dropped, Evidence, Reason};
use signet_store::derived::candidates;
use signet_store::derived::eligible::{self, Owner, Predicate};
use signet_store::derived::fts::corpus;
use signet_store::derived::fts::{Column, Found};
use signet_store::derived::nearest;
use signet_store::{ReadTx, Result};

use crate::channels::Skip;
use crate::channels::lexical::{self, Terms};
use crate::channels::vector::{self, Probe, Semantic};
use crate::explain::{Trace, Unfound};
use crate::item::Item;
use crate::plan::{Plan, TextChannels};
use crate::settings::Settings;

use values::Values;

/// What the snapshot gave.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// Candidates with the values of their channels.
    pub(crate) items: Vec<Item>,
    /// What each channel did.
    pub(crate) channels: Vec<ChannelReport>,
    /// What went wrong.
    pub(crate) degradations: Vec<Degradation>,
    /// How much of the vectors was searched.
    pub(crate) completeness: Completeness,
    /// The record so far.
    pub(crate) trace: Trace,
    /// What is known of the id that the request asks about.
    pub(crate) unfound: Option<Unfound>,
}

/// What a gathering needs to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask<'a> {
    /// Who asks.
    pub(crate) scope: &'a AgentScope,
    /// What.
    pub(crate) plan: &'a Plan,
    /// The query's vector.
    pub(crate) semantic: &'a Semantic,
    /// Settings.
    pub(crate) settings: &'a Settings,
    /// An id to look into.
    pub(crate) explain_id: Option<&'a str>,
}

/// One owner's rows as this query sees them.
struct View {
    owner: Owner,
    predicate: Predicate,
    content: Terms,
    hints: Terms,
}

/// Row ids that one channel found, best first, with the index of their owner.
type Finds = Vec<(usize, i64)>;

/// Runs the channels and reads their rows.
pub(crate) fn gather(tx: &ReadTx<'_>, ask: Ask<'_>) -> Result<Gathered> {
    let mut trace = Trace::new();
    let mut degradations = Vec::new();
    let (views, index) = views(tx, ask)?;
    trace.passed("scope", 0);
    trace.passed("parse", 0);

    let text = text_channels(tx, ask, (&views, index), (&mut trace, &mut degradations))?;
    let (nearest, completeness) = semantic_channel(tx, ask, &views)?;
    trace.lap("semantic");
    if let Semantic::Off(skip) = ask.semantic {
        degradations.extend(degradation(*skip));
    }
    let merged =
        merge(&mut trace, [("lexical", &text.lexical), ("hint", &text.hint), ("semantic", &nearest)]);

    let (items, hostile) = load(tx, ask, &views, &merged)?;
    trace.dropped("authorize", items.len() + hostile.len(), hostile);
    let unfound = ask.explain_id.map(|id| target::look_into(tx, ask, &views, id)).transpose()?;
    degradations.sort_unstable();
    let channels = reports(ask, &text, &nearest, &items);
    Ok(Gathered { items, channels, degradations, completeness, trace, unfound })
}

/// Whether the text index can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Index {
    /// It answers for every row.
    Sound,
    /// It lacks rows, or fails.
    Unsound,
}

fn views(tx: &ReadTx<'_>, ask: Ask<'_>) -> Result<(Vec<View>, Index)> {
    let query = &ask.plan.terms;
    let mut index = match corpus::is_complete(tx) {
        Ok(true) => Index::Sound,
        Ok(false) | Err(_) => Index::Unsound,
    };
    let mut views = Vec::new();
    for owner in eligible::owners(tx, ask.scope)? {
        let size = corpus::corpus(tx, &owner)?;
        if size.rows == 0 {
            continue;
        }
        let mut weigh = |column| {
            lexical::weigh(tx, &owner, size, column, query).unwrap_or_else(|failure| {
                tracing::warn!(error = %failure, "the text index fails; its terms are not weighed");
                index = Index::Unsound;
                lexical::unweighed(size, query)
            })
        };
        let content = weigh(Column::Content);
        let hints = if corpus::has_hints(tx, &owner)? {
            weigh(Column::Hints)
        } else {
            Terms { frequency: vec![0; content.tokens.len()], ..content.clone() }
        };
        let predicate = eligible::predicate(&owner, ask.scope, &ask.plan.filters);
        views.push(View { owner, predicate, content, hints });
    }
    Ok((views, index))
}

/// What the text channels found.
#[derive(Default)]
struct Text {
    lexical: Finds,
    hint: Finds,
}

fn text_channels(
    tx: &ReadTx<'_>,
    ask: Ask<'_>,
    (views, index): (&[View], Index),
    (trace, degradations): (&mut Trace, &mut Vec<Degradation>),
) -> Result<Text> {
    if ask.plan.text == TextChannels::Excluded || ask.plan.terms.terms.is_empty() {
        return Ok(Text::default());
    }
    if index == Index::Sound {
        match by_index(tx, ask, views, trace) {
            Ok(text) => return Ok(text),
            Err(failure) => {
                tracing::warn!(error = %failure, "the text index failed; searching the newest rows");
            }
        }
    }
    degradations.push(Degradation::FtsIncomplete);
    let mut found = Vec::new();
    for (at, view) in views.iter().enumerate() {
        let place = place(ask, view, Column::Content);
        let rows = lexical::find_without_index(tx, place, &view.content, ask.settings.recent_window_rows)?;
        found.extend(rows.into_iter().map(|row| (at, row)));
    }
    trace.lap("lexical");
    Ok(Text { lexical: best(found, ask.settings.candidates), hint: Vec::new() })
}

fn by_index(tx: &ReadTx<'_>, ask: Ask<'_>, views: &[View], trace: &mut Trace) -> Result<Text> {
    let terms = &ask.plan.terms;
    let mut content = Vec::new();
    for (at, view) in views.iter().enumerate() {
        let rows = lexical::find(tx, place(ask, view, Column::Content), terms, &view.content)?;
        content.extend(rows.into_iter().map(|row| (at, row)));
    }
    trace.lap("lexical");
    let mut hints = Vec::new();
    for (at, view) in views.iter().enumerate() {
        if view.hints.frequency.iter().any(|frequency| *frequency > 0) {
            let rows = lexical::find(tx, place(ask, view, Column::Hints), terms, &view.hints)?;
            hints.extend(rows.into_iter().map(|row| (at, row)));
        }
    }
    trace.lap("hint");
    let k = ask.settings.candidates;
    Ok(Text { lexical: best(content, k), hint: best(hints, k) })
}

fn place<'a>(ask: Ask<'a>, view: &'a View, column: Column) -> lexical::Place<'a> {
    lexical::Place {
        owner: &view.owner,
        predicate: &view.predicate,
        column,
        k: ask.settings.candidates,
        limit: ask.plan.limit,
    }
}

/// The best rows of all owners by the index's rank.
fn best(mut found: Vec<(usize, Found)>, k: usize) -> Finds {
    found.sort_by(|a, b| a.1.rank.total_cmp(&b.1.rank).then(b.1.rid.cmp(&a.1.rid)));
    found.into_iter().take(k).map(|(at, row)| (at, row.rid)).collect()
}

fn semantic_channel(tx: &ReadTx<'_>, ask: Ask<'_>, views: &[View]) -> Result<(Finds, Completeness)> {
    let probe = match ask.semantic {
        Semantic::Ready(probe) => probe,
        Semantic::Empty => return Ok((Vec::new(), Completeness::Complete)),
        Semantic::Off(_) => return Ok((Vec::new(), Completeness::Unavailable)),
    };
    let mut found = Vec::new();
    let mut completeness = Completeness::Complete;
    for (at, view) in views.iter().enumerate() {
        let place = vector::Place {
            owner: &view.owner,
            scope: ask.scope,
            filters: &ask.plan.filters,
            k: ask.settings.candidates,
            tier: ask.settings.vector_tier,
            window_rows: ask.settings.recent_window_rows,
        };
        let nearest = vector::find(tx, place, probe)?;
        if nearest.completeness == nearest::Completeness::RecentWindow {
            completeness = Completeness::RecentWindow(ask.settings.recent_window_rows);
        }
        found.extend(nearest.hits.into_iter().map(|hit| (at, hit)));
    }
    found.sort_by(|a, b| b.1.cosine.total_cmp(&a.1.cosine).then(b.1.rid.cmp(&a.1.rid)));
    let finds = found.into_iter().take(ask.settings.candidates).map(|(at, hit)| (at, hit.rid)).collect();
    Ok((finds, completeness))
}

fn degradation(skip: Skip) -> Option<Degradation> {
    match skip {
        Skip::Disabled | Skip::NoProvider => None,
        Skip::ProfileMismatch => Some(Degradation::ProfileMismatch),
        Skip::EmbeddingUnavailable => Some(Degradation::EmbeddingUnavailable),
    }
}

/// The union of the channels, by owner, in order of row id.
fn merge(trace: &mut Trace, channels: [(&'static str, &Finds); 3]) -> BTreeMap<usize, Vec<i64>> {
    let mut merged: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    let mut total = 0;
    for (name, finds) in channels {
        let mut added = 0;
        for (at, rid) in finds {
            let rids = merged.entry(*at).or_default();
            if let Err(place) = rids.binary_search(rid) {
                rids.insert(place, *rid);
                added += 1;
            }
        }
        trace.added(name, total, added);
        total += added;
    }
    merged
}

/// Reads the rows and gives them the values of every channel, whichever found them: a value depends on
/// the row, the query and the corpus alone.
fn load(
    tx: &ReadTx<'_>,
    ask: Ask<'_>,
    views: &[View],
    merged: &BTreeMap<usize, Vec<i64>>,
) -> Result<(Vec<Item>, Vec<Dropped>)> {
    let probe = probe(ask);
    let (mut items, mut hostile) = (Vec::new(), Vec::new());
    for (at, rids) in merged {
        let view = &views[*at];
        let loaded = candidates::load(tx, &view.owner, ask.plan.filters.audience, rids, stored(probe))?;
        let values = Values::new(ask, view, probe);
        items.extend(loaded.rows.into_iter().map(|row| values.of(row)));
        hostile.extend(loaded.hostile.into_iter().map(|id| Dropped {
            id,
            reason: Reason::Unsafe,
            detail: None,
        }));
    }
    Ok((items, hostile))
}

fn probe(ask: Ask<'_>) -> Option<&Probe> {
    match ask.semantic {
        Semantic::Ready(probe) => Some(probe),
        Semantic::Empty | Semantic::Off(_) => None,
    }
}

fn stored(probe: Option<&Probe>) -> Option<candidates::Probe<'_>> {
    probe.map(|probe| candidates::Probe { profile_id: probe.profile_id, vector: &probe.vector })
}

fn reports(ask: Ask<'_>, text: &Text, nearest: &Finds, items: &[Item]) -> Vec<ChannelReport> {
    let top =
        |value: fn(&Evidence) -> f64| items.iter().map(|item| value(&item.evidence)).fold(0.0, f64::max);
    let text_skip = (ask.plan.text == TextChannels::Excluded).then_some(Skip::Disabled.as_str());
    let semantic_skip = match ask.semantic {
        Semantic::Ready(_) | Semantic::Empty => None,
        Semantic::Off(skip) => Some(skip.as_str()),
    };
    let report = |name, candidates, top_score, skipped: Option<&'static str>| ChannelReport {
        name,
        ran: skipped.is_none(),
        candidates,
        top_score,
        skipped,
    };
    vec![
        report("lexical", text.lexical.len(), top(|evidence| evidence.lexical), text_skip),
        report("hint", text.hint.len(), top(|evidence| evidence.hint), text_skip),
        report("semantic", nearest.len(), top(|evidence| evidence.semantic), semantic_skip),
    ]
}
