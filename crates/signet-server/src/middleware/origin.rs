//! Origin and Sec-Fetch checks: no other site's page reads or writes here.

use axum::http::header::ORIGIN;
use axum::http::{HeaderMap, HeaderValue};
use signet_model::{Code, Error};

use super::host::Authority;

/// What the checks found out about the sender.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sender {
    /// The allowed origin, for the CORS answer; `None` = no browser, or a plain navigation.
    pub origin: Option<HeaderValue>,
    /// The sender is a browser: the content-type rule holds.
    pub browser: bool,
}

/// Checks `Origin` against the request's own authority and the allowed list, then `Sec-Fetch-Site`.
pub fn check(headers: &HeaderMap, own: &Authority, allowed: &[String]) -> Result<Sender, Error> {
    let origin = match single(headers, ORIGIN.as_str()) {
        Some(origin) if is_own(&origin, own) => Some((origin, false)),
        Some(origin) if is_listed(&origin, allowed) => Some((origin, true)),
        Some(_) => return Err(foreign_origin()),
        None => None,
    };
    // An origin that the configuration names is another site by definition; naming it is the consent.
    let listed = origin.as_ref().is_some_and(|(_, listed)| *listed);
    if !listed && is_cross_site(headers) {
        return Err(Error::new(Code::CrossSiteRefused, "a browser sent this on behalf of another site"));
    }
    let browser = origin.is_some() || headers.keys().any(|name| name.as_str().starts_with("sec-fetch-"));
    Ok(Sender { origin: origin.map(|(origin, _)| origin), browser })
}

fn foreign_origin() -> Error {
    Error::new(Code::OriginNotAllowed, "this origin is not allowed")
        .hint("add it to `network.allowedOrigins` when it is yours")
}

/// The one value of a header; two of them are as bad as a foreign one and read as "".
fn single(headers: &HeaderMap, name: &str) -> Option<HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.clone();
    Some(if values.next().is_some() { HeaderValue::from_static("") } else { first })
}

fn is_own(origin: &HeaderValue, own: &Authority) -> bool {
    let Some((scheme, rest)) = origin.to_str().ok().and_then(|text| text.split_once("://")) else {
        return false;
    };
    let default = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return false,
    };
    Authority::parse(rest).is_some_and(|theirs| {
        theirs.host == own.host && theirs.port.unwrap_or(default) == own.port.unwrap_or(default)
    })
}

fn is_listed(origin: &HeaderValue, allowed: &[String]) -> bool {
    let text = origin.to_str().unwrap_or("");
    text != "null" && !text.is_empty() && allowed.iter().any(|entry| entry.eq_ignore_ascii_case(text))
}

fn is_cross_site(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    sites.any(|site| site == "cross-site" || site == "same-site")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(pairs: &[(&'static str, &str)], host: &str) -> Result<Option<String>, Code> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().expect("header"));
        }
        let own = Authority::parse(host).expect("authority");
        check(&headers, &own, &["https://notes.example".to_owned()])
            .map(|sender| sender.origin.map(|origin| origin.to_str().expect("text").to_owned()))
            .map_err(|error| error.code)
    }

    #[test]
    fn no_origin_goes_on_and_the_own_one_is_answered() {
        assert_eq!(verdict(&[], "localhost:3850"), Ok(None));
        let own = "http://localhost:3850".to_owned();
        assert_eq!(verdict(&[("origin", &own)], "localhost:3850"), Ok(Some(own)));
        assert!(verdict(&[("origin", "http://localhost")], "localhost:80").is_ok());
        assert!(verdict(&[("origin", "https://notes.example")], "localhost:3850").is_ok());
    }

    #[test]
    fn every_other_origin_is_refused() {
        for origin in [
            "null",
            "",
            "http://localhost:3000",
            "http://127.0.0.1:3850",
            "http://localhost",
            "https://evil.example",
            "ftp://localhost:3850",
            "http://localhost:3850/",
            "http://localhost:3850@evil.example",
            "https://notes.example.evil.example",
        ] {
            assert_eq!(
                verdict(&[("origin", origin)], "localhost:3850"),
                Err(Code::OriginNotAllowed),
                "{origin:?}"
            );
        }
        let twice = [("origin", "http://localhost:3850"), ("origin", "http://localhost:3850")];
        assert_eq!(verdict(&twice, "localhost:3850"), Err(Code::OriginNotAllowed));
    }

    #[test]
    fn cross_site_requests_without_origin_are_refused() {
        for site in ["cross-site", "same-site"] {
            let sent = [("sec-fetch-site", site), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
            assert_eq!(verdict(&sent, "localhost:3850"), Err(Code::CrossSiteRefused), "{site}");
            let opened =
                [("sec-fetch-site", site), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
            assert_eq!(verdict(&opened, "localhost:3850"), Err(Code::CrossSiteRefused), "{site}");
        }
        for site in ["same-origin", "none"] {
            assert!(verdict(&[("sec-fetch-site", site)], "localhost:3850").is_ok(), "{site}");
        }
    }

    #[test]
    fn a_listed_origin_may_be_another_site() {
        let sent = [("origin", "https://notes.example"), ("sec-fetch-site", "cross-site")];
        assert!(verdict(&sent, "localhost:3850").is_ok());
    }
}
