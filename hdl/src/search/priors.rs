//! Turns the scores of a ranking into priors and first values: the second pass of an expansion.
//!
//! The ranking is handed out from its end. Each score becomes how far it is behind the best one, which
//! is a power of one half from a table; their sum's reciprocal then makes them probabilities. [`twin`] is the
//! twin.
//!
//! Timing: `start` counts while `idle`, and the ranking must be complete by then. It is drained for 32
//! clocks. The first entry is out, with `entry`, 41 clocks after `start`; the others follow with every clock,
//! the best first. `done` is 1 in the clock after the last entry, or 38 clocks after `start` if there is none.
//! `count` is right from 35 clocks after `start` to the next `start`. `value` holds still until `done`.
//!
//! Encoding: one table holds, for each distance, the power of one half and the one that the first value
//! is multiplied by, and the reciprocals above them; the three are needed at different times.

use duoforge_engine::search::arithmetic::{Reciprocal, halves};
use duoforge_engine::search::tree::Tree;
use duoforge_engine::search::{Parameters, prior};
use duoforge_rules::{Placement, Player};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::field::{PLACEMENT, code};
use super::prior_scorer::SCORE;
use super::product::Product;
use super::ranking::LENGTH;
use super::table::Table;
use crate::block::block;
use crate::memory::Memory;

/// What the second pass is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Pass {
    /// Nothing.
    Idle,
    /// Takes the ranking over.
    Drain,
    /// Divides by the sum.
    Divide,
    /// Hands the entries out.
    Emit,
}

/// Priors and first values of a ranking.
#[derive(LogicBlock)]
pub struct Priors {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Begins.
    pub start: Signal<In, Bit>,
    /// The position's value for the side that places, of 2^16.
    pub value: Signal<In, Bits<16>>,
    /// See `Ranking::best`.
    pub best: Signal<In, Bits<SCORE>>,
    /// See `Ranking::last`.
    pub last: Signal<In, Bit>,
    /// See `Ranking::last_score`.
    pub last_score: Signal<In, Bits<SCORE>>,
    /// See `Ranking::last_placement`.
    pub last_placement: Signal<In, Bits<PLACEMENT>>,
    /// To the ranking.
    pub drain: Signal<Out, Bit>,
    /// Nothing is under way.
    pub idle: Signal<Out, Bit>,
    /// The outputs below hold an entry.
    pub entry: Signal<Out, Bit>,
    /// Its placement.
    pub placement: Signal<Out, Bits<PLACEMENT>>,
    /// Its prior, of 2^16.
    pub prior: Signal<Out, Bits<16>>,
    /// Its first mean, of 2^24.
    pub mean: Signal<Out, Bits<24>>,
    /// How many entries there are.
    pub count: Signal<Out, Bits<6>>,
    /// All entries are out.
    pub done: Signal<Out, Bit>,
    lookup: Table<34, 9>,
    // Placement, and the distance above it.
    kept: Memory<23, 5>,
    share: Product<17, 17, 34>,
    worth: Product<16, 17, 33>,
    pass: DFF<Pass>,
    step: DFF<Bits<6>>,
    top: DFF<Bits<SCORE>>,
    // A placement from the ranking, its distance and its place.
    taken: DFF<Bit>,
    taken_behind: DFF<Bits<8>>,
    taken_placement: DFF<Bits<PLACEMENT>>,
    taken_place: DFF<Bits<5>>,
    added: DFF<Bit>,
    sum: DFF<Bits<22>>,
    total: DFF<Bits<6>>,
    // The reciprocal: after multiplying, as many bits more than 16 are dropped.
    factor: DFF<Bits<17>>,
    drop: DFF<Bits<3>>,
    // An entry on its way out, the newest lowest.
    alive: [DFF<Bit>; 4],
    way: [DFF<Bits<PLACEMENT>>; 3],
    out_prior: DFF<Bits<16>>,
    out_mean: DFF<Bits<16>>,
    done_next: DFF<Bit>,
    place: Signal<Local, Bits<6>>,
    distance: Signal<Local, Bits<SCORE>>,
    behind: Signal<Local, Bits<8>>,
    more: Signal<Local, Bits<3>>,
    mantissa: Signal<Local, Bits<8>>,
    next_step: Signal<Local, Bits<6>>,
    all: Signal<Local, Bits<22>>,
    product: Signal<Local, Bits<39>>,
    quotient: Signal<Local, Bits<18>>,
    keep: Constant<Bits<6>>,
    bits_more: [Constant<Bits<3>>; 6],
}

