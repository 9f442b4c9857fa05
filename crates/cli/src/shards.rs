//! Options of campaigns that run on many machines, and failures of their files.

use std::path::PathBuf;

use duoforge_shards::{Plan, Results, Shard, ShardError};

use crate::failure::{Failure, Result};

/// Version of this program, as stored in files of results.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Options of a campaign that is split into shards.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ShardArgs {
    /// Run only part I of N of the campaign, with I from 0 to N - 1
    #[arg(long, value_name = "I/N", default_value_t)]
    pub shard: Shard,
    /// Write the results to FILE, for `duoforge merge`; a file of an earlier run is completed
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
}

impl ShardArgs {
    /// Opens the file of results, if there is one.
    pub fn open(&self, plan: &Plan) -> Result<Option<Results>> {
        let path = self.results.as_deref();
        let open = |path| Results::open(path, plan, self.shard);
        Ok(path.map(open).transpose()?)
    }

    /// Returns the items that are to be run: those of the shard that no earlier run stored.
    pub fn items(&self, plan: &Plan, results: Option<&Results>) -> Vec<u64> {
        match results {
            Some(results) => results.missing(),
            None => plan.items_of(self.shard).collect(),
        }
    }
}

impl From<ShardError> for Failure {
    fn from(error: ShardError) -> Self {
        let (code, help) = match &error {
            ShardError::Foreign { .. } => (
                "duoforge::shards::foreign",
                "all files must come from the same campaign, with the same version, seed and \
                 settings; name another file for another campaign",
            ),
            ShardError::Gaps { .. } => (
                "duoforge::shards::gaps",
                "run the missing shards, or run an incomplete one again with the same command: it \
                 continues where its file ends",
            ),
            ShardError::Double { .. } => (
                "duoforge::shards::double",
                "give the file of each shard once",
            ),
            ShardError::Io { .. } => (
                "duoforge::file",
                "check the path, its permissions and the disk",
            ),
            _ => (
                "duoforge::shards::format",
                "a file of results is written by --results of a campaign, such as \
                 `duoforge sim --results FILE`",
            ),
        };
        Self::new(code, error.to_string()).help(help)
    }
}
