//! Failures of loading a bitstream.

use std::env::consts::OS;
use std::path::Path;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_targets::Target;
use duoforge_targets::build::{directory, stages};
use duoforge_targets::flash::FlashError;
use duoforge_targets::toolchain::Tools;

use super::usb_advice;
use crate::failure::Failure;

/// Adds a code and the next action to an error.
pub fn explain(
    error: FlashError,
    board: &Target,
    player: &PlayerConfig,
    bitstream: &Path,
) -> Failure {
    let build = build_command(board, player);
    let (code, help) = match &error {
        FlashError::Tool(error) if error.task().is_some() => (
            "duoforge::tool",
            "`duoforge setup --for flash --check` shows the state of the loader".into(),
        ),
        FlashError::Tool(_) => ("duoforge::tool", LOADER.into()),
        FlashError::VendorOnly { .. } => ("duoforge::flash::vendor_only", vendor(board)),
        FlashError::NoBitstream { .. } => {
            ("duoforge::flash::no_bitstream", no_bitstream(board, player))
        }
        FlashError::Unreadable { .. } => (
            "duoforge::flash::unreadable",
            format!(
                "`ls -l {}` shows its type and permissions",
                bitstream.display()
            ),
        ),
        FlashError::NotABitstream { .. } => (
            "duoforge::flash::not_a_bitstream",
            format!("`{build}` makes one"),
        ),
        FlashError::OtherBoard { .. } => (
            "duoforge::flash::other_board",
            format!("`{build}` makes one for this target"),
        ),
        FlashError::NoBoard {
            id,
            serial,
            connected,
        } => (
            "duoforge::flash::no_board",
            usb_advice::absent(*id, serial.as_deref(), connected, OS),
        ),
        FlashError::SeveralBoards { connected, .. } => (
            "duoforge::flash::several_boards",
            format!("choose an FPGA board: {}", usb_advice::options(connected)),
        ),
        FlashError::SerialIgnored { id, .. } => (
            "duoforge::flash::serial_ignored",
            format!("omit --serial-number, and connect only one board with the programmer {id}"),
        ),
        FlashError::NoPermission { id } => (
            "duoforge::flash::permission",
            usb_advice::permission(*id, OS),
        ),
        FlashError::Busy { .. } => ("duoforge::flash::busy", usb_advice::busy(OS)),
        FlashError::OtherChip { .. } => (
            "duoforge::flash::other_chip",
            "this FPGA board exists with FPGAs of several sizes: read the label of the FPGA, and \
             build for that target; `duoforge boards` lists the targets"
                .into(),
        ),
        FlashError::NoChip { .. } => (
            "duoforge::flash::no_chip",
            format!(
                "check that the FPGA board is {}, that it is powered, and that its JTAG chain \
                 contains no other device",
                board.title
            ),
        ),
        FlashError::OldLoader { .. } => ("duoforge::flash::old_loader", LOADER.into()),
        FlashError::Refused { .. } => (
            "duoforge::flash::refused",
            format!("the file may be incomplete: `{build}` makes it again"),
        ),
        FlashError::Protected { command } => (
            "duoforge::flash::protected",
            format!("to remove the protection permanently, run: {command} --unprotect-flash"),
        ),
        FlashError::VerifyFailed { .. } => (
            "duoforge::flash::verify",
            "load it again; if that fails too, use a shorter cable or another port".into(),
        ),
        FlashError::WriteFailed { .. } => ("duoforge::flash::write", write(&board.tools)),
        FlashError::Broken { .. } => ("duoforge::flash::loader", usb_advice::libraries(OS).into()),
        FlashError::Other { .. } => (
            "duoforge::flash::unknown",
            "`duoforge flash --dry-run` prints the command; run it with --verbose for details"
                .into(),
        ),
    };
    Failure::new(code, error.to_string()).help(help)
}

const LOADER: &str = "`duoforge setup --for flash --pinned` installs the pinned version; \
                      `duoforge doctor` shows the version in use";

/// Returns the command that builds the bitstream.
fn build_command(board: &Target, player: &PlayerConfig) -> String {
    let name = &board.name;
    match player {
        PlayerConfig::Pattern => format!("duoforge build --board {name}"),
        PlayerConfig::Search(_) => format!("duoforge build --board {name} --player {player}"),
    }
}

/// Returns the command that makes the bitstream, and the path of the search player's bitstream.
fn no_bitstream(board: &Target, player: &PlayerConfig) -> String {
    let build = build_command(board, player);
    let makes = match board.tools.is_open() {
        true => format!("`{build}` makes it"),
        false => format!(
            "`{build}` writes a project, from which {} makes it",
            vendors_tool(&board.tools)
        ),
    };
    let search = match player {
        PlayerConfig::Pattern => board.with(&PlayerConfig::Search(Box::default())),
        PlayerConfig::Search(_) => None,
    };
    let search = search.map_or_else(String::new, |search| {
        let path = directory(&search).join(stages::bitstream(&search));
        format!("; --player search loads {}", path.display())
    });
    format!("{makes}{search}; --bitstream FILE names another")
}

/// Name of the tool that makes the bitstreams of a target.
fn vendors_tool(tools: &Tools) -> &'static str {
    match tools {
        Tools::Quartus { .. } => "Quartus",
        Tools::Vivado { .. } => "Vivado",
        Tools::Ecp5 { .. } | Tools::Ice40 { .. } => "`duoforge build`",
    }
}

fn vendor(board: &Target) -> String {
    format!(
        "`duoforge build --board {}` writes a project whose README explains how {} loads it",
        board.name,
        vendors_tool(&board.tools)
    )
}

fn write(tools: &Tools) -> String {
    let jumpers = match tools {
        Tools::Ice40 { .. } => {
            "; the jumpers J6 and J7 of the breakout board select the FPGA (--sram) or the flash \
             (--spi)"
        }
        _ => "",
    };
    format!(
        "power-cycle the FPGA board and try again, with a shorter cable or another port{jumpers}"
    )
}
