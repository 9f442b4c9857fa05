//! Searches that are compared on a reference table.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result};
use duoforge_players::{Mover, PlayerSpec};
use duoforge_twin::search::SearchSettings;
use duoforge_twin::search::keys::Key;

/// Player that chooses placements.
///
/// | text | meaning |
/// |---|---|
/// | `KEY=VALUE,...` | the twin of the search player, with [`SearchSettings`] |
/// | any other | a player that can be prompted directly, see [`PlayerSpec`] |
#[derive(Clone, Debug)]
pub struct SearchSpec(PlayerSpec);

impl SearchSpec {
    /// Opens the player.
    ///
    /// # Errors
    /// A player that cannot be opened or prompted directly.
    pub fn open(&self) -> Result<Box<dyn Mover>> {
        let opened = self.0.mover();
        opened.with_context(|| format!("{self} cannot be opened"))
    }

    /// Returns the keys of the settings with their values, see [`PlayerSpec::keys`].
    #[must_use]
    pub fn keys(&self) -> Vec<(Key, Option<String>)> {
        self.0.keys()
    }

    /// True if the player takes a seed for each position. The twin has a key for its seed.
    #[must_use]
    pub fn is_seeded(&self) -> bool {
        !matches!(self.0, PlayerSpec::Search(_))
    }
}

impl FromStr for SearchSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Without the name of a player, the text is settings of the twin.
        if text.contains('=') && !text.contains(':') {
            let settings: SearchSettings = text.parse().map_err(|error| format!("{error}"))?;
            return Ok(Self(PlayerSpec::Search(Box::new(settings))));
        }
        let player = text.parse::<PlayerSpec>();
        player.map(Self).map_err(|error| error.to_string())
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_the_twin_or_a_player() {
        for (text, shown, seeded) in [
            ("sims=20,children=8", "search:sims=20,children=8", false),
            ("search:sims=20", "search:sims=20", false),
            ("pattern", "pattern", true),
            ("engine:level=1", "engine:level=1", true),
        ] {
            let spec: SearchSpec = text.parse().expect("a search");
            assert_eq!(
                (spec.to_string().as_str(), spec.is_seeded()),
                (shown, seeded)
            );
        }
        for (text, expected) in [
            ("sims=x", "sims"),
            ("child=3", "child"),
            ("nonsense", "nonsense"),
        ] {
            let error = text.parse::<SearchSpec>().expect_err("no search");
            assert!(error.contains(expected), "{error}");
        }
    }
}
