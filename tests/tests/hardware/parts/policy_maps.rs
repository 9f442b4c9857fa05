//! Tests of the maps: all five rows of random positions, for both sides, with pauses.

use duoforge_hdl::generator::policy_maps::{PolicyMaps, twin};
use duoforge_rules::{Cell, Colour, DuoBoard, Variant};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::games::Game;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 40, icarus 3, rust 2);

/// Output names, in the order of the twin's maps.
const OUTPUTS: [&str; 5] = [
    "allowed",
    "corner",
    "open_cells",
    "opponent_corner",
    "opponent_near",
];

const ROWS: [&str; 6] = [
    "own_before",
    "own",
    "own_after",
    "opponent_before",
    "opponent",
    "opponent_after",
];

struct Inputs {
    advance: PortId,
    on_board: PortId,
    has_before: PortId,
    has_after: PortId,
    fresh: [PortId; 2],
    start: [PortId; 2],
    rows: [PortId; 6],
}

fn bench(backend: Backend, games: u32) {
    let mut dut = Bench::open(backend, PolicyMaps::default(), "policy_maps");
    let inputs = Inputs {
        advance: dut.input("advance"),
        on_board: dut.input("on_board"),
        has_before: dut.input("has_before"),
        has_after: dut.input("has_after"),
        fresh: ["own_first_move", "opponent_first_move"].map(|name| dut.input(name)),
        start: ["own_start", "opponent_start"].map(|name| dut.input(name)),
        rows: ROWS.map(|name| dut.input(name)),
    };
    let outputs = OUTPUTS.map(|name| dut.output(name));
    let mut rng = Rng::new(5);
    for _ in 0..games {
        let game = Game::random(&mut rng);
        for (board, _) in &game.moves {
            for player in board.players() {
                stream(&mut dut, &inputs, outputs, &mut rng, board, player);
            }
        }
        // This block accepts any start cell.
        let anywhere = [(); 2].map(|()| Cell::new(rng.below(14) as u8, rng.below(14) as u8));
        let board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &anywhere);
        for player in board.players() {
            stream(&mut dut, &inputs, outputs, &mut rng, &board, player);
        }
    }
    dut.finish();
}

/// Streams the rows of a position as the store outputs them: as a ring, with row 13 before row 0.
/// Two rows off the board follow.
fn stream(
    dut: &mut Bench,
    inputs: &Inputs,
    outputs: [PortId; 5],
    rng: &mut Rng,
    board: &DuoBoard,
    player: Colour,
) {
    let sides = [player, Colour(1 - player.0)];
    let expected = twin(board, player);
    for (side, &player) in sides.iter().enumerate() {
        let fresh = board.cells(player).is_empty();
        dut.drive(inputs.fresh[side], fresh.into());
    }
    for y in 0..16 {
        dut.drive(inputs.on_board, (y < 14).into());
        dut.drive(inputs.has_before, (y > 0).into());
        dut.drive(inputs.has_after, (y != 13).into());
        for (side, &player) in sides.iter().enumerate() {
            let start = board.start(player);
            let here = usize::from(start.y) == y;
            dut.drive(inputs.start[side], u64::from(here) << start.x);
            for (slot, y) in [y + 13, y, y + 1].into_iter().enumerate() {
                let row = board.cells(player).row((y % 14) as u8);
                dut.drive(inputs.rows[3 * side + slot], row.into());
            }
        }
        // Row y - 1 is valid for as long as row y waits to be accepted.
        let pauses = if rng.below(3) == 0 { rng.below(4) } else { 0 };
        for pause in (0..=pauses).rev() {
            dut.drive(inputs.advance, (pause == 0).into());
            if let Some(row) = y.checked_sub(1).filter(|&row| row < 14) {
                for (port, map) in outputs.into_iter().zip(&expected) {
                    dut.expect(port, map[row].into());
                }
            }
            dut.clock();
        }
    }
    dut.drive(inputs.advance, 0);
}
