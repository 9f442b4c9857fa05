//! Waveforms of simulated designs: file formats, and save files for GTKWave and Surfer.

mod fst;
mod signals;
mod views;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::backend::Backend;
use crate::error::Result;

pub use fst::convert;
pub use signals::Signals;
pub use views::Views;

/// File format of a waveform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WaveFormat {
    /// Value change dump of IEEE 1364, a text.
    #[default]
    Vcd,
    /// Fast signal trace of GTKWave, compressed.
    Fst,
}

impl WaveFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Vcd, Self::Fst];

    /// Returns the format of a file by its extension: FST if it is `fst`, otherwise VCD.
    #[must_use]
    pub fn of(file: &Path) -> Self {
        match file.extension() {
            Some(extension) if extension == "fst" => Self::Fst,
            _ => Self::Vcd,
        }
    }

    /// Returns the name that [`FromStr`] accepts, which is the extension of a file too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vcd => "vcd",
            Self::Fst => "fst",
        }
    }
}

impl fmt::Display for WaveFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WaveFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownFormat> {
        let named = Self::ALL.into_iter().find(|format| format.name() == text);
        named.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// Error: a text that is not the name of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown waveform format {0:?}: expected vcd or fst")]
pub struct UnknownFormat(String);

/// Part of a failed game that a waveform shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Span {
    /// Last prompt and its reply.
    #[default]
    Ply,
    /// Game from its first prompt on.
    Game,
}

/// Request for waveforms of failed games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waves {
    /// Directory of the files.
    pub directory: PathBuf,
    /// File format.
    pub format: WaveFormat,
    /// Part of the game.
    pub span: Span,
}

/// Waveform with its save files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wave {
    /// Waveform.
    pub file: PathBuf,
    /// Save file of GTKWave.
    pub gtkwave: PathBuf,
    /// Command file of Surfer.
    pub surfer: PathBuf,
}

impl Wave {
    /// Returns the command lines that open the waveform with its save file: for Surfer and for
    /// GTKWave.
    #[must_use]
    pub fn commands(&self) -> [String; 2] {
        let quoted = |path: &Path| quoted(&path.to_string_lossy());
        let file = quoted(&self.file);
        [
            format!("surfer --command-file {} {file}", quoted(&self.surfer)),
            format!("gtkwave {file} {}", quoted(&self.gtkwave)),
        ]
    }
}

/// Returns a word for a shell, in quotes if it needs them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@%=".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Returns the hierarchical name of the design in waveforms of a simulator.
#[must_use]
pub const fn scope(backend: Backend) -> &'static str {
    match backend {
        Backend::Verilator => "TOP.duoforge_shell.dut",
        Backend::Icarus => "duoforge_bench.dut",
        Backend::Rust => "dut",
    }
}

/// Completes a waveform that a simulator wrote to `vcd`: converts it to the requested format, and
/// writes the save files next to it.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn complete(vcd: &Path, format: WaveFormat, views: &Views) -> Result<Wave> {
    let file = vcd.with_extension(format.name());
    if format == WaveFormat::Fst {
        fst::convert(vcd, &file)?;
        std::fs::remove_file(vcd).map_err(crate::error::SimError::io("removing", vcd))?;
    }
    views.write(&file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_named() {
        for format in WaveFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "ghw".parse::<WaveFormat>().unwrap_err();
        let expected = "unknown waveform format \"ghw\": expected vcd or fst";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn command_lines_quote_paths() {
        let wave = Wave {
            file: "my waves/game-8.fst".into(),
            gtkwave: "game-8.gtkw".into(),
            surfer: "it's.sucl".into(),
        };
        assert_eq!(
            wave.commands(),
            [
                "surfer --command-file 'it'\\''s.sucl' 'my waves/game-8.fst'",
                "gtkwave 'my waves/game-8.fst' game-8.gtkw",
            ]
        );
    }
}
