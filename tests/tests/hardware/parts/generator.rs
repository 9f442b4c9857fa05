//! Tests of the move generator: the complete legal set of both sides in games, its cycles, and the
//! rows of the board as they pass.

use duoforge_hdl::generator::twin;
use duoforge_rules::{Colour, DuoBoard, Move};
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::games::Game;
use crate::support::in_every_simulator;
use crate::support::legal::{Generator, assemble};
use crate::support::unit::{PLACE, STREAM};

in_every_simulator!(bench; verilator 60, icarus 2, rust 1);

/// Cycles of a complete legal set, from the request to the last verdict.
const CLOCKS: u64 = 22;

/// Plays games; each position is streamed for both sides.
fn bench(backend: Backend, games: usize) {
    let mut generator = Generator::open(backend);
    let mut rng = Rng::new(6);
    let (mut sets, mut longest) = (0, 0);
    for _ in 0..games {
        let game = Game::random(&mut rng);
        generator.unit.clear(game.start_is_a);
        let mut asked = Vec::new();
        for (number, (board, mv)) in game.moves.iter().enumerate() {
            for player in board.players() {
                // A request may follow the previous one at once or after a pause.
                generator.unit.step(number as u64 % 3);
                asked.push((generator.stream(game.side(player)), board, player));
            }
            if let Move::Place(placement) = *mv {
                generator.unit.place(game.side(board.to_move()), placement);
            }
        }
        let reports = generator.reports();
        let verdicts = reports.verdicts.chunks(14);
        assert_eq!(verdicts.len(), asked.len(), "14 verdicts for each request");
        for (verdicts, (clock, board, player)) in verdicts.zip(asked) {
            let spent = verdicts[13].0 - clock;
            longest = longest.max(spent);
            sets += 1;
            let legal = assemble(verdicts);
            let expected = twin(&seen_by(board, player));
            assert_eq!(legal, expected, "{backend}: {player:?} to move\n{board}");
            let rows = reports.rows.iter();
            let rows = rows.filter(|(at, ..)| (clock..=clock + STREAM).contains(at));
            let rows: Vec<_> = rows.map(|&(_, own, opponent)| [own, opponent]).collect();
            let opponent = Colour(1 - player.0);
            let row = |player, y| board.cells(player).row(y) as u16;
            let expected: Vec<_> = (0..14)
                .map(|y| [row(player, y), row(opponent, y)])
                .collect();
            assert_eq!(rows, expected, "{backend}: the rows that pass\n{board}");
        }
    }
    println!("{backend}: {sets} legal sets, the last verdict {longest} cycles after the request");
    assert_eq!(longest, CLOCKS);
    idles(&mut generator);
}

/// Returns the position with `player` to move.
fn seen_by(board: &DuoBoard, player: Colour) -> DuoBoard {
    let mut board = board.clone();
    if board.to_move() != player {
        board.play(Move::Pass).expect("a pass is always accepted");
    }
    board
}

/// Checks that the generator is idle if and only if no request is in progress.
fn idles(generator: &mut Generator) {
    let idle = generator.unit.port("idle");
    let cycles_until_idle = |generator: &mut Generator| {
        let sim = &mut generator.unit.sim;
        sim.run_until(idle, 1, 100).expect("it runs").cycles
    };
    generator.unit.clear(false);
    assert_eq!(cycles_until_idle(generator), 0);
    // One cycle of the request has elapsed, and the last verdict appears one cycle later.
    generator.unit.stream(0);
    assert_eq!(cycles_until_idle(generator), STREAM - 1);
    let placement = DuoBoard::duo().legal().next().expect("a first placement");
    generator.unit.begin(0, placement);
    assert_eq!(cycles_until_idle(generator), PLACE - 1);
}
