//! Rules of three published games, sentence by sentence: each table quotes a sentence and names
//! its check.
//!
//! | module | source |
//! |---|---|
//! | `service` | source document 000: a service for bots, 20x20 cells, two to four players |
//! | `readme` | source document 003: a web implementation with three scorings |
//! | `corner` | source document 004: a visualiser of Duo with starts in the corners |
//! | `verdicts` | actions and positions of all three, with verdicts and scores by hand |

#[path = "../common/mod.rs"]
mod common;
mod corner;
mod readme;
mod service;
mod verdicts;

use std::collections::BTreeSet;

use duoforge_rules::{
    Cell, Game, GameVariant, IllegalMove, Move, Orientation, Placement, ScoringRule,
};

use common::{Pair, Random, random_move};

/// Sentence, and the check that it holds.
type Row = (&'static str, fn());

/// Checks all sentences; the output names the one that fails.
fn check(table: &[Row]) {
    let distinct: BTreeSet<&str> = table.iter().map(|(sentence, _)| *sentence).collect();
    assert_eq!(distinct.len(), table.len(), "a sentence occurs twice");
    for (sentence, holds) in table {
        println!("{sentence}");
        holds();
    }
}

/// Returns the move that covers the cells of a word such as `11+12`; `pass` is a pass.
fn mv(word: &str) -> Move {
    if word == "pass" {
        return Move::Pass;
    }
    let number = |byte: u8| match byte {
        b'1'..=b'9' => byte - b'0',
        _ => byte - b'a' + 10,
    };
    let named = word.split('+').map(|name| {
        let [x, y] = name.as_bytes() else {
            panic!("{name} is not a cell")
        };
        cell(number(*x), number(*y))
    });
    let mut cells: Vec<Cell> = named.collect();
    cells.sort_unstable();
    let x = cells.iter().map(|cell| cell.x).min().unwrap();
    let placements = Orientation::all().map(|it| Placement::new(it, x, cells[0].y));
    let mut matching = placements.filter(|it| it.cells().eq(cells.iter().copied()));
    let placement = matching
        .next()
        .unwrap_or_else(|| panic!("{word} is not a tile"));
    placement.into()
}

/// Returns both checkers' games after moves, each a word as for [`mv`].
fn after(variant: &GameVariant, moves: &str) -> Pair {
    let mut pair = Pair::new(variant);
    moves
        .split_whitespace()
        .for_each(|word| pair.play(mv(word)));
    pair
}

/// Returns the reason why both checkers reject a move.
fn reason(pair: &Pair, word: &str) -> Option<IllegalMove> {
    pair.reason(&mv(word).to_string())
}

/// Returns a cell from its column and row, counted from 1.
fn cell(x: u8, y: u8) -> Cell {
    Cell::new(x - 1, y - 1)
}

/// Plays random moves to the end of the game, with both checkers.
fn finished(variant: &GameVariant, seed: u64) -> Pair {
    let mut pair = Pair::new(variant);
    let mut random = Random(seed);
    while !pair.fast.is_over() {
        pair.play(random_move(&pair.fast, &mut random, usize::MAX));
        pair.compare_state();
    }
    pair
}

/// Returns a game of Duo and its last move, with which colour 0 places its last tile.
fn before_the_last_tile(last_is_monomino: bool, scoring: ScoringRule) -> (Game, Move) {
    let games = include_str!("../../../../tests/data/bonus_games.txt");
    let score = if last_is_monomino { "20 " } else { "15 " };
    let line = games.lines().find(|line| line.starts_with(score));
    let line = line.expect("a game with this bonus of colour 0");
    let mut codes: Vec<Move> = line
        .split(' ')
        .skip(2)
        .map(|code| code.parse().unwrap())
        .collect();
    let mv = codes.pop().expect("a move");
    let mut game = Game::new(&GameVariant::DUO.with_scoring(scoring));
    for mv in codes {
        game.play(mv).unwrap();
    }
    (game, mv)
}
