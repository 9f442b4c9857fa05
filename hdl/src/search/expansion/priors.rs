//! Priors: turns the scores of a ranking into priors and initial means, the second pass of an
//! expansion.
//!
//! The ranking is drained from its end. Each score becomes its gap to the best score, and a table
//! turns the gap into a power of one half. The reciprocal of the sum of these powers turns them
//! into probabilities. Twin: [`twin`].
//!
//! Timing: `start` is sampled while `idle` is high; the ranking is complete by then and is drained
//! for 32 cycles. The first entry is out, with `entry` high, 41 cycles after `start`. The others
//! follow in consecutive cycles, best first. `done` is high in the cycle after the last entry, or
//! 38 cycles after `start` if there is none. `count` is valid from 35 cycles after `start` to the
//! next `start`. `value` is held until `done`.
//!
//! Encoding: one block RAM holds three tables, which are needed at different times. For each score
//! gap it holds the power of one half and the factor of the initial mean. Above these words it
//! holds the reciprocals.

use duoforge_rules::{Colour, Placement};
use duoforge_twin::search::arithmetic::{Reciprocal, exp2_neg};
use duoforge_twin::search::tree::Tree;
use duoforge_twin::search::{SearchParameters, prior};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::SCORE;
use super::ranking::LENGTH;
use crate::block::block;
use crate::memory::Memory;
use crate::memory::block_rom::BlockRom;
use crate::search::multiplier::Multiplier;
use crate::search::position_ring::{PLACEMENT, code};
use crate::word::{ShiftBy, word};

word! {
    /// Word of the table of a score gap.
    pub(crate) Share {
        /// Power of one half, or a reciprocal.
        POWER: 17,
        /// Factor of the initial mean.
        LOSS: 17,
    }
}

word! {
    /// Placement that is kept between the two passes.
    pub(crate) Kept {
        /// Placement.
        PLACEMENT: PLACEMENT,
        /// Score gap to the best placement.
        BEHIND: 8,
    }
}

/// State of the second pass.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum PriorsState {
    /// No request.
    Idle,
    /// Drains the ranking.
    Drain,
    /// Looks up the reciprocal of the sum.
    Divide,
    /// Outputs the entries.
    Emit,
}

block! {
    /// Priors and initial means of a ranking.
    pub struct Priors from PriorsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Request.
        /// Starts the second pass.
        pub start: Signal<In, Bit>,
        /// Value of the position for the side that places, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,

        // Ranking.
        /// See `Ranking::best`.
        pub best: Signal<In, Bits<SCORE>>,
        /// See `Ranking::last`.
        pub last: Signal<In, Bit>,
        /// See `Ranking::last_score`.
        pub last_score: Signal<In, Bits<SCORE>>,
        /// See `Ranking::last_placement`.
        pub last_placement: Signal<In, Bits<PLACEMENT>>,
        /// Moves the list of the ranking towards its end.
        pub drain: Signal<Out, Bit>,
        /// High while `start` can be accepted.
        pub idle: Signal<Out, Bit>,

        // Stream of entries, without back-pressure.
        /// High while the outputs below hold an entry.
        pub entry: Signal<Out, Bit>,
        /// Placement of the entry.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Prior of the entry, in units of 2^-16.
        pub prior: Signal<Out, Bits<16>>,
        /// Initial mean of the entry, in units of 2^-24.
        pub mean: Signal<Out, Bits<24>>,
        /// Number of entries.
        pub count: Signal<Out, Bits<6>>,
        /// High for one cycle after all entries have been output.
        pub done: Signal<Out, Bit>,
        lookup: BlockRom<{ Share::BITS }, 9> = given,
        // Placement, with its score gap above it.
        kept: Memory<{ Kept::BITS }, 5>,
        prior_product: Multiplier<17, 17, 34> = given,
        mean_product: Multiplier<16, 17, 33> = given,
        state: DFF<PriorsState>,
        step: DFF<Bits<6>>,
        best_score: DFF<Bits<SCORE>>,
        // Placement from the ranking, its score gap and its index.
        taken: DFF<Bit>,
        taken_score_gap: DFF<Bits<8>>,
        taken_placement: DFF<Bits<PLACEMENT>>,
        taken_index: DFF<Bits<5>>,
        added: DFF<Bit>,
        sum: DFF<Bits<22>>,
        kept_count: DFF<Bits<6>>,
        // Reciprocal of the sum: a product drops 16 bits and `shift` more.
        factor: DFF<Bits<17>>,
        shift: DFF<Bits<3>>,
        // Entries in the output pipeline, the newest at index 0.
        stage_valid: [DFF<Bit>; 4],
        staged: [DFF<Bits<PLACEMENT>>; 3],
        out_prior: DFF<Bits<16>>,
        out_mean: DFF<Bits<16>>,
        done_next: DFF<Bit>,
        rank: Signal<Local, Bits<6>>,
        score_difference: Signal<Local, Bits<SCORE>>,
        score_gap: Signal<Local, Bits<8>>,
        extra_shift: Signal<Local, Bits<3>>,
        mantissa: Signal<Local, Bits<8>>,
        next_step: Signal<Local, Bits<6>>,
        next_sum: Signal<Local, Bits<22>>,
        product: Signal<Local, Bits<39>>,
        quotient: Signal<Local, Bits<18>>,
        max_kept: Constant<Bits<6>> = given,
        extra_shifts: [Constant<Bits<3>>; 6] = given,
    }
}

