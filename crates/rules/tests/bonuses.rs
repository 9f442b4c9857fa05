//! Complete games with bonuses, checked by an independent referee: a literal reading of the rules
//! on a grid of characters, with the shapes of `tests/data/tile_codes.csv`. It shares no code with
//! the crate.

use std::collections::BTreeMap;

use duoforge_rules::naive::NaiveBoard;
use duoforge_rules::{Colour, DuoBoard, Move, Variant};

const GAMES: &str = include_str!("../../../tests/data/bonus_games.txt");
const CODES: &str = include_str!("../../../tests/data/tile_codes.csv");
const SIZE: i32 = 14;

/// Independent referee of this test.
struct Sheet {
    /// Cells by `tile` and `rotation`, relative to the centre.
    shapes: BTreeMap<(u8, u8), Vec<(i32, i32)>>,
    /// Covered cells: value 1 or 2 for the player.
    grid: BTreeMap<(i32, i32), u8>,
    /// Tiles of each player, in the order in which they were placed.
    placed: [Vec<u8>; 2],
    passes: u32,
    plies: usize,
}

impl Sheet {
    fn new() -> Self {
        let shape = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            let cells = fields[2].split(' ').map(|cell| {
                let (x, y) = cell.split_once(':').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            });
            let key = (fields[0].as_bytes()[0], fields[1].as_bytes()[0]);
            (key, cells.collect())
        };
        Self {
            shapes: CODES.lines().skip(1).map(shape).collect(),
            grid: BTreeMap::new(),
            placed: [vec![], vec![]],
            passes: 0,
            plies: 0,
        }
    }

    fn over(&self) -> bool {
        self.passes == 2 || self.placed.iter().any(|tiles| tiles.len() == 21)
    }

    /// Plays a move; panics if it is illegal.
    fn write(&mut self, code: &str) {
        assert!(!self.over(), "{code} after the end");
        let player = self.plies % 2;
        self.plies += 1;
        if code == "0000" {
            assert!(!self.placed[player].is_empty(), "a pass on the first turn");
            self.passes += 1;
            return;
        }
        self.passes = 0;
        let letters = code.as_bytes();
        let number = |letter: u8| (letter as char).to_digit(16).unwrap() as i32 - 1;
        let (x, y) = (number(letters[0]), number(letters[1]));
        let shape = &self.shapes[&(letters[2], letters[3])];
        let cells: Vec<_> = shape.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        let own = |x: i32, y: i32| self.grid.get(&(x, y)) == Some(&(player as u8 + 1));
        let mut corner = false;
        for &(x, y) in &cells {
            assert!(
                (0..SIZE).contains(&x) && (0..SIZE).contains(&y),
                "{code} off the board"
            );
            assert!(!self.grid.contains_key(&(x, y)), "{code} on a taken cell");
            let edges = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            assert!(edges.iter().all(|&(x, y)| !own(x, y)), "{code} at an edge");
            corner |=
                own(x - 1, y - 1) || own(x + 1, y - 1) || own(x - 1, y + 1) || own(x + 1, y + 1);
        }
        let start = [(4, 4), (9, 9)][player];
        let first = self.placed[player].is_empty();
        assert!(
            if first {
                cells.contains(&start)
            } else {
                corner
            },
            "{code} without a corner"
        );
        assert!(!self.placed[player].contains(&letters[2]), "{code} again");
        self.placed[player].push(letters[2]);
        self.grid
            .extend(cells.into_iter().map(|cell| (cell, player as u8 + 1)));
    }

    /// Scores: -1 for each cell that is not placed; 15 for all tiles, 20 if `a` was placed last.
    fn scores(&self) -> [i32; 2] {
        [1, 2].map(|mark| {
            let tiles = &self.placed[usize::from(mark) - 1];
            let cells = self.grid.values().filter(|&&own| own == mark).count() as i32;
            let bonus = match (tiles.len(), tiles.last()) {
                (21, Some(b'a')) => 20,
                (21, _) => 15,
                _ => 0,
            };
            cells - 89 + bonus
        })
    }
}

/// Plays a game with all three rule checkers and compares end and scores after every move.
fn judged(codes: &[&str]) -> [i32; 2] {
    let mut sheet = Sheet::new();
    let (mut board, mut slow) = (DuoBoard::duo(), NaiveBoard::new(&Variant::DUO));
    for code in codes {
        sheet.write(code);
        board
            .play(code.parse().unwrap())
            .unwrap_or_else(|e| panic!("{code}: {e}"));
        slow.play(code.as_bytes().try_into().unwrap()).unwrap();
        let scores = sheet.scores();
        assert_eq!(
            [0, 1].map(|player| board.score(Colour(player))),
            scores,
            "{code}"
        );
        assert_eq!(
            [0, 1].map(|player| slow.score(Colour(player))),
            scores,
            "{code}"
        );
        assert_eq!(
            (board.is_over(), slow.is_over()),
            (sheet.over(), sheet.over()),
            "{code}"
        );
    }
    sheet.scores()
}

#[test]
fn games_with_bonuses_end_and_score_as_the_rules_say() {
    let mut seen = BTreeMap::new();
    for line in GAMES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let scores = [words[0], words[1]].map(|score| score.parse::<i32>().unwrap());
        assert_eq!(judged(&words[2..]), scores, "{line}");
        let winner = usize::from(scores[1] > 0);
        *seen.entry((winner, scores[winner])).or_insert(0) += 1;
    }
    // Four games for each player, with `a` last and with another tile last.
    let expected = [(0, 15), (0, 20), (1, 15), (1, 20)];
    assert_eq!(seen, expected.map(|kind| (kind, 4)).into());
}

#[test]
fn a_game_with_a_bonus_is_over_with_the_last_tile_and_not_before() {
    for line in GAMES.lines() {
        let codes: Vec<&str> = line.split(' ').skip(2).collect();
        let mut board = DuoBoard::duo();
        for (ply, code) in codes.iter().enumerate() {
            assert!(!board.is_over(), "ply {ply} of {line}");
            board.play(code.parse().unwrap()).unwrap();
        }
        let player = Colour(1 - board.to_move().0);
        assert!(board.is_over() && board.tiles_left(player).is_empty());
        assert_eq!(board.cells_placed(player), 89);
        // One move earlier the bonus is absent, whichever tile was last.
        assert!(board.score(player) > 0);
        let last = board.undo().and_then(Move::placement).unwrap();
        assert_eq!(board.score(player), -i32::from(last.tile().size()));
    }
}

#[test]
fn a_last_monomino_earns_nothing_while_tiles_are_left() {
    assert_eq!(judged(&["55a0", "aaa0", "0000", "0000"]), [-88, -88]);
    assert_eq!(
        judged(&["53e0", "aaa0", "66a0", "0000", "0000"]),
        [-84, -88]
    );
}
