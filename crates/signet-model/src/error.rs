//! One catalogue of refusals: every stable code, its kind, and what a kind means on each surface.
//!
//! A surface never picks a status of its own: HTTP, MCP and the command line all read
//! [`ErrorKind::http_status`] and [`ErrorKind::exit_code`].

use std::fmt;

/// What went wrong, as a class. Transport-free; mapped to a status only at the rim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request itself is wrong.
    Invalid,
    /// The request is larger than the route takes.
    TooLarge,
    /// The content type is not one the route takes.
    UnsupportedMedia,
    /// The method is not one the path knows.
    MethodNotAllowed,
    /// No credential, or one that does not verify.
    Unauthenticated,
    /// The credential does not allow this.
    Forbidden,
    /// There is no such thing, or the caller may not know of it.
    NotFound,
    /// The present state refuses it.
    Conflict,
    /// It existed once and was retired.
    Gone,
    /// Too many calls of this class.
    RateLimited,
    /// No room just now; the same call may go through in a moment.
    Busy,
    /// Not available here just now.
    Unavailable,
    /// Switched off or not set up; stays so until someone changes it.
    Refused,
    /// This build cannot do it.
    Unsupported,
    /// A provider failed.
    Provider,
    /// A provider or a deadline ran out of time.
    Timeout,
    /// Stored data does not read as it was written.
    Corrupt,
    /// A bug.
    Internal,
}

impl ErrorKind {
    /// HTTP status of the kind.
    pub const fn http_status(self) -> u16 {
        match self {
            Self::Invalid => 400,
            Self::Unauthenticated => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::Conflict => 409,
            Self::Gone => 410,
            Self::TooLarge => 413,
            Self::UnsupportedMedia => 415,
            Self::RateLimited => 429,
            Self::Corrupt | Self::Internal => 500,
            Self::Unsupported => 501,
            Self::Provider => 502,
            Self::Busy | Self::Unavailable | Self::Refused => 503,
            Self::Timeout => 504,
        }
    }

    /// Exit code of the command line.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Corrupt | Self::Internal => 1,
            Self::Invalid
            | Self::TooLarge
            | Self::UnsupportedMedia
            | Self::MethodNotAllowed
            | Self::Unsupported => 2,
            Self::Unauthenticated | Self::Forbidden => 3,
            Self::NotFound => 4,
            Self::Conflict | Self::Gone => 5,
            Self::RateLimited | Self::Busy => 6,
            Self::Unavailable | Self::Refused | Self::Provider | Self::Timeout => 7,
        }
    }

    /// Whether the same call may go through later without anybody changing anything.
    pub const fn retryable(self) -> bool {
        matches!(self, Self::RateLimited | Self::Busy | Self::Unavailable | Self::Provider | Self::Timeout)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal => $kind:ident;)*) => {
        /// Every stable code, as it stands in an answer's `code`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// All codes, in catalogue order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The `snake_case` word of the code.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The class of the code.
            pub const fn kind(self) -> ErrorKind {
                match self { $(Self::$name => ErrorKind::$kind,)* }
            }
        }
    };
}

