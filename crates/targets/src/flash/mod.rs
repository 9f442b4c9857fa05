//! Loading of a bitstream onto an FPGA board with openFPGALoader.
//!
//! Checks before the run: the bitstream exists, it is made for the target, and only one FPGA board
//! is connected or one is selected. [`verdict`] interprets the output of openFPGALoader.

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

use crate::build::record::RECORD;
use crate::target::Target;
use bitstream::Chip;
use progress::{LineSplitter, LoaderOutput};
use usb::{UsbDevice, UsbId};
use verdict::LoaderError;

pub use error::FlashError;

/// Memory that receives a bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Configuration SRAM of the FPGA, which is lost at power-off.
    Sram,
    /// Configuration flash, which the FPGA loads at power-up.
    Spi,
}

/// Load request.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Target of the bitstream.
    pub board: &'a Target,
    /// Path of the bitstream.
    pub bitstream: PathBuf,
    /// Memory that receives the bitstream.
    pub target: Destination,
    /// True if the written data is read back and compared.
    pub verify: bool,
    /// Serial number of the programmer, to select one of several.
    pub serial: Option<String>,
}

/// Fields of `build.json` that loading needs.
#[derive(Debug, Deserialize)]
pub struct Built {
    /// Name of the target.
    pub board: String,
    /// Name of the configuration.
    pub configuration: Option<String>,
    /// Build id.
    pub id: Option<String>,
    /// Name of the bitstream's file.
    pub bitstream: Option<String>,
}

impl Built {
    /// True if the record names the file of this bitstream, or no file.
    pub fn is_of(&self, bitstream: &Path) -> bool {
        let named = self.bitstream.as_deref();
        named.is_none_or(|name| bitstream.file_name().is_some_and(|file| file == name))
    }
}

/// Selection of the programmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// At most one programmer of the FPGA board is connected, or a serial number selects one.
    Certain,
    /// openFPGALoader takes the first programmer. The system has no list of USB devices, so others
    /// may be connected.
    First,
}

