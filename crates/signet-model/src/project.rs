//! Project names: an absolute path is normalised, any other text is kept.

/// Removes `.`, `..`, doubled and trailing slashes of an absolute path; other text is kept.
/// Symbolic links and worktrees need the file system and are resolved by the caller that has it.
pub fn normalise(project: &str) -> String {
    let trimmed = project.trim();
    if !trimmed.starts_with('/') {
        return trimmed.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in trimmed.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn absolute_paths_lose_detours_and_names_stay() {
        assert_eq!(normalise("/t/acme//app/../app/"), "/t/acme/app");
        assert_eq!(normalise("/"), "/");
        assert_eq!(normalise(" billing "), "billing");
    }
}
