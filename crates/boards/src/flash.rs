//! Loading a bitstream onto a board, by openFPGALoader.
//!
//! What can be found out before is found out before: whether there is a bitstream, whether it is
//! for this board, whether several boards are connected. What openFPGALoader says after that is
//! understood by [`verdict`].

pub mod bitstream;
mod error;
pub mod progress;
pub mod usb;
pub mod verdict;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use duoforge_tools::ToolError;
use duoforge_tools::catalogue::OPENFPGALOADER;
use serde::Deserialize;

use crate::board::Board;
use crate::build::record::RECORD;
use bitstream::Chip;
use progress::{Cutter, Said};
use usb::{UsbDevice, UsbId};
use verdict::Trouble;

pub use error::FlashError;

/// Where a bitstream goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Into the chip itself, until it loses its supply.
    Sram,
    /// Into the flash that the chip loads itself from.
    Spi,
}

/// What is to be loaded, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The board.
    pub board: &'a Board,
    /// The bitstream.
    pub bitstream: PathBuf,
    /// Where it goes.
    pub target: Target,
    /// Whether the flash is read back and compared.
    pub verify: bool,
    /// The serial number of the board's programmer, where several are connected.
    pub serial: Option<String>,
}

/// What `duoforge build` writes beside a bitstream, as far as it matters here.
#[derive(Debug, Deserialize)]
pub struct Built {
    /// The board that it is for.
    pub board: String,
    /// Its build id.
    pub id: Option<String>,
}

/// What `build.json` beside a bitstream says, if there is one.
pub fn built(bitstream: &Path) -> Option<Built> {
    let text = std::fs::read(bitstream.with_file_name(RECORD)).ok()?;
    serde_json::from_slice(&text).ok()
}

/// A run of openFPGALoader that is ready.
#[derive(Debug)]
pub struct Run {
    program: PathBuf,
    words: Vec<String>,
    bitstream: String,
    board: String,
    id: UsbId,
    serial: Option<String>,
    place: Option<(u16, u16)>,
}

impl Request<'_> {
    /// Checks what can be checked without a board.
    ///
    /// # Errors
    /// [`FlashError`]: no way to load this board, no bitstream, or not one for it, no loader.
    pub fn prepare(&self) -> Result<Run, FlashError> {
        let (board, id) = self.programmer().ok_or_else(|| FlashError::VendorOnly {
            title: self.board.title.clone(),
        })?;
        self.check_bitstream()?;
        let target = match self.target {
            Target::Sram => "--write-sram",
            Target::Spi => "--write-flash",
        };
        let mut words: Vec<String> = ["--board", board, target].map(Into::into).into();
        if self.verify {
            words.push("--verify".into());
        }
        Ok(Run {
            program: OPENFPGALOADER.find()?,
            words,
            bitstream: self.bitstream.display().to_string(),
            board: board.into(),
            id,
            serial: self.serial.clone(),
            place: None,
        })
    }

    /// What openFPGALoader calls the board, and the programmer that it looks for.
    fn programmer(&self) -> Option<(&str, UsbId)> {
        let board = self.board.loader.as_deref()?;
        Some((board, UsbId::of_loader(board)?))
    }

    fn check_bitstream(&self) -> Result<(), FlashError> {
        let path = &self.bitstream;
        let bytes = std::fs::read(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => FlashError::NoBitstream { path: path.clone() },
            _ => FlashError::Unreadable {
                path: path.clone(),
                source,
            },
        })?;
        let other = |made_for, has| FlashError::OtherBoard {
            path: path.clone(),
            made_for,
            has,
        };
        if let Some(expected) = Chip::of_tools(&self.board.tools) {
            let Some(found) = Chip::of_bitstream(&bytes) else {
                return Err(FlashError::NotABitstream {
                    path: path.clone(),
                    chip: expected.to_string(),
                });
            };
            if !found.suits(&expected) {
                return Err(other(found.to_string(), expected.to_string()));
            }
        }
        match built(path) {
            Some(built) if built.board != self.board.name => {
                Err(other(built.board, self.board.name.clone()))
            }
            _ => Ok(()),
        }
    }
}

impl Run {
    /// What openFPGALoader is started with.
    fn arguments(&self) -> Vec<String> {
        let mut words = self.words.clone();
        // For some boards a serial number would be passed over in silence, a place is not.
        if let Some((bus, address)) = self.place {
            words.extend(["--busdev-num".into(), format!("{bus}:{address}")]);
        } else if let Some(serial) = &self.serial {
            words.extend(["--ftdi-serial".into(), serial.clone()]);
        }
        words.push(self.bitstream.clone());
        words
    }

