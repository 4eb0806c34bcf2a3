//! Writes the pages that are made from code: `docs/openapi.json`, `docs/auth.md`, `docs/errors.md`.
//! A test compares them with the code.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::create_dir_all(&docs)?;
    let table = signet_server::http::table();
    let openapi = serde_json::to_string_pretty(&signet_server::openapi::document(&table))?;
    std::fs::write(docs.join("openapi.json"), openapi + "\n")?;
    std::fs::write(docs.join("auth.md"), signet_server::openapi::tables::permissions(&table))?;
    std::fs::write(docs.join("errors.md"), signet_server::openapi::tables::codes())
}
