//! Experiments with players: matches of many games, played in pairs from varied openings.
//!
//! Here players are asked for moves directly, without the contest's line between them and without
//! its time limit; whether a move is legal is judged all the same. A player is written as
//! anywhere else, see [`PlayerSpec`](duoforge_arena::PlayerSpec).

pub mod agreement;
pub mod examples;
pub mod game;
pub mod hardware;
pub mod learn;
pub mod matches;
pub mod openings;
pub mod regret;
pub mod report;
pub mod seed;
pub mod shipped;
pub mod tally;