/// Returns the content of `build.json` next to a bitstream, if the file exists and is valid.
pub fn built(bitstream: &Path) -> Option<Built> {
    let text = std::fs::read(bitstream.with_file_name(RECORD)).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Prepared run of openFPGALoader.
#[derive(Debug)]
pub struct Run {
    program: PathBuf,
    words: Vec<String>,
    bitstream: String,
    board: String,
    title: String,
    id: UsbId,
    serial: Option<String>,
    place: Option<(u16, u16)>,
}

impl Request<'_> {
    /// Runs all checks that need no FPGA board.
    ///
    /// # Errors
    /// [`FlashError`] if the target cannot be loaded, the bitstream is missing or made for another
    /// target, or openFPGALoader is missing.
    pub fn prepare(&self) -> Result<Run, FlashError> {
        let (board, id) = self.programmer().ok_or_else(|| FlashError::VendorOnly {
            title: self.board.title.clone(),
        })?;
        self.check_bitstream()?;
        let target = match self.target {
            Destination::Sram => "--write-sram",
            Destination::Spi => "--write-flash",
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
            title: self.board.title.clone(),
            id,
            serial: self.serial.clone(),
            place: None,
        })
    }

    /// Returns openFPGALoader's name of the FPGA board and the programmer that it uses.
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
    /// Returns the arguments of openFPGALoader.
    fn arguments(&self) -> Vec<String> {
        let mut words = self.words.clone();
        // For some FPGA boards openFPGALoader ignores a serial number silently; it does not ignore
        // a bus address.
        if let Some((bus, address)) = self.place {
            words.extend(["--busdev-num".into(), format!("{bus}:{address}")]);
        } else if let Some(serial) = &self.serial {
            words.extend(["--ftdi-serial".into(), serial.clone()]);
        }
        words.push(self.bitstream.clone());
        words
    }

    /// Returns the vendor and product id of the programmer.
    pub fn programmer(&self) -> UsbId {
        self.id
    }

    /// Returns the command line, quoted for a shell.
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

    /// Selects the programmer among the connected ones. openFPGALoader would take the first of
    /// several; this function requires a serial number instead.
    ///
    /// `root` is `/`, or a directory with the same layout. If it has no list of USB devices,
    /// openFPGALoader selects the programmer.
    ///
    /// # Errors
    /// [`FlashError::SeveralBoards`] if several programmers are connected and no serial number is
    /// given, [`FlashError::NoBoard`] if no programmer has the serial number,
    /// [`FlashError::SerialIgnored`] if only openFPGALoader could select it and ignores the number.
    pub fn choose(&mut self, root: &Path) -> Result<Selection, FlashError> {
        let id = self.id;
        let Some(connected) = self.connected(root) else {
            return match self.serial {
                None => Ok(Selection::First),
                Some(_) if UsbId::has_serial(&self.board) => Ok(Selection::Certain),
                Some(_) => Err(FlashError::SerialIgnored {
                    title: self.title.clone(),
                    id,
                }),
            };
        };
        match &self.serial {
            None if connected.len() < 2 => Ok(Selection::Certain),
            None => Err(FlashError::SeveralBoards { id, connected }),
            Some(_) if connected.is_empty() => Ok(Selection::Certain),
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
                Ok(Selection::Certain)
            }
        }
    }

    /// Returns the connected programmers of the FPGA board; `None` if the system has no list of USB
    /// devices.
    fn connected(&self, root: &Path) -> Option<Vec<UsbDevice>> {
        let mut devices = usb::listed(root)?;
        devices.retain(|device| device.id == self.id);
        Some(devices)
    }

    /// Runs openFPGALoader to its end and forwards its output.
    ///
    /// # Errors
    /// [`FlashError`] for a failed run, by its output and exit status.
    pub fn load(&self, root: &Path, mut said: impl FnMut(LoaderOutput)) -> Result<(), FlashError> {
        let (status, printed) = self.stream(&mut said)?;
        let Some(error) = verdict::loader_error(&printed, status.success()) else {
            return Ok(());
        };
        let id = self.id;
        let chip = |idcode| match bitstream::name_of(idcode) {
            Some(name) => name.to_owned(),
            None => format!("a chip {idcode:#010x}"),
        };
        Err(match error {
            LoaderError::Broken => FlashError::Broken { printed },
            LoaderError::UnknownBoard => FlashError::OldLoader {
                board: self.board.clone(),
            },
            LoaderError::NoBoard => FlashError::NoBoard {
                id,
                serial: self.serial.clone(),
                connected: self.connected(root).unwrap_or_default(),
            },
            LoaderError::NoPermission => FlashError::NoPermission { id },
            LoaderError::Busy => FlashError::Busy { id },
            LoaderError::OtherChip { bitstream, board } => FlashError::OtherChip {
                bitstream: chip(bitstream),
                board: chip(board),
            },
            LoaderError::NoChip => FlashError::NoChip { id, printed },
            LoaderError::BadBitstream => FlashError::Refused { printed },
            LoaderError::Protected => FlashError::Protected {
                command: self.command_line(),
            },
            LoaderError::VerifyFailed => FlashError::VerifyFailed { printed },
            LoaderError::WriteFailed => FlashError::WriteFailed { printed },
            LoaderError::Other => FlashError::Other { status, printed },
        })
    }

    /// Both outputs share a pipe, so that their order is kept.
    fn stream(
        &self,
        said: &mut impl FnMut(LoaderOutput),
    ) -> Result<(ExitStatus, String), ToolError> {
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
            // The command owns ends of the pipe: it is dropped here, or the reader would never see
            // the end.
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

/// Printed lines, without the progress bars.
#[derive(Default)]
struct Printed {
    cutter: LineSplitter,
    lines: Vec<String>,
}

impl Printed {
    fn take(&mut self, piece: &[u8], said: &mut impl FnMut(LoaderOutput)) {
        for what in self.cutter.cut(piece) {
            self.keep(&what);
            said(what);
        }
    }

    fn keep(&mut self, what: &LoaderOutput) {
        if let LoaderOutput::Line(line) = what {
            self.lines.push(line.clone());
        }
    }

    fn finish(mut self, said: &mut impl FnMut(LoaderOutput)) -> String {
        if let Some(what) = std::mem::take(&mut self.cutter).finish() {
            self.keep(&what);
            said(what);
        }
        self.lines.join("\n")
    }
}
