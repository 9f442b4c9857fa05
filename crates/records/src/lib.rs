//! Records of games: four-letter lists, blksgf files, and the curve of an evaluation.
//!
//! A [`Record`] is a game with what is known about it. [`read_blksgf`] and [`write_blksgf`] are the
//! format of Pentobi; [`read_list`] and [`write_list`] are the contest's own, a line of four-letter codes
//! for each game. [`Format::of`] tells a file of one from a file of the other by its first character.
//!
//! ```
//! use duoforge_records::{Kind, Record, read_blksgf, write_blksgf};
//!
//! let moves = ["53e0", "a8e0"].map(|code| code.parse().expect("a code"));
//! let record = Record::new(Kind::Duo, moves);
//! let text = write_blksgf(&[record.clone()])?;
//! assert!(text.contains(";B[e10,"), "{text}");
//! assert_eq!(read_blksgf(&text)?[0].record, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blksgf;
mod curve;
mod follow;
mod format;
mod list;
mod record;

pub use blksgf::{FileRecord, SgfError, SgfFault, read_blksgf, write_blksgf};
pub use curve::{CurvePoint, curve_svg};
pub use follow::{Unlawful, forced_passes};
pub use format::{Format, MOST_BYTES, NotText, Place, text};
pub use list::{ListError, ListedCode, ListedGame, read_list, write_list};
pub use record::{Kind, Ply, Record};
