//! Tests of the position ring: the rows that pass in every kind of revolution, and the used tiles.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::harness::search::PositionRingUnit;
use duoforge_hdl::search::position_ring::{Content, MAPS, code};
use duoforge_rules::{Move, Placement};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::games::{Game, placements};
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator (250, 14_000), icarus (1, 120), rust (1, 60));

struct Driver {
    dut: Bench,
    start: PortId,
    take: PortId,
    stamp: PortId,
    side: PortId,
    placement: PortId,
    advance: PortId,
    incoming: [PortId; MAPS],
    incoming_used: [PortId; 2],
    idle: PortId,
    valid: PortId,
    row: PortId,
    passing: [PortId; MAPS],
    used: [PortId; 2],
    rng: Rng,
    content: Content,
}

/// Plays games, then stamps placements into rows of every kind; in Verilator, all placements.
fn bench(backend: Backend, (games, jobs): (u32, usize)) {
    let mut driver = Driver::open(backend);
    for _ in 0..games {
        driver.play();
    }
    let placements = placements();
    for job in 0..jobs {
        // Consecutive placements are far apart; the stride is coprime to their number.
        let placement = placements[job * 5003 % placements.len()];
        let taken = (driver.rng.below(4) == 0).then(|| driver.any_content());
        let stamped = driver.rng.below(8) > 0;
        let side = driver.rng.below(2) as usize;
        driver.revolve(taken.as_ref(), stamped.then_some((side, placement)));
    }
    driver.dut.finish();
}

impl Driver {
    fn open(backend: Backend) -> Self {
        let mut dut = Bench::open(backend, PositionRingUnit::default(), "position_ring_unit");
        let array = |dut: &Bench, name, index| dut.input(&format!("{name}${index}"));
        Self {
            start: dut.input("start"),
            take: dut.input("take"),
            stamp: dut.input("stamp"),
            side: dut.input("side"),
            placement: dut.input("placement"),
            advance: dut.input("advance"),
            incoming: std::array::from_fn(|map| array(&dut, "incoming", map)),
            incoming_used: std::array::from_fn(|side| array(&dut, "incoming_used", side)),
            idle: dut.output("idle"),
            valid: dut.output("valid"),
            row: dut.output("row"),
            passing: dut.outputs("passing"),
            used: dut.outputs("used"),
            rng: Rng::new(31),
            content: Content::default(),
            dut,
        }
    }

    /// Plays a game with one revolution per move. It starts from an empty position that is taken
    /// with the first revolution or before it. The ring must match the board of the rules.
    fn play(&mut self) {
        let game = Game::random(&mut self.rng);
        let mut taken = Some(Content::default());
        for (board, mv) in &game.moves {
            let expected = Content::of(board, game.me);
            assert!(taken.is_some() || self.content == expected);
            if self.rng.below(8) == 0 {
                self.revolve(taken.take().as_ref(), None);
            }
            if let Move::Place(placement) = *mv {
                let side = game.side(board.to_move()) as usize;
                self.revolve(taken.take().as_ref(), Some((side, placement)));
            }
        }
    }

    /// Returns random rows.
    fn any_content(&mut self) -> Content {
        let mut row = || self.rng.next_u32() as u16 & 0x3fff;
        Content {
            maps: std::array::from_fn(|_| std::array::from_fn(|_| row())),
            used: [(); 2].map(|()| self.rng.next_u32() & 0x1f_ffff),
        }
    }

    /// Runs one revolution, with pauses, and checks each row.
    fn revolve(&mut self, taken: Option<&Content>, stamped: Option<(usize, Placement)>) {
        self.dut.drive(self.start, 0);
        while self.rng.below(3) == 0 {
            self.noise(0);
            self.dut.expect(self.idle, 1);
            self.dut.expect(self.valid, 0);
            self.dut.clock();
        }
        self.noise(0);
        self.dut.drive(self.start, 1);
        self.dut.drive(self.take, taken.is_some().into());
        self.dut.drive(self.stamp, stamped.is_some().into());
        if let Some((side, placement)) = stamped {
            self.dut.drive(self.side, side as u64);
            self.dut.drive(self.placement, code(placement).into());
        }
        if let Some(taken) = taken {
            for (port, &used) in self.incoming_used.into_iter().zip(&taken.used) {
                self.dut.drive(port, used.into());
            }
            self.content = taken.clone();
        }
        self.dut.expect(self.idle, 1);
        self.dut.expect(self.valid, 0);
        self.dut.clock();

        if let Some((side, placement)) = stamped {
            self.content.place(side, placement);
        }
        self.noise(0);
        self.dut.expect(self.idle, 0);
        self.dut.expect(self.valid, 0);
        self.dut.clock();
        for y in 0..SIDE {
            let pauses = [0, 0, 0, self.rng.below(4)][self.rng.below(4) as usize];
            for pause in (0..=pauses).rev() {
                self.noise(y);
                self.dut.drive(self.advance, (pause == 0).into());
                if let Some(taken) = taken {
                    for (port, map) in self.incoming.into_iter().zip(&taken.maps) {
                        self.dut.drive(port, map[y].into());
                    }
                }
                self.dut.expect(self.idle, 0);
                self.dut.expect(self.valid, 1);
                self.dut.expect(self.row, y as u64);
                for (port, map) in self.passing.into_iter().zip(&self.content.maps) {
                    self.dut.expect(port, map[y].into());
                }
                for (port, &used) in self.used.into_iter().zip(&self.content.used) {
                    self.dut.expect(port, used.into());
                }
                self.dut.clock();
            }
        }
        self.dut.drive(self.start, 0);
    }

    /// Drives random values on the inputs that must not matter now, including a start while a row
    /// passes.
    fn noise(&mut self, row: usize) {
        let word = u64::from(self.rng.next_u32());
        self.dut.drive(self.start, u64::from(row > 0) & word);
        self.dut.drive(self.take, word >> 1 & 1);
        self.dut.drive(self.stamp, word >> 2 & 1);
        self.dut.drive(self.side, word >> 3 & 1);
        self.dut.drive(self.advance, word >> 4 & 1);
        self.dut.drive(self.placement, word >> 5 & 0x7fff);
        for port in self.incoming {
            self.dut.drive(port, word >> 6 & 0x3fff);
        }
        for port in self.incoming_used {
            self.dut.drive(port, word >> 7 & 0x1f_ffff);
        }
    }
}
