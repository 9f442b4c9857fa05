//! Positions, actions, verdicts and scores written by hand from the sentences of the documents.

use duoforge_rules::{GameVariant, ScoringRule};

use crate::common::Pair;
use crate::{after, mv};

/// Sentence with the number of its document, variant, moves before, action and verdict. Cells are
/// column and row, 1 to k; a tile is its cells, joined by `+`.
const VERDICTS: &str = "
    004 any remaining piece              | duo-corner | 11 1e 22+23       | 2d+2c    | legal
    004 any remaining piece              | duo-corner | 11 1e 22+23 2d+2c | 34+35+36 | legal
    004 a piece that was placed is gone  | duo-corner | 11 1e 22+23 2d+2c | 34+35    | used b
    004 touches a corner of an own piece | duo-corner | 11 1e             | 22+23    | legal
    004 touches a corner of an own piece | duo-corner | 11 1e             | 55+56    | free e1
    004 touches no side of an own piece  | duo-corner | 11 1e             | 21+22    | edge 21
    004 may touch other sides | duo-corner | 11+12+13+14+15 1a+1b+1c+1d+1e 26+27+28 | 29+39 | legal
    004 player 1 starts: upper left      | duo-corner |                   | 11       | legal
    004 player 1 starts: upper right     | duo-corner |                   | d1+e1    | legal
    004 player 1 does not start below    | duo-corner |                   | 1e       | starts 11, e1
    004 player 2 starts: lower left      | duo-corner | 11                | 1e       | legal
    004 player 2 starts: lower right     | duo-corner | 11                | ee+ed    | legal
    004 player 2 does not start above    | duo-corner | 11                | e1       | starts 1e, ee
    004 the first turn places a piece    | duo-corner |                   | pass     | first turn
    004 over after both passes           | duo-corner | 11 1e pass pass   | 22+23    | over
    004 the other corner remains         | duo-corner | 11 1e             | e1+e2+e3 | legal
    004 the opponent's corners do not    | duo-corner | 11 1e             | ee+ed    | free e1
    000 the first piece is in a corner   | classic-free |                 | k1+k2    | legal
    000 the first piece is in a corner   | classic-free | 11           | 22+23 | starts k1, kk, 1k
    000 a corner is taken once           | classic-free | 11              | 11+12    | taken 11
    000 1 touches an own corner          | classic-free | 11 k1 kk 1k     | 22+23    | legal
    000 1 touches an own corner          | classic-free | 11 k1 kk 1k     | 33+34    | no corner
    000 1 not another colour's corner    | classic-free | 11 k1 kk 1k     | j2+j3    | no corner
    000 2 touches no own side            | classic-free | 11 k1 kk 1k     | 12+13    | edge 12
    000 3 pieces do not overlap          | classic-free | 11+12 k1 kk 1k  | 12+13+14 | taken 12
    000 a set has each piece once        | classic-free | 11 k1 kk 1k     | 22       | used a
    000 rotation                         | classic-free | 11 k1 kk 1k     | 22+32+42+43 | legal
    000 reflection                       | classic-free | 11 k1 kk 1k     | 22+32+42+23 | legal
    000 goes on while a piece fits       | classic-free | 11 k1 kk 1k     | pass     | fits
    000 player 1 controls index 2 too    | classic-2  | 11 k1             | kk+kj    | legal
    003 the first block covers a corner  | classic    |                   | 11+12    | legal
    003 the first block covers a corner  | classic    |                   | 22+23    | start 11
    003 the corner is the player's own   | classic    | 11                | 1k       | start k1
    003 later blocks touch a corner      | classic    | 11 k1 kk 1k       | 22+32    | legal
    003 later blocks touch a corner      | classic    | 11 k1 kk 1k       | 33+34    | no corner
    003 later blocks share no edge       | classic    | 11 k1 kk 1k       | 21+22+31 | edge 21
    003 the positions are not used       | classic    | 11+12 k1 kk 1k    | 12       | taken 12
    003 out only without a block to play | classic    | 11 k1 kk 1k       | pass     | fits
";

