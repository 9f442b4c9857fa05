//! Every second child of all nodes, and the arithmetic on one of them a clock.
//!
//! A child is 99 bits, which fill eleven columns of nine bits, as wide as a block RAM's: `fixed` has its
//! placement, `links` what it leads to, `visits`, `counts` and `means` the rest; the bits that are left
//! over in each hold a part of the prior. Only what changes is written.
//!
//! Timing: a word whose address is there in clock 0 goes through these stages.
//!
//!     clock  to be scored                        to learn
//!     1      words are there; one visit more     words are there
//!     2      reciprocal of the visits            weight, by its mark; count
//!     3      spread times prior                  reciprocal of the count, difference
//!     4      times reciprocal                    weight times reciprocal
//!     5      limited, added to the value         times difference
//!     6      outputs                             step added to the mean
//!     7                                          written
//!
//! What the stages need from outside has the number of its clock in its name.

use duoforge_engine::search::Parameters;
use duoforge_engine::search::arithmetic::Reciprocal;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::marks::MARK;
use super::normal::{MANTISSA, Normal};
use super::product::Product;
use crate::block::block;
use crate::memory::Memory;
use crate::search::field::PLACEMENT;

/// Bits of a child's address: the node's ten and four of the child's five.
pub const ADDRESS: usize = 14;

/// Bits of a node's number in the tree's memory, and of what a child leads to.
pub const NODE: usize = 10;

/// Bits of what explores: see `duoforge_engine::search::arithmetic::spread`.
pub const SPREAD: usize = 20;

/// Bits of a child's score.
pub const SCORE: usize = 21;

/// Bits of a weight in 16ths of a visit.
const WEIGHT: usize = 6;

/// One of two banks.
#[derive(LogicBlock)]
pub struct Bank {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Which child to read.
    pub address: Signal<In, Bits<ADDRESS>>,
    /// Which child to write.
    pub place: Signal<In, Bits<ADDRESS>>,
    /// Writes a new child: the three below.
    pub enter: Signal<In, Bit>,
    /// Its placement.
    pub new_placement: Signal<In, Bits<PLACEMENT>>,
    /// Its prior.
    pub new_prior: Signal<In, Bits<16>>,
    /// Its first mean.
    pub new_mean: Signal<In, Bits<24>>,
    /// Writes what the child leads to whose words are there.
    pub link: Signal<In, Bit>,
    /// What it leads to.
    pub new_next: Signal<In, Bits<NODE>>,
    /// Writes a child's visits.
    pub visit: Signal<In, Bit>,
    /// Its visits.
    pub new_visits: Signal<In, Bits<18>>,
    /// Children learn; otherwise they are scored.
    pub learning: Signal<In, Bit>,
    /// The child is visited.
    pub one_more_1: Signal<In, Bit>,
    /// The child's placement.
    pub placement_1: Signal<Out, Bits<PLACEMENT>>,
    /// The child was chosen.
    pub chosen_2: Signal<In, Bit>,
    /// The child may learn from others.
    pub sibling_2: Signal<In, Bit>,
    /// Whose placement it is.
    pub side_2: Signal<In, Bit>,
    /// The node's ply, one higher, as marks have it.
    pub ply_2: Signal<In, Bits<6>>,
    /// The mark of its placement.
    pub mark_2: Signal<In, Bits<MARK>>,
    /// What explores.
    pub spread_3: Signal<In, Bits<SPREAD>>,
    /// The result, for the side whose placement it is.
    pub result_3: Signal<In, Bits<16>>,
    /// The child's score.
    pub score: Signal<Out, Bits<SCORE>>,
    /// Its placement.
    pub placement: Signal<Out, Bits<PLACEMENT>>,
    /// Its visits.
    pub visits: Signal<Out, Bits<18>>,
    /// Its value.
    pub value: Signal<Out, Bits<16>>,
    /// What it leads to.
    pub leads: Signal<Out, Bits<NODE>>,
    fixed: Memory<18, ADDRESS>,
    links: Memory<18, ADDRESS>,
    visited: Memory<18, ADDRESS>,
    counts: Memory<18, ADDRESS>,
    means: Memory<27, ADDRESS>,
    // What goes along, from stage 1 on.
    placements: [DFF<Bits<PLACEMENT>>; 5],
    nexts: [DFF<Bits<NODE>>; 5],
    visit_counts: [DFF<Bits<19>>; 5],
    mean: [DFF<Bits<24>>; 5],
    count: [DFF<Bits<16>>; 6],
    // The prior's bits that lie beside count and mean.
    beside: [DFF<Bits<5>>; 6],
    prior: [DFF<Bits<16>>; 2],
    normal: Normal,
    reciprocal: SyncROM<Bits<17>, MANTISSA>,
    exponents: [DFF<Bits<5>>; 3],
    factor: DFF<Bits<17>>,
    share: Product<SPREAD, 16, 26>,
    hope: Product<26, 17, 31>,
    scored: DFF<Bits<SCORE>>,
    weight_of: ROM<Bits<WEIGHT>, 6>,
    weights: [DFF<Bits<WEIGHT>>; 2],
    learns: [DFF<Bit>; 5],
    difference: DFF<Bits<19>>,
    late_difference: DFF<Bits<19>>,
    rate: Product<WEIGHT, 17, 23>,
    step: Product<19, 23, 32>,
    learned: DFF<Bits<24>>,
    own_prior: Signal<Local, Bits<16>>,
    hit: Signal<Local, Bit>,
    distance: Signal<Local, Bits<6>>,
    later: Signal<Local, Bits<6>>,
    weight: Signal<Local, Bits<WEIGHT>>,
    sum: Signal<Local, Bits<17>>,
    apart: Signal<Local, Bits<25>>,
    shifted: Signal<Local, Bits<31>>,
    too_high: Signal<Local, Bits<11>>,
    most: Signal<Local, Bits<20>>,
    fill: Signal<Local, Bits<32>>,
    steps: Signal<Local, Bits<32>>,
    moved: Signal<Local, Bits<32>>,
    above: Signal<Local, Bits<7>>,
    own_weight: Constant<Bits<WEIGHT>>,
    first_count: Constant<Bits<18>>,
    longest: Constant<Bits<16>>,
    sibling_most: Constant<Bits<16>>,
    least_hope: Constant<Bits<20>>,
    full_mean: Constant<Bits<24>>,
    ones: [Constant<Bits<32>>; 4],
    all_ones: Constant<Bits<32>>,
}

