//! Memory bank: half of the children of all nodes, and the arithmetic on one child per cycle.
//!
//! Encoding: a child has 99 bits, which fill eleven columns of nine bits, the width of a block
//! RAM's column. `fixed` holds the placement, `links` the link, `visited` the visit count, `counts`
//! the value count, `means` the mean. Their spare bits hold parts of the prior, which then needs no
//! memory. A write touches only the memories whose content changes.
//!
//! Timing: a word whose `address` is sampled in the cycle before cycle 0 passes these stages.
//!
//! ```text
//! cycle  selection                                  backup
//! 1      words valid; visit count + value count     words valid
//! 2      reciprocal of the sum                      AMAF lookup
//! 3                                                 weight from the AMAF entry; value count
//! 4      exploration scale * prior                  reciprocal of the value count; difference
//! 5      * reciprocal                               weight * reciprocal
//! 6      limit, add to the value                    * difference
//! 7      outputs                                    step added to the mean
//! 8                                                 write
//! ```
//!
//! A port that feeds or leaves a stage has the number of its cycle in its name.

use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::arithmetic::Reciprocal;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::amaf_table::MARK;
use super::exploration::SPREAD;
use super::mean_update::Lesson;
use super::normaliser::{MANTISSA, Normal};
use crate::block::block;
use crate::memory::Memory;
use crate::search::multiplier::Product;
use crate::search::position_ring::PLACEMENT;
use crate::word::{ShiftBy, word};

word! {
    /// Number of a child in its node.
    pub ChildNumber {
        /// High in the bank of the odd children.
        ODD: 1,
        /// Number of the pair.
        PAIR: 4,
    }
}

word! {
    /// Address of a pair of children, in each of the banks.
    pub PairAddress {
        /// Number of the pair in its node.
        PAIR: 4,
        /// Number of the node.
        NODE: NODE,
    }
}

word! {
    /// Word of the memory `fixed`.
    pub(crate) Fixed {
        /// Placement of the child.
        PLACEMENT: PLACEMENT,
        /// Part of the prior.
        PRIOR: 3,
    }
}

word! {
    /// Word of the memory `links`.
    pub(crate) Link {
        /// Link of the child.
        NEXT: NODE,
        /// Part of the prior.
        PRIOR: 8,
    }
}

word! {
    /// Word of the memory `counts`.
    pub(crate) Count {
        /// Value count below one visit, in units of 1/16.
        FRACTION: 4,
        /// Value count in visits.
        WHOLE: 12,
        /// Part of the prior.
        PRIOR: 2,
    }
}

word! {
    /// Word of the memory `means`.
    pub(crate) Mean {
        /// Mean value, in units of 2^-24.
        MEAN: 24,
        /// Part of the prior.
        PRIOR: 3,
    }
}

word! {
    /// Parts of the prior, by the memory that holds them.
    pub(crate) PriorParts {
        /// Part in a [`Mean`].
        IN_MEAN: 3,
        /// Part in a [`Count`].
        IN_COUNT: 2,
        /// Part in a [`Link`].
        IN_LINK: 8,
        /// Part in a [`Fixed`].
        IN_FIXED: 3,
    }
}

/// Bits of a child's address: ten of the node's number and four of the child's five.
pub const ADDRESS: usize = PairAddress::BITS;

/// Bits of a node number in the tree's memory, and of a child's link.
pub const NODE: usize = 10;

/// Maximum number of nodes of a tree: the highest node number stands for the end of the game.
pub const NODES: usize = (1 << NODE) - 1;

/// Link outside the tree that stands for the end of the game; inside, it is [`NODES`].
pub const END: u16 = 0xfff;

/// Bits of a child's score: value plus exploration term, in units of 2^-16.
pub const SCORE: usize = 21;

