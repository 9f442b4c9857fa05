//! Tests of the playout maps for the positions of games, for both sides.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::harness::search::PlayoutMapsUnit;
use duoforge_hdl::search::playout::playout_maps::{is_wide, twin};
use duoforge_hdl::search::position_ring::{Content, MAPS};
use duoforge_rules::Colour;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::{Position, SearchParameters};

use super::reply_counts;
use crate::support::games::Game;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 150, icarus 12, rust 3);

/// Reply cells next to recent corner points as well.
mod wide {
    use super::{bench_with, in_every_simulator, reply_counts};

    fn bench(backend: super::Backend, games: u32) {
        bench_with(backend, games, &reply_counts(1, 2));
    }

    in_every_simulator!(bench; verilator 150, icarus 6, rust 2);
}

struct Driver {
    dut: Bench,
    valid: PortId,
    row: PortId,
    passing: [PortId; MAPS],
    side: PortId,
    start_is_a: PortId,
    valid_out: PortId,
    maps: [PortId; 3],
    // Cycles by which the rows of each map leave later.
    delays: [usize; 3],
    rng: Rng,
}

fn bench(backend: Backend, games: u32) {
    bench_with(backend, games, &reply_counts(1, 1));
}

fn bench_with(backend: Backend, games: u32, parameters: &SearchParameters) {
    let mut dut = Bench::open(
        backend,
        PlayoutMapsUnit::new(parameters),
        "playout_maps_unit",
    );
    let mut driver = Driver {
        valid: dut.input("valid"),
        row: dut.input("row"),
        passing: std::array::from_fn(|map| dut.input(&format!("passing${map}"))),
        side: dut.input("side"),
        start_is_a: dut.input("start_is_a"),
        valid_out: dut.output("valid_out"),
        maps: ["allowed", "corner", "reply_cells"].map(|name| dut.output(name)),
        delays: [0, 0, is_wide(parameters).into()],
        rng: Rng::new(61),
        dut,
    };
    // Positions with a start cell that the opponent may still use, which is then a reply cell. They
    // occur only after a pass in the first turn.
    let mut late_starts = 0;
    for _ in 0..games {
        let game = Game::random(&mut driver.rng);
        for (board, _) in &game.moves {
            let content = Content::of(board, game.me);
            let mut position = Position::new(board);
            for player in board.players() {
                position.set_to_move(player);
                let expected = twin(&position, parameters);
                let start = board.start(Colour(1 - player.0));
                let reply_cells = expected[2][usize::from(start.y)] >> start.x & 1;
                late_starts += u32::from(reply_cells);
                driver.stream(&game, &content, player, &expected);
            }
        }
    }
    println!("{backend}: {late_starts} positions whose opponent may still start");
    assert!(late_starts > games);
    driver.dut.finish();
}

impl Driver {
    /// Streams the rows of a position; the maps follow one cycle later, and wide reply cells one
    /// more.
    fn stream(&mut self, game: &Game, content: &Content, player: Colour, maps: &[[u16; SIDE]; 3]) {
        self.dut.drive(self.side, game.side(player));
        self.dut.drive(self.start_is_a, game.start_is_a.into());
        let empty = 1 + self.rng.below(3) as usize;
        for clock in 0..SIDE + 1 + empty {
            let valid = clock < SIDE;
            self.dut.drive(self.valid, valid.into());
            self.dut
                .drive(self.row, if valid { clock as u64 } else { 0 });
            for (port, map) in self.passing.into_iter().zip(&content.maps) {
                let row = map.get(clock).copied();
                let row = row.unwrap_or_else(|| self.rng.next_u32() as u16 & 0x3fff);
                self.dut.drive(port, row.into());
            }
            let leaving = |delay| clock.checked_sub(1 + delay).filter(|&row| row < SIDE);
            self.dut.expect(self.valid_out, leaving(0).is_some().into());
            for ((port, map), delay) in self.maps.into_iter().zip(maps).zip(self.delays) {
                self.dut
                    .expect(port, leaving(delay).map_or(0, |row| map[row].into()));
            }
            self.dut.clock();
        }
    }
}
