//! What of duoforge is on a board, as data.

use duoforge_hdl::chooser::Chooser;
use serde::{Deserialize, Serialize};

/// What of duoforge is on a board.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Its name.
    pub name: String,
    /// What does not fit or is not there, in words.
    pub left_out: String,
    /// What chooses placements.
    #[serde(default, with = "text")]
    pub player: Chooser,
    /// Options of the synthesis for it.
    #[serde(default)]
    pub synthesis: String,
    /// The seed of placement, where it is not the board's.
    pub seed: Option<u32>,
}

/// The chooser as text.
mod text {
    use duoforge_hdl::chooser::Chooser;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(chooser: &Chooser, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(chooser)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Chooser, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}
