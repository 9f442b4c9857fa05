//! Training games, as a file of JSON lines.
//!
//! Each game starts with some random opening plies, for variety; these are not used for training.
//! Two players then continue, each seeded by the number of the game. A line names the players, so
//! files of several matches may be concatenated. Headers of files of results are skipped.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use duoforge_players::{Mover, PlayerSpec};
use duoforge_rules::{Colour, DuoBoard, Move};
use duoforge_twin::{Policy, Rng};
use serde::{Deserialize, Serialize};

use crate::game::{codes, play};
use crate::openings::walk;
use crate::seed::derive;

/// Training game, as stored in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Number of opening plies, which no player chose.
    pub drawn: usize,
    /// Codes of all plies, separated by blanks.
    pub moves: String,
    /// Final scores, first player first.
    pub score: [i32; 2],
    /// Both players, first player first.
    pub players: [String; 2],
}

/// Plan of a set of training games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Two players, alternating as first player.
    pub players: [PlayerSpec; 2],
    /// Number of games.
    pub games: usize,
    /// Maximum number of random opening plies; the games cycle through 0 to this number.
    pub drawn: usize,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Plan {
    /// Plays the games with these numbers, from 0, one by one, until all are played or `stop`
    /// returns true. A game does not depend on the others.
    ///
    /// # Errors
    /// A player that cannot be opened or fails; an error of `take`.
    pub fn play(
        &self,
        games: impl IntoIterator<Item = usize>,
        take: impl FnMut(usize, Example) -> Result<()>,
        stop: impl Fn() -> bool,
    ) -> Result<()> {
        self.play_with(self.open()?, games, take, stop)
    }

    /// Opens both players.
    ///
    /// # Errors
    /// The first player that cannot be opened.
    pub fn open(&self) -> Result<[Box<dyn Mover>; 2]> {
        let open = |side: usize| {
            let mover = self.players[side].mover();
            mover.with_context(|| format!("{} cannot be opened", ['A', 'B'][side]))
        };
        Ok([open(0)?, open(1)?])
    }

    /// Plays like [`play`](Self::play), with players that are open.
    ///
    /// # Errors
    /// A player that fails; an error of `take`.
    pub fn play_with(
        &self,
        mut movers: [Box<dyn Mover>; 2],
        games: impl IntoIterator<Item = usize>,
        mut take: impl FnMut(usize, Example) -> Result<()>,
        stop: impl Fn() -> bool,
    ) -> Result<()> {
        for game in games {
            // Opening length and first player both alternate, with different periods.
            let drawn = game / 2 % (self.drawn + 1);
            let swapped = game % 2;
            let [a, b] = &mut movers;
            let mut turns: [&mut dyn Mover; 2] = if swapped == 0 { [a, b] } else { [b, a] };
            for (place, player) in turns.iter_mut().enumerate() {
                player.begin();
                player.seed(derive(self.seed, &[game as u64, place as u64]));
            }
            let opening = self.opening(game, drawn);
            let played = play(&opening, turns, &stop).map_err(|(Colour(place), fault)| {
                let side = ['A', 'B'][usize::from(place) ^ swapped];
                anyhow::Error::from(fault).context(format!("{side} failed in game {}", game + 1))
            })?;
            let Some(played) = played else {
                return Ok(());
            };
            let example = Example {
                drawn: opening.len(),
                moves: codes(&played.moves),
                score: played.score,
                players: [0, 1].map(|side| self.players[side ^ swapped].to_string()),
            };
            take(game, example)?;
        }
        Ok(())
    }

    fn opening(&self, game: usize, plies: usize) -> Vec<Move> {
        // The part 2 occurs in no player's seed.
        let mut rng = Rng::new(derive(self.seed, &[game as u64, 2]));
        let board = walk(&Policy::default(), DuoBoard::duo(), plies, &mut rng);
        board.moves().to_vec()
    }
}

impl Example {
    /// Parses the moves and checks that they are legal.
    ///
    /// # Errors
    /// The first word that is not a legal move.
    pub fn moves(&self) -> Result<Vec<Move>> {
        let mut board = DuoBoard::duo();
        for code in self.moves.split_whitespace() {
            let mv: Move = code
                .parse()
                .with_context(|| format!("{code} is not a move"))?;
            let played = board.play(mv);
            played.with_context(|| format!("{code} is illegal at ply {}", board.ply()))?;
        }
        ensure!(
            self.drawn <= board.ply(),
            "{} plies of {} cannot have been drawn",
            self.drawn,
            board.ply()
        );
        Ok(board.moves().to_vec())
    }
}

