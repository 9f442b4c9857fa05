//! Experiments with players: matches of many games, played in pairs from varied openings.
//!
//! The lab asks players for moves directly, without the contest's link and without its time
//! control. Every move is checked against the rules. Players are specified as in all other
//! commands, see [`PlayerSpec`](duoforge_players::PlayerSpec).

pub mod agreement;
pub mod book;
pub mod campaigns;
pub mod difference;
pub mod distil;
pub mod files;
pub mod game;
pub mod learn;
pub mod match_score;
pub mod matches;
pub mod openings;
pub mod output;
pub mod reference;
pub mod regret;
pub mod report;
pub mod seed;
pub mod self_play;
pub mod training_games;
pub mod tune;
