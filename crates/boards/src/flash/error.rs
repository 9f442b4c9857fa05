//! Why a bitstream was not loaded.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use duoforge_tools::ToolError;
use thiserror::Error;

use super::usb::{UsbDevice, UsbId};

/// Why a bitstream was not loaded.
#[derive(Debug, Error)]
pub enum FlashError {
    /// openFPGALoader is missing or does not start.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// openFPGALoader does not know the board, and the vendor's tool has to load it.
    #[error("{title} cannot be loaded by openFPGALoader")]
    VendorOnly {
        /// The board in its maker's words.
        title: String,
    },
    /// There is no bitstream.
    #[error("there is no bitstream at {}", .path.display())]
    NoBitstream {
        /// Where it should be.
        path: PathBuf,
    },
    /// The bitstream cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable {
        /// The bitstream.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is not a bitstream for {chip}", .path.display())]
    NotABitstream {
        /// The file.
        path: PathBuf,
        /// The chip of the board.
        chip: String,
    },
    /// The bitstream is for another board, by its own word or by `build.json` beside it.
    #[error("{} is for {made_for}, not for {has}", .path.display())]
    OtherBoard {
        /// The bitstream.
        path: PathBuf,
        /// The chip or board that it was made for.
        made_for: String,
        /// What it is to be loaded onto.
        has: String,
    },
    /// Nothing answers over the USB.
    #[error("no board is connected: there is no USB device {id}{}", with_serial(.serial.as_deref()))]
    NoBoard {
        /// The programmer that was looked for.
        id: UsbId,
        /// Its serial number, where one was asked for.
        serial: Option<String>,
        /// The programmers of this kind that are there.
        connected: Vec<UsbDevice>,
    },
    /// Several boards answer, and none was chosen.
    #[error("{} boards with the programmer {id} are connected", .connected.len())]
    SeveralBoards {
        /// The programmer.
        id: UsbId,
        /// The programmers that are there.
        connected: Vec<UsbDevice>,
    },
    /// This user may not use the programmer.
    #[error("no permission to use the board's programmer {id}")]
    NoPermission {
        /// The programmer.
        id: UsbId,
    },
    /// Another program or driver has the programmer.
    #[error("another program or driver uses the board's programmer {id}")]
    Busy {
        /// The programmer.
        id: UsbId,
    },
    /// The chip on the board is another one than the bitstream's.
    #[error("the bitstream is for {bitstream}, and the connected board has {board}")]
    OtherChip {
        /// The chip of the bitstream.
        bitstream: String,
        /// The chip that answered.
        board: String,
    },
    /// The programmer answers, the chip does not.
    #[error("the programmer {id} is there, but no chip that fits answers it:\n{printed}")]
    NoChip {
        /// The programmer.
        id: UsbId,
        /// What openFPGALoader printed.
        printed: String,
    },
    /// openFPGALoader does not know the board, so it is not the pinned version.
    #[error("this openFPGALoader does not know the board '{board}'")]
    OldLoader {
        /// Its name of the board.
        board: String,
    },
    /// openFPGALoader could not read the bitstream.
    #[error("openFPGALoader does not accept the bitstream:\n{printed}")]
    Refused {
        /// What it printed.
        printed: String,
    },
    /// The flash is protected against writing.
    #[error("the flash of the board is protected against writing")]
    Protected {
        /// The command that was run.
        command: String,
    },
    /// The board holds something else than was written.
    #[error("what the board holds is not what was written:\n{printed}")]
    VerifyFailed {
        /// What openFPGALoader printed.
        printed: String,
    },
    /// Writing broke off, or the chip did not start.
    #[error("writing the bitstream failed:\n{printed}")]
    WriteFailed {
        /// What openFPGALoader printed.
        printed: String,
    },
    /// openFPGALoader does not start, for want of a library.
    #[error("openFPGALoader does not start:\n{printed}")]
    Broken {
        /// What was printed.
        printed: String,
    },
    /// Something that is not understood.
    #[error("openFPGALoader ended with {status}:\n{printed}")]
    Other {
        /// How it ended.
        status: ExitStatus,
        /// All that it printed.
        printed: String,
    },
}

fn with_serial(serial: Option<&str>) -> String {
    serial.map_or_else(String::new, |serial| {
        format!(" with the serial number {serial}")
    })
}