    /// The command line.
    pub fn command_line(&self) -> String {
        let quoted = |word: &String| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+=@".contains(c);
            match !word.is_empty() && word.chars().all(plain) {
                true => word.to_owned(),
                false => format!("'{}'", word.replace('\'', r"'\''")),
            }
        };
        let program = self.program.display().to_string();
        let words: Vec<String> = std::iter::once(&program)
            .chain(&self.arguments())
            .map(quoted)
            .collect();
        words.join(" ")
    }

    /// Chooses the programmer among those that are connected. openFPGALoader would take the first
    /// of several; here one has to be named. `root` is `/`, or a tree that looks like it; without
    /// a list of the USB's devices in it, the choice is left to openFPGALoader.
    ///
    /// # Errors
    /// [`FlashError::SeveralBoards`], [`FlashError::NoBoard`] for a serial number that none has.
    pub fn choose(&mut self, root: &Path) -> Result<(), FlashError> {
        let (id, connected) = (self.id, self.connected(root));
        match &self.serial {
            None if connected.len() < 2 => Ok(()),
            None => Err(FlashError::SeveralBoards { id, connected }),
            Some(_) if connected.is_empty() => Ok(()),
            Some(serial) => {
                let has = |device: &&UsbDevice| device.serial.as_ref() == Some(serial);
                let chosen = connected.iter().find(has);
                let Some(chosen) = chosen else {
                    return Err(FlashError::NoBoard {
                        id,
                        serial: Some(serial.clone()),
                        connected,
                    });
                };
                self.place = Some((chosen.bus, chosen.address));
                Ok(())
            }
        }
    }

    fn connected(&self, root: &Path) -> Vec<UsbDevice> {
        let mut devices = usb::devices(root);
        devices.retain(|device| device.id == self.id);
        devices
    }

    /// Runs openFPGALoader to its end and hands on what it says.
    ///
    /// # Errors
    /// [`FlashError`].
    pub fn load(&self, root: &Path, mut said: impl FnMut(Said)) -> Result<(), FlashError> {
        let (status, printed) = self.stream(&mut said)?;
        let Some(trouble) = verdict::trouble(&printed, status.success()) else {
            return Ok(());
        };
        let id = self.id;
        let chip = |idcode| match bitstream::name_of(idcode) {
            Some(name) => name.to_owned(),
            None => format!("a chip {idcode:#010x}"),
        };
        Err(match trouble {
            Trouble::Broken => FlashError::Broken { printed },
            Trouble::UnknownBoard => FlashError::OldLoader {
                board: self.board.clone(),
            },
            Trouble::NoBoard => FlashError::NoBoard {
                id,
                serial: self.serial.clone(),
                connected: self.connected(root),
            },
            Trouble::NoPermission => FlashError::NoPermission { id },
            Trouble::Busy => FlashError::Busy { id },
            Trouble::OtherChip { bitstream, board } => FlashError::OtherChip {
                bitstream: chip(bitstream),
                board: chip(board),
            },
            Trouble::NoChip => FlashError::NoChip { id, printed },
            Trouble::BadBitstream => FlashError::Refused { printed },
            Trouble::Protected => FlashError::Protected {
                command: self.command_line(),
            },
            Trouble::VerifyFailed => FlashError::VerifyFailed { printed },
            Trouble::WriteFailed => FlashError::WriteFailed { printed },
            Trouble::Other => FlashError::Other { status, printed },
        })
    }

    /// Both outputs come through one pipe, so that they stay in order.
    fn stream(&self, said: &mut impl FnMut(Said)) -> Result<(ExitStatus, String), ToolError> {
        let failed = |source| ToolError::Start {
            program: self.program.clone(),
            source,
        };
        let (mut reader, writer) = io::pipe().map_err(failed)?;
        let mut child = {
            let mut command = Command::new(&self.program);
            command
                .args(self.arguments())
                .stdin(Stdio::null())
                .stdout(writer.try_clone().map_err(failed)?)
                .stderr(writer);
            // The command, with its ends of the pipe, ends here: else the pipe never would.
            command.spawn().map_err(failed)?
        };
        let mut printed = Printed::default();
        let mut piece = [0; 4096];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => printed.take(&piece[..count], said),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(failed(error));
                }
            }
        }
        let status = child.wait().map_err(failed)?;
        Ok((status, printed.finish(said)))
    }
}

/// What was printed, without the bars that were drawn over.
#[derive(Default)]
struct Printed {
    cutter: Cutter,
    lines: Vec<String>,
}

impl Printed {
    fn take(&mut self, piece: &[u8], said: &mut impl FnMut(Said)) {
        for what in self.cutter.cut(piece) {
            self.keep(&what);
            said(what);
        }
    }

    fn keep(&mut self, what: &Said) {
        if let Said::Line(line) = what {
            self.lines.push(line.clone());
        }
    }

    fn finish(mut self, said: &mut impl FnMut(Said)) -> String {
        if let Some(what) = std::mem::take(&mut self.cutter).finish() {
            self.keep(&what);
            said(what);
        }
        self.lines.join("\n")
    }
}
