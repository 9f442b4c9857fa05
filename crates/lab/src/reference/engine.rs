//! Reference engine: a GTP program that reports the values of its root moves.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use duoforge_gtp::{Client, ClientError, write_colour};
use duoforge_rules::{Colour, DuoBoard, Move, Notation, Placement};

use super::split::key;
use crate::seed::derive;

/// Time limit of a search, for programs that hang.
const SEARCH: Duration = Duration::from_secs(3_600);

/// Time limit of the reply to any other command.
const REPLY: Duration = Duration::from_secs(60);

/// Command that searches without playing the move.
const CHOOSE: &str = "reg_genmove";

/// Command that lists the root moves of the last search.
const VALUES: &str = "move_values";

/// Command that sets the seed of the program's random choices.
const SEED: &str = "set_random_seed";

/// Root move of the reference engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceMove {
    /// Placement.
    pub placement: Placement,
    /// Number of simulations through the placement.
    pub visits: u32,
    /// Mean value for the side that plays the placement: 0 is a loss, 1 a win.
    pub value: f64,
}

/// Reference engine in another process.
///
/// The program must support the commands `reg_genmove`, `move_values` and `set_random_seed`, as
/// Pentobi does. Every search starts from a cleared board with a seed that depends only on the
/// position and on the seed of the engine, so results do not depend on the order of positions.
#[derive(Debug)]
pub struct ReferenceEngine {
    client: Client,
    name: String,
    passes: bool,
    seed: u64,
}

impl ReferenceEngine {
    /// Starts the program of a command line.
    ///
    /// # Errors
    /// The program cannot be started, or lacks a command.
    pub fn start(words: &[String], seed: u64) -> Result<Self> {
        let mut client = Client::start(words)?;
        let commands = client.send("list_commands", REPLY)?;
        let knows = |command: &str| commands.lines().any(|line| line.trim() == command);
        for command in [CHOOSE, VALUES, SEED] {
            ensure!(knows(command), "{} lacks the command {command}", words[0]);
        }
        if knows("set_game") {
            client.send("set_game Blokus Duo", REPLY)?;
        }
        if knows("param") {
            // A program without these parameters keeps its defaults.
            for parameter in ["reuse_subtree 0", "reuse_tree 0"] {
                let _ = client.send(&format!("param {parameter}"), REPLY);
            }
        }
        let name = client.send("name", REPLY)?;
        let version = client.send("version", REPLY)?;
        Ok(Self {
            client,
            name: format!("{name} {version}"),
            passes: true,
            seed,
        })
    }

    /// Returns the name and the version of the program.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Searches a position with a legal placement. Returns the root moves that were visited: the
    /// program's choice first, the others by visit count. In a lost position the program may choose
    /// a placement without visits; then the most visited one comes first.
    ///
    /// # Errors
    /// The program fails, or its replies are malformed.
    pub fn search(&mut self, board: &DuoBoard) -> Result<Vec<ReferenceMove>> {
        let rows = key(board).into_iter().flatten().map(u64::from);
        let seed = derive(self.seed, &rows.collect::<Vec<_>>()) >> 33;
        self.client.send("clear_board", REPLY)?;
        self.client.send(&format!("{SEED} {seed}"), REPLY)?;
        let notation = Notation::for_board(board);
        for (ply, &mv) in board.moves().iter().enumerate() {
            self.play(notation, Colour((ply % 2) as u8), mv)?;
        }
        let command = format!("{CHOOSE} {}", write_colour(board.to_move(), 2));
        let reply = self.client.send(&command, SEARCH)?;
        let choice = notation.read(&reply);
        let choice = choice.with_context(|| format!("{CHOOSE} returned '{reply}'"))?;
        let list = self.client.send(VALUES, REPLY)?;
        let mut moves = Vec::new();
        for line in list.lines().filter(|line| !line.trim().is_empty()) {
            let root_move = read_line(notation, line)
                .with_context(|| format!("{VALUES} returned the line '{line}'"))?;
            moves.extend(root_move.filter(|root_move| root_move.visits > 0));
        }
        moves.sort_by_key(|found| {
            let first = Move::Place(found.placement) != choice;
            (first, std::cmp::Reverse(found.visits))
        });
        ensure!(!moves.is_empty(), "{VALUES} lists no placement with visits");
        Ok(moves)
    }

    /// Returns the value of a placement for the side that plays it by a search of the position
    /// after it: 1 minus the value of the opponent's choice. Returns `None` if the opponent has no
    /// legal placement.
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn value_after(&mut self, board: &DuoBoard, placement: Placement) -> Result<Option<f64>> {
        let mut after = board.clone();
        after
            .play(Move::Place(placement))
            .context("the placement is illegal")?;
        if !after.has_legal() {
            return Ok(None);
        }
        Ok(Some(1.0 - self.search(&after)?[0].value))
    }

    fn play(&mut self, notation: Notation, player: Colour, mv: Move) -> Result<(), ClientError> {
        if mv == Move::Pass && !self.passes {
            return Ok(());
        }
        let colour = write_colour(player, 2);
        let command = format!("play {colour} {}", notation.write(mv));
        match self.client.send(&command, REPLY) {
            // Pentobi does not accept passes: each command names its colour.
            Err(ClientError::Refused { .. }) if mv == Move::Pass => self.passes = false,
            reply => drop(reply?),
        }
        Ok(())
    }
}

/// Parses a line of `move_values`: visit count, value count, value, tile in brackets and cells.
/// Returns `None` for a pass.
fn read_line(notation: Notation, line: &str) -> Result<Option<ReferenceMove>> {
    let (numbers, cells) = line.split_once(']').context("] is missing")?;
    let mut words = numbers.split_whitespace();
    let visits: f64 = words.next().context("no visit count")?.parse()?;
    let value: f64 = words.nth(1).context("no value")?.parse()?;
    let Move::Place(placement) = notation.read(cells.trim())? else {
        return Ok(None);
    };
    Ok(Some(ReferenceMove {
        placement,
        visits: visits as u32,
        value,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_visits_value_and_placement() {
        let line = "1234 1300.5 0.4875 [V5]e8,e9,e10,f10,g10";
        let found = read_line(Notation::DUO, line).expect("a line");
        let found = found.expect("a placement");
        assert_eq!((found.visits, found.value), (1234, 0.4875));
        assert_eq!(
            Notation::DUO.write(found.placement.into()),
            "e8,e9,e10,f10,g10"
        );
        for line in ["", "1234 1300.5 [V5]e8", "x 1 0.5 [1]e8", "1 1 0.5 [1]e99"] {
            assert!(read_line(Notation::DUO, line).is_err(), "{line}");
        }
    }
}
