//! Bots for tests: Python programs, and opponents in this process.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_bots::{BotEnd, BotError, BotLog, BotReply, BotSession, BotSpec};
use duoforge_rules::{Game, GameVariant, Seat};

/// Ample time on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// File of the repository.
pub fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Bot with one fault, and settings such as `timebank=2s`.
pub fn misbehaving(settings: &str, kind: &str) -> BotSpec {
    let script = file("crates/bots/tests/data/misbehaving.py");
    let settings = match settings {
        "" => String::new(),
        settings => format!("{settings}:"),
    };
    let text = format!("{settings}python3 {} {kind}", script.display());
    text.parse().unwrap()
}

/// Result of a game of a bot.
pub struct Played {
    /// Replies of the bot in seat 0.
    pub replies: Vec<BotReply>,
    /// Fault that ended the game, if any.
    pub fault: Option<BotError>,
    pub end: BotEnd,
    pub log: BotLog,
    pub game: Game,
}

/// Plays a game of a bot in seat 0; the other seats play their first legal move. The game ends
/// after `plies`, if it has not ended before.
pub fn play(spec: &BotSpec, variant: &GameVariant, plies: usize) -> Played {
    let mut session = BotSession::start(spec, variant).unwrap();
    let mut game = Game::new(variant);
    let (mut replies, mut fault) = (Vec::new(), None);
    while !game.is_over() && game.plies().len() < plies {
        let mv = if game.seat_to_move() == Some(Seat(0)) {
            match session.ask(&game) {
                Ok(reply) => {
                    let mv = reply.mv;
                    replies.push(reply);
                    mv
                }
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        } else {
            game.legal_moves()[0]
        };
        game.play(mv).unwrap();
    }
    let end = session.finish();
    Played {
        replies,
        fault,
        end,
        log: session.log().clone(),
        game,
    }
}

/// Process id in a log.
pub fn pid(log: &BotLog) -> u32 {
    let text = log.to_string();
    let line = text.lines().find_map(|line| line.strip_prefix("pid "));
    line.expect("the bot logs its process id").parse().unwrap()
}

/// Processes of a group that run: those that are not zombies.
fn group(leader: u32) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let fields = stats.filter_map(|stat| {
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<_> = fields.split(' ').map(str::to_owned).collect();
        Some(fields)
    });
    fields
        .filter(|fields| fields[0] != "Z" && fields[2] == leader.to_string())
        .count()
}

/// Number of running processes of a bot's group.
pub fn running(leader: u32) -> usize {
    group(leader)
}

/// Waits until no process of a bot's group runs.
pub fn until_gone(leader: u32) {
    let deadline = Instant::now() + LONG;
    while group(leader) > 0 {
        assert!(Instant::now() < deadline, "group {leader} runs");
        thread::sleep(Duration::from_millis(5));
    }
}
