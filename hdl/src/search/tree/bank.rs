//! Every second child of all nodes, and the arithmetic on one of them a clock.
//!
//! A child is 99 bits, which fill eleven columns of nine bits, as wide as a block RAM's: `fixed` has its
//! placement, `links` what it leads to, `visits`, `counts` and `means` the rest; the bits that are left
//! over in each hold a part of the prior. Only what changes is written.
//!
//! Timing: a word whose address is there in the clock before clock 0 goes through these stages.
//!
//! ```text
//! clock  to be scored                        to learn
//! 1      words are there; visits and count    words are there
//! 2      reciprocal of their sum             mark
//! 3                                          weight, by its mark; count
//! 4      spread times prior                  reciprocal of the count, difference
//! 5      times reciprocal                    weight times reciprocal
//! 6      limited, added to the value         times difference
//! 7      outputs                             step added to the mean
//! 8                                          written
//! ```
//!
//! What the stages need from outside has the number of its clock in its name.

use duoforge_engine::search::Parameters;
use duoforge_engine::search::arithmetic::Reciprocal;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::exploration::SPREAD;
use super::lesson::Lesson;
use super::marks::MARK;
use super::normal::{MANTISSA, Normal};
use crate::block::block;
use crate::memory::Memory;
use crate::search::field::PLACEMENT;
use crate::search::product::Product;

/// Bits of a child's address: the node's ten and four of the child's five.
pub const ADDRESS: usize = 14;

/// Bits of a node's number in the tree's memory, and of what a child leads to.
pub const NODE: usize = 10;

/// Bits of a child's score.
pub const SCORE: usize = 21;

/// One of two banks.
#[derive(LogicBlock)]
pub struct Bank {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Which child to read: the address of the clock before clock 0.
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
    pub chosen_3: Signal<In, Bit>,
    /// The child may learn from others.
    pub sibling_3: Signal<In, Bit>,
    /// What the chosen one learns is its sure value.
    pub settle_3: Signal<In, Bit>,
    /// Whose placement it is.
    pub side_3: Signal<In, Bit>,
    /// The node's ply, one higher, as marks have it.
    pub ply_3: Signal<In, Bits<6>>,
    /// The mark of its placement.
    pub mark_3: Signal<In, Bits<MARK>>,
    /// What explores.
    pub spread_4: Signal<In, Bits<SPREAD>>,
    /// The result, for the side whose placement it is.
    pub result_4: Signal<In, Bits<16>>,
    /// The child's score.
    pub score: Signal<Out, Bits<SCORE>>,
    /// Its value is sure, and nothing more is hoped for.
    pub sure: Signal<Out, Bit>,
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
    // Large memories are many blocks all over the chip: their words need a clock for the way.
    fixed_read: DFF<Bits<18>>,
    links_read: DFF<Bits<18>>,
    visited_read: DFF<Bits<18>>,
    counts_read: DFF<Bits<18>>,
    means_read: DFF<Bits<27>>,
    // What goes along, from stage 1 on.
    placements: [DFF<Bits<PLACEMENT>>; 6],
    nexts: [DFF<Bits<NODE>>; 6],
    visit_counts: [DFF<Bits<19>>; 6],
    // Visits and what the mean rests on, for the reciprocal.
    known: DFF<Bits<19>>,
    mean: [DFF<Bits<24>>; 6],
    count: [DFF<Bits<16>>; 2],
    sures: [DFF<Bit>; 4],
    // The prior's bits that lie beside count and mean.
    beside: [DFF<Bits<5>>; 7],
    prior: [DFF<Bits<16>>; 3],
    normal: Normal,
    reciprocal: SyncROM<Bits<17>, MANTISSA>,
    exponents: [DFF<Bits<5>>; 4],
    factors: [DFF<Bits<17>>; 2],
    share: Product<SPREAD, 16, 26>,
    hope: Product<26, 17, 31>,
    scored: DFF<Bits<SCORE>>,
    lesson: Lesson,
    // What the mean rests on, in visits, and for how many of them it counts.
    counted: Signal<Local, Bits<12>>,
    rest: Signal<Local, Bits<12>>,
    own_prior: Signal<Local, Bits<16>>,
    shifted: Signal<Local, Bits<31>>,
    too_high: Signal<Local, Bits<11>>,
    most: Signal<Local, Bits<20>>,
    first_count: Constant<Bits<18>>,
    least_hope: Constant<Bits<20>>,
    most_rest: Constant<Bits<12>>,
}

