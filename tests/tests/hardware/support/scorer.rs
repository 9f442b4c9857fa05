//! Drives a scorer of the expander: each score and its cycle. Both scorers have the same streams.

use std::collections::VecDeque;

use duoforge_hdl::model::Ported;
use duoforge_hdl::search::expansion::OFFSET;
use duoforge_hdl::search::expansion::prior_scorer::STAGES;
use duoforge_hdl::search::position_ring::code;
use duoforge_rules::Placement;
use duoforge_sim::{Backend, PortId};

use super::bench::Bench;

/// Scorer of placements with `MAPS` patches, and the placements in its pipeline.
pub struct Scorer<const MAPS: usize> {
    /// Simulated scorer.
    pub bench: Bench,
    valid: PortId,
    phase: PortId,
    at: [PortId; 3],
    patch: [PortId; MAPS],
    scored: PortId,
    score: PortId,
    placement: PortId,
    idle: PortId,
    // Oldest entry first.
    pipeline: VecDeque<Option<(Placement, i32)>>,
}

impl<const MAPS: usize> Scorer<MAPS> {
    /// Opens a scorer.
    pub fn open(backend: Backend, scorer: impl Ported + Send + 'static, top: &str) -> Self {
        let mut bench = Bench::open(backend, scorer, top);
        Self {
            valid: bench.input("valid"),
            phase: bench.input("phase"),
            at: ["orientation", "x", "y"].map(|name| bench.input(name)),
            patch: std::array::from_fn(|map| bench.input(&format!("patch${map}"))),
            scored: bench.output("scored"),
            score: bench.output("score"),
            placement: bench.output("placement"),
            idle: bench.output("idle"),
            pipeline: VecDeque::from([None; STAGES]),
            bench,
        }
    }

    /// Runs a cycle with this placement on the inputs; a score marks the placement as valid.
    pub fn clock(&mut self, placement: Placement, patch: [u64; MAPS], score: Option<i32>) {
        let bench = &mut self.bench;
        bench.drive(self.valid, score.is_some().into());
        let index = placement.orientation.index() as u64;
        let at = [index, placement.x.into(), placement.y.into()];
        for (port, value) in self.at.into_iter().zip(at) {
            bench.drive(port, value);
        }
        for (port, value) in self.patch.into_iter().zip(patch) {
            bench.drive(port, value);
        }
        let empty = self.pipeline.iter().all(Option::is_none);
        bench.expect(self.idle, empty.into());
        let oldest = self.pipeline.pop_front().flatten();
        bench.expect(self.scored, oldest.is_some().into());
        if let Some((placement, score)) = oldest {
            bench.expect(self.score, (score + OFFSET) as u64);
            bench.expect(self.placement, code(placement).into());
        }
        self.pipeline
            .push_back(score.map(|score| (placement, score)));
        bench.clock();
    }

    /// Drains the pipeline and changes the phase.
    pub fn change_to(&mut self, phase: usize, placement: Placement) {
        for _ in 0..=STAGES {
            self.clock(placement, [0; MAPS], None);
        }
        self.bench.drive(self.phase, phase as u64);
    }
}
