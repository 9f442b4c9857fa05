//! Emission of the hardware player as a directory of Verilog files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use rust_hdl_core::prelude::Block;
use thiserror::Error;

use crate::chooser::PlayerConfig;
use crate::design::Design;
use crate::memory::sdram::timing::TimingError;
use crate::parameters::PlayerParameters;
use crate::pattern::player::PatternPlayer;
use crate::search::player::block_ram::BlockRamPlayer;
use crate::search::player::sdram::{self, SdramPlayer};
use crate::search::settings::ClockedSearchConfig;
use crate::verilog::{self, EmitError, Module, Prefix};

/// Name of the hardware player's top module.
pub const TOP: &str = "duoforge_player";

/// Name of the file with the lint waivers.
pub const WAIVER_FILE: &str = "verilator.vlt";

/// Mark of generated Verilog files, which may be overwritten.
const MARK: &str = "Generated; do not edit.";

/// Beginning of the waivers, by which a generated file is recognised.
const WAIVERS_BEGIN: &str = "`verilator_config\n// rust-hdl";

/// Waivers for Verilator's lint of the emitted files, with their reasons.
pub const WAIVERS: &str = "\
`verilator_config
// rust-hdl writes literals with 32 or 64 bits and widens by masking with a wide literal. Every
// place where that could change a value is driven with the same stimuli in three simulators.
lint_off -rule WIDTHEXPAND
lint_off -rule WIDTHTRUNC
// Ports that only the units for tests read, and the border of the windows.
lint_off -rule UNUSEDSIGNAL
// The network's window has a port of the name of its instance; no name in the files is hierarchical.
lint_off -rule VARHIDDEN
";

