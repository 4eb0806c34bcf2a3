//! Why a recall answered as it did.

use std::time::Duration;

/// Most dropped ids listed per stage.
pub const MOST_DROPPED: usize = 100;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// Why a row is not among the results.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Reason { $($(#[$doc])* $name,)* }

        impl Reason {
            /// All reasons.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word of the reason.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

reasons! {
    /// Another project.
    FilteredProject = "filtered_project";
    /// Another type or source type.
    FilteredType = "filtered_type";
    /// A tag is missing.
    FilteredTag = "filtered_tag";
    /// Another author.
    FilteredWho = "filtered_who";
    /// Pinned or not.
    FilteredPinned = "filtered_pinned";
    /// Below the least importance.
    FilteredImportance = "filtered_importance";
    /// Outside the time range.
    FilteredTime = "filtered_time";
    /// Another text scope.
    FilteredScope = "filtered_scope";
    /// Not a wanted kind.
    FilteredKind = "filtered_kind";
    /// Not clean under the present safety policy.
    Unsafe = "unsafe";
    /// A newer row stands in its place.
    Superseded = "superseded";
    /// Retired because its source went.
    Stale = "stale";
    /// Forgotten, still inside the window.
    Tombstoned = "tombstoned";
    /// Found, but not among the channel's best.
    BelowChannelTopK = "below_channel_top_k";
    /// Its cosine is noise.
    BelowNoiseFloor = "below_noise_floor";
    /// Weak and not a direct match.
    BelowMinScore = "below_min_score";
    /// Not above the caller's `minScore`.
    BelowCallerMinScore = "below_caller_min_score";
    /// Same text as a better row.
    DuplicateText = "duplicate_text";
    /// Behind the limit.
    BeyondLimit = "beyond_limit";
    /// No channel matches it.
    NoChannelMatch = "no_channel_match";
    /// Unknown, foreign or erased.
    NotFound = "not_found";
}

/// A row that a stage took out.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// Id of the row.
    pub id: String,
    /// Why.
    pub reason: Reason,
    /// The value that decided, in words.
    pub detail: Option<String>,
}

/// One stage. `entered - dropped_total + added = left`.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Name.
    pub name: &'static str,
    /// Candidates that came.
    pub entered: usize,
    /// Candidates the stage added.
    pub added: usize,
    /// Candidates that went on.
    pub left: usize,
    /// Time taken.
    pub took: Duration,
    /// What was taken out, best first, at most [`MOST_DROPPED`].
    pub dropped: Vec<Dropped>,
    /// All that was taken out.
    pub dropped_total: usize,
}

/// One channel.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelReport {
    /// Name.
    pub name: &'static str,
    /// It ran.
    pub ran: bool,
    /// Rows it found.
    pub candidates: usize,
    /// Its best value.
    pub top_score: f64,
    /// Why it did not run.
    pub skipped: Option<&'static str>,
}

/// What became of one id.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The id asked for.
    pub id: String,
    /// Channels that found it.
    pub found_in: Vec<&'static str>,
    /// The stage that dropped it; `None` = it is a result, or was never a candidate.
    pub dropped_at: Option<&'static str>,
    /// Why; `None` = it is a result.
    pub reason: Option<Reason>,
    /// Its value per channel when no channel matched.
    pub detail: Option<String>,
}

/// The whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// Stages in order.
    pub stages: Vec<Stage>,
    /// Channels.
    pub channels: Vec<ChannelReport>,
    /// Weights in use.
    pub weights: Vec<(&'static str, f64)>,
    /// Answer to `explain_id`.
    pub target: Option<Target>,
}
