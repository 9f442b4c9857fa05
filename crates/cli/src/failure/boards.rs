//! Failures about boards and their builds.

use duoforge_boards::BoardError;
use duoforge_boards::build::BuildError;
use duoforge_boards::build::stages::Stage;
use duoforge_tools::ToolError;

use super::Failure;

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        let message = error.to_string();
        match error {
            BoardError::Unknown { nearest, .. } => {
                let help = match nearest {
                    Some(nearest) => format!(
                        "do you mean {nearest}? `duoforge boards` lists the boards that there are"
                    ),
                    None => "`duoforge boards` lists the boards that there are".into(),
                };
                Self::new("duoforge::board", message).help(help)
            }
            BoardError::NoSearch { .. } => Self::new("duoforge::board", message).help(
                "its chip has no room for one: leave --player out; `duoforge boards NAME` shows what is \
                 on a board",
            ),
            _ => Self::new("duoforge::internal", message)
                .help("this is a mistake in duoforge: please report it"),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let message = error.to_string();
        match error {
            BuildError::NotOpen { board, .. } => Self::new("duoforge::build::tools", message).help(
                format!("`duoforge build --board {board}` writes a project for these"),
            ),
            BuildError::Tool(error) => Self::tool(&error),
            BuildError::Stage { stage, log, .. } => {
                let what = match stage {
                    Stage::Routing => "a design that does not fit ends like this too; ",
                    _ => "",
                };
                let log = log.display();
                Self::new("duoforge::build::failed", message)
                    .help(format!("{what}all that the tool printed is in {log}"))
            }
            BuildError::Busy(_) => Self::new("duoforge::build::busy", message)
                .help("wait for its end, or name another folder with --out"),
            BuildError::File { .. } => Self::new("duoforge::file", message)
                .help("--out names another folder for the build"),
            BuildError::Interrupted => Self::new("duoforge::interrupted", message),
            BuildError::Verilog(_) => Self::new("duoforge::verilog", message),
            BuildError::Report { .. } => Self::new("duoforge::build::report", message).help(
                "duoforge reads what its pinned tools write: `cargo xtask setup` installs these",
            ),
        }
    }
}

impl Failure {
    /// A tool that is missing, does not start or failed.
    pub fn tool(error: &ToolError) -> Self {
        let failure = Self::new("duoforge::tool", error.to_string());
        match error {
            ToolError::Missing { hint, .. } => failure.help(*hint),
            _ => failure,
        }
    }
}
