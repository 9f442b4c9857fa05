//! Result of a whole game: scores with both bonuses, the winner and the summary.
#![cfg(unix)]

mod common;

use std::sync::{Arc, Mutex};

use common::given::{Given, at, timed};
use duoforge_players::{MoveError, Mover, Resigned, software};
use duoforge_protocol::StartCell;
use duoforge_referee::{
    Ending, Game, GameSummary, Outcome, Player, Referee, RefereeOptions, Seat, Setup, Tally,
};
use duoforge_rules::{DuoBoard, Move, Tile};
use duoforge_twin::{Policy, PolicyMaps};

/// Places all its tiles against an opponent that passes: large ones first, the monomino last or, if
/// set, second.
#[derive(Clone)]
struct Placer {
    monomino_second: bool,
}

impl Mover for Placer {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let me = board.to_move();
        let maps = PolicyMaps::new(board, me);
        let second = self.monomino_second && board.ply() / 2 == 1;
        let policy = Policy::default();
        let best = board
            .legal()
            .filter(|placement| (placement.tile() == Tile::MONOMINO) == second || !second)
            .max_by_key(|placement| {
                let tile = placement.tile();
                let early = second && tile == Tile::MONOMINO;
                let last = tile == Tile::MONOMINO && !early;
                (!last, tile.size(), policy.score(&maps, *placement))
            });
        Ok(best.map_or(Move::Pass, Move::Place))
    }
}

/// Places the monomino on its start cell, and passes from then on.
struct Passer;

impl Mover for Passer {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let first = board.ply() < 2;
        let tile = board
            .legal()
            .find(|it| first && it.tile() == Tile::MONOMINO);
        Ok(tile.map_or(Move::Pass, Move::Place))
    }
}

fn play(players: [Player; 2], setup: Setup) -> Game {
    let mut referee = Referee::new(players, RefereeOptions::default());
    referee.play(setup, &mut ()).unwrap()
}

/// All 21 tiles have 89 cells. A player that places them all scores 15 points, or 20 with the
/// monomino last. The opponent loses a point for each of its remaining 88 cells. The game ends with
/// the last tile.
#[test]
fn bonuses_go_to_who_places_everything() {
    for seat in Seat::BOTH {
        for first in Seat::BOTH {
            for (monomino_second, bonus) in [(false, 20), (true, 15)] {
                let placer = software::choosing(Placer { monomino_second }, "placer", *b"PL");
                let mut players = [placer, software::choosing(Passer, "passer", *b"PA")];
                if seat == Seat::Two {
                    players.reverse();
                }
                let start = StartCell::Five;
                let game = play(players, Setup { first, start });
                assert_eq!(game.ending, Ending::AllPlaced { seat }, "{}", game.codes());
                assert_eq!((game.score[seat], game.score[seat.other()]), (bonus, -88));
                assert_eq!(
                    (game.cells_placed[seat], game.cells_placed[seat.other()]),
                    (89, 1)
                );
                assert_eq!(game.outcome, Outcome::Win(seat));
                let last = game.plies.last().unwrap();
                assert_eq!(
                    (last.seat, game.plies.len()),
                    (seat, 41 + usize::from(first != seat))
                );
            }
        }
    }
}

/// Resigns after this number of its moves.
struct Quitter(usize);

impl Mover for Quitter {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        if board.ply() / 2 == self.0 {
            return Err(Resigned.into());
        }
        let first = board.legal().next();
        Ok(first.map_or(Move::Pass, Move::Place))
    }
}

/// A player that resigns loses, regardless of the scores.
#[test]
fn who_resigns_loses_at_either_seat() {
    for seat in Seat::BOTH {
        for after in [0, 3] {
            let mut players = [software::person(Quitter(after)), software::random(3)];
            if seat == Seat::Two {
                players.reverse();
            }
            let game = play(players, Setup::default());
            assert_eq!(game.ending, Ending::Resigned { seat });
            assert_eq!(game.outcome, Outcome::Win(seat.other()));
            assert_eq!(game.plies.len(), 2 * after + seat as usize);
        }
    }
}

/// Records the bytes that the players receive.
#[test]
fn both_boards_hear_the_end_and_nothing_behind_it() {
    let line = |team: &'static str, code: &str| {
        let turns = vec![
            vec![],
            vec![at(0, format!("1{team}"))],
            vec![at(0, code)],
            vec![at(0, "0000")],
        ];
        Given::new(team, turns)
    };
    let ((one, first), (two, second)) = (line("AA", "53e0"), line("BB", "a8e0"));
    let game = play([Player::inside(one), Player::inside(two)], Setup::default());
    assert_eq!(game.ending, Ending::BothPassed);
    let sent = |sends: &Arc<Mutex<Vec<String>>>| sends.lock().unwrap().join(" ");
    assert_eq!(sent(&first), "0 25 4a8e0 9");
    assert_eq!(sent(&second), "0 3A53e0 40000 9");
}

/// The second game ends with the illegal second move of player 1.
#[test]
fn a_tally_adds_up_its_games() {
    let game = |second: &'static str| {
        let players = [
            timed("AA", &[(40, "53e0"), (7_000, second)]),
            timed("BB", &[(90, "a8e0")]),
        ];
        play(players, Setup::default())
    };
    let games = [game("21k7"), game("53e0")];
    let [one, two] = [&games[0], &games[1]].map(|game| game.score.0);
    assert_eq!(two, [-85, -85]);
    let tally: Tally = games.iter().collect();
    let right = Tally {
        games: 2,
        wins: [1, 1],
        violations: [1, 0],
        cells_placed: [9 + 4, 4 + 4],
        score: [one[0] + two[0], one[1] + two[1]],
        slowest_us: [7_000, 90],
        ..Tally::default()
    };
    assert_eq!(tally, right);
}

#[test]
fn a_summary_holds_the_game() {
    let moves = [(1_500, "a8e0"), (250_000, "94j0")];
    let others = [(7, "53e0")];
    let players = [timed("AA", &others), timed("BB", &moves)];
    let setup = Setup {
        first: Seat::Two,
        start: StartCell::Five,
    };
    let game = play(players, setup);
    let mut json = serde_json::to_value(GameSummary::from(&game)).unwrap();
    for ply in json["plies"].as_array_mut().unwrap() {
        // Wall clock times, which vary between runs.
        assert!(ply["us"].is_u64() && ply["host_us"].is_u64());
        ply["us"] = 0.into();
        ply["host_us"] = 0.into();
    }
    let ply = |player, code, legal, sim_us| {
        serde_json::json!({
            "player": player, "code": code, "legal": legal, "us": 0, "sim_us": sim_us, "host_us": 0
        })
    };
    let legal: Vec<u32> = game.plies.iter().map(|ply| ply.legal).collect();
    assert_eq!(&legal[..2], [414, 414]);
    let right = serde_json::json!({
        "names": ["AA", "BB"],
        "teams": ["AA", "BB"],
        "first": 2,
        "starts": ["5", "A"],
        "plies": [
            ply(2, "a8e0", 414, 1_500),
            ply(1, "53e0", 414, 7),
            ply(2, "94j0", legal[2], 250_000),
            ply(1, "0000", legal[3], 0),
            ply(2, "0000", legal[4], 0),
        ],
        "cells_placed": [4, 9],
        "score": [-85, -80],
        "ending": "both-passed",
        "detail": "both players passed",
        "winner": 2,
        "strays": [],
    });
    assert_eq!(json, right);
    assert_eq!(game.codes(), "a8e0 53e0 94j0 0000 0000");
    assert_eq!(
        game.slowest(Seat::Two).unwrap().judged().as_micros(),
        250_000
    );
}