impl Priors {
    /// The second pass with the priors of these parameters.
    ///
    /// # Panics
    /// If more placements are to be kept than the ranking holds.
    pub fn new(parameters: &Parameters) -> Self {
        assert!(
            (1..=LENGTH).contains(&parameters.children),
            "32 children at most"
        );
        let powers = (0..256).map(|behind| {
            let loss = halves((behind * parameters.first_bias / 16).min(255));
            u64::from(halves(behind)) | u64::from(loss) << 17
        });
        let factors = (256..512).map(|divisor| u64::from(Reciprocal::of(divisor).factor));
        block!(Self {
            lookup: Table::new(powers.chain(factors)),
            keep: Constant::new(parameters.children.to_bits()),
            bits_more: std::array::from_fn(|i| Constant::new(i.to_bits())),
            share: Product::unsigned(),
            worth: Product::unsigned(),
        } default
            clock start value best last last_score last_placement drain idle entry placement prior
            mean count done kept pass step top taken taken_behind taken_placement taken_place added
            sum total factor drop alive way out_prior out_mean done_next place distance behind more
            mantissa next_step all product quotient
        )
    }
}

impl Logic for Priors {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            pass,
            step,
            top,
            taken,
            taken_behind,
            taken_placement
        );
        dff_setup!(self, clock, taken_place, added, sum, total, factor, drop);
        dff_setup!(self, clock, out_prior, out_mean, done_next);
        clock!(self, clock, lookup, kept, share, worth);

        // Steps.
        self.next_step.next = self.step.q.val() + 1;
        self.drain.next = false;
        self.alive[0].d.next = false;
        self.done_next.d.next = false;
        match self.pass.q.val() {
            Pass::Idle => {
                self.step.d.next = bits::<6>(0);
                if self.start.val() {
                    self.pass.d.next = Pass::Drain;
                    self.top.d.next = self.best.val();
                    self.sum.d.next = bits::<22>(0);
                    self.total.d.next = bits::<6>(0);
                }
            }
            Pass::Drain => {
                // 32 placements, and three clocks until the last one is in the sum.
                self.drain.next = !self.step.q.val().get_bit(5);
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == bits::<6>(33) {
                    self.pass.d.next = Pass::Divide;
                    self.step.d.next = bits::<6>(0);
                }
            }
            Pass::Divide => {
                // The table's word is there after a clock.
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == bits::<6>(1) {
                    self.factor.d.next = self.lookup.data.val().get_bits::<17>(0);
                    self.pass.d.next = Pass::Emit;
                    self.step.d.next = bits::<6>(0);
                }
            }
            Pass::Emit => {
                self.alive[0].d.next = self.step.q.val() < self.total.q.val();
                self.step.d.next = self.next_step.val();
                if self.step.q.val() >= self.total.q.val() {
                    self.step.d.next = self.step.q.val();
                    if (!self.alive[0].q.val())
                        & (!self.alive[1].q.val())
                        & (!self.alive[2].q.val())
                    {
                        self.pass.d.next = Pass::Idle;
                        self.done_next.d.next = true;
                    }
                }
            }
            _ => {
                self.pass.d.next = Pass::Idle;
            }
        }
        self.idle.next = self.pass.q.val() == Pass::Idle;

        // From the ranking: the last place first.
        self.place.next = bits::<6>(31) - self.step.q.val();
        self.distance.next = self.top.q.val() - self.last_score.val();
        self.behind.next = self.distance.val().get_bits::<8>(0);
        if self.distance.val().get_bits::<5>(8).any() {
            self.behind.next = bits::<8>(255);
        }
        self.taken.d.next =
            self.drain.val() & self.last.val() & (self.place.val() < self.keep.val());
        self.taken_behind.d.next = self.behind.val();
        self.taken_placement.d.next = self.last_placement.val();
        self.taken_place.d.next = self.place.val().get_bits::<5>(0);
        self.kept.write.next = self.taken.q.val();
        self.kept.place.next = self.taken_place.q.val();
        self.kept.word.next = bit_cast::<23, 15>(self.taken_placement.q.val())
            | (bit_cast::<23, 8>(self.taken_behind.q.val()) << 15);
        self.added.d.next = self.taken.q.val();
        self.all.next =
            self.sum.q.val() + bit_cast::<22, 17>(self.lookup.data.val().get_bits::<17>(0));
        if self.added.q.val() {
            self.sum.d.next = self.all.val();
            self.total.d.next = self.total.q.val() + 1;
        }

        // The sum's highest bit is one from 16 on.
        self.more.next = bits::<3>(0);
        self.mantissa.next = self.sum.q.val().get_bits::<8>(8);
        for i in 1..6 {
            if self.sum.q.val().get_bit(i + 16) {
                self.more.next = self.bits_more[i].val();
                self.mantissa.next = self.sum.q.val().get_bits::<8>(i + 8);
            }
        }
        self.drop.d.next = self.more.val();

        // The table.
        self.lookup.address.next = bit_cast::<9, 8>(self.taken_behind.q.val());
        if self.pass.q.val() == Pass::Divide {
            self.lookup.address.next = bits::<9>(256) | bit_cast::<9, 8>(self.mantissa.val());
        }
        if self.pass.q.val() == Pass::Emit {
            self.lookup.address.next = bit_cast::<9, 8>(self.kept.data.val().get_bits::<8>(15));
        }

        // To the tree: memory, table, products, and out.
        self.kept.address.next = self.step.q.val().get_bits::<5>(0);
        for i in 0..4 {
            self.alive[i].clock.next = self.clock.val();
        }
        for i in 0..3 {
            self.alive[i + 1].d.next = self.alive[i].q.val();
            self.way[i].clock.next = self.clock.val();
        }
        self.way[0].d.next = self.kept.data.val().get_bits::<15>(0);
        self.way[1].d.next = self.way[0].q.val();
        self.way[2].d.next = self.way[1].q.val();
        self.share.a.next = self.lookup.data.val().get_bits::<17>(0);
        self.share.b.next = self.factor.q.val();
        self.worth.a.next = self.value.val();
        self.worth.b.next = self.lookup.data.val().get_bits::<17>(17);
        self.product.next = bit_cast::<39, 34>(self.share.product.val());
        self.quotient.next = self.product.val().get_bits::<18>(16);
        for i in 1..6 {
            if self.drop.q.val() == self.bits_more[i].val() {
                self.quotient.next = self.product.val().get_bits::<18>(i + 16);
            }
        }
        self.out_prior.d.next = self.quotient.val().get_bits::<16>(0);
        if self.quotient.val().get_bits::<2>(16).any() {
            self.out_prior.d.next = bits::<16>(0xffff);
        }
        self.out_mean.d.next = self.worth.product.val().get_bits::<16>(16);
        self.entry.next = self.alive[3].q.val();
        self.placement.next = self.way[2].q.val();
        self.prior.next = self.out_prior.q.val();
        self.mean.next = bit_cast::<24, 16>(self.out_mean.q.val()) << 8;
        self.count.next = self.total.q.val();
        self.done.next = self.done_next.q.val();
    }
}

/// Entries of a ranking, the best first: placement as on a bus, prior in units of 2^-16, and first mean in
/// units of 2^-24. `scored` are the placements with their scores, the best first.
pub fn twin(scored: &[(Placement, i32)], value: u16, parameters: &Parameters) -> Vec<[u64; 3]> {
    let kept = &scored[..scored.len().min(parameters.children)];
    let mut tree = Tree::default();
    let node = tree.add(
        Player(0),
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

crate::ported!(Priors;
    in start value best last last_score last_placement;
    out drain idle entry placement prior mean count done);
