//! State of a run of checks on a text bot.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use duoforge_links::wirelog::{Direction, WireEntry, WireEvent};
use duoforge_rules::GameVariant;
use duoforge_twin::Rng;

use super::BotOptions;
use super::host::BotHost;
use crate::device::CheckError;

/// Maximum number of bytes of a line in the log; a state is longer.
const MAX_LOGGED: usize = 240;

/// Maximum number of lines of the bot in the log between two sends of the host.
const MAX_LINES: usize = 1000;

/// Log of the lines of a check, which the processes of the check share.
#[derive(Clone, Debug)]
pub struct BotWire {
    begun: Instant,
    entries: Rc<RefCell<Vec<WireEntry>>>,
    /// Number of lines of the bot since the last send of the host.
    received: Rc<Cell<usize>>,
}

impl BotWire {
    fn new() -> Self {
        Self {
            begun: Instant::now(),
            entries: Rc::default(),
            received: Rc::default(),
        }
    }

    /// Adds lines that were sent or received. Of a flood, the first 1000 lines are kept.
    pub fn lines(&self, direction: Direction, text: &str) {
        for line in text.lines() {
            let is_received = direction == Direction::FromBoard;
            self.received.set(if is_received {
                self.received.get() + 1
            } else {
                0
            });
            if self.received.get() > MAX_LINES {
                continue;
            }
            let bytes = line.as_bytes();
            let mut kept = bytes[..bytes.len().min(MAX_LOGGED)].to_vec();
            if kept.len() < bytes.len() {
                kept.extend_from_slice(b"...");
            }
            let bytes = kept;
            self.add(WireEvent::Chunk { direction, bytes });
        }
    }

    /// Adds a remark.
    pub fn note(&self, text: &str) {
        self.add(WireEvent::Note(text.to_owned()));
    }

    fn add(&self, event: WireEvent) {
        self.entries.borrow_mut().push(WireEntry {
            wall: self.begun.elapsed(),
            simulated: None,
            line: "bot".to_owned(),
            event,
        });
    }
}

/// State of a run of checks on a text bot, with the observations so far.
#[derive(Debug)]
pub struct BotTester {
    /// Options of the run.
    pub options: BotOptions,
    /// Log of the lines of the current check.
    pub wire: BotWire,
    /// Size in bytes of the log of the first game.
    pub log_bytes: Option<u64>,
    /// True once an answer was missing: later waits end at the time limit.
    pub impatient: bool,
}

impl BotTester {
    /// Creates the state before the first check.
    pub fn new(options: BotOptions) -> Self {
        Self {
            options,
            wire: BotWire::new(),
            log_bytes: None,
            impatient: false,
        }
    }

    /// Takes the log of the lines since the last call.
    pub fn take_wire(&self) -> Vec<WireEntry> {
        self.wire.entries.take()
    }

    /// Generator for a check: its positions are the same whichever checks run before.
    pub fn rng(&self, check: u64) -> Rng {
        Rng::new(self.options.seed.wrapping_mul(1000).wrapping_add(check))
    }

    /// Starts the bot for a game of a variant, up to its `ready`.
    pub fn ready(&self, variant: &GameVariant) -> Result<BotHost, CheckError> {
        let mut host = BotHost::start(self)?;
        let text = host.settings(variant, "");
        host.send(&text)?;
        host.warm_up()?;
        Ok(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_lines_is_cut_in_the_log() {
        let wire = BotWire::new();
        for _ in 0..2 {
            wire.lines(Direction::ToBoard, "action warmup 10000");
            wire.lines(Direction::FromBoard, &"x\n".repeat(MAX_LINES));
            wire.lines(Direction::FromBoard, "x");
        }
        assert_eq!(wire.entries.take().len(), 2 * (1 + MAX_LINES));
    }

    #[test]
    fn lines_longer_than_240_bytes_are_cut_in_the_log() {
        let wire = BotWire::new();
        let line = |length| "x".repeat(length);
        let text = [line(3), line(240), line(241), line(500)].join("\n");
        wire.lines(Direction::ToBoard, &text);
        wire.note("the bot starts");
        let entries = wire.entries.take();
        let (notes, chunks): (Vec<_>, Vec<_>) =
            entries.iter().partition(|entry| entry.bytes().is_none());
        let kept: Vec<_> = chunks.iter().filter_map(|entry| entry.bytes()).collect();
        let cut = line(240) + "...";
        assert_eq!(
            kept,
            [&line(3), &line(240), &cut, &cut].map(|line| line.as_bytes())
        );
        let note = WireEvent::Note("the bot starts".to_owned());
        assert_eq!(
            notes.iter().map(|entry| &entry.event).collect::<Vec<_>>(),
            [&note]
        );
    }
}
