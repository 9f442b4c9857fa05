//! Tests of the placement check: searches of random lengths, legal sets with the proposed placement
//! and without it, and clears at any time.

use duoforge_hdl::search::placement_check::{PlacementCheck, legal_or_first};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::bench::Bench;
use crate::support::in_every_simulator;

in_every_simulator!(bench; verilator 4_000, icarus 60, rust 60);

/// Number of different placements, so that many legal sets have the proposed one.
const PLACEMENTS: u32 = 9;

/// Cycles of a search, and of the pauses in a legal set, at most.
const PAUSE: u32 = 4;

fn bench(backend: Backend, checks: u32) {
    let mut dut = Dut::open(backend);
    let (mut replaced, mut kept, mut none, mut cleared) = (0, 0, 0, 0);
    for _ in 0..checks {
        let count = dut.rng.below(6) as usize;
        let legal: Vec<u16> = (0..count).map(|_| dut.placement()).collect();
        let proposed = dut.placement();
        let Some(()) = dut.check(proposed, &legal) else {
            dut.clear();
            cleared += 1;
            continue;
        };
        let expected = legal_or_first(proposed, &legal);
        dut.rest(expected);
        match expected {
            None => none += 1,
            Some(placement) if placement == proposed => kept += 1,
            Some(_) => replaced += 1,
        }
    }
    dut.bench.finish();
    let least = replaced.min(kept).min(none).min(cleared);
    assert!(
        least > checks / 20,
        "{replaced}, {kept}, {none}, {cleared} of {checks}"
    );
}

/// Check under test.
struct Dut {
    bench: Bench,
    rng: Rng,
    clear: PortId,
    think: PortId,
    idle: PortId,
    search_found: PortId,
    proposed: PortId,
    listed: PortId,
    listed_placement: PortId,
    busy: PortId,
    list: PortId,
    found: PortId,
    placement: PortId,
}

impl Dut {
    fn open(backend: Backend) -> Self {
        let mut bench = Bench::open(backend, PlacementCheck::default(), "placement_check");
        let inputs = ["clear", "think", "idle", "search_found"];
        let [clear, think, idle, search_found] = inputs.map(|name| bench.input(name));
        let inputs = ["proposed", "listed", "listed_placement"];
        let [proposed, listed, listed_placement] = inputs.map(|name| bench.input(name));
        let outputs = ["busy", "list", "found", "placement"];
        let [busy, list, found, placement] = outputs.map(|name| bench.output(name));
        bench.drive(idle, 1);
        bench.clock();
        Self {
            bench,
            rng: Rng::new(73),
            clear,
            think,
            idle,
            search_found,
            proposed,
            listed,
            listed_placement,
            busy,
            list,
            found,
            placement,
        }
    }

    /// Returns one of a few placements, whose bits differ.
    fn placement(&mut self) -> u16 {
        (self.rng.below(PLACEMENTS) as u16 * 0x1357) & 0x7fff
    }

    /// Drives a placement of the legal set, or none.
    fn list(&mut self, placement: Option<u16>) {
        let word = match placement {
            Some(placement) => placement,
            None => self.placement(),
        };
        self.bench.drive(self.listed, placement.is_some().into());
        self.bench.drive(self.listed_placement, word.into());
    }

    /// Runs a cycle with these outputs, unless a clear comes instead.
    fn cycle(&mut self, busy: u64, list: u64, found: u64) -> Option<()> {
        if self.rng.below(60) == 0 {
            return None;
        }
        self.bench.expect(self.busy, busy);
        self.bench.expect(self.list, list);
        self.bench.expect(self.found, found);
        self.bench.clock();
        Some(())
    }

    /// Checks a placement: a search, then the legal set. Returns nothing if a clear is to end it.
    fn check(&mut self, proposed: u16, legal: &[u16]) -> Option<()> {
        self.bench.drive(self.think, 1);
        self.bench.expect(self.busy, 0);
        self.bench.expect(self.list, 0);
        self.bench.clock();
        self.bench.drive(self.think, 0);
        let searches = self.rng.below(4) > 0;
        for _ in 0..if searches {
            1 + self.rng.below(PAUSE)
        } else {
            0
        } {
            self.bench.drive(self.idle, 0);
            let found = u64::from(self.rng.below(2));
            self.bench.drive(self.search_found, found);
            let other = self.placement();
            self.bench.drive(self.proposed, other.into());
            // Placements that are listed during a search do not count.
            let junk = (self.rng.below(2) == 0).then_some(other);
            self.list(junk);
            self.cycle(1, 0, found)?;
        }
        self.bench.drive(self.proposed, proposed.into());
        self.bench.drive(self.search_found, 1);
        self.bench.drive(self.idle, 1);
        self.list(None);
        self.cycle(1, 1, 1)?;
        self.bench.drive(self.idle, 0);
        for &placement in legal {
            for _ in 0..self.rng.below(PAUSE) {
                self.list(None);
                self.cycle(1, 0, 0)?;
            }
            self.list(Some(placement));
            self.cycle(1, 0, 0)?;
        }
        self.list(None);
        self.cycle(1, 0, 0)?;
        self.bench.drive(self.idle, 1);
        self.cycle(1, 0, 0)
    }

    /// Holds the result for some cycles, in which others list placements.
    fn rest(&mut self, expected: Option<u16>) {
        for _ in 0..1 + self.rng.below(PAUSE) {
            self.bench.drive(self.search_found, 0);
            self.bench.drive(self.idle, 1);
            let other = (self.rng.below(2) == 0).then(|| self.placement());
            self.list(other);
            self.bench.expect(self.busy, 0);
            self.bench.expect(self.list, 0);
            self.bench.expect(self.found, expected.is_some().into());
            if let Some(placement) = expected {
                self.bench.expect(self.placement, placement.into());
            }
            self.bench.clock();
        }
        self.list(None);
    }

    /// Ends a check: no legal set is requested, and there is no placement.
    fn clear(&mut self) {
        self.bench.drive(self.clear, 1);
        self.bench.expect(self.list, 0);
        self.bench.clock();
        self.bench.drive(self.clear, 0);
        self.bench.drive(self.idle, 1);
        self.rest(None);
    }
}
