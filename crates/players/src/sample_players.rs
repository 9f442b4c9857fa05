//! The two deterministic sample players of the contest's host, written from their description. A
//! device was admitted to the contest if it won all four games against the first of them.

use std::fmt;
use std::str::FromStr;

use duoforge_rules::{Cell, Code, DuoBoard, Move, Rotation, Tile};

use crate::{MoveError, Mover};

/// Sample player of the contest's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// `-a 1` of the contest's host: the first legal code by row, then column, then tile from `a`
    /// to `u`, then rotation.
    One,
    /// `-a 2`: the first legal code by tile from `u` to `a`, then cell from the centre of the board
    /// outwards, then rotation. The description does not order cells at equal distance; here the
    /// upper, then the left one comes first.
    Two,
}

impl Sample {
    /// Cells and tiles in the order of the attempts.
    fn codes(self) -> Vec<(u8, u8, Tile)> {
        let tiles = || (0..21).filter_map(Tile::from_index);
        let mut cells: Vec<Cell> = (0..14)
            .flat_map(|y| (0..14).map(move |x| Cell::new(x, y)))
            .collect();
        match self {
            Self::One => {
                let codes = cells
                    .iter()
                    .flat_map(|cell| tiles().map(|tile| (cell.x, cell.y, tile)));
                codes.collect()
            }
            Self::Two => {
                // The centre is the corner shared by four cells: squared distances in half cells.
                let away = |value: u8| (2 * i32::from(value) - 13).pow(2);
                cells.sort_by_key(|cell| (away(cell.x) + away(cell.y), cell.y, cell.x));
                let mut codes = Vec::new();
                for index in (0..21).rev() {
                    let tile = Tile::from_index(index).expect("there are 21 tiles");
                    codes.extend(cells.iter().map(|cell| (cell.x, cell.y, tile)));
                }
                codes
            }
        }
    }
}

impl Mover for Sample {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let left = board.tiles_left(board.to_move());
        for (x, y, tile) in self.codes() {
            if !left.contains(tile) {
                continue;
            }
            for rotation in (0..8).filter_map(Rotation::from_index) {
                let placement = Code {
                    x,
                    y,
                    tile,
                    rotation,
                }
                .placement();
                let mv = placement.map(Move::Place);
                if let Some(mv) = mv
                    && board.check(mv).is_ok()
                {
                    return Ok(mv);
                }
            }
        }
        Ok(Move::Pass)
    }
}

impl FromStr for Sample {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "1" => Ok(Self::One),
            "2" => Ok(Self::Two),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "1",
            Self::Two => "2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(mut players: [Sample; 2], plies: usize) -> Vec<String> {
        let mut board = DuoBoard::duo();
        while board.ply() < plies && !board.is_over() {
            let mv = players[board.ply() % 2].choose(&board).unwrap();
            board.play(mv).unwrap();
        }
        board.moves().iter().map(ToString::to_string).collect()
    }

    /// The example in the contest's description is the first sample player against itself.
    #[test]
    fn the_first_one_plays_the_example_of_the_description() {
        let example = ["53e0", "a8e0", "21k7", "94j0", "61a0", "71b3"];
        // The last code is an alias; this project prints the canonical code.
        let plain = example.map(|code| code.parse::<Move>().unwrap().to_string());
        assert_eq!(codes([Sample::One; 2], 6), plain);
    }

    /// The first tile is `u`, as near to the centre as the start cell allows, in its first
    /// rotation. Later tiles come in descending order, without skipping one that fits.
    #[test]
    fn the_second_one_begins_with_u_near_the_centre() {
        let codes = codes([Sample::Two; 2], 4);
        assert_eq!(codes[0], "65u0");
        assert_eq!(codes[1], "a9u0");
        assert!(
            codes[2..].iter().all(|code| code.contains('t')),
            "{codes:?}"
        );
    }

    /// Squared distances from the centre, in half cells: 1 + 1, then 1 + 9, 9 + 9 and 1 + 25.
    #[test]
    fn the_second_one_goes_from_the_centre_outwards() {
        let codes = Sample::Two.codes();
        let cells = |range: std::ops::Range<usize>| -> Vec<_> {
            codes[range].iter().map(|&(x, y, _)| (x, y)).collect()
        };
        assert_eq!(cells(0..4), [(6, 6), (7, 6), (6, 7), (7, 7)]);
        assert_eq!(cells(4..6), [(6, 5), (7, 5)]);
        assert_eq!(cells(12..16), [(5, 5), (8, 5), (5, 8), (8, 8)]);
        assert_eq!(cells(16..18), [(6, 4), (7, 4)]);
    }

    #[test]
    fn they_pass_only_where_nothing_is_legal() {
        for players in [[Sample::One, Sample::Two], [Sample::Two, Sample::One]] {
            let mut board = DuoBoard::duo();
            let mut players = players;
            while !board.is_over() {
                let mv = players[board.ply() % 2].choose(&board).unwrap();
                assert_eq!(mv == Move::Pass, !board.has_legal());
                board.play(mv).unwrap();
            }
            assert!(board.ply() > 20);
        }
    }
}
