//! Tests of the network planes: all rows of positions of games, for both sides, and of random maps.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::search::expansion::network::planes::{NetworkPlanes, twin};
use duoforge_hdl::search::position_ring::Content;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::network::PLANES;

use super::{Map, Source, StreamPorts, row};
use crate::support::games::Game;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator (40, 200), icarus (6, 20), rust (20, 100));

/// Minimum steps of a position: two empty rows follow those of the board at the outputs.
const STEPS: usize = SIDE + 4;

struct Driver {
    dut: Bench,
    advance: PortId,
    stream: StreamPorts,
    row: [PortId; PLANES],
    rng: Rng,
    stalls: u32,
}

/// Streams all positions of some games, then random maps.
fn bench(backend: Backend, (games, random): (u32, u32)) {
    let mut dut = Bench::open(backend, NetworkPlanes::default(), "network_planes");
    let mut driver = Driver {
        advance: dut.input("advance"),
        stream: StreamPorts::open(&dut, "start"),
        row: dut.outputs("row"),
        rng: Rng::new(71),
        stalls: 0,
        dut,
    };
    // Positions in which a start cell is a recent corner point, by side, and all others.
    let (mut starts, mut others) = ([0, 0], 0);
    for _ in 0..games {
        let game = Game::random(&mut driver.rng);
        for (board, _) in &game.moves {
            let content = Content::of(board, game.me);
            let mut position = Position::new(board);
            for player in board.players() {
                position.set_to_move(player);
                let source = Source::of(&game, &content, &position);
                let planes = twin(&position);
                let has_start = [0, 1].map(|side| {
                    let mut rows = planes[5 + side].iter().zip(&source.start[side]);
                    rows.any(|(recent, start)| recent & start != 0)
                });
                for (count, has_start) in starts.iter_mut().zip(has_start) {
                    *count += u32::from(has_start);
                }
                others += u32::from(has_start == [false; 2]);
                driver.stream(&source, &planes);
            }
        }
    }
    for _ in 0..random {
        let source = Source::any(&mut driver.rng);
        driver.stream(&source, &source.planes());
    }
    println!("{backend}: {starts:?} start cells, {others} positions without any");
    println!("{backend}: {} stalls", driver.stalls);
    assert!(starts.iter().all(|&count| count >= 2 * games) && others > 2 * games);
    assert!(driver.stalls > games);
    driver.dut.finish();
}

impl Driver {
    /// Streams the rows of a position with stalls; the planes follow two steps later, and no plane
    /// has a cell off the board.
    fn stream(&mut self, source: &Source, planes: &[Map; PLANES]) {
        for step in 0..STEPS + self.rng.below(3) as usize {
            loop {
                let advance = self.rng.below(4) > 0;
                self.dut.drive(self.advance, advance.into());
                self.stream
                    .drive(&mut self.dut, source, step, &mut self.rng);
                if !advance {
                    self.stream.disturb(&mut self.dut, &mut self.rng);
                    self.stalls += 1;
                }
                for (port, plane) in self.row.into_iter().zip(planes) {
                    self.dut.expect(port, row(plane, step.checked_sub(2)));
                }
                self.dut.clock();
                if advance {
                    break;
                }
            }
        }
    }
}