/// Sentence with the number of its document, variant, scoring, moves, seat to move after them, and
/// the scores of the seats.
const STANDINGS: &str = "
    004 player 1 begins                 | duo-corner | cells |                        | 0    | 0 0
    004 turns alternate                 | duo-corner | cells | 11                     | 1    | 1 0
    004 turns alternate                 | duo-corner | cells | 11 1e                  | 0    | 1 1
    004 the score counts upwards        | duo-corner | cells | 11 1e+1d 22+23         | 1    | 3 2
    004 a pass is final                 | duo-corner | cells | 11 1e pass             | 1    | 1 1
    004 the other continues in a row    | duo-corner | cells | 11 1e pass 2d+2c       | 1    | 1 3
    004 over once both have passed      | duo-corner | cells | 11 1e pass 2d+2c pass  | over | 1 3
    000 players take turns              | classic-free | cells | 11 k1 kk             | 3 | 1 1 1 0
    000 points are the piece's size     | classic-free | cells | 11+12+13+14+15       | 1 | 5 0 0 0
    000 the score is the sum            | classic-free | cells | 11 k1 kk 1k 22+23    | 1 | 3 1 1 1
    000 player 1 has indices 0 and 2    | classic-2  | cells | 11+12 k1               | 0    | 2 1
    000 player 2 has indices 1 and 3    | classic-2  | cells | 11+12 k1 kk            | 1    | 3 1
    000 two players: sum of both sets   | classic-2  | cells | 11+12 k1 kk 1k         | 0    | 3 2
    000 the 4th set: first player 1     | classic-3  | cells | 11 k1 kk               | 0    | 1 1 1
    000 the 4th set: then player 2 | classic-3 | cells | 11 k1 kk 1k 22+23 j2+j3 jj+ji | 1 | 3 3 3
    000 four players, a set each        | classic-free | cells | 11 k1 kk 1k+1j       | 0 | 1 1 1 2
    003 basic: the unplayed squares | classic | basic | 11+12 | 1 | -87 -89 -89 -89
    003 advanced: -1 for each square | classic | advanced | 11 k1 kk 1k | 0 | -88 -88 -88 -88
    003 alternative: 1 for each square  | classic    | alternative | 11+12 k1     | 2 | 2 1 0 0
";

/// Returns the columns of each row of a table.
fn rows<const N: usize>(table: &'static str) -> Vec<[&'static str; N]> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    let columns = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    columns.map(|row| row.try_into().unwrap()).collect()
}

fn variant(name: &str) -> &'static GameVariant {
    GameVariant::named(name).unwrap_or_else(|| panic!("no variant {name}"))
}

/// Returns the text of a verdict.
fn text(verdict: &str) -> String {
    let (kind, of) = verdict.split_once(' ').unwrap_or((verdict, ""));
    match kind {
        "legal" => "legal".to_owned(),
        "over" => "the game is over".to_owned(),
        "first" => "a colour may not pass on its first turn".to_owned(),
        "fits" => "a pass is legal only if no tile can be placed".to_owned(),
        "used" => format!("tile {of} has been placed before"),
        "taken" => format!("cell {of} is occupied"),
        "edge" => format!("at cell {of} the tile touches the edge of a tile of the same colour"),
        "start" => format!("a colour's first tile must cover the start cell {of}"),
        "starts" => format!("a colour's first tile must cover one of the start cells {of}"),
        "no" => "the tile touches no corner of a tile of the same colour".to_owned(),
        "free" => format!("{} and covers no free start cell ({of})", text("no corner")),
        _ => panic!("{verdict} is not a verdict"),
    }
}

#[test]
fn every_action_has_the_verdict_of_its_sentence() {
    let rows = rows(VERDICTS);
    assert_eq!(rows.len(), 38);
    for [sentence, name, moves, action, verdict] in rows {
        let mut pair = after(variant(name), moves);
        let reason = pair.judge(mv(action).to_code_bytes());
        let found = reason.map_or("legal".to_owned(), |reason| reason.to_string());
        assert_eq!(found, text(verdict), "{sentence}: {action} after '{moves}'");
        if reason.is_none() {
            check_played(&mut pair, action, sentence);
        }
    }
}

/// Plays a legal placement: it covers its cells, its tile leaves the colour's set, and the turn
/// goes to another colour.
fn check_played(pair: &mut Pair, action: &str, sentence: &str) {
    let colour = pair.fast.to_move().expect("a legal move has a colour");
    let placement = mv(action).placement().expect("no legal pass");
    pair.play(placement.into());
    pair.compare_state();
    for cell in placement.cells() {
        assert_eq!(pair.fast.colour_at(cell), Some(colour), "{sentence}");
    }
    assert!(!pair.fast.tiles_left(colour).contains(placement.tile()));
    assert_ne!(pair.fast.to_move(), Some(colour), "{sentence}");
}

#[test]
fn every_position_has_the_turn_and_the_scores_of_its_sentence() {
    let rows = rows(STANDINGS);
    assert_eq!(rows.len(), 19);
    for [sentence, name, scoring, moves, seat, scores] in rows {
        let scoring = ScoringRule::named(scoring).expect("a scoring rule");
        let pair = after(&variant(name).clone().with_scoring(scoring), moves);
        pair.compare_state();
        let game = &pair.fast;
        let to_move = game.seat_to_move();
        let to_move = to_move.map_or("over".to_owned(), |seat| seat.0.to_string());
        assert_eq!(to_move, seat, "{sentence}");
        let found = game.seats().map(|seat| game.seat_score(seat).to_string());
        let found = found.collect::<Vec<_>>().join(" ");
        assert_eq!(found, scores, "{sentence}: '{moves}'");
    }
}