block! {
    /// One of the two banks.
    pub struct Bank from BankParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Ports of the memories: one to read, one to write.
        /// Child to read, in the cycle before cycle 0.
        pub address: Signal<In, Bits<ADDRESS>>,
        /// Child to write.
        pub place: Signal<In, Bits<ADDRESS>>,

        // Writes. Each strobe writes only the memories that its data belong to.
        /// Writes a new child: `new_placement`, `new_prior` and `new_mean`.
        pub enter: Signal<In, Bit>,
        /// Placement of the new child.
        pub new_placement: Signal<In, Bits<PLACEMENT>>,
        /// Prior of the new child, in units of 2^-16.
        pub new_prior: Signal<In, Bits<16>>,
        /// Initial mean of the new child, in units of 2^-24.
        pub new_mean: Signal<In, Bits<24>>,
        /// Writes the link of the child whose words are valid.
        pub link: Signal<In, Bit>,
        /// New link: a node number, 0 for a leaf, 1,023 for the end of the game.
        pub new_next: Signal<In, Bits<NODE>>,
        /// Writes the visit count of a child.
        pub visit: Signal<In, Bit>,
        /// New visit count.
        pub new_visits: Signal<In, Bits<18>>,

        // Job of the pipeline, and its data by cycle.
        /// High if the stages back a result up, low if they score children.
        pub learning: Signal<In, Bit>,
        /// High if the output visit count includes one more visit.
        pub one_more_1: Signal<In, Bit>,
        /// Placement of the child, for the AMAF lookup.
        pub placement_1: Signal<Out, Bits<PLACEMENT>>,
        /// High for the child of the path.
        pub chosen_3: Signal<In, Bit>,
        /// High if the child may receive a RAVE update.
        pub sibling_3: Signal<In, Bit>,
        /// High if the result is the proven value of the child of the path.
        pub settle_3: Signal<In, Bit>,
        /// Side that makes the placement of the child.
        pub side_3: Signal<In, Bit>,
        /// Ply of the node plus one, as in the AMAF table.
        pub ply_3: Signal<In, Bits<6>>,
        /// AMAF entry of the child's placement.
        pub mark_3: Signal<In, Bits<MARK>>,
        /// Exploration scale of the node: c * sqrt(N) * log2(N + 1), needed in cycle 4.
        pub spread_4: Signal<In, Bits<SPREAD>>,
        /// Result for the side that makes the placement, in units of 2^-16.
        pub result_4: Signal<In, Bits<16>>,

        // Outputs, valid in cycle 7.
        /// Score of the child; without an exploration term if its value is proven.
        pub score: Signal<Out, Bits<SCORE>>,
        /// High if the value of the child is proven.
        pub sure: Signal<Out, Bit>,
        /// Placement of the child.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Visit count of the child.
        pub visits: Signal<Out, Bits<18>>,
        /// Value of the child, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Link of the child.
        pub leads: Signal<Out, Bits<NODE>>,
        fixed: Memory<18, ADDRESS> = given,
        links: Memory<18, ADDRESS> = given,
        visited: Memory<18, ADDRESS> = given,
        counts: Memory<18, ADDRESS> = given,
        means: Memory<27, ADDRESS> = given,
        // A large memory is many blocks all over the chip: its words need a register after the
        // read.
        fixed_read: DFF<Bits<18>>,
        links_read: DFF<Bits<18>>,
        visited_read: DFF<Bits<18>>,
        counts_read: DFF<Bits<18>>,
        means_read: DFF<Bits<27>>,
        // Data that accompany the child, from stage 1 on.
        placements: [DFF<Bits<PLACEMENT>>; 6],
        nexts: [DFF<Bits<NODE>>; 6],
        visit_counts: [DFF<Bits<19>>; 6],
        // Exploration visits, the divisor of the exploration term: visit count plus capped value
        // count.
        known: DFF<Bits<19>>,
        mean: [DFF<Bits<24>>; 6],
        count: [DFF<Bits<16>>; 2],
        sures: [DFF<Bit>; 4],
        // Bits of the prior that are in the words of value count and mean.
        beside: [DFF<Bits<5>>; 7],
        prior: [DFF<Bits<16>>; 3],
        normal: Normal,
        reciprocal: SyncROM<Bits<17>, MANTISSA> = given,
        exponents: [DFF<Bits<5>>; 4],
        factors: [DFF<Bits<17>>; 2],
        share: Product<SPREAD, 16, 26> = given,
        hope: Product<26, 17, 31> = given,
        scored: DFF<Bits<SCORE>>,
        lesson: Lesson = given,
        // Value count in visits, before and after the cap `most_rest`.
        counted: Signal<Local, Bits<12>>,
        rest: Signal<Local, Bits<12>>,
        own_prior: Signal<Local, Bits<16>>,
        shifted: Signal<Local, Bits<31>>,
        too_high: Signal<Local, Bits<11>>,
        most: Signal<Local, Bits<20>>,
        first_count: Constant<Bits<18>> = given,
        least_hope: Constant<Bits<20>> = given,
        most_rest: Constant<Bits<12>> = given,
    }
}

