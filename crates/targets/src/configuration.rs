//! Target configuration: the player that is built and the features that are omitted.

use duoforge_hdl::chooser::PlayerConfig;
use serde::{Deserialize, Serialize};

/// Configuration of a target.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Name of the configuration.
    pub name: String,
    /// Features that do not fit or that the FPGA board lacks, in words.
    pub left_out: String,
    /// Player that is built.
    #[serde(default, with = "text")]
    pub player: PlayerConfig,
    /// Extra options of the synthesis command.
    #[serde(default)]
    pub synthesis: String,
    /// Placement seed, if it differs from the target's.
    pub seed: Option<u32>,
}

/// Text form of the chooser.
mod text {
    use duoforge_hdl::chooser::PlayerConfig;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(chooser: &PlayerConfig, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(chooser)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<PlayerConfig, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}
