//! Secrets named in values: `env:NAME`, `$secret:NAME`, or the text itself.

use std::path::Path;

use crate::env::Env;

/// The secret, or a sentence that names what is missing and never the secret.
pub(crate) fn resolve(text: &str, workspace: &Path, env: &Env) -> Result<String, String> {
    if let Some(name) = text.strip_prefix("env:") {
        return env
            .get(name)
            .map(str::to_owned)
            .ok_or_else(|| format!("environment variable {name} is not set"));
    }
    let Some(name) = text.strip_prefix("$secret:") else { return Ok(text.to_owned()) };
    if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
        return Err(format!("`$secret:{name}` is no file name in .secrets"));
    }
    let path = workspace.join(".secrets").join(name);
    let content = std::fs::read_to_string(&path).map_err(|error| format!(".secrets/{name}: {error}"))?;
    Ok(content
        .strip_suffix('\n')
        .map_or(content.as_str(), |cut| cut.strip_suffix('\r').unwrap_or(cut))
        .to_owned())
}

/// How a secret value is shown: references as they are, the secret itself never.
pub(crate) fn masked(text: &str) -> String {
    if super::check::is_reference(text) { text.to_owned() } else { "<redacted>".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_literals_and_masks() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".secrets")).unwrap();
        std::fs::write(folder.path().join(".secrets/KEY"), "s3cret\n").unwrap();
        let env = Env::of(&[("OPENAI", "from-env")]);
        let read = |text| resolve(text, folder.path(), &env);
        assert_eq!(read("env:OPENAI"), Ok("from-env".to_owned()));
        assert_eq!(read("env:MISSING"), Err("environment variable MISSING is not set".to_owned()));
        assert_eq!(read("$secret:KEY"), Ok("s3cret".to_owned()));
        assert!(read("$secret:../KEY").is_err());
        assert_eq!(read("literal"), Ok("literal".to_owned()));
        assert_eq!((masked("env:X").as_str(), masked("literal").as_str()), ("env:X", "<redacted>"));
    }
}
