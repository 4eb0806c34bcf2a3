//! Fields that several of these routes share.

use signet_model::memory::Warrant;
use signet_model::memory::forget::Force;
use signet_model::text::repair;
use signet_model::{Error, MemoryId};

use crate::cx::Cx;
use crate::field::{Field, Kind};

/// Why; also taken from query and `x-signet-reason`.
pub(super) const REASON: Field = Field::new(
    "reason",
    Kind::Text { min: 0, max: 1000 },
    "Why, for the history; `x-signet-reason` works too.",
);

/// The version that the caller saw.
pub(super) const IF_VERSION: Field = Field::new(
    "ifVersion",
    Kind::Int { min: 1, max: 9_007_199_254_740_991 },
    "Refuse the change when the memory has another version.",
)
.wrong("if_version must be a positive integer");

/// Pinned rows too.
pub(super) const FORCE: Field = Field::new("force", Kind::Bool, "A person means pinned memories too.");

/// Reason and version of a change; 400 `reason is required`.
pub(super) fn warrant(cx: &Cx) -> Result<Warrant, Error> {
    let reason = repair::text(cx.need_reason()?).into_owned();
    Ok(Warrant { reason, if_version: cx.input.int("ifVersion") })
}

/// Whether the caller forces.
pub(super) fn force(cx: &Cx) -> Force {
    if cx.input.flag("force") { Force::Yes } else { Force::No }
}

/// The memory in the path.
pub(super) fn id(cx: &Cx) -> MemoryId {
    MemoryId::from(cx.param("id"))
}
