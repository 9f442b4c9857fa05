//! Failures of loading a bitstream.

use std::path::Path;

use duoforge_targets::Target;
use duoforge_targets::flash::FlashError;
use duoforge_targets::flash::usb::{UsbDevice, UsbId};
use duoforge_targets::toolchain::Tools;
use duoforge_tools::ToolError;

use crate::failure::Failure;

/// Adds a code and the next action to an error.
pub fn explain(error: FlashError, board: &Target, bitstream: &Path) -> Failure {
    let name = &board.name;
    let (code, help) = match &error {
        FlashError::Tool(ToolError::Missing { .. }) => (
            "duoforge::tool",
            "`duoforge setup --for flash --check` shows the state of the loader".into(),
        ),
        FlashError::Tool(_) => ("duoforge::tool", LOADER.into()),
        FlashError::VendorOnly { .. } => ("duoforge::flash::vendor_only", vendor(board)),
        FlashError::NoBitstream { .. } => (
            "duoforge::flash::no_bitstream",
            match board.tools.is_open() {
                true => format!(
                    "`duoforge build --board {name}` makes it; --bitstream FILE names another"
                ),
                false => format!(
                    "`duoforge build --board {name}` writes a project, from which {} makes it; \
                     --bitstream FILE names another",
                    vendors_tool(&board.tools)
                ),
            },
        ),
        FlashError::Unreadable { .. } => (
            "duoforge::flash::unreadable",
            format!(
                "`ls -l {}` shows its type and permissions",
                bitstream.display()
            ),
        ),
        FlashError::NotABitstream { .. } => (
            "duoforge::flash::not_a_bitstream",
            format!("`duoforge build --board {name}` makes one"),
        ),
        FlashError::OtherBoard { .. } => (
            "duoforge::flash::other_board",
            format!("`duoforge build --board {name}` makes one for this target"),
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
            format!("choose an FPGA board: {}", options(connected)),
        ),
        FlashError::NoPermission { id } => ("duoforge::flash::permission", permission(*id)),
        FlashError::Busy { .. } => (
            "duoforge::flash::busy",
            "close the program that has the programmer open, such as a terminal, a debugger or \
             another loader; `sudo modprobe -r ftdi_sio` unloads the driver"
                .into(),
        ),
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
            format!("the file may be incomplete: `duoforge build --board {name}` makes it again"),
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
        FlashError::Broken { .. } => (
            "duoforge::flash::loader",
            "`duoforge setup --for flash` installs its libraries; or install libusb-1.0-0, \
             libftdi1-2 and libhidapi-hidraw0"
                .into(),
        ),
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

fn absent(id: UsbId, serial: Option<&str>, connected: &[UsbDevice]) -> String {
    match serial {
        Some(_) if !connected.is_empty() => format!("connected: {}", options(connected)),
        _ => format!(
            "connect the programming port of the FPGA board with a data cable; `lsusb -d {id}` \
             then lists it"
        ),
    }
}

/// Returns the options that choose each of the connected FPGA boards.
fn options(connected: &[UsbDevice]) -> String {
    let option = |device: &UsbDevice| match &device.serial {
        Some(serial) => format!("--serial-number {serial}"),
        None => format!("{device}, after unplugging the others"),
    };
    let options: Vec<String> = connected.iter().map(option).collect();
    options.join(" or ")
}

fn permission(id: UsbId) -> String {
    format!(
        "install its udev rule, then unplug the FPGA board and plug it in again: `duoforge doctor \
         --udev-rules | sudo tee /etc/udev/rules.d/60-duoforge.rules && sudo udevadm control \
         --reload`; over ssh, also join its group: `sudo usermod -aG plugdev $USER`, then log in \
         again. The rule is\n{}",
        id.udev_rule()
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
