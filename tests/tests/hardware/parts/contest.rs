//! Replay of the contest's example game on the board in hardware.

use duoforge_rules::{Bitboard, Duo, Move, Orientation, Placement};
use duoforge_sim::Backend;

use crate::support::in_every_simulator;
use crate::support::legal::{Generator, assemble};

in_every_simulator!(replay; verilator (), icarus (), rust ());

const EXAMPLE: [&str; 6] = ["53e0", "a8e0", "21k7", "94j0", "61a0", "71b3"];

/// Figure 6 of the contest's rules.
const FIGURE_6: &str = "\
    1 1 1 1 . 1 2 2 . . . . . .
    1 . . . 1 . . . 2 . . . . .
    . . . . 1 . . . 2 . . . . .
    . . . . 1 . . . 2 . . . . .
    . . . . 1 . . . 2 . . . . .
    . . . . . . . . 2 . . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . . . . . .
    . . . . . . . . . . . . . .
    . . . . . . . . . . . . . .
    . . . . . . . . . . . . . .";

/// Each move is in the legal set before it is made. At the end the board's rows match the figure,
/// seen from both sides, and no placed tile is legal.
fn replay(backend: Backend, (): ()) {
    let mut generator = Generator::open(backend);
    generator.unit.clear(false);
    for (ply, code) in EXAMPLE.into_iter().enumerate() {
        let placement = placement(code);
        let side = ply as u64 % 2;
        let mut is_legal = || {
            generator.stream(side);
            let legal = assemble(&generator.reports().verdicts);
            if ply == 0 {
                let first = legal.iter().flatten().map(|row| row.count_ones());
                assert_eq!(first.sum::<u32>(), 414, "first placements");
            }
            legal[usize::from(placement.y)][placement.orientation.index()] >> placement.x & 1 == 1
        };
        assert!(is_legal(), "{code}");
        generator.unit.place(side, placement);
        generator.reports();
    }
    for side in 0..2 {
        let marks = if side == 0 { ['1', '2'] } else { ['2', '1'] };
        generator.stream(side);
        let reports = generator.reports();
        let figure = marks.map(|mark| {
            Bitboard::<Duo>::from_picture(FIGURE_6, mark).expect("a picture of the board")
        });
        for (y, (_, own, opponent)) in reports.rows.iter().enumerate() {
            let rows = figure.map(|cells| cells.row(y as u8) as u16);
            assert_eq!([*own, *opponent], rows, "row {y}, side {side}");
        }
        assert_eq!(reports.rows.len(), 14);
        // None of the three tiles that the side has placed is legal any more.
        let legal = assemble(&reports.verdicts);
        let placed = EXAMPLE.iter().skip(side as usize).step_by(2);
        let used: Vec<_> = placed.map(|code| placement(code).tile()).collect();
        for orientation in Orientation::all().filter(|o| used.contains(&o.tile())) {
            let index = orientation.index();
            assert!(legal.iter().all(|row| row[index] == 0), "{orientation:?}");
        }
    }
}

fn placement(code: &str) -> Placement {
    match code.parse() {
        Ok(Move::Place(placement)) => placement,
        other => panic!("{code} is the code of a placement, not {other:?}"),
    }
}
