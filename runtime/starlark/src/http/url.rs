//! Addresses, read as strictly as the reference reads them: what is compared with a grant must be what is asked.

use std::fmt;

/// The parts of an address. What is absent is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Url {
    pub(crate) scheme: String,
    pub(crate) user: String,
    /// Without brackets, as written.
    pub(crate) host: String,
    pub(crate) port: String,
    /// Percent signs resolved.
    pub(crate) path: String,
    pub(crate) query: String,
    /// Everything before the query and after the path as written, for putting it together again.
    before_query: String,
    fragment: String,
}

/// Why a text is no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UrlFault {
    raw: String,
    what: String,
}

impl fmt::Display for UrlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parse {:?}: {}", self.raw, self.what)
    }
}

impl Url {
    pub(crate) fn parse(raw: &str) -> Result<Self, UrlFault> {
        let fault = |what: &str| UrlFault {
            raw: raw.chars().take(400).collect(),
            what: what.to_owned(),
        };
        if raw.bytes().any(|b| b < 0x20 || b == 0x7f) {
            return Err(fault("net/url: invalid control character in URL"));
        }
        let (rest, fragment) = raw.split_once('#').unwrap_or((raw, ""));
        let mut out = Self {
            fragment: fragment.to_owned(),
            ..Self::default()
        };
        let (before_query, query) = rest.split_once('?').unwrap_or((rest, ""));
        out.query = query.to_owned();
        out.before_query = before_query.to_owned();
        let mut rest = before_query;
        if rest.starts_with(':') {
            return Err(fault("missing protocol scheme"));
        }
        if let Some((scheme, after)) = rest.split_once(':') {
            let mut chars = scheme.chars();
            let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
            if first && chars.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
                out.scheme = scheme.to_ascii_lowercase();
                rest = after;
            } else if !scheme.contains('/') {
                return Err(fault("first path segment in URL cannot contain colon"));
            }
        }
        let mut path = rest;
        if let Some(after) = rest.strip_prefix("//") {
            let end = after.find('/').unwrap_or(after.len());
            let (authority, after) = after.split_at(end);
            path = after;
            out.authority(authority).map_err(|what| fault(&what))?;
        }
        out.path = unescape(path).ok_or_else(|| fault("invalid URL escape"))?;
        Ok(out)
    }

    fn authority(&mut self, authority: &str) -> Result<(), String> {
        let mut host = authority;
        if let Some((user, after)) = authority.rsplit_once('@') {
            if !user
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c))
            {
                return Err("net/url: invalid userinfo".to_owned());
            }
            self.user = user.to_owned();
            host = after;
        }
        if let Some(inner) = host.strip_prefix('[') {
            let Some((address, after)) = inner.rsplit_once(']') else {
                return Err("missing ']' in host".to_owned());
            };
            self.host = address.to_owned();
            self.port = port(after)?;
            return Ok(());
        }
        let (name, after) = host.find(':').map_or((host, ""), |i| host.split_at(i));
        self.port = port(after)?;
        if let Some(c) = name
            .chars()
            .find(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && !"-._~!$&'()*+,;=%\"<>".contains(*c))
        {
            return Err(format!("invalid character {:?} in host name", c.to_string()));
        }
        self.host = unescape(name).ok_or("invalid URL escape")?;
        Ok(())
    }

    /// The host in small letters, without port.
    pub(crate) fn host_lower(&self) -> String {
        self.host.to_lowercase()
    }

    /// The address with another query.
    pub(crate) fn with_query(&self, query: &str) -> String {
        let mut out = format!("{}?{query}", self.before_query);
        if !self.fragment.is_empty() {
            out.push('#');
            out.push_str(&self.fragment);
        }
        out
    }
}

fn port(after: &str) -> Result<String, String> {
    match after.strip_prefix(':') {
        None if after.is_empty() => Ok(String::new()),
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => Ok(digits.to_owned()),
        _ => Err(format!("invalid port {after:?} after host")),
    }
}

fn hex(bytes: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|t| t.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u8::from_str_radix(text, 16).ok()
}

fn unescape(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(b) = bytes.get(at) {
        if *b == b'%' {
            out.push(hex(bytes.get(at + 1..at + 3)?)?);
            at += 3;
        } else {
            out.push(*b);
            at += 1;
        }
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}

/// The parameters of a query or of a form; `None` when it is malformed.
pub(crate) fn parameters(query: &str) -> Option<Vec<(String, String)>> {
    let mut out = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        if part.contains(';') {
            return None;
        }
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        out.push((unescape(&key.replace('+', " "))?, unescape(&value.replace('+', " "))?));
    }
    Some(out)
}

/// Parameters as a query, sorted by name; of one name in the order given.
pub(crate) fn encode(mut parameters: Vec<(String, String)>) -> String {
    parameters.sort_by(|a, b| a.0.cmp(&b.0));
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(k, v)| format!("{}={}", escape(k), escape(v)))
        .collect();
    pairs.join("&")
}

pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for b in text.bytes() {
        match b {
            b' ' => out.push('+'),
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(b)),
            _ if b.is_ascii_alphanumeric() => out.push(char::from(b)),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_what_would_be_asked() {
        for (raw, host) in [
            ("http://a.test/x", "a.test"),
            ("HTTP://A.Test:80/", "a.test"),
            ("http://granted.test@127.0.0.1:1/", "127.0.0.1"),
            ("http://127.0.0.1#@granted.test/", "127.0.0.1"),
            ("http://[::1]:8/", "::1"),
            ("file:///etc/passwd", ""),
            ("//b.test/", "b.test"),
            ("b.test/", ""),
        ] {
            assert_eq!(Url::parse(raw).unwrap().host_lower(), host, "{raw}");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        for raw in [
            "http://127.0.0.1\\@granted.test/",
            "http://a b/",
            "http://[::1",
            "http://a:x/",
            "http://a/\n",
            ":a",
            "http://a/%zz",
        ] {
            assert!(Url::parse(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn queries_are_sorted_by_name() {
        let encoded = encode(parameters("b=2&a=x+y&a=%26").unwrap());
        assert_eq!(encoded, "a=x+y&a=%26&b=2");
    }
}
