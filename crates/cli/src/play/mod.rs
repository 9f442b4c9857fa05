//! Matches and tournaments at the terminal: display, files and journals.

pub mod files;
pub mod former;
pub mod game_list;
pub mod logs;
pub mod match_journal;
pub mod screen;
pub mod seats;
pub mod seeds;
pub mod setups;
pub mod table;
pub mod time;
pub mod tournament;
pub mod watch;
pub mod wire_file;
