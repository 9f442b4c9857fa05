//! Projects for the vendors' tools, which duoforge does not include.
//!
//! A project is a directory with all that the vendor's tool needs and one command to start it. The
//! tests check the project without the tool:
//!
//! - every pin is a port and every port has a pin;
//! - the scripts are well formed;
//! - Yosys synthesises the whole design for the vendor's chip;
//! - the top answers in simulation.

pub mod quartus;
mod sdc;
pub mod vivado;

use std::fs;

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::verilog::emit::{self, WriteError};
use duoforge_protocol::BuildId;

use crate::build::id::BuildInputs;
use crate::build::record::file;
use crate::build::{BuildError, Options, stages};
use crate::catalogue;
use crate::generated::{self, MARK, TITLE};
use crate::target::Target;
use crate::toolchain::Tools;

/// Directory of the player's modules inside the project.
const PLAYER: &str = "player";
/// Instructions for the project.
const README: &str = "README.md";

/// Project that was written.
#[derive(Clone, Debug)]
pub struct Project {
    /// Build id of the bitstream, which the device reports.
    pub id: BuildId,
    /// Files relative to the project's directory, without the player's modules.
    pub files: Vec<String>,
    /// Number of modules of the player.
    pub modules: usize,
    /// Name of the vendor's tool.
    pub tool: &'static str,
    /// Command that makes the bitstream, to be run in the directory.
    pub command: &'static str,
    /// Bitstream that the command makes, relative to the directory.
    pub bitstream: String,
}

/// Files for the vendor's tool other than Verilog, and the command that starts it.
struct Recipe {
    files: Vec<(&'static str, String)>,
    command: &'static str,
    bitstream: String,
    loading: String,
}

/// Writes the project of a target; returns `None` if open tools make the target's bitstream.
///
/// # Errors
/// [`BuildError::Verilog`] if the design is invalid, [`BuildError::File`] if a file cannot be
/// written. [`BuildError::Foreign`], or [`WriteError::Foreign`] for a file of the player, if a file
/// would be overwritten that was not generated; nothing is written then.
pub fn write(board: &Target, options: &Options) -> Result<Option<Project>, BuildError> {
    let player = &board.configuration.player;
    let plain = board.parameters(options.team);
    let modules = emit::modules(&plain, player).map_err(WriteError::from)?;
    let top = format!("{}.v", board.top);
    let files = modules
        .iter()
        .map(|module| format!("{PLAYER}/{}.v", module.name));
    let sources: Vec<String> = std::iter::once(top.clone()).chain(files).collect();
    let Some(recipe) = recipe(board, &sources) else {
        return Ok(None);
    };

    let mut files = vec![
        (
            top,
            format!("// {}. {MARK}\n{}", board.title, catalogue::top(board)),
        ),
        ("board.vh".into(), board.header()),
    ];
    let own = recipe.files.iter();
    files.extend(own.map(|(name, text)| ((*name).to_owned(), text.clone())));
    let mut ingredients = BuildInputs::default();
    for module in &modules {
        ingredients.add(&module.name, &module.text);
    }
    for (name, text) in &files {
        ingredients.add(name, text);
    }
    let id = ingredients.id();
    files.push((README.into(), readme(board, &recipe, id)));

    let directory = &options.directory;
    for (name, text) in &files {
        generated::check(&directory.join(name), text)?;
    }
    fs::create_dir_all(directory).map_err(file("made", directory))?;
    // The player is first: its files are checked before they are written. Modules of an older design
    // may remain there: the project lists the ones that it needs.
    let parameters = PlayerParameters { build: id, ..plain };
    emit::write(&parameters, player, &directory.join(PLAYER))?;
    for (name, text) in &files {
        let path = directory.join(name);
        fs::write(&path, text).map_err(file("written", path))?;
    }
    Ok(Some(Project {
        id,
        files: files.into_iter().map(|(name, _)| name).collect(),
        modules: modules.len(),
        tool: board.tools.vendor(),
        command: recipe.command,
        bitstream: recipe.bitstream,
    }))
}

fn recipe(board: &Target, sources: &[String]) -> Option<Recipe> {
    match &board.tools {
        Tools::Quartus { family, device } => Some(Recipe {
            files: quartus::files(board, family, device, sources),
            command: "quartus_sh --flow compile duoforge",
            bitstream: "output_files/duoforge.sof".into(),
            loading: "    quartus_pgm -m jtag -o \"p;output_files/duoforge.sof\"\n\n\
                      loads it onto the board. `output_files/duoforge.sta.summary` has the slack of \
                      every clock: none may be\nnegative.\n"
                .into(),
        }),
        Tools::Vivado { device } => Some(Recipe {
            files: vivado::files(board, device, sources),
            command: "vivado -mode batch -source build.tcl",
            bitstream: stages::bitstream(board),
            loading: format!(
                "    duoforge flash --board {} --bitstream {}\n\nloads it onto the board. The \
                 script ends with an error, and without a bitstream, if a clock is not\nreached; \
                 `timing.rpt` has the paths.\n",
                board.name,
                stages::bitstream(board)
            ),
        }),
        Tools::Ecp5 { .. } | Tools::Ice40 { .. } => None,
    }
}

fn readme(board: &Target, recipe: &Recipe, id: BuildId) -> String {
    let Recipe {
        command,
        bitstream,
        loading,
        ..
    } = recipe;
    let (title, tool) = (&board.title, board.tools.vendor());
    format!(
        "{TITLE}{title}\n\n\
         Build {id}, for {chip}. In this directory,\n\n    {command}\n\n\
         makes `{bitstream}`, and\n\n{loading}\n\
         `{top}.v` is the top, `board.vh` its numbers, `player/` the player. All files are \
         generated; they\nchange with `duoforge build --board {name}`.\n\n\
         {tool} has not been run on this project. What was checked instead: every port has a pin \
         and every\npin is a port, the scripts are sound, Yosys' synthesis for this chip takes the \
         whole design, and\nIcarus Verilog simulates the top with a model of the chip's PLL.\n",
        chip = board.tools,
        top = board.top,
        name = board.name,
    )
}
