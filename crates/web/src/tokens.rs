//! Tokens: rights of clients at a service that other machines reach.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::ServeError;

/// Role of a client. A later role may do all that an earlier one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May watch games and query positions.
    Watch,
    /// May play games and start analyses.
    Play,
    /// May examine devices and play tournaments, and end games and analyses that others started.
    Referee,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Watch => "watch",
            Self::Play => "play",
            Self::Referee => "referee",
        })
    }
}

/// Tokens with their roles. Only hashes are kept, so that a comparison takes the same time for
/// every wrong token.
#[derive(Clone)]
pub struct Tokens(Vec<([u8; 32], Role)>);

impl Tokens {
    /// Minimum length of a token in characters.
    pub const MIN_LENGTH: usize = 16;

    /// Reads a file of tokens: TOML with one line `TOKEN = "ROLE"` for each token.
    ///
    /// # Errors
    /// [`ServeError::Tokens`].
    ///
    /// ```
    /// use duoforge_web::{Role, Tokens};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("tokens.toml");
    /// std::fs::write(&path, "hall-projector-4711 = \"watch\"\n")?;
    /// let tokens = Tokens::read(&path)?;
    /// assert_eq!(tokens.role("hall-projector-4711"), Some(Role::Watch));
    /// assert_eq!(tokens.role("hall-projector-4712"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self, ServeError> {
        let wrong = |reason: String| ServeError::Tokens {
            path: path.to_owned(),
            reason,
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Self::parse(&text).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let table: BTreeMap<String, Role> = toml::from_str(text)
            .map_err(|error| error.message().lines().next().unwrap_or("").to_owned())?;
        if table.is_empty() {
            return Err("no token found, expected at least one".to_owned());
        }
        // The message names no token: messages are kept in logs.
        let is_valid = |token: &str| {
            let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            token.len() >= Self::MIN_LENGTH && token.bytes().all(is_allowed)
        };
        if let Some(short) = table.keys().position(|token| !is_valid(token)) {
            return Err(format!(
                "token {} in alphabetical order is invalid: expected at least {} letters, digits, \
                 - and _",
                short + 1,
                Self::MIN_LENGTH
            ));
        }
        let hashed = table.iter().map(|(token, role)| (hash(token), *role));
        Ok(Self(hashed.collect()))
    }

    /// Returns the role of a token, or `None` if it is unknown.
    #[must_use]
    pub fn role(&self, token: &str) -> Option<Role> {
        let token = hash(token);
        let found = self.0.iter().find(|(known, _)| *known == token);
        found.map(|(_, role)| *role)
    }
}

/// Prints the number of tokens: no token may come into a log.
impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokens({})", self.0.len())
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tokens_are_checked() {
        let tokens = Tokens::parse("aaaaaaaaaaaaaaaa=\"play\"\nbbbbbbbbbbbbbbbbb=\"referee\"");
        let tokens = tokens.unwrap();
        assert_eq!(tokens.role("aaaaaaaaaaaaaaaa"), Some(Role::Play));
        assert_eq!(tokens.role("bbbbbbbbbbbbbbbbb"), Some(Role::Referee));
        assert_eq!(tokens.role(""), None);
        assert_eq!(format!("{tokens:?}"), "Tokens(2)");
        for (text, part) in [
            ("", "no token found"),
            ("short=\"watch\"", "at least 16 letters"),
            ("aaaaaaaaaaaaaaaa=\"admin\"", "unknown variant"),
            ("aaaaaaaaaaaaaaaa=1", "wanted string or table"),
            ("\"aaaa aaaa aaaa aaaa\"=\"watch\"", "at least 16 letters"),
            ("[", ""),
        ] {
            let reason = Tokens::parse(text).unwrap_err();
            assert!(reason.contains(part), "{text}: {reason}");
            assert!(!reason.contains("short"), "{reason}");
        }
    }

    #[test]
    fn a_later_role_may_do_more() {
        assert!(Role::Watch < Role::Play && Role::Play < Role::Referee);
    }
}