codes! {
    /// The body is not JSON, or not an object.
    InvalidJson = "invalid_json" => Invalid;
    /// A field is missing, of the wrong type, out of range or too long.
    InvalidRequest = "invalid_request" => Invalid;
    /// Two spellings or places of one field disagree.
    ConflictingFields = "conflicting_fields" => Invalid;
    /// A change without a reason.
    ReasonRequired = "reason_required" => Invalid;
    /// A mass forget without the token of a preview.
    ConfirmTokenRequired = "confirm_token_required" => Invalid;
    /// The body is above the route's limit.
    BodyTooLarge = "body_too_large" => TooLarge;
    /// A browser sent something else than JSON.
    UnsupportedMediaType = "unsupported_media_type" => UnsupportedMedia;
    /// The path does not know the method.
    MethodNotAllowed = "method_not_allowed" => MethodNotAllowed;
    /// No credential where one is needed.
    AuthenticationRequired = "authentication_required" => Unauthenticated;
    /// Not a token.
    MalformedToken = "malformed_token" => Unauthenticated;
    /// The signature does not verify.
    InvalidSignature = "invalid_signature" => Unauthenticated;
    /// The claims do not read.
    MalformedPayload = "malformed_payload" => Unauthenticated;
    /// `iat` or `exp` is missing.
    MissingTimestamps = "missing_timestamps" => Unauthenticated;
    /// The token's time is over.
    TokenExpired = "token_expired" => Unauthenticated;
    /// The token was revoked.
    TokenRevoked = "token_revoked" => Unauthenticated;
    /// Not an API key.
    MalformedApiKey = "malformed_api_key" => Unauthenticated;
    /// No such key.
    InvalidApiKey = "invalid_api_key" => Unauthenticated;
    /// The key was revoked.
    ApiKeyRevoked = "api_key_revoked" => Unauthenticated;
    /// The key's time is over.
    ApiKeyExpired = "api_key_expired" => Unauthenticated;
    /// Role or explicit list lacks the permission.
    PermissionDenied = "permission_denied" => Forbidden;
    /// The credential is restricted to another project, agent or user.
    ScopeRestricted = "scope_restricted" => Forbidden;
    /// The Host header names a host that is not ours.
    HostNotAllowed = "host_not_allowed" => Forbidden;
    /// The Origin is not this server's.
    OriginNotAllowed = "origin_not_allowed" => Forbidden;
    /// A browser sent it on behalf of another site.
    CrossSiteRefused = "cross_site_refused" => Forbidden;
    /// A machine writer used force.
    AutonomousForceDenied = "autonomous_force_denied" => Forbidden;
    /// Only a person may do this.
    MachineWriterDenied = "machine_writer_denied" => Forbidden;
    /// No such thing in the caller's scope.
    NotFound = "not_found" => NotFound;
    /// A family of routes that Signet does not provide.
    NotProvided = "not_provided" => NotFound;
    /// The row has another version than `if_version`.
    VersionConflict = "version_conflict" => Conflict;
    /// It is deleted already.
    AlreadyDeleted = "already_deleted" => Conflict;
    /// The row is deleted.
    Deleted = "deleted" => Conflict;
    /// The row is not deleted.
    NotDeleted = "not_deleted" => Conflict;
    /// The time to recover is over.
    RetentionExpired = "retention_expired" => Conflict;
    /// Pinned rows need `force`.
    PinnedRequiresForce = "pinned_requires_force" => Conflict;
    /// Another live row holds the same text.
    DuplicateContentHash = "duplicate_content_hash" => Conflict;
    /// A machine writer may not change evidence.
    EpisodicContentImmutable = "episodic_content_immutable" => Conflict;
    /// The row was superseded already.
    AlreadySuperseded = "already_superseded" => Conflict;
    /// A row cannot supersede itself.
    SelfSupersede = "self_supersede" => Conflict;
    /// The two rows are of different scopes.
    ScopeMismatch = "scope_mismatch" => Conflict;
    /// The idempotency key was used with another body.
    IdempotencyMismatch = "idempotency_mismatch" => Conflict;
    /// The same work runs already.
    AlreadyRunning = "already_running" => Conflict;
    /// The name is taken.
    AlreadyExists = "already_exists" => Conflict;
    /// The prefix fits several.
    Ambiguous = "ambiguous" => Conflict;
    /// The state does not allow the step.
    StateConflict = "state_conflict" => Conflict;
    /// The text was forgotten by a person.
    Forgotten = "forgotten" => Conflict;
    /// Retired.
    Retired = "retired" => Gone;
    /// Over the rate limit.
    RateLimited = "rate_limited" => RateLimited;
    /// Queue or admission class is full.
    Overloaded = "overloaded" => Busy;
    /// The daemon is going down.
    ShuttingDown = "shutting_down" => Unavailable;
    /// The daemon is coming up.
    Initializing = "initializing" => Unavailable;
    /// The disk is full.
    DiskFull = "disk_full" => Unavailable;
    /// The kill switch is on.
    MutationsFrozen = "mutations_frozen" => Refused;
    /// The database is damaged and served read-only.
    StorageUnavailable = "storage_unavailable" => Refused;
    /// No provider is configured.
    NoProvider = "no_provider" => Refused;
    /// Switched off.
    Disabled = "disabled" => Refused;
    /// Not set up.
    NotConfigured = "not_configured" => Refused;
    /// This build cannot do it.
    Unsupported = "unsupported" => Unsupported;
    /// A provider failed.
    ProviderFailed = "provider_failed" => Provider;
    /// A provider ran out of time.
    ProviderTimeout = "provider_timeout" => Timeout;
    /// A stored row does not read.
    Corrupt = "corrupt" => Corrupt;
    /// A bug.
    Internal = "internal" => Internal;
}

/// A named fact that goes into the answer beside `error` and `code`.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// Text.
    Text(String),
    /// Whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// List of texts.
    List(Vec<String>),
}

/// A refusal as a caller may see it. Internal causes stay in [`Error::internal`] and in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// Stable code.
    pub code: Code,
    /// One sentence for the caller.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Request field at fault.
    pub field: Option<String>,
    /// Facts of the answer, by JSON key.
    pub details: Vec<(&'static str, Detail)>,
    /// Cause for the log; never sent to a caller.
    pub internal: Option<String>,
}

impl Error {
    /// A refusal with its sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, field: None, details: Vec::new(), internal: None }
    }

    /// 400 for one field: the sentence names the rule.
    pub fn field(field: &str, message: impl Into<String>) -> Self {
        let mut error = Self::new(Code::InvalidRequest, message);
        error.field = Some(field.to_owned());
        error
    }

    /// 404 that tells nothing about what else exists.
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "not found")
    }

    /// A bug or an unexpected failure; `cause` goes to the log only.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let mut error = Self::new(Code::Internal, "internal error; see the daemon's log");
        error.internal = Some(cause.to_string());
        error
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a fact to the answer.
    #[must_use]
    pub fn with(mut self, key: &'static str, detail: Detail) -> Self {
        self.details.push((key, detail));
        self
    }

    /// Adds a cause for the log.
    #[must_use]
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.internal = Some(cause.to_string());
        self
    }

    /// Class of the refusal.
    pub const fn kind(&self) -> ErrorKind {
        self.code.kind()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
