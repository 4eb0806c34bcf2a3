//! The one recall: plan, embed, gather in one snapshot, then pure steps to the answer.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use signet_model::embed::Embedder;
use signet_model::recall::{
    Channels, Credentials, Dropped, Explain, Hit, Meta, Method, Outcome, Reason, Request,
};
use signet_model::safety::redact;
use signet_model::{AgentScope, Clock, Error};
use signet_store::Reader;
use unicode_segmentation::UnicodeSegmentation;

use crate::channels::Skip;
use crate::channels::vector::{self, Semantic};
use crate::dampen::{self, Dampings};
use crate::explain::{self, Trace, drop_note};
use crate::gather::{self, Ask, Gathered};
use crate::item::Item;
use crate::plan::{self, Plan};
use crate::prior::{self, Priors};
use crate::settings::{Settings, Switch};
use crate::{fuse, rank, shape};

/// The recall of one store. Cheap to clone; holds no handle that writes.
#[derive(Clone)]
pub struct Recall {
    pub(crate) reader: Reader,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) settings: Arc<Settings>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Recall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recall").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Recall {
    /// A recall over this store with this embedder.
    pub fn new(
        reader: Reader,
        embedder: Arc<dyn Embedder>,
        clock: Arc<dyn Clock>,
        settings: Settings,
    ) -> Self {
        Self { reader, embedder, settings: Arc::new(settings), clock }
    }

    /// Answers a request inside a scope. A failed channel is named in the answer and fails nothing;
    /// an error means that the store could not be read at all.
    pub async fn recall(&self, scope: &AgentScope, request: &Request) -> Result<Outcome, Error> {
        let started = Instant::now();
        let plan = plan::plan(request);
        let semantic = self.semantic(request, &plan).await?;
        let embedded = started.elapsed();
        let (gathered, pending_vectors) = self.gather(scope, request, &plan, semantic.clone()).await?;
        let mut outcome = self.answer(request, &plan, &semantic, gathered);
        outcome.meta.pending_vectors = pending_vectors;
        outcome.meta.stages.insert(0, signet_model::recall::StageTime { name: "embed", took: embedded });
        outcome.meta.total = started.elapsed();
        Ok(outcome)
    }

    async fn semantic(&self, request: &Request, plan: &Plan) -> Result<Semantic, Error> {
        match &plan.meaning {
            Some(text) => {
                Ok(vector::probe(&*self.embedder, &self.reader, text, self.settings.embed_budget).await?)
            }
            None if request.channels == Channels::Text => Ok(Semantic::Off(Skip::Disabled)),
            None => Ok(Semantic::Empty),
        }
    }

    /// The candidates, and how many vectors are still to come, both of one snapshot.
    async fn gather(
        &self,
        scope: &AgentScope,
        request: &Request,
        plan: &Plan,
        semantic: Semantic,
    ) -> Result<(Gathered, u64), Error> {
        let (scope, plan, settings) = (scope.clone(), plan.clone(), Arc::clone(&self.settings));
        let explain_id = request.explain_id.clone();
        let read = move |tx: &signet_store::ReadTx<'_>| {
            let gathered = gather::gather(
                tx,
                Ask {
                    scope: &scope,
                    plan: &plan,
                    semantic: &semantic,
                    settings: &settings,
                    explain_id: explain_id.as_deref(),
                },
            )?;
            let pending = match plan.meaning {
                Some(_) => vector::pending(tx, &scope, &semantic)?,
                None => 0,
            };
            Ok((gathered, pending))
        };
        Ok(self.reader.read(read).await?)
    }

    /// The pure part: from candidates to the answer.
    fn answer(&self, request: &Request, plan: &Plan, semantic: &Semantic, gathered: Gathered) -> Outcome {
        let Gathered { mut items, channels, degradations, completeness, mut trace, unfound } = gathered;
        self.value(&mut items, &mut trace, plan, request);
        rank::sort(&mut items);
        limit(&mut items, &mut trace, request.min_score, plan.limit);

        let target =
            request.explain_id.as_deref().map(|id| explain::target(id, &items, &trace, unfound.as_ref()));
        let explained = request.explain || target.is_some();
        let meta = Meta {
            total: std::time::Duration::ZERO,
            stages: trace.times(),
            degradations,
            completeness,
            pending_vectors: 0,
            limit: plan.limit,
        };
        let method = method(semantic, &channels);
        let explain = explained.then(|| Explain {
            stages: trace.into_stages(),
            channels,
            weights: self.weights(),
            target,
        });
        let shown = Excerpt { most: self.settings.truncate_chars, credentials: request.credentials };
        let hits = items.into_iter().map(|item| hit(item, shown, explained)).collect();
        Outcome { hits, method, meta, explain }
    }

    /// Gives the candidates their absolute and their order value, and drops the weak and the doubled.
    fn value(&self, items: &mut Vec<Item>, trace: &mut Trace, plan: &Plan, request: &Request) {
        let settings = &self.settings;
        let entered = items.len();
        let dropped = fuse::fuse(items, settings.alpha, settings.min_score);
        trace.dropped("fuse", entered, dropped);
        let entered = items.len();
        let mut dropped = shape::shape(items, settings.min_score);
        dropped.extend(shape::equal_texts(items));
        trace.dropped("shape", entered, dropped);
        rank::rank(items, &plan.terms, &request.query, &settings.weights);
        trace.passed("rank", items.len());
        let priors =
            Priors { rehearsal: settings.rehearsal, freshness: settings.freshness, now: self.clock.now() };
        prior::lift(items, priors, &plan.terms.words, &plan.filters);
        trace.passed("priors", items.len());
        if settings.rerank == Switch::On {
            dampen::rerank(items);
        }
        trace.passed("rerank", items.len());
        let dampings = Dampings { gravity: settings.gravity, resolution: settings.resolution };
        dampen::dampen(items, dampings, &request.query);
        trace.passed("dampen", items.len());
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        let mut weights = vec![("alpha", self.settings.alpha), ("min_score", self.settings.min_score)];
        weights.extend(shape::SHARES.map(|(name, share)| match name {
            "lexical" => ("share.lexical", share),
            "semantic" => ("share.semantic", share),
            _ => ("share.hint", share),
        }));
        weights.extend(self.settings.weights.named());
        weights
    }
}

