//! Failures of targets and builds.

use duoforge_hdl::verilog::emit::WriteError;
use duoforge_targets::TargetError;
use duoforge_targets::build::BuildError;
use duoforge_targets::build::stages::Stage;
use duoforge_tools::ToolError;

use super::Failure;

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Self {
        let message = error.to_string();
        match error {
            TargetError::Unknown { nearest, .. } => {
                let help = match nearest {
                    Some(nearest) => format!(
                        "the most similar name is {nearest}; `duoforge boards` lists all targets"
                    ),
                    None => "`duoforge boards` lists all targets".into(),
                };
                Self::new("duoforge::target", message).help(help)
            }
            TargetError::NoSearch { .. } => Self::new("duoforge::target", message).help(
                "omit --player: the FPGA has no room for a search player; `duoforge boards NAME` \
                 lists the configurations of a target",
            ),
            TargetError::NoSdram { .. } => Self::new("duoforge::target", message)
                .help("omit lines=N and set nodes to 1024 or less: the tree is then in block RAM"),
            _ => Self::bug(message),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let message = error.to_string();
        match error {
            BuildError::NotOpen { board, .. } => Self::new("duoforge::build::tools", message).help(
                format!("`duoforge build --board {board}` writes a project for these tools"),
            ),
            BuildError::Tool(error) => Self::tool(&error),
            BuildError::Stage { stage, log, .. } => {
                let cause = match stage {
                    Stage::Routing => "the design may not fit into the FPGA; ",
                    _ => "",
                };
                let log = log.display();
                Self::new("duoforge::build::failed", message)
                    .help(format!("{cause}{log} contains the output of the tool"))
            }
            BuildError::Busy(_) => Self::new("duoforge::build::busy", message)
                .help("wait for the other build, or name another directory with --out"),
            BuildError::File { .. } => Self::new("duoforge::file", message)
                .help("--out names another directory for the build"),
            BuildError::Foreign(_) | BuildError::Verilog(WriteError::Foreign(_)) => {
                Self::new("duoforge::build::foreign", message)
                    .help("--out names another directory for the build; or move the file")
            }
            BuildError::Interrupted => Self::new("duoforge::interrupted", message),
            BuildError::Verilog(_) => Self::new("duoforge::verilog", message),
            BuildError::Report { .. } => Self::new("duoforge::build::report", message).help(
                "`duoforge setup --for build --pinned` installs the tool versions whose output \
                     duoforge reads",
            ),
        }
    }
}

impl Failure {
    /// Creates the failure of a tool that is missing, does not suit, does not start or failed.
    pub fn tool(error: &ToolError) -> Self {
        let failure = Self::new("duoforge::tool", error.to_string());
        match error.task() {
            Some(task) => failure.help(programs(task)),
            None => failure,
        }
    }
}

/// Next action if a program of a task is missing or does not suit.
pub(super) fn programs(task: &str) -> String {
    format!("`duoforge setup --for {task} --check` lists the programs that are used")
}
