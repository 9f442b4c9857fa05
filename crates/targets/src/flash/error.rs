//! Errors of loading a bitstream.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use duoforge_tools::ToolError;
use thiserror::Error;

use super::usb::{UsbDevice, UsbId};

/// Error of loading a bitstream.
#[derive(Debug, Error)]
pub enum FlashError {
    /// openFPGALoader is missing or cannot be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// openFPGALoader does not support the FPGA board; the vendor's tool has to load it.
    #[error("{title} cannot be loaded by openFPGALoader")]
    VendorOnly {
        /// Name of the FPGA board that its vendor uses.
        title: String,
    },
    /// The bitstream does not exist.
    #[error("there is no bitstream at {}", .path.display())]
    NoBitstream {
        /// Expected path.
        path: PathBuf,
    },
    /// The bitstream cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable {
        /// Path of the bitstream.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file is not a bitstream.
    #[error("{} is not a bitstream for {chip}", .path.display())]
    NotABitstream {
        /// Path of the file.
        path: PathBuf,
        /// Chip of the target.
        chip: String,
    },
    /// The bitstream is for another target, by its content or by `build.json` next to it.
    #[error("{} is for {made_for}, not for {has}", .path.display())]
    OtherBoard {
        /// Path of the bitstream.
        path: PathBuf,
        /// Chip or target of the bitstream.
        made_for: String,
        /// Chip or target that was requested.
        has: String,
    },
    /// No matching programmer is connected.
    #[error("no board is connected: there is no USB device {id}{}", with_serial(.serial.as_deref()))]
    NoBoard {
        /// Vendor and product id of the programmer.
        id: UsbId,
        /// Serial number, if one was requested.
        serial: Option<String>,
        /// Connected programmers with this id.
        connected: Vec<UsbDevice>,
    },
    /// Several programmers are connected, and none was selected.
    #[error("{} boards with the programmer {id} are connected", .connected.len())]
    SeveralBoards {
        /// Vendor and product id of the programmer.
        id: UsbId,
        /// Connected programmers.
        connected: Vec<UsbDevice>,
    },
    /// A serial number was given, the system lists no USB devices, and openFPGALoader ignores the
    /// number for the FPGA board.
    #[error(
        "a serial number does not select {title}: this system has no list of USB devices, and \
         openFPGALoader ignores the number for this board"
    )]
    SerialIgnored {
        /// Name of the FPGA board that its vendor uses.
        title: String,
        /// Vendor and product id of the programmer.
        id: UsbId,
    },
    /// The user may not access the programmer.
    #[error("no permission to use the board's programmer {id}")]
    NoPermission {
        /// Vendor and product id of the programmer.
        id: UsbId,
    },
    /// Another program or driver uses the programmer.
    #[error("another program or driver uses the board's programmer {id}")]
    Busy {
        /// Vendor and product id of the programmer.
        id: UsbId,
    },
    /// The chip on the FPGA board is not the bitstream's.
    #[error("the bitstream is for {bitstream}, and the connected board has {board}")]
    OtherChip {
        /// Chip of the bitstream.
        bitstream: String,
        /// Chip of the FPGA board.
        board: String,
    },
    /// The programmer answers, but no supported chip does.
    #[error("the programmer {id} is there, but no chip that fits answers it:\n{printed}")]
    NoChip {
        /// Vendor and product id of the programmer.
        id: UsbId,
        /// Output of openFPGALoader.
        printed: String,
    },
    /// openFPGALoader does not know the FPGA board: it is not the pinned version.
    #[error("this openFPGALoader does not know the board '{board}'")]
    OldLoader {
        /// Name of the FPGA board in openFPGALoader.
        board: String,
    },
    /// openFPGALoader rejects the bitstream.
    #[error("openFPGALoader does not accept the bitstream:\n{printed}")]
    Refused {
        /// Output of openFPGALoader.
        printed: String,
    },
    /// The flash is write-protected.
    #[error("the flash of the board is protected against writing")]
    Protected {
        /// Command that was run.
        command: String,
    },
    /// The data read back differs from the bitstream.
    #[error("what the board holds is not what was written:\n{printed}")]
    VerifyFailed {
        /// Output of openFPGALoader.
        printed: String,
    },
    /// Writing failed, or the chip did not start.
    #[error("writing the bitstream failed:\n{printed}")]
    WriteFailed {
        /// Output of openFPGALoader.
        printed: String,
    },
    /// openFPGALoader cannot start: a shared library is missing.
    #[error("openFPGALoader does not start:\n{printed}")]
    Broken {
        /// Output of openFPGALoader.
        printed: String,
    },
    /// Unrecognised failure.
    #[error("openFPGALoader ended with {status}:\n{printed}")]
    Other {
        /// Exit status of openFPGALoader.
        status: ExitStatus,
        /// Output of openFPGALoader.
        printed: String,
    },
}

fn with_serial(serial: Option<&str>) -> String {
    serial.map_or_else(String::new, |serial| {
        format!(" with the serial number {serial}")
    })
}