/// Cuts by the caller's least score, then by the limit.
fn limit(items: &mut Vec<Item>, trace: &mut Trace, min_score: Option<f64>, limit: usize) {
    let entered = items.len();
    let mut dropped: Vec<Dropped> = Vec::new();
    if let Some(least) = min_score {
        dropped = fuse::cut(items, |item| rounded(item.value) < least, Reason::BelowCallerMinScore);
    }
    let beyond = items.split_off(limit.min(items.len()));
    dropped.extend(beyond.iter().map(|item| drop_note(item, Reason::BeyondLimit)));
    trace.dropped("limit", entered, dropped);
}

/// The score as it is shown: at most 1, two decimals.
fn rounded(value: f64) -> f64 {
    (value.clamp(0.0, 1.0) * 100.0).round() / 100.0
}

fn method(semantic: &Semantic, channels: &[signet_model::recall::ChannelReport]) -> Method {
    let text = channels.iter().any(|channel| channel.name == "lexical" && channel.ran);
    match (semantic, text) {
        (Semantic::Ready(_), _) => Method::Hybrid,
        (Semantic::Empty | Semantic::Off(_), true) => Method::Keyword,
        (Semantic::Empty | Semantic::Off(_), false) => Method::None,
    }
}

/// How the text of a result is shown.
#[derive(Debug, Clone, Copy)]
struct Excerpt {
    /// Characters, at most.
    most: usize,
    credentials: Credentials,
}

impl Excerpt {
    /// Cuts a text, and answers whether anything was left out at its end. Credentials go first: half of
    /// one, left by the cut, would not look like one any more.
    fn shorten(self, content: &mut String) -> bool {
        if self.credentials == Credentials::Redacted
            && let Cow::Owned(redacted) = redact(content)
        {
            *content = redacted;
        }
        let kept = if content.len() > self.most { cut(content, self.most).len() } else { content.len() };
        let shortened = kept < content.len();
        content.truncate(kept);
        shortened
    }
}

fn hit(item: Item, shown: Excerpt, explained: bool) -> Hit {
    let mut memory = item.row.memory;
    memory.truncated = shown.shorten(&mut memory.content);
    Hit {
        memory,
        score: rounded(item.value),
        origin: item.origin,
        evidence: item.evidence,
        shares: if explained { item.shares } else { Vec::new() },
        rules: if explained { item.rules } else { Vec::new() },
    }
}

/// The first `most` characters, never ending inside a grapheme.
fn cut(text: &str, most: usize) -> &str {
    let mut characters = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        characters += grapheme.chars().count();
        if characters > most {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_shown_with_two_decimals_and_at_most_one() {
        assert!((rounded(1.2078) - 1.0).abs() < f64::EPSILON);
        assert!((rounded(0.6362) - 0.64).abs() < f64::EPSILON);
        assert!(rounded(-0.1).abs() < f64::EPSILON);
    }

    #[test]
    fn texts_are_cut_between_graphemes() {
        assert_eq!(cut("cafe\u{301} x", 4), "caf");
        assert_eq!(cut("cafe\u{301} x", 5), "cafe\u{301}");
        assert_eq!(cut("ab", 9), "ab");
    }

    #[test]
    fn a_credential_at_the_cut_leaves_no_half_of_itself() {
        let key = format!("ghp_{}", "a1B2".repeat(9));
        let said = format!("the deploy key is {key} since May");
        let shorten = |most, credentials| {
            let mut content = said.clone();
            let shortened = Excerpt { most, credentials }.shorten(&mut content);
            (content, shortened)
        };
        assert_eq!(shorten(30, Credentials::Shown), ("the deploy key is ghp_a1B2a1B2".to_owned(), true));
        assert_eq!(shorten(30, Credentials::Redacted), ("the deploy key is [redacted] s".to_owned(), true));
        let whole = "the deploy key is [redacted] since May".to_owned();
        assert_eq!(shorten(60, Credentials::Redacted), (whole, false));
        assert_eq!(shorten(500, Credentials::Shown), (said.clone(), false));
    }
}
