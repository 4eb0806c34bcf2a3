use super::*;

const NOW: Timestamp = Timestamp::from_millis(1_772_634_300_000);

fn secret() -> Secret {
    Secret::new([7; 32])
}

fn claims() -> Claims {
    Claims {
        sub: "token:agent".to_owned(),
        name: None,
        scope: CredentialScope { agent: Some("alice".to_owned()), ..CredentialScope::default() },
        role: "agent".to_owned(),
        permissions: Some(vec!["recall".to_owned()]),
        iat: Some(1_772_634_300),
        exp: Some(1_772_634_360),
        jti: Some("AAAAAAAAAAAAAAAA".to_owned()),
    }
}

fn token_of(claims: &Claims) -> String {
    sign(&secret(), claims).expect("signed")
}

/// A correctly signed token over any payload text.
fn token_over(json: &str) -> String {
    let payload = URL_SAFE_NO_PAD.encode(json);
    let signature = URL_SAFE_NO_PAD.encode(secret().mac(&payload).finalize().into_bytes());
    format!("{payload}.{signature}")
}

fn code(token: &str) -> (Code, String) {
    let error = verify(&secret(), token, NOW).expect_err("refused");
    (error.code, error.message)
}

#[test]
fn a_fixed_vector_signs_as_documented() {
    // HMAC-SHA256 with a key of 32 bytes 0x07 over the first part as ASCII, computed independently with
    // Python's hmac module.
    assert_eq!(token_of(&claims()), include_str!("vector.txt").trim_end());
}

#[test]
fn what_was_signed_verifies() {
    let verified = verify(&secret(), &token_of(&claims()), NOW).expect("good");
    let expect = Verified {
        claims: claims(),
        role: Role::Agent,
        permissions: Some(vec![Permission::Recall]),
        issued_at: NOW,
        expires_at: NOW.plus_millis(60_000),
    };
    assert_eq!(verified, expect);
}

#[test]
fn each_fault_has_its_sentence() {
    let good = token_of(&claims());
    for token in ["", "abc", ".", "a.", ".b", "a.b.c", &format!("{good}="), &"x".repeat(4097)] {
        assert_eq!(code(token), (Code::MalformedToken, "malformed token".to_owned()), "{token}");
    }
    let (payload, _) = good.split_once('.').expect("two halves");
    let other = sign(&Secret::new([8; 32]), &claims()).expect("signed");
    for token in [&other, &format!("{payload}.AAAA"), &format!("x{good}")] {
        assert_eq!(code(token), (Code::InvalidSignature, "invalid signature".to_owned()), "{token}");
    }
    for json in [
        "{",
        "[]",
        r#"{"sub":"a","role":"king","iat":1,"exp":9999999999}"#,
        r#"{"sub":"a","role":"agent","permissions":["fly"],"iat":1,"exp":9999999999}"#,
    ] {
        assert_eq!(
            code(&token_over(json)),
            (Code::MalformedPayload, "malformed payload".to_owned()),
            "{json}"
        );
    }
    assert_eq!(code(&token_over(r#"{"sub":"a","role":"agent","exp":9999999999}"#)).1, "missing timestamps");
    let expired = Claims { exp: Some(1_772_634_300), ..claims() };
    assert_eq!(code(&token_of(&expired)).1, "token expired");
    let early = |ahead: i64| Claims { iat: Some(1_772_634_300 + ahead), ..claims() };
    assert!(verify(&secret(), &token_of(&early(60)), NOW).is_ok());
    assert_eq!(code(&token_of(&early(61))).0, Code::MalformedPayload);
}

#[test]
fn a_token_without_jti_is_good() {
    let old = token_over(r#"{"sub":"a","role":"readonly","iat":1772634300,"exp":1772634301}"#);
    let verified = verify(&secret(), &old, NOW).expect("good");
    assert_eq!((verified.role, verified.claims.jti, verified.permissions), (Role::Readonly, None, None));
}

#[test]
fn the_secret_is_never_shown() {
    assert_eq!(format!("{:?}", secret()), "Secret");
}
