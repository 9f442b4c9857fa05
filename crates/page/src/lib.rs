//! Files of the web page, and replays of games as single HTML files.
//!
//! [`page_file`] returns the files of `crates/web/page`, which are embedded in the program; scripts
//! and styles are minified. A [`Replay`] holds games with the state at every ply; [`Replay::html`]
//! writes it as one HTML file. That file contains the modules of the page that a replay needs,
//! joined to one script, and its content policy permits no request.
#![forbid(unsafe_code)]

mod files;
mod html;
mod join;
mod minify;
mod replay;

pub use files::{PageFile, page_file, page_files};
pub use replay::{
    Evaluation, Fact, RefusedMove, Replay, ReplayGame, ReplayMove, ReplayResult, ReplaySeat,
    ReplayText,
};

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
