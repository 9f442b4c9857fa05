//! Tests of the placement draw: its choices on maps of real positions and on random maps.

use duoforge_hdl::harness::search::PlacementDrawUnit;
use duoforge_hdl::search::playout::placement_draw::{LATENCY, twin};
use duoforge_hdl::search::playout::playout_maps::{is_wide, maps};
use duoforge_hdl::search::position_ring::code;
use duoforge_rules::{Bitboard, Duo, TileSet};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::{PlayoutMaps, Position, SearchParameters};

use super::reply_counts;
use crate::support::games::Game;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator (150, 4000, 1), icarus (1, 30, 4), rust (0, 12, 1));

/// Two reply cells before one.
mod reply_pairs {
    use super::{Backend, bench_with, in_every_simulator, reply_counts};

    fn bench(backend: Backend, (games, maps, local): (u32, u32, u32)) {
        bench_with(backend, games, maps, &reply_counts(local, 2));
    }

    in_every_simulator!(bench; verilator (60, 2000, 1), icarus (1, 30, 3), rust (0, 12, 1));
}

struct Driver {
    dut: Bench,
    parameters: SearchParameters,
    valid: PortId,
    maps: [PortId; 3],
    used: PortId,
    random: PortId,
    picked: PortId,
    found: PortId,
    placement: PortId,
    rng: Rng,
    drawn: u32,
}

/// Draws in positions of games, then on random maps. Replies to the opponent use tiles of `local`
/// cells or more.
fn bench(backend: Backend, (games, maps, local): (u32, u32, u32)) {
    bench_with(backend, games, maps, &reply_counts(local, 1));
}

fn bench_with(backend: Backend, games: u32, random_maps: u32, parameters: &SearchParameters) {
    let mut driver = Driver::open(backend, parameters);
    for _ in 0..games {
        for (board, _) in &Game::random(&mut driver.rng).moves {
            let mut position = Position::new(board);
            for player in board.players() {
                position.set_to_move(player);
                driver.draw(&maps(&position, parameters), position.tiles(player));
            }
        }
    }
    for _ in 0..random_maps {
        let playout_maps = driver.any_maps();
        let tiles = driver.any_tiles();
        driver.draw(&playout_maps, tiles);
    }
    let drawn = driver.drawn;
    println!("{backend}: {drawn} placements drawn");
    assert!(drawn > games * 20 + random_maps / 3);
    driver.dut.finish();
}

impl Driver {
    fn open(backend: Backend, parameters: &SearchParameters) -> Self {
        let mut dut = Bench::open(
            backend,
            PlacementDrawUnit::new(parameters),
            "placement_draw_unit",
        );
        Self {
            parameters: parameters.clone(),
            valid: dut.input("valid"),
            maps: ["allowed", "corner", "reply_cells"].map(|name| dut.input(name)),
            used: dut.input("used"),
            random: dut.input("random"),
            picked: dut.output("done"),
            found: dut.output("found"),
            placement: dut.output("placement"),
            rng: Rng::new(41 + u64::from(parameters.reply_min_size)),
            drawn: 0,
            dut,
        }
    }

    /// Returns maps of any density.
    fn any_maps(&mut self) -> PlayoutMaps<Duo> {
        let densities = [12, 3 + self.rng.below(13), 1 + self.rng.below(6)];
        let [open, corners, reply_cells] = densities.map(|density| -> Bitboard<Duo> {
            let all = Bitboard::<Duo>::FULL.iter();
            all.filter(|_| self.rng.below(16) < density).collect()
        });
        let allowed = if self.rng.below(2) == 0 {
            open
        } else {
            Bitboard::FULL
        };
        // Sparse corner points as well, so that rows without any placement are common.
        let few = self.rng.below(2) == 0;
        let corners = if few { corners & reply_cells } else { corners };
        let again = self.rng.below(4);
        PlayoutMaps {
            allowed,
            corners: corners & allowed,
            reply_cells: match again {
                0 => Bitboard::EMPTY,
                1 => reply_cells & allowed & !corners,
                _ => reply_cells & allowed,
            },
        }
    }

    fn any_tiles(&mut self) -> TileSet {
        let few = TileSet::from_bits(1 << self.rng.below(21) | 1 << self.rng.below(21));
        match self.rng.below(6) {
            0 => few,
            1 => TileSet::from_bits(self.rng.next_u32() & 0x1ff),
            2 => TileSet::FULL,
            _ => TileSet::from_bits(self.rng.next_u32()),
        }
    }

    /// Streams the rows of the maps and waits until a placement is drawn.
    fn draw(&mut self, playout_maps: &PlayoutMaps<Duo>, tiles: TileSet) {
        let random = self.rng.next_u32() & 0x1_ffff;
        let expected = twin(playout_maps, tiles, &self.parameters, random);
        let used = TileSet::FULL.bits() & !tiles.bits();
        self.dut.drive(self.used, used.into());
        self.dut.drive(self.random, random.into());
        let maps = [
            playout_maps.allowed,
            playout_maps.corners,
            playout_maps.reply_cells,
        ];
        let delays = [0, 0, is_wide(&self.parameters).into()];
        for clock in 0..=LATENCY {
            self.dut.drive(self.valid, (clock < 14).into());
            for ((port, map), delay) in self.maps.into_iter().zip(maps).zip(delays) {
                let row = clock.checked_sub(delay).filter(|&row| row < 14);
                let cells = row.map_or(0, |row| map.row(row as u8));
                self.dut.drive(port, cells.into());
            }
            self.dut.expect(self.picked, (clock == LATENCY).into());
            if clock == LATENCY {
                self.dut.expect(self.found, expected.is_some().into());
                if let Some(placement) = expected {
                    self.dut.expect(self.placement, code(placement).into());
                    self.drawn += 1;
                }
            }
            self.dut.clock();
        }
        for _ in 0..self.rng.below(3) {
            self.dut.expect(self.picked, 0);
            self.dut.clock();
        }
    }
}
