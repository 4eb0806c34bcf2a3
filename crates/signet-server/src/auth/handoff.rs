//! Hand-off codes: how a browser page gets a session token without a cookie.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use signet_model::{Code, Error, Timestamp};

use super::principal::Principal;
use super::token::random_text;

const LIFE_MS: i64 = 60_000;
const MAX_PENDING: usize = 32;
const MAX_PER_SUBJECT: usize = 4;

/// Codes that wait to be redeemed.
#[derive(Debug, Default)]
pub struct Handoffs {
    pending: Mutex<HashMap<String, Pending>>,
}

#[derive(Debug)]
struct Pending {
    principal: Principal,
    ends: Timestamp,
}

impl Handoffs {
    /// A code of 128 random bits that stands for `principal` once, for a minute, and when it ends.
    /// Too many codes pending: 429.
    pub fn make(&self, principal: &Principal, now: Timestamp) -> Result<(String, Timestamp), Error> {
        let code = random_text::<16>()?;
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.retain(|_, entry| entry.ends > now);
        let own = pending.values().filter(|entry| entry.principal.subject == principal.subject).count();
        if own >= MAX_PER_SUBJECT || pending.len() >= MAX_PENDING {
            return Err(Error::new(Code::RateLimited, "too many hand-off codes are waiting")
                .hint("redeem one, or wait a minute"));
        }
        let ends = now.plus_millis(LIFE_MS);
        pending.insert(code.clone(), Pending { principal: principal.clone(), ends });
        Ok((code, ends))
    }

    /// Takes the code out; `None` when it is wrong, used or over.
    pub fn redeem(&self, code: &str, now: Timestamp) -> Option<Principal> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.remove(code).filter(|entry| entry.ends > now).map(|entry| entry.principal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn principal(subject: &str) -> Principal {
        Principal { subject: subject.to_owned(), ..Principal::anonymous() }
    }

    #[test]
    fn a_code_is_good_once_and_for_a_minute() {
        let handoffs = Handoffs::default();
        let at = Timestamp::from_millis;
        let (code, ends) = handoffs.make(&principal("a"), at(0)).expect("room");
        assert_eq!(ends, at(60_000));
        assert_eq!(handoffs.redeem(&code, at(1)), Some(principal("a")));
        assert_eq!(handoffs.redeem(&code, at(1)), None);
        let (late, _) = handoffs.make(&principal("a"), at(0)).expect("room");
        assert_eq!(handoffs.redeem(&late, at(60_000)), None);
        assert_eq!(handoffs.redeem("guess", at(0)), None);
    }

    #[test]
    fn four_wait_per_credential_and_thirty_two_in_all() {
        let handoffs = Handoffs::default();
        let at = Timestamp::from_millis(0);
        for n in 0..32 {
            assert!(handoffs.make(&principal(&format!("s{}", n / 4)), at).is_ok(), "{n}");
        }
        assert_eq!(handoffs.make(&principal("new"), at).expect_err("full").code, Code::RateLimited);
        assert!(handoffs.make(&principal("s0"), at.plus_millis(60_000)).is_ok());
    }

    #[test]
    fn a_fifth_code_of_one_credential_is_refused_while_others_have_room() {
        let handoffs = Handoffs::default();
        let at = Timestamp::from_millis(0);
        for _ in 0..4 {
            handoffs.make(&principal("a"), at).expect("room");
        }
        assert_eq!(handoffs.make(&principal("a"), at).expect_err("four wait").code, Code::RateLimited);
        assert!(handoffs.make(&principal("b"), at).is_ok());
    }
}
