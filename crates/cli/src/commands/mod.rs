//! Subcommands, one module each.

pub mod analyse;
pub mod annotate;
pub mod boards;
pub mod build;
pub mod completions;
pub mod conform;
pub mod convert;
#[cfg(unix)]
pub mod demo;
pub mod device;
pub mod doctor;
pub mod engine;
pub mod flash;
pub mod games;
pub mod identify;
pub mod ladder;
pub mod matches;
pub mod merge;
#[cfg(unix)]
pub mod monitor;
pub mod moves;
pub mod perft;
pub mod players;
pub mod ports;
pub mod replay;
pub mod resume;
pub mod serve;
pub mod setup;
pub mod show;
pub mod sim;
pub mod sim_game;
pub mod sim_search;
pub mod sim_shipped;
pub mod state;
pub mod tournament;
pub mod variant_games;
pub mod verilog;
