//! `camelCase` and `snake_case` of one name: both are accepted for every field.

/// `agentId` → `agent_id`; a name without capitals is unchanged.
pub fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// `agent_id` → `agentId`; a name without inner underscores is unchanged.
pub fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut raise = false;
    for c in name.chars() {
        match c {
            '_' if !out.is_empty() => raise = true,
            c if raise => {
                out.push(c.to_ascii_uppercase());
                raise = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// Whether `sent` is `name` in one of its two spellings.
pub fn same(name: &str, sent: &str) -> bool {
    sent == name || sent == snake(name) || sent == camel(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_name_one_field() {
        assert_eq!(snake("importanceMin"), "importance_min");
        assert_eq!(camel("if_version"), "ifVersion");
        assert_eq!(camel("_private"), "_private");
        for sent in ["agentId", "agent_id"] {
            assert!(same("agentId", sent), "{sent}");
            assert!(same("agent_id", sent), "{sent}");
        }
        assert!(!same("agentId", "agentid"));
    }
}
