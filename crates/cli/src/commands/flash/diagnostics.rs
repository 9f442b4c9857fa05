//! What a user is told when a bitstream was not loaded.

use std::path::Path;

use duoforge_boards::Board;
use duoforge_boards::flash::FlashError;
use duoforge_boards::flash::usb::{UsbDevice, UsbId};
use duoforge_boards::toolchain::Tools;
use duoforge_tools::ToolError;

use crate::failure::Failure;

/// Adds a code and what to do about it.
pub fn explain(error: FlashError, board: &Board, bitstream: &Path) -> Failure {
    let name = &board.name;
    let (code, help) = match &error {
        FlashError::Tool(ToolError::Missing { hint, .. }) => ("duoforge::tool", (*hint).into()),
        FlashError::Tool(_) => ("duoforge::tool", LOADER.into()),
        FlashError::VendorOnly { .. } => ("duoforge::flash::vendor_only", vendor(board)),
        FlashError::NoBitstream { .. } => (
            "duoforge::flash::no_bitstream",
            match board.tools.is_open() {
                true => format!(
                    "`duoforge build --board {name}` makes it; or name one: --bitstream FILE"
                ),
                false => format!(
                    "`duoforge build --board {name}` writes a project, of which {} makes it; or \
                     name one: --bitstream FILE",
                    vendors_tool(&board.tools)
                ),
            },
        ),
        FlashError::Unreadable { .. } => (
            "duoforge::flash::unreadable",
            format!("`ls -l {}` says what it is", bitstream.display()),
        ),
        FlashError::NotABitstream { .. } => (
            "duoforge::flash::not_a_bitstream",
            format!("`duoforge build --board {name}` makes one"),
        ),
        FlashError::OtherBoard { .. } => (
            "duoforge::flash::other_board",
            format!("`duoforge build --board {name}` makes one for this board"),
        ),
        FlashError::NoBoard {
            id,
            serial,
            connected,
        } => (
            "duoforge::flash::no_board",
            absent(*id, serial.as_deref(), connected),
        ),
        FlashError::SeveralBoards { connected, .. } => (
            "duoforge::flash::several_boards",
            format!("choose one: {}", options(connected)),
        ),
        FlashError::NoPermission { id } => ("duoforge::flash::permission", permission(*id)),
        FlashError::Busy { .. } => (
            "duoforge::flash::busy",
            "close what has the board open, such as a terminal, a debugger or another loader; \
             a driver is unloaded with `sudo modprobe -r ftdi_sio`"
                .into(),
        ),
        FlashError::OtherChip { .. } => (
            "duoforge::flash::other_chip",
            "the board comes with chips of several sizes: read what is printed on it, and build \
             for that one; `duoforge boards` lists them"
                .into(),
        ),
        FlashError::NoChip { .. } => (
            "duoforge::flash::no_chip",
            format!(
                "is it {}, powered, and is nothing else in its JTAG chain?",
                board.title
            ),
        ),
        FlashError::OldLoader { .. } => ("duoforge::flash::old_loader", LOADER.into()),
        FlashError::Refused { .. } => (
            "duoforge::flash::refused",
            format!("the file may be cut short: `duoforge build --board {name}` makes it anew"),
        ),
        FlashError::Protected { command } => (
            "duoforge::flash::protected",
            format!("to take the protection off for good, run: {command} --unprotect-flash"),
        ),
        FlashError::VerifyFailed { .. } => (
            "duoforge::flash::verify",
            "load it again; if it fails again, try a shorter cable, or another port".into(),
        ),
        FlashError::WriteFailed { .. } => ("duoforge::flash::write", write(&board.tools)),
        FlashError::Broken { .. } => (
            "duoforge::flash::loader",
            "`cargo xtask setup` installs it with its libraries; or install libusb-1.0-0, \
             libftdi1-2 and libhidapi-hidraw0"
                .into(),
        ),
        FlashError::Other { .. } => (
            "duoforge::flash::unknown",
            "`duoforge flash` with --dry-run prints the command; run with --verbose it says more"
                .into(),
        ),
    };
    Failure::new(code, error.to_string()).help(help)
}

const LOADER: &str = "`cargo xtask setup` installs the version that is known to work; \
                      `duoforge doctor` says which one is used";

/// What makes bitstreams for a board, in words.
fn vendors_tool(tools: &Tools) -> &'static str {
    match tools {
        Tools::Quartus { .. } => "Quartus",
        Tools::Vivado { .. } => "Vivado",
        Tools::Ecp5 { .. } | Tools::Ice40 { .. } => "`duoforge build`",
    }
}

fn vendor(board: &Board) -> String {
    format!(
        "`duoforge build --board {}` writes a project whose README says how {} loads the board",
        board.name,
        vendors_tool(&board.tools)
    )
}

fn absent(id: UsbId, serial: Option<&str>, connected: &[UsbDevice]) -> String {
    match serial {
        Some(_) if !connected.is_empty() => format!("there is {}", options(connected)),
        _ => format!(
            "is the board plugged in by its programming port, with a cable that carries data? \
             `lsusb -d {id}` shows it then"
        ),
    }
}

/// The options that choose each of the boards.
fn options(connected: &[UsbDevice]) -> String {
    let option = |device: &UsbDevice| match &device.serial {
        Some(serial) => format!("--serial-number {serial}"),
        None => format!("{device}, which has to be unplugged"),
    };
    let options: Vec<String> = connected.iter().map(option).collect();
    options.join(" or ")
}

fn permission(id: UsbId) -> String {
    format!(
        "put udev's rule for it in place and plug the board in anew: `duoforge doctor \
         --udev-rules | sudo tee /etc/udev/rules.d/60-duoforge.rules && sudo udevadm control \
         --reload`; over ssh, join its group too: `sudo usermod -aG plugdev $USER`, then log in \
         anew. The rule is\n{}",
        id.udev_rule()
    )
}

fn write(tools: &Tools) -> String {
    let jumpers = match tools {
        Tools::Ice40 { .. } => {
            "; the breakout board's jumpers J6 and J7 choose between the chip (--sram) and the \
             flash (--spi)"
        }
        _ => "",
    };
    format!(
        "switch the board off and on, and try again, with a shorter cable or another port{jumpers}"
    )
}