/// Iterates over the positions of a legal game with the moves that the players chose there; the
/// first `drawn` plies are skipped.
pub fn choices(drawn: usize, moves: &[Move]) -> impl Iterator<Item = (DuoBoard, Move)> {
    let mut board = DuoBoard::duo();
    let all = moves.iter().map(move |&mv| {
        let before = board.clone();
        board.play(mv).expect("games that were read are legal");
        (before, mv)
    });
    all.skip(drawn)
}

/// Iterates over the [`choices`] of all games in turn.
pub fn all_choices(games: &[(usize, Vec<Move>)]) -> impl Iterator<Item = (DuoBoard, Move)> {
    games
        .iter()
        .flat_map(|(drawn, moves)| choices(*drawn, moves))
}

/// Reads a file of training games.
///
/// # Errors
/// The first invalid line, by its number.
pub fn read(file: impl BufRead) -> Result<Vec<(Example, Vec<Move>)>> {
    let read = |line: std::io::Result<String>| {
        let example: Example = serde_json::from_str(&line?)?;
        let moves = example.moves()?;
        Ok((example, moves))
    };
    // Headers of files of results are not games.
    let is_game = |line: &std::io::Result<String>| {
        line.as_ref()
            .map_or(true, |line| !duoforge_shards::is_header(line))
    };
    file.lines()
        .enumerate()
        .filter(|(_, line)| is_game(line))
        .map(|(number, line)| {
            read(line).map_err(|error: anyhow::Error| error.context(format!("line {}", number + 1)))
        })
        .collect()
}

/// Reads the games of a file: number of opening plies and moves of each.
///
/// # Errors
/// The file cannot be read, or has an invalid line.
pub fn read_file(path: &Path) -> Result<Vec<(usize, Vec<Move>)>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
    let games = read(BufReader::new(file)).with_context(|| name.to_string())?;
    let games = games.into_iter();
    Ok(games
        .map(|(example, moves)| (example.drawn, moves))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seed: u64) -> Plan {
        Plan {
            players: ["random", "pattern"].map(|text| text.parse().expect("a player")),
            games: 6,
            drawn: 2,
            seed,
        }
    }

    fn games(plan: &Plan) -> Vec<Example> {
        let mut games = Vec::new();
        let done = plan.play(
            0..plan.games,
            |_, game| {
                games.push(game);
                Ok(())
            },
            || false,
        );
        done.expect("games");
        games
    }

    #[test]
    fn games_are_repeatable_and_begin_with_every_number_of_drawn_plies() {
        let played = games(&plan(1));
        assert_eq!(played, games(&plan(1)));
        assert_ne!(played, games(&plan(2)));
        let drawn: Vec<_> = played.iter().map(|game| game.drawn).collect();
        assert_eq!(drawn, [0, 0, 1, 1, 2, 2]);
        assert_eq!(played[0].players, ["random", "pattern"]);
        assert_eq!(played[1].players, ["pattern", "random"]);
    }

    #[test]
    fn files_are_read_as_they_were_written_and_judged() {
        let played = games(&plan(3));
        let lines: Vec<_> = played
            .iter()
            .map(|game| serde_json::to_string(game).expect("JSON"))
            .collect();
        let again = read(lines.join("\n").as_bytes()).expect("games");
        assert!(again.iter().map(|(game, _)| game).eq(&played));
        assert_eq!(again[0].1.len(), played[0].moves.split(' ').count());
        for (old, new, expected) in [
            ("\"drawn\":0", "\"drawn\":90", "cannot have been drawn"),
            (
                "\"moves\":\"",
                "\"moves\":\"53e0 53e0 ",
                "53e0 is illegal at ply 1",
            ),
        ] {
            let text = lines[0].replace(old, new);
            let error = format!("{:#}", read(text.as_bytes()).expect_err("no game"));
            assert!(
                error.contains(expected) && error.contains("line 1"),
                "{error}"
            );
        }
    }
}
