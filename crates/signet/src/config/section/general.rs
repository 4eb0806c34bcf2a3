//! Top-level keys: the file's own version, the agent, MCP, the log.

use super::super::key::{Key, Kind, key};

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key("version", Kind::Int(0, i64::MAX), "1", "Version of the file's form; read, never rewritten."),
    key("schema", Kind::Text, "\"signet/v1\"", "Name of the file's form; read, never rewritten."),
    key("configVersion", Kind::Int(0, i64::MAX), "2", "Version of the configuration; read, never rewritten."),
    key("agent.name", Kind::Text, "null", "Name of the agent, shown in status and identity."),
    key("agent.description", Kind::Text, "null", "One line about the agent."),
    key("agent.created", Kind::Text, "null", "When the file was made."),
    key("agent.updated", Kind::Text, "null", "When the file was last changed by hand."),
    key("harnesses", Kind::Texts, "[]", "Harnesses that setup connects."),
    key("mcp.enabled", Kind::Flag, "true", "Serve MCP."),
    key("mcp.toolset", Kind::Word(&["core", "full", "readonly"]), "\"core\"", "Tools that MCP offers."),
    key("mcp.maxResultTokens", Kind::Int(200, 8000), "2000", "Longest answer of an MCP tool."),
    key(
        "logging.level",
        Kind::Word(&["error", "warn", "info", "debug", "trace"]),
        "\"info\"",
        "Least important line that is logged.",
    ),
    key("logging.maxFileMiB", Kind::Int(1, 1024), "10", "A log file is closed at this size."),
    key("logging.maxFiles", Kind::Int(1, 100), "5", "Closed log files that are kept."),
    key("logging.dir", Kind::Text, "\".daemon/logs\"", "Folder of the log files, relative to the workspace.")
        .env("SIGNET_LOG_DIR")
        .restart(),
];