impl Bank {
    /// Room for half the children of this many nodes, a power of two.
    pub fn new(nodes: usize, p: &Parameters) -> Self {
        let words = nodes << (ADDRESS - NODE);
        let weight = |distance: u32| {
            let fall = (distance * p.rave_drop) >> 8;
            p.rave_near.saturating_sub(fall).max(p.rave_far)
        };
        let most = (1 << WEIGHT) - 1;
        assert!(
            p.rave_near <= most && p.rave_far <= most,
            "a weight has {WEIGHT} bits"
        );
        let sibling_most = (16 * u64::from(p.rave_child)).min(0xffff);
        block!(Self {
            fixed: Memory::new(words),
            links: Memory::new(words),
            visited: Memory::new(words),
            counts: Memory::new(words),
            means: Memory::new(words),
            reciprocal: (256..512_u32).map(|n| Reciprocal::of(n).factor.to_bits()).into(),
            weight_of: (0..64).map(|distance| weight(distance).to_bits()).into(),
            share: Product::unsigned(),
            hope: Product::unsigned(),
            rate: Product::unsigned(),
            step: Product::signed(),
            own_weight: Constant::new(16_u32.to_bits()),
            first_count: Constant::new(p.first_count.to_bits()),
            longest: Constant::new(0xffff_u32.to_bits()),
            sibling_most: Constant::new(sibling_most.to_bits()),
            least_hope: Constant::new(0xf_ffff_u32.to_bits()),
            full_mean: Constant::new(0xff_ffff_u32.to_bits()),
            ones: [1, 2, 4, 8].map(|places| Constant::new((!0_u32 << (32 - places)).to_bits())),
            all_ones: Constant::new((!0_u32).to_bits()),
        } default
            clock address place enter new_placement new_prior new_mean link new_next visit
            new_visits learning one_more_1 placement_1 chosen_2 sibling_2 side_2 ply_2 mark_2
            spread_3 result_3 score placement visits value leads placements nexts visit_counts mean
            count beside prior normal exponents factor scored weights learns difference
            late_difference learned own_prior hit distance later weight sum apart shifted too_high
            most fill steps moved above
        )
    }
}

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self, clock, fixed, links, visited, counts, means, reciprocal
        );
        clock!(self, clock, share, hope, rate, step);
        dff_setup!(
            self,
            clock,
            factor,
            scored,
            difference,
            late_difference,
            learned
        );

        // What goes along.
        for i in 0..5 {
            self.placements[i].clock.next = self.clock.val();
            self.nexts[i].clock.next = self.clock.val();
            self.visit_counts[i].clock.next = self.clock.val();
            self.mean[i].clock.next = self.clock.val();
            self.learns[i].clock.next = self.clock.val();
        }
        for i in 0..4 {
            self.placements[i + 1].d.next = self.placements[i].q.val();
            self.nexts[i + 1].d.next = self.nexts[i].q.val();
            self.visit_counts[i + 1].d.next = self.visit_counts[i].q.val();
            self.mean[i + 1].d.next = self.mean[i].q.val();
            self.learns[i + 1].d.next = self.learns[i].q.val();
        }
        for i in 0..6 {
            self.count[i].clock.next = self.clock.val();
            self.beside[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.count[i + 1].d.next = self.count[i].q.val();
            self.beside[i + 1].d.next = self.beside[i].q.val();
        }
        for i in 0..2 {
            self.prior[i].clock.next = self.clock.val();
            self.weights[i].clock.next = self.clock.val();
        }
        for i in 0..3 {
            self.exponents[i].clock.next = self.clock.val();
        }
        for i in 0..2 {
            self.exponents[i + 1].d.next = self.exponents[i].q.val();
        }

        // Clock 1.
        self.fixed.address.next = self.address.val();
        self.links.address.next = self.address.val();
        self.visited.address.next = self.address.val();
        self.counts.address.next = self.address.val();
        self.means.address.next = self.address.val();
        self.placement_1.next = self.fixed.data.val().get_bits::<15>(0);
        self.placements[0].d.next = self.fixed.data.val().get_bits::<15>(0);
        self.nexts[0].d.next = self.links.data.val().get_bits::<10>(0);
        self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited.data.val());
        if self.one_more_1.val() {
            self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited.data.val()) + 1;
        }
        self.count[0].d.next = self.counts.data.val().get_bits::<16>(0);
        self.mean[0].d.next = self.means.data.val().get_bits::<24>(0);
        self.beside[0].d.next = bit_cast::<5, 3>(self.means.data.val().get_bits::<3>(24))
            | (bit_cast::<5, 2>(self.counts.data.val().get_bits::<2>(16)) << 3);
        self.prior[0].d.next = bit_cast::<16, 3>(self.means.data.val().get_bits::<3>(24))
            | (bit_cast::<16, 2>(self.counts.data.val().get_bits::<2>(16)) << 3)
            | (bit_cast::<16, 8>(self.links.data.val().get_bits::<8>(10)) << 5)
            | (bit_cast::<16, 3>(self.fixed.data.val().get_bits::<3>(15)) << 13);

        // Clock 2: the weight, and the count with it.
        self.prior[1].d.next = self.prior[0].q.val();
        self.later.next = self.mark_2.val().get_bits::<6>(1);
        self.hit.next = self.sibling_2.val()
            & self.later.val().any()
            & (self.mark_2.val().get_bit(0) == self.side_2.val())
            & (self.count[0].q.val() <= self.sibling_most.val());
        self.distance.next = self.later.val() - self.ply_2.val();
        self.weight_of.address.next = self.distance.val();
        self.weight.next = self.weight_of.data.val();
        if self.chosen_2.val() {
            self.weight.next = self.own_weight.val();
        }
        self.weights[0].d.next = self.weight.val();
        self.weights[1].d.next = self.weights[0].q.val();
        self.learns[0].d.next = self.learning.val() & (self.chosen_2.val() | self.hit.val());
        self.sum.next =
            bit_cast::<17, 16>(self.count[0].q.val()) + bit_cast::<17, 6>(self.weight.val());
        self.count[1].d.next = self.sum.val().get_bits::<16>(0);
        if self.sum.val().get_bit(16) {
            self.count[1].d.next = self.longest.val();
        }

        // Clock 2 or 3: the reciprocal.
        self.normal.number.next = self.visit_counts[0].q.val();
        if self.learning.val() {
            self.normal.number.next = bit_cast::<19, 16>(self.count[1].q.val());
        }
        self.reciprocal.address.next = self.normal.mantissa.val();
        self.exponents[0].d.next = self.normal.exponent.val();

        // Scored. Clocks 3 and 4: 2^-12 first, then of a whole.
        self.share.a.next = self.spread_3.val();
        self.share.b.next = self.prior[1].q.val();
        self.factor.d.next = self.reciprocal.data.val();
        self.hope.a.next = self.share.product.val();
        self.hope.b.next = self.factor.q.val();
        // Clock 5: the product has lost twelve bits.
        self.shifted.next = self.hope.product.val() >> self.exponents[2].q.val();
        self.too_high.next = self.shifted.val().get_bits::<11>(20);
        self.most.next = self.shifted.val().get_bits::<20>(0);
        if self.too_high.val().any() {
            self.most.next = self.least_hope.val();
        }
        self.scored.d.next = bit_cast::<21, 20>(self.most.val())
            + bit_cast::<21, 16>(self.mean[3].q.val().get_bits::<16>(8));
        self.score.next = self.scored.q.val();
        self.placement.next = self.placements[4].q.val();
        self.visits.next = self.visit_counts[4].q.val().get_bits::<18>(0);
        self.value.next = self.mean[4].q.val().get_bits::<16>(8);
        self.leads.next = self.nexts[4].q.val();

        // Learning. Clock 3: the difference less its six lowest bits.
        self.apart.next = (bit_cast::<25, 16>(self.result_3.val()) << 8)
            - bit_cast::<25, 24>(self.mean[1].q.val());
        self.difference.d.next = self.apart.val().get_bits::<19>(6);
        self.late_difference.d.next = self.difference.q.val();
        // Clocks 4 and 5.
        self.rate.a.next = self.weights[1].q.val();
        self.rate.b.next = self.reciprocal.data.val();
        self.step.a.next = self.late_difference.q.val();
        self.step.b.next = self.rate.product.val();
        // Clock 6: the product has lost ten bits; it is shifted with its sign, and the mean stays
        // between its limits.
        self.fill.next = bits::<32>(0);
        if self.step.product.val().get_bit(31) {
            self.fill.next = self.all_ones.val();
        }
        self.steps.next = self.step.product.val();
        if self.exponents[2].q.val().get_bit(0) {
            self.steps.next = (self.steps.val() >> 1) | (self.fill.val() & self.ones[0].val());
        }
        if self.exponents[2].q.val().get_bit(1) {
            self.steps.next = (self.steps.val() >> 2) | (self.fill.val() & self.ones[1].val());
        }
        if self.exponents[2].q.val().get_bit(2) {
            self.steps.next = (self.steps.val() >> 4) | (self.fill.val() & self.ones[2].val());
        }
        if self.exponents[2].q.val().get_bit(3) {
            self.steps.next = (self.steps.val() >> 8) | (self.fill.val() & self.ones[3].val());
        }
        self.moved.next = self.steps.val() + bit_cast::<32, 24>(self.mean[4].q.val());
        self.above.next = self.moved.val().get_bits::<7>(24);
        self.learned.d.next = self.moved.val().get_bits::<24>(0);
        if self.above.val().any() {
            self.learned.d.next = self.full_mean.val();
        }
        if self.moved.val().get_bit(31) {
            self.learned.d.next = bits::<24>(0);
        }

        // Written.
        self.fixed.place.next = self.place.val();
        self.links.place.next = self.place.val();
        self.visited.place.next = self.place.val();
        self.counts.place.next = self.place.val();
        self.means.place.next = self.place.val();
        self.own_prior.next = self.new_prior.val();
        self.fixed.write.next = self.enter.val();
        self.fixed.word.next = bit_cast::<18, 15>(self.new_placement.val())
            | (bit_cast::<18, 3>(self.own_prior.val().get_bits::<3>(13)) << 15);
        self.links.write.next = self.enter.val() | self.link.val();
        self.links.word.next = bit_cast::<18, 8>(self.own_prior.val().get_bits::<8>(5)) << 10;
        if self.link.val() {
            self.links.word.next = bit_cast::<18, 10>(self.new_next.val())
                | (bit_cast::<18, 8>(self.links.data.val().get_bits::<8>(10)) << 10);
        }
        self.visited.write.next = self.enter.val() | self.visit.val();
        self.visited.word.next = bits::<18>(0);
        if self.visit.val() {
            self.visited.word.next = self.new_visits.val();
        }
        self.counts.write.next = self.learns[4].q.val();
        self.counts.word.next = bit_cast::<18, 16>(self.count[5].q.val())
            | (bit_cast::<18, 2>(self.beside[5].q.val().get_bits::<2>(3)) << 16);
        self.means.write.next = self.learns[4].q.val();
        self.means.word.next = bit_cast::<27, 24>(self.learned.q.val())
            | (bit_cast::<27, 3>(self.beside[5].q.val().get_bits::<3>(0)) << 24);
        if self.enter.val() {
            self.counts.write.next = true;
            self.counts.word.next = self.first_count.val()
                | (bit_cast::<18, 2>(self.own_prior.val().get_bits::<2>(3)) << 16);
            self.means.write.next = true;
            self.means.word.next = bit_cast::<27, 24>(self.new_mean.val())
                | (bit_cast::<27, 3>(self.own_prior.val().get_bits::<3>(0)) << 24);
        }
    }
}
