//! Content of the arrays: boards, planes, tiles, masks, returns.

use duoforge_rules::{CellSet, Colour, Game, Seat};

/// Number of planes besides those of the colours: corner points and allowed cells.
const OWN_PLANES: usize = 2;

/// Returns the number of planes of a game with this number of colours.
pub(crate) fn plane_count(colours: usize) -> usize {
    colours + OWN_PLANES
}

/// Writes one byte for each cell, row by row: 0 if it is empty, otherwise the number of its colour,
/// from 1.
pub(crate) fn write_board(game: &Game, out: &mut [u8]) {
    out.fill(0);
    for colour in game.colours() {
        set(game.cells(colour), colour.0 + 1, out);
    }
}

/// Writes the planes of a colour, one byte of 0 or 1 for each cell: the cells of each colour from
/// this one on in the order of turns, then the corner points and the allowed cells of this one.
pub(crate) fn write_planes(game: &Game, colour: Colour, out: &mut [u8]) {
    out.fill(0);
    let colours = game.variant().colour_count();
    let area = usize::from(game.size()).pow(2);
    let mut planes = out.chunks_exact_mut(area);
    let mut next = |cells| {
        if let Some(plane) = planes.next() {
            set(cells, 1, plane);
        }
    };
    for step in 0..colours {
        let other = (colour.index() + step) % colours;
        next(game.cells(Colour(other as u8)));
    }
    next(game.corner_points(colour));
    next(game.allowed(colour));
}

/// Writes for each colour and each of the 21 tiles whether the colour still has the tile.
pub(crate) fn write_tiles(game: &Game, out: &mut [bool]) {
    out.fill(false);
    let tiles = out.len() / game.variant().colour_count();
    for (colour, left) in game.colours().zip(out.chunks_exact_mut(tiles)) {
        for tile in game.tiles_left(colour).iter() {
            left[tile.index()] = true;
        }
    }
}

/// Returns the colour whose planes are shown: the colour to move, or colour 0 after the end.
pub(crate) fn shown_colour(game: &Game) -> Colour {
    game.to_move().unwrap_or(Colour(0))
}

/// Returns the scores of all seats, as if the game ended now.
pub(crate) fn scores(game: &Game) -> impl Iterator<Item = i32> {
    game.seats().map(|seat| game.seat_score(seat))
}

/// Returns the return of each seat, as if the game ended now: the share of the other seats with a
/// worse place minus the share with a better one, from -1 to 1. The returns add up to 0.
pub(crate) fn returns(game: &Game) -> Vec<f64> {
    let result = game.result();
    let place = |seat: Seat| result.seats()[seat.index()].place;
    let others = game.variant().seat_count().saturating_sub(1).max(1) as f64;
    let of_seat = |seat| {
        let worse = game.seats().filter(|&other| place(other) > place(seat));
        let better = game.seats().filter(|&other| place(other) < place(seat));
        (worse.count() as f64 - better.count() as f64) / others
    };
    game.seats().map(of_seat).collect()
}

/// Sets the bytes of some cells.
fn set(cells: CellSet, value: u8, out: &mut [u8]) {
    let size = usize::from(cells.size());
    for (bits, row) in cells.rows().iter().zip(out.chunks_exact_mut(size)) {
        let mut bits = *bits;
        while bits != 0 {
            row[bits.trailing_zeros() as usize] = value;
            bits &= bits - 1;
        }
    }
}
