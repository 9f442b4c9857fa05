//! Game records: four-letter lists and blksgf files.
//!
//! A [`Record`] is a game with its metadata. [`read_blksgf`] and [`write_blksgf`] implement
//! Pentobi's format along the main line. A [`GameTree`] is a game with its variations;
//! [`read_blksgf_trees`] and [`write_blksgf_trees`] keep them, with all comments. [`read_list`] and
//! [`write_list`] implement the contest's format, one line of four-letter codes per game.
//! [`without_skipped_turns`] removes the passes that stand for skipped turns. [`Format::of`]
//! distinguishes the two by the first character.
//!
//! ```
//! use duoforge_records::{Record, read_blksgf, write_blksgf};
//! use duoforge_rules::GameVariant;
//!
//! let moves = ["53e0", "a8e0"].map(|code| code.parse().expect("a code"));
//! let record = Record::new(GameVariant::DUO, moves);
//! let text = write_blksgf(&[record.clone()])?;
//! assert!(text.contains(";B[e10,"), "{text}");
//! assert_eq!(read_blksgf(&text)?[0].record, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blksgf;
mod format;
mod lawful;
mod list;
mod record;
mod skipped;
mod tree;

pub use blksgf::{
    FileRecord, FileTree, SgfError, SgfFault, SgfWriteError, is_fact_name, read_blksgf,
    read_blksgf_trees, read_each_blksgf_tree, write_blksgf, write_blksgf_trees,
};
pub use format::{Format, InvalidText, MOST_BYTES, Place, text};
pub use lawful::{IllegalRecord, forced_passes};
pub use list::{ListError, ListedCode, ListedGame, read_list, write_list};
pub use record::{Ply, Record};
pub use skipped::{SkippedTurns, without_skipped_turns};
pub use tree::{
    Annotations, GameTree, MAX_TREE_DEPTH, MAX_TREE_NODES, NodeData, SgfProperty, TreeData,
    TreeError, TreeNode,
};

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
