//! Web service of duoforge: games, positions, events and analyses below `/api/v1`, an event stream,
//! and the page.
//!
//! A [`Server`] follows journals read-only: watching cannot disturb a referee. Casual
//! games have journals too, and each record is on the disk before a request is answered. The
//! OpenAPI document is made from the handlers. Loopback needs no tokens; any other address does.
//!
//! | module | content |
//! |---|---|
//! | `server`, `connection`, `descriptors` | connections and their limits |
//! | `access`, `tokens` | hosts, origins, roles |
//! | `api`, `extract`, `problem` | resources, requests, errors |
//! | `dto` | objects of the answers |
//! | `feed`, `stream` | journals that are followed, server-sent events |
//! | `play`, `players`, `seat_players`, `devices` | casual games, their programs and devices |
//! | `tournaments` | tournaments that referees start on the page |
//! | `ladder` | ratings over all journals |
//! | `names` | names of persons, players and events |
//! | `serial` | boards on the computers of visitors, through WebSerial |
//! | `wire` | bytes and evidence of games |
//! | `analyses`, `comparisons` | queues of analyses, and of comparisons with simulated hardware |
//! | `examinations` | identification and conformance checks of devices |
//! | `page` | files of the page |
#![forbid(unsafe_code)]

mod access;
mod analyses;
mod api;
mod app;
mod comparisons;
mod connection;
mod descriptors;
mod devices;
mod dto;
mod error;
mod examinations;
mod extract;
mod feed;
mod jobs;
mod ladder;
mod names;
mod page;
mod play;
mod players;
mod position;
mod problem;
mod seat_players;
mod serial;
mod server;
mod stream;
mod tokens;
mod tournaments;
mod turns;
mod wire;

pub use comparisons::{
    Decided, Decision, HardwareModel, HardwareOutcome, HardwarePlayer, Mismatch, Searched,
    SearchedChild,
};
pub use devices::DeviceOpener;
pub use error::ServeError;
pub use players::{Players, Profile};
pub use server::{Server, Settings};
pub use tokens::{Role, Tokens};

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
