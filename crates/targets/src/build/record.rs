//! Record of a build: the content of `build.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use duoforge_protocol::BuildId;
use serde::{Deserialize, Serialize};

use super::error::BuildError;
use super::id;
use super::nextpnr::{Clock, Utilisation};
use super::path::WorstPath;
use super::pin_times::PinTimes;
use super::stages::Stage;

/// Name of the record's file in the build directory.
pub const RECORD: &str = "build.json";

/// Name of the record's file until it is complete.
pub(super) const UNFINISHED_RECORD: &str = "build.json.unfinished";

/// Record of a completed build.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Record {
    /// Name of the target.
    pub board: String,
    /// Name of the FPGA board that its vendor uses.
    pub title: String,
    /// Name of the configuration.
    pub configuration: String,
    /// Build id, which the device reports.
    #[serde(with = "id")]
    pub id: BuildId,
    /// Team code.
    pub team: String,
    /// Placement seed.
    pub seed: u32,
    /// Versions of the tools by name.
    pub tools: BTreeMap<String, String>,
    /// Duration of each stage.
    pub stages: Vec<Time>,
    /// Resource use.
    pub utilisation: Utilisation,
    /// Required and achieved frequency of each clock.
    pub clocks: Vec<Clock>,
    /// Longest paths of the pins; none without an SDRAM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin_times: Option<PinTimes>,
    /// Critical path between registers.
    pub worst_path: Option<WorstPath>,
    /// Name of the bitstream's file; none if a required time was not met.
    pub bitstream: Option<String>,
}

/// Duration of a stage.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub struct Time {
    /// The stage.
    pub stage: Stage,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Record {
    /// True if every clock is achieved and the pins are within their limits.
    pub fn timing_is_met(&self) -> bool {
        self.missed_times().is_empty()
    }

    /// Returns each required time that is not met, in words.
    pub fn missed_times(&self) -> Vec<String> {
        let clocks = self.clocks.iter().filter(|clock| !clock.is_met());
        let clocks = clocks.map(|clock| {
            let (reached, needed) = (clock.reached, clock.needed);
            format!(
                "clock {} achieves {reached:.1} MHz of the required {needed} MHz",
                clock.name
            )
        });
        let pins = self.pin_times.iter().flat_map(PinTimes::directions);
        let pins = pins.filter(|(_, time)| !time.is_met());
        let pins = pins.map(|(direction, time)| {
            let (longest, limit) = (time.longest, time.limit);
            format!("the longest path from {direction} takes {longest:.1} ns, more than {limit:.1}")
        });
        clocks.chain(pins).collect()
    }

    /// Reads the record of a build directory.
    ///
    /// # Errors
    /// [`BuildError::File`] if there is no record, [`BuildError::Report`] if it is malformed.
    pub fn read(directory: &Path) -> Result<Self, BuildError> {
        json(&directory.join(RECORD))
    }
}

/// Reads a JSON file.
pub(super) fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, BuildError> {
    let text = fs::read_to_string(path).map_err(file("read", path))?;
    serde_json::from_str(&text).map_err(|error| BuildError::Report {
        path: path.into(),
        reason: error.to_string(),
    })
}

/// Returns a conversion of an I/O error into [`BuildError::File`].
pub(crate) fn file(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.into();
    move |source| BuildError::File {
        action,
        path,
        source,
    }
}
