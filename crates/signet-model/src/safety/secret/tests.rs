use super::*;

/// Keys are put together here, so that no file of the repository holds one.
fn key(prefix: &str, length: usize) -> String {
    let body = "a1B2c3D4e5F6g7H8i9J0".repeat(5);
    format!("{prefix}{}", &body[..length])
}

fn check(text: &str, secret: &str) {
    assert!(found(text), "{text}");
    let redacted = redact(text);
    assert!(redacted.contains(REDACTED) && !redacted.contains(secret), "{redacted}");
    assert_eq!(redact(&redacted), redacted, "twice is once");
}

#[test]
fn every_pattern_compiles() {
    for pattern in PATTERNS {
        assert!(Regex::new(&pattern.source()).is_ok(), "{}", pattern.regex);
    }
    assert_eq!(SET.len(), PATTERNS.len());
}

#[test]
fn keys_of_many_kinds_are_found_and_taken_out() {
    let aws = format!("AKIA{}", "ABCDEFGH12345678");
    for secret in [
        aws,
        key("ghp_", 36),
        key("github_pat_", 60),
        key("glpat-", 20),
        key("sk-ant-", 40),
        key("sig_sk_0123456789ab_", 43),
        key("xoxb-", 30),
        key("AIza", 35),
        key("sk_live_", 24),
        key("npm_", 36),
        key("hf_", 34),
        format!("{}.{}.{}", key("eyJ", 20), key("eyJ", 20), key("", 20)),
    ] {
        check(&format!("the key is {secret}, keep it"), &secret);
    }
}

#[test]
fn a_private_key_block_goes_whole_even_when_cut_off() {
    let kind = "PRIVATE KEY";
    check(&format!("a\n-----BEGIN RSA {kind}-----\nMIIE\nabc\n-----END RSA {kind}-----\nb"), "MIIE");
    check(&format!("a\n-----BEGIN OPENSSH {kind}-----\nb3Blbn"), "b3Blbn");
}

#[test]
fn only_the_secret_part_of_an_address_or_a_header_goes() {
    let cases = [
        ("postgres://app:s3cr3tpw@db/main", "postgres://app:[redacted]@db/main"),
        ("redis://:hunter22@cache", "redis://:[redacted]@cache"),
        ("Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]"),
        ("x-api-key: 0123456789abcdef", "x-api-key: [redacted]"),
        ("DB_PASSWORD=\"correct-horse\"", "DB_PASSWORD=\"[redacted]\""),
        ("api_key: 9f8e7d6c5b4a", "api_key: [redacted]"),
        ("password = Tr0ub4dor&3 ok", "password = [redacted] ok"),
    ];
    for (text, expected) in cases {
        assert_eq!(redact(text), expected);
    }
}

#[test]
fn words_about_secrets_and_references_to_them_stay() {
    for text in [
        "The password: required, at least twelve characters.",
        "secret = env:OPENAI_KEY",
        "api_key: $secret:openai",
        "Authorization: Bearer <token>",
        "password=\"${DB_PASSWORD}\"",
        "See https://example.org:8080/a@b for the token bucket.",
        "Bearer authentication uses a header.",
        "The secret: nobody reads the manual.",
        "sk-learn is a nickname of scikit-learn",
        "password: ********",
    ] {
        assert!(matches!(redact(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn overlapping_finds_are_taken_out_once() {
    let secret = key("sk-", 40);
    assert_eq!(redact(&format!("OPENAI_API_KEY={secret}; done")), "OPENAI_API_KEY=[redacted]; done");
}