/// Error of [`write()`].
#[derive(Debug, Error)]
pub enum WriteError {
    /// The design violates one of rust-hdl's rules.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A file that was not generated has the name of one to be written.
    #[error("{} is not a generated file, and would be overwritten", .0.display())]
    Foreign(PathBuf),
    /// A file or directory cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// Path of the file or directory.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}

/// Stack size, in bytes, of the thread that builds a large block.
///
/// A block lies on the stack while it is built, and every bit of its memories takes a byte there.
pub const STACK: usize = 1 << 28;

/// Returns the modules of the hardware player with this chooser, top module first.
///
/// # Errors
/// [`EmitError`] if rust-hdl's checks find a fault in the design, or the clock does not suit the
/// SDRAM of a player that has one.
///
/// # Panics
/// If the operating system cannot create a thread with a stack of [`STACK`] bytes.
pub fn modules(
    parameters: &PlayerParameters,
    chooser: &PlayerConfig,
) -> Result<Vec<Module>, EmitError> {
    on_large_stack(|| verilog::modules(&*block(parameters, chooser)?, TOP))
}

/// Returns the hardware player with this chooser, its signals connected. The block of a search player
/// is built on a stack of [`STACK`] bytes: see [`on_large_stack`].
///
/// # Errors
/// If the clock does not suit the SDRAM of a player that has one.
pub fn block(
    parameters: &PlayerParameters,
    chooser: &PlayerConfig,
) -> Result<Box<dyn Block>, TimingError> {
    match chooser {
        PlayerConfig::Pattern => {
            let mut player = PatternPlayer::new(parameters);
            player.connect_all();
            Ok(Box::new(player))
        }
        PlayerConfig::Search(search) => {
            search_player(parameters, &search.on_clock(parameters.clock_hz))
        }
    }
}

/// Returns the search player with these settings, for the simulators.
///
/// # Errors
/// As [`modules`].
///
/// # Panics
/// As [`modules`].
pub fn searching(
    parameters: &PlayerParameters,
    settings: &ClockedSearchConfig,
) -> Result<Design, EmitError> {
    on_large_stack(|| verilog::design(&*search_player(parameters, settings)?, TOP))
}

/// Returns the connected search player: with the pins of an SDRAM if the settings name lines.
fn search_player(
    parameters: &PlayerParameters,
    settings: &ClockedSearchConfig,
) -> Result<Box<dyn Block>, TimingError> {
    match settings.parameters.lanes {
        1 => search_player_with::<1>(parameters, settings),
        2 => search_player_with::<2>(parameters, settings),
        _ => search_player_with::<4>(parameters, settings),
    }
}

fn search_player_with<const LANES: usize>(
    parameters: &PlayerParameters,
    settings: &ClockedSearchConfig,
) -> Result<Box<dyn Block>, TimingError> {
    let mut player: Box<dyn Block> = if settings.lines.is_some() {
        let sdram = sdram::controller(parameters.clock_hz)?;
        Box::new(SdramPlayer::<LANES>::new(parameters, settings, sdram))
    } else {
        Box::new(BlockRamPlayer::<LANES>::new(parameters, settings))
    };
    player.connect_all();
    Ok(player)
}

/// Runs `work` in a thread with a stack of [`STACK`] bytes and returns its result.
///
/// # Panics
/// If `work` panics, or the operating system cannot create the thread.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.expect("there is a thread");
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Hardware player that was written as Verilog files.
#[derive(Clone, Debug)]
pub struct Written {
    /// Top module.
    pub top: Module,
    /// Names of the Verilog files, that of the top module first.
    pub sources: Vec<String>,
    /// Paths of all files: the Verilog files, the file list and the lint waivers.
    pub files: Vec<PathBuf>,
}

/// Writes the hardware player to `directory` and returns the paths of the files.
///
/// The directory is created if it does not exist. It receives one file per module, the file list
/// (`duoforge_player.f`) and the lint waivers (`verilator.vlt`).
///
/// # Errors
/// [`WriteError`] if the design is invalid, or a file or the directory cannot be written. Nothing is
/// written if a file would replace one that was not generated.
pub fn write(
    parameters: &PlayerParameters,
    chooser: &PlayerConfig,
    directory: &Path,
) -> Result<Vec<PathBuf>, WriteError> {
    write_prefixed(parameters, chooser, &Prefix::default(), directory).map(|written| written.files)
}

/// Writes the hardware player with prefixed names of modules and of their files: see [`write()`].
///
/// # Errors
/// As [`write()`].
pub fn write_prefixed(
    parameters: &PlayerParameters,
    chooser: &PlayerConfig,
    prefix: &Prefix,
    directory: &Path,
) -> Result<Written, WriteError> {
    let failed = |path: &Path, source| WriteError::Io {
        path: path.into(),
        source,
    };
    let modules = prefix.apply(modules(parameters, chooser)?);
    fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let head = header(parameters);
    let names: Vec<_> = modules
        .iter()
        .map(|module| format!("{}.v", module.name))
        .collect();
    let sources = names
        .iter()
        .cloned()
        .zip(modules.iter().map(|m| head.clone() + &m.text));
    let others = [
        (format!("{prefix}{TOP}.f"), names.join("\n") + "\n"),
        (WAIVER_FILE.to_owned(), WAIVERS.to_owned()),
    ];
    let written = names.iter().chain(others.iter().map(|(name, _)| name));
    for name in written {
        check_generated(&directory.join(name))?;
    }
    let mut files = Vec::new();
    for (name, text) in sources.chain(others) {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
        files.push(path);
    }
    let mut modules = modules.into_iter();
    Ok(Written {
        top: modules.next().expect("a design has a top module"),
        sources: names,
        files,
    })
}

/// Checks that a file does not exist or was generated.
fn check_generated(path: &Path) -> Result<(), WriteError> {
    match fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            let first = text.lines().next().unwrap_or_default();
            let is_list = path.extension().is_some_and(|it| it == "f") && is_file_list(&text);
            if first.contains(MARK) || text.starts_with(WAIVERS_BEGIN) || is_list {
                Ok(())
            } else {
                Err(WriteError::Foreign(path.into()))
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(WriteError::Io {
            path: path.into(),
            source,
        }),
    }
}

/// True if every line is the name of a Verilog file in the same directory, as in a generated file
/// list, which has no mark.
fn is_file_list(text: &str) -> bool {
    let is_name = |line: &str| line.ends_with(".v") && !line.contains(['/', '\\', ' ', '+']);
    !text.is_empty() && text.lines().all(is_name)
}

fn header(parameters: &PlayerParameters) -> String {
    let PlayerParameters {
        clock_hz,
        baud,
        team,
        ..
    } = parameters;
    let team = String::from_utf8_lossy(team);
    format!(
        "// duoforge {}: clock {clock_hz} Hz, {baud} baud, team {team}. {MARK}\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waivers_are_recognised_as_generated() {
        assert!(WAIVERS.starts_with(WAIVERS_BEGIN));
    }
}