impl Bank {
    /// Creates a bank with half the children of `nodes` nodes, a power of two.
    pub fn new(nodes: usize, p: &SearchParameters) -> Self {
        let words = nodes << (ADDRESS - NODE);
        Self::from(BankParts {
            fixed: Memory::new(words),
            links: Memory::new(words),
            visited: Memory::new(words),
            counts: Memory::new(words),
            means: Memory::new(words),
            reciprocal: (256..512_u32)
                .map(|n| Reciprocal::of(n).factor.to_bits())
                .into(),
            share: Product::unsigned(),
            hope: Product::unsigned(),
            lesson: Lesson::new(p),
            first_count: Constant::new(p.fpu_weight.to_bits()),
            least_hope: Constant::new(0xf_ffff_u32.to_bits()),
            most_rest: Constant::new(p.value_count_cap.min(0xfff).to_bits()),
        })
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

        // Delay registers.
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

        // Cycle 1.
        self.fixed.address.next = self.address.val();
        self.links.address.next = self.address.val();
        self.visited.address.next = self.address.val();
        self.counts.address.next = self.address.val();
        self.means.address.next = self.address.val();
        self.placement_1.next = self.fixed_read.q.val().get_bits::<15>(Fixed::PLACEMENT);
        self.placements[0].d.next = self.fixed_read.q.val().get_bits::<15>(Fixed::PLACEMENT);
        self.nexts[0].d.next = self.links_read.q.val().get_bits::<10>(Link::NEXT);
        self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited_read.q.val());
        if self.one_more_1.val() {
            self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited_read.q.val()) + 1;
        }
        self.counted.next = self.counts_read.q.val().get_bits::<12>(Count::WHOLE);
        self.rest.next = self.counted.val();
        if self.counted.val() > self.most_rest.val() {
            self.rest.next = self.most_rest.val();
        }
        self.known.d.next =
            bit_cast::<19, 18>(self.visited_read.q.val()) + bit_cast::<19, 12>(self.rest.val());
        self.count[1].d.next = self.count[0].q.val();
        self.count[0].d.next = self.counts_read.q.val().get_bits::<16>(Count::FRACTION);
        self.mean[0].d.next = self.means_read.q.val().get_bits::<24>(Mean::MEAN);
        self.beside[0].d.next =
            bit_cast::<5, 3>(self.means_read.q.val().get_bits::<3>(Mean::PRIOR))
                | (bit_cast::<5, 2>(self.counts_read.q.val().get_bits::<2>(Count::PRIOR))
                    << PriorParts::IN_COUNT.val());
        self.prior[0].d.next =
            bit_cast::<16, 3>(self.means_read.q.val().get_bits::<3>(Mean::PRIOR))
                | (bit_cast::<16, 2>(self.counts_read.q.val().get_bits::<2>(Count::PRIOR))
                    << PriorParts::IN_COUNT.val())
                | (bit_cast::<16, 8>(self.links_read.q.val().get_bits::<8>(Link::PRIOR))
                    << PriorParts::IN_LINK.val())
                | (bit_cast::<16, 3>(self.fixed_read.q.val().get_bits::<3>(Fixed::PRIOR))
                    << PriorParts::IN_FIXED.val());

        // Cycle 2 (selection) or 4 (backup): reciprocal.
        self.normal.number.next = self.known.q.val();
        if self.learning.val() {
            self.normal.number.next = bit_cast::<19, 16>(self.lesson.count_4.val());
        }
        self.reciprocal.address.next = self.normal.mantissa.val();
        self.exponents[0].d.next = self.normal.exponent.val();

        // Cycle 3.
        self.sures[0].d.next = self.lesson.sure_3.val();

        // Selection, cycles 4 and 5: units of 2^-12, then of 2^-16.
        self.share.a.next = self.spread_4.val();
        self.share.b.next = self.prior[2].q.val();
        self.factors[0].d.next = self.reciprocal.data.val();
        self.factors[1].d.next = self.factors[0].q.val();
        self.hope.a.next = self.share.product.val();
        self.hope.b.next = self.factors[1].q.val();
        // Cycle 6: the product has lost twelve bits.
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

        // Backup.
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

        // Writes.
        self.fixed.place.next = self.place.val();
        self.links.place.next = self.place.val();
        self.visited.place.next = self.place.val();
        self.counts.place.next = self.place.val();
        self.means.place.next = self.place.val();
        self.own_prior.next = self.new_prior.val();
        self.fixed.write.next = self.enter.val();
        self.fixed.word.next = bit_cast::<18, 15>(self.new_placement.val())
            | (bit_cast::<18, 3>(self.own_prior.val().get_bits::<3>(PriorParts::IN_FIXED))
                << Fixed::PRIOR.val());
        self.links.write.next = self.enter.val() | self.link.val();
        self.links.word.next =
            bit_cast::<18, 8>(self.own_prior.val().get_bits::<8>(PriorParts::IN_LINK))
                << Link::PRIOR.val();
        if self.link.val() {
            self.links.word.next = bit_cast::<18, 10>(self.new_next.val())
                | (bit_cast::<18, 8>(self.links_read.q.val().get_bits::<8>(Link::PRIOR))
                    << Link::PRIOR.val());
        }
        self.visited.write.next = self.enter.val() | self.visit.val();
        self.visited.word.next = bits::<18>(0);
        if self.visit.val() {
            self.visited.word.next = self.new_visits.val();
        }
        self.counts.write.next = self.lesson.changes_8.val();
        self.counts.word.next = bit_cast::<18, 16>(self.lesson.count_8.val())
            | (bit_cast::<18, 2>(self.beside[6].q.val().get_bits::<2>(PriorParts::IN_COUNT))
                << Count::PRIOR.val());
        self.means.write.next = self.lesson.changes_8.val();
        self.means.word.next = bit_cast::<27, 24>(self.lesson.mean_8.val())
            | (bit_cast::<27, 3>(self.beside[6].q.val().get_bits::<3>(PriorParts::IN_MEAN))
                << Mean::PRIOR.val());
        if self.enter.val() {
            self.counts.write.next = true;
            self.counts.word.next = self.first_count.val()
                | (bit_cast::<18, 2>(self.own_prior.val().get_bits::<2>(PriorParts::IN_COUNT))
                    << Count::PRIOR.val());
            self.means.write.next = true;
            self.means.word.next = bit_cast::<27, 24>(self.new_mean.val())
                | (bit_cast::<27, 3>(self.own_prior.val().get_bits::<3>(PriorParts::IN_MEAN))
                    << Mean::PRIOR.val());
        }
    }
}