impl Priors {
    /// Creates the second pass with the prior parameters.
    ///
    /// # Panics
    /// If more placements are to be kept than the ranking holds.
    pub fn new(parameters: &SearchParameters) -> Self {
        assert!(
            (1..=LENGTH).contains(&parameters.children),
            "32 children at most"
        );
        let powers = (0..256).map(|behind| {
            let loss = exp2_neg((behind * parameters.fpu_reduction / 16).min(255));
            u64::from(exp2_neg(behind)) | u64::from(loss) << Share::LOSS
        });
        let factors = (256..512).map(|divisor| u64::from(Reciprocal::of(divisor).factor));
        Self::from(PriorsParts {
            lookup: BlockRom::new(powers.chain(factors)),
            max_kept: Constant::new(parameters.children.to_bits()),
            extra_shifts: std::array::from_fn(|i| Constant::new(i.to_bits())),
            prior_product: Multiplier::unsigned(),
            mean_product: Multiplier::unsigned(),
        })
    }
}

impl Logic for Priors {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            step,
            best_score,
            taken,
            taken_score_gap,
            taken_placement
        );
        dff_setup!(
            self,
            clock,
            taken_index,
            added,
            sum,
            kept_count,
            factor,
            shift
        );
        dff_setup!(self, clock, out_prior, out_mean, done_next);
        clock!(self, clock, lookup, kept, prior_product, mean_product);

        // Sequence.
        self.next_step.next = self.step.q.val() + 1;
        self.drain.next = false;
        self.stage_valid[0].d.next = false;
        self.done_next.d.next = false;
        match self.state.q.val() {
            PriorsState::Idle => {
                self.step.d.next = bits::<6>(0);
                if self.start.val() {
                    self.state.d.next = PriorsState::Drain;
                    self.best_score.d.next = self.best.val();
                    self.sum.d.next = bits::<22>(0);
                    self.kept_count.d.next = bits::<6>(0);
                }
            }
            PriorsState::Drain => {
                // 32 placements, and three cycles until the last one is in the sum.
                self.drain.next = !self.step.q.val().get_bit(5);
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == bits::<6>(33) {
                    self.state.d.next = PriorsState::Divide;
                    self.step.d.next = bits::<6>(0);
                }
            }
            PriorsState::Divide => {
                // The table's word is valid one cycle after its address.
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == bits::<6>(1) {
                    self.factor.d.next = self.lookup.data.val().get_bits::<17>(Share::POWER);
                    self.state.d.next = PriorsState::Emit;
                    self.step.d.next = bits::<6>(0);
                }
            }
            PriorsState::Emit => {
                self.stage_valid[0].d.next = self.step.q.val() < self.kept_count.q.val();
                self.step.d.next = self.next_step.val();
                if self.step.q.val() >= self.kept_count.q.val() {
                    self.step.d.next = self.step.q.val();
                    if (!self.stage_valid[0].q.val())
                        & (!self.stage_valid[1].q.val())
                        & (!self.stage_valid[2].q.val())
                    {
                        self.state.d.next = PriorsState::Idle;
                        self.done_next.d.next = true;
                    }
                }
            }
            _ => {
                self.state.d.next = PriorsState::Idle;
            }
        }
        self.idle.next = self.state.q.val() == PriorsState::Idle;

        // From the ranking: the last place first.
        self.rank.next = bits::<6>(31) - self.step.q.val();
        self.score_difference.next = self.best_score.q.val() - self.last_score.val();
        self.score_gap.next = self.score_difference.val().get_bits::<8>(0);
        if self.score_difference.val().get_bits::<5>(8).any() {
            self.score_gap.next = bits::<8>(255);
        }
        self.taken.d.next =
            self.drain.val() & self.last.val() & (self.rank.val() < self.max_kept.val());
        self.taken_score_gap.d.next = self.score_gap.val();
        self.taken_placement.d.next = self.last_placement.val();
        self.taken_index.d.next = self.rank.val().get_bits::<5>(0);
        self.kept.write.next = self.taken.q.val();
        self.kept.write_address.next = self.taken_index.q.val();
        self.kept.word.next = bit_cast::<23, 15>(self.taken_placement.q.val())
            | (bit_cast::<23, 8>(self.taken_score_gap.q.val()) << Kept::BEHIND.val());
        self.added.d.next = self.taken.q.val();
        self.next_sum.next = self.sum.q.val()
            + bit_cast::<22, 17>(self.lookup.data.val().get_bits::<17>(Share::POWER));
        if self.added.q.val() {
            self.sum.d.next = self.next_sum.val();
            self.kept_count.d.next = self.kept_count.q.val() + 1;
        }

        // The highest bit of the sum is bit 16 or above.
        self.extra_shift.next = bits::<3>(0);
        self.mantissa.next = self.sum.q.val().get_bits::<8>(8);
        for i in 1..6 {
            if self.sum.q.val().get_bit(i + 16) {
                self.extra_shift.next = self.extra_shifts[i].val();
                self.mantissa.next = self.sum.q.val().get_bits::<8>(i + 8);
            }
        }
        self.shift.d.next = self.extra_shift.val();

        // Table.
        self.lookup.address.next = bit_cast::<9, 8>(self.taken_score_gap.q.val());
        if self.state.q.val() == PriorsState::Divide {
            self.lookup.address.next = bits::<9>(256) | bit_cast::<9, 8>(self.mantissa.val());
        }
        if self.state.q.val() == PriorsState::Emit {
            self.lookup.address.next =
                bit_cast::<9, 8>(self.kept.data.val().get_bits::<8>(Kept::BEHIND));
        }

        // To the tree: memory, table, products, output.
        self.kept.address.next = self.step.q.val().get_bits::<5>(0);
        for i in 0..4 {
            self.stage_valid[i].clock.next = self.clock.val();
        }
        for i in 0..3 {
            self.stage_valid[i + 1].d.next = self.stage_valid[i].q.val();
            self.staged[i].clock.next = self.clock.val();
        }
        self.staged[0].d.next = self.kept.data.val().get_bits::<15>(Kept::PLACEMENT);
        self.staged[1].d.next = self.staged[0].q.val();
        self.staged[2].d.next = self.staged[1].q.val();
        self.prior_product.a.next = self.lookup.data.val().get_bits::<17>(Share::POWER);
        self.prior_product.b.next = self.factor.q.val();
        self.mean_product.a.next = self.value.val();
        self.mean_product.b.next = self.lookup.data.val().get_bits::<17>(Share::LOSS);
        self.product.next = bit_cast::<39, 34>(self.prior_product.product.val());
        self.quotient.next = self.product.val().get_bits::<18>(16);
        for i in 1..6 {
            if self.shift.q.val() == self.extra_shifts[i].val() {
                self.quotient.next = self.product.val().get_bits::<18>(i + 16);
            }
        }
        self.out_prior.d.next = self.quotient.val().get_bits::<16>(0);
        if self.quotient.val().get_bits::<2>(16).any() {
            self.out_prior.d.next = bits::<16>(0xffff);
        }
        self.out_mean.d.next = self.mean_product.product.val().get_bits::<16>(16);
        self.entry.next = self.stage_valid[3].q.val();
        self.placement.next = self.staged[2].q.val();
        self.prior.next = self.out_prior.q.val();
        self.mean.next = bit_cast::<24, 16>(self.out_mean.q.val()) << 8;
        self.count.next = self.kept_count.q.val();
        self.done.next = self.done_next.q.val();
    }
}

/// Returns the entries of a ranking, best first: placement as on a bus, prior in units of 2^-16,
/// initial mean in units of 2^-24. `scored` holds the placements with their scores, best first.
pub fn twin(
    scored: &[(Placement, i32)],
    value: u16,
    parameters: &SearchParameters,
) -> Vec<[u64; 3]> {
    let kept = &scored[..scored.len().min(parameters.children)];
    let mut tree = Tree::default();
    let node = tree.add_node(
        Colour(0),
        &prior::with_priors(kept),
        value.into(),
        parameters,
    );
    let children = tree.children(node).iter();
    children
        .map(|child| {
            [
                code(child.placement).into(),
                child.prior.into(),
                child.mean.into(),
            ]
        })
        .collect()
}