impl Bank {
    /// Room for half the children of this many nodes, a power of two.
    pub fn new(nodes: usize, p: &Parameters) -> Self {
        let words = nodes << (ADDRESS - NODE);
        block!(Self {
            fixed: Memory::new(words),
            links: Memory::new(words),
            visited: Memory::new(words),
            counts: Memory::new(words),
            means: Memory::new(words),
            reciprocal: (256..512_u32).map(|n| Reciprocal::of(n).factor.to_bits()).into(),
            share: Product::unsigned(),
            hope: Product::unsigned(),
            lesson: Lesson::new(p),
            first_count: Constant::new(p.first_count.to_bits()),
            least_hope: Constant::new(0xf_ffff_u32.to_bits()),
            most_rest: Constant::new(p.rest.min(0xfff).to_bits()),
        } default
            clock address place enter new_placement new_prior new_mean link new_next visit
            new_visits learning one_more_1 placement_1 chosen_3 sibling_3 settle_3 side_3 ply_3
            mark_3 spread_4 result_4 score sure sures placement visits value leads fixed_read
            links_read visited_read counts_read means_read placements nexts visit_counts known mean
            count beside prior normal exponents factors scored counted rest own_prior shifted
            too_high most
        )
    }
}

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self, clock, fixed, links, visited, counts, means, reciprocal
        );
        clock!(self, clock, share, hope, lesson);
        dff_setup!(
            self,
            clock,
            known,
            scored,
            fixed_read,
            links_read,
            visited_read
        );
        dff_setup!(self, clock, counts_read, means_read);
        self.fixed_read.d.next = self.fixed.data.val();
        self.links_read.d.next = self.links.data.val();
        self.visited_read.d.next = self.visited.data.val();
        self.counts_read.d.next = self.counts.data.val();
        self.means_read.d.next = self.means.data.val();

        // What goes along.
        for i in 0..6 {
            self.placements[i].clock.next = self.clock.val();
            self.nexts[i].clock.next = self.clock.val();
            self.visit_counts[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.placements[i + 1].d.next = self.placements[i].q.val();
            self.nexts[i + 1].d.next = self.nexts[i].q.val();
            self.visit_counts[i + 1].d.next = self.visit_counts[i].q.val();
        }
        for i in 0..6 {
            self.mean[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.mean[i + 1].d.next = self.mean[i].q.val();
        }
        for i in 0..7 {
            self.beside[i].clock.next = self.clock.val();
        }
        for i in 0..6 {
            self.beside[i + 1].d.next = self.beside[i].q.val();
        }
        for i in 0..2 {
            self.count[i].clock.next = self.clock.val();
            self.factors[i].clock.next = self.clock.val();
            self.prior[i + 1].d.next = self.prior[i].q.val();
        }
        for i in 0..3 {
            self.prior[i].clock.next = self.clock.val();
            self.exponents[i + 1].d.next = self.exponents[i].q.val();
        }
        for i in 0..4 {
            self.exponents[i].clock.next = self.clock.val();
            self.sures[i].clock.next = self.clock.val();
        }
        for i in 0..3 {
            self.sures[i + 1].d.next = self.sures[i].q.val();
        }

        // Clock 1.
        self.fixed.address.next = self.address.val();
        self.links.address.next = self.address.val();
        self.visited.address.next = self.address.val();
        self.counts.address.next = self.address.val();
        self.means.address.next = self.address.val();
        self.placement_1.next = self.fixed_read.q.val().get_bits::<15>(0);
        self.placements[0].d.next = self.fixed_read.q.val().get_bits::<15>(0);
        self.nexts[0].d.next = self.links_read.q.val().get_bits::<10>(0);
        self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited_read.q.val());
        if self.one_more_1.val() {
            self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited_read.q.val()) + 1;
        }
        self.counted.next = self.counts_read.q.val().get_bits::<12>(4);
        self.rest.next = self.counted.val();
        if self.counted.val() > self.most_rest.val() {
            self.rest.next = self.most_rest.val();
        }
        self.known.d.next =
            bit_cast::<19, 18>(self.visited_read.q.val()) + bit_cast::<19, 12>(self.rest.val());
        self.count[1].d.next = self.count[0].q.val();
        self.count[0].d.next = self.counts_read.q.val().get_bits::<16>(0);
        self.mean[0].d.next = self.means_read.q.val().get_bits::<24>(0);
        self.beside[0].d.next = bit_cast::<5, 3>(self.means_read.q.val().get_bits::<3>(24))
            | (bit_cast::<5, 2>(self.counts_read.q.val().get_bits::<2>(16)) << 3);
        self.prior[0].d.next = bit_cast::<16, 3>(self.means_read.q.val().get_bits::<3>(24))
            | (bit_cast::<16, 2>(self.counts_read.q.val().get_bits::<2>(16)) << 3)
            | (bit_cast::<16, 8>(self.links_read.q.val().get_bits::<8>(10)) << 5)
            | (bit_cast::<16, 3>(self.fixed_read.q.val().get_bits::<3>(15)) << 13);

        // Clock 2 or 4: the reciprocal.
        self.normal.number.next = self.known.q.val();
        if self.learning.val() {
            self.normal.number.next = bit_cast::<19, 16>(self.lesson.count_4.val());
        }
        self.reciprocal.address.next = self.normal.mantissa.val();
        self.exponents[0].d.next = self.normal.exponent.val();

        // Clock 3.
        self.sures[0].d.next = self.lesson.sure_3.val();

        // Scored. Clocks 4 and 5: 2^-12 first, then of a whole.
        self.share.a.next = self.spread_4.val();
        self.share.b.next = self.prior[2].q.val();
        self.factors[0].d.next = self.reciprocal.data.val();
        self.factors[1].d.next = self.factors[0].q.val();
        self.hope.a.next = self.share.product.val();
        self.hope.b.next = self.factors[1].q.val();
        // Clock 6: the product has lost twelve bits.
        self.shifted.next = self.hope.product.val() >> self.exponents[3].q.val();
        self.too_high.next = self.shifted.val().get_bits::<11>(20);
        self.most.next = self.shifted.val().get_bits::<20>(0);
        if self.too_high.val().any() {
            self.most.next = self.least_hope.val();
        }
        if self.sures[2].q.val() {
            self.most.next = bits::<20>(0);
        }
        self.scored.d.next = bit_cast::<21, 20>(self.most.val())
            + bit_cast::<21, 16>(self.mean[4].q.val().get_bits::<16>(8));
        self.score.next = self.scored.q.val();
        self.sure.next = self.sures[3].q.val();
        self.placement.next = self.placements[5].q.val();
        self.visits.next = self.visit_counts[5].q.val().get_bits::<18>(0);
        self.value.next = self.mean[5].q.val().get_bits::<16>(8);
        self.leads.next = self.nexts[5].q.val();

        // Learning.
        self.lesson.learning.next = self.learning.val();
        self.lesson.chosen_3.next = self.chosen_3.val();
        self.lesson.sibling_3.next = self.sibling_3.val();
        self.lesson.settle_3.next = self.settle_3.val();
        if self.lesson.settle_4.val() {
            self.mean[3].d.next = bit_cast::<24, 16>(self.result_4.val()) << 8;
        }
        self.lesson.side_3.next = self.side_3.val();
        self.lesson.ply_3.next = self.ply_3.val();
        self.lesson.mark_3.next = self.mark_3.val();
        self.lesson.count_3.next = self.count[1].q.val();
        self.lesson.mean_4.next = self.mean[2].q.val();
        self.lesson.result_4.next = self.result_4.val();
        self.lesson.factor_5.next = self.reciprocal.data.val();
        self.lesson.mean_7.next = self.mean[5].q.val();
        self.lesson.exponent_7.next = self.exponents[2].q.val();

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
                | (bit_cast::<18, 8>(self.links_read.q.val().get_bits::<8>(10)) << 10);
        }
        self.visited.write.next = self.enter.val() | self.visit.val();
        self.visited.word.next = bits::<18>(0);
        if self.visit.val() {
            self.visited.word.next = self.new_visits.val();
        }
        self.counts.write.next = self.lesson.changes_8.val();
        self.counts.word.next = bit_cast::<18, 16>(self.lesson.count_8.val())
            | (bit_cast::<18, 2>(self.beside[6].q.val().get_bits::<2>(3)) << 16);
        self.means.write.next = self.lesson.changes_8.val();
        self.means.word.next = bit_cast::<27, 24>(self.lesson.mean_8.val())
            | (bit_cast::<27, 3>(self.beside[6].q.val().get_bits::<3>(0)) << 24);
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
