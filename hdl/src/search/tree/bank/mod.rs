//! Memory bank: half of the children of all nodes, and the arithmetic on one child per cycle.
//!
//! Encoding: a child has seven words of 16 bits, the width of the words of an external memory, in
//! seven memories: `placed` holds the placement, `priors` the prior, `links` the link, `visited` the
//! visit count, `counts` the value count, `means` the mean. Upper bits of visit count, value count
//! and mean are in `links` and in the seventh one, `tops`. A write touches only the memories whose
//! content changes.
//!
//! The divisor of the exploration term is the value count, or the visit count plus the capped value
//! count. In the first case a selection adds a visit to the value count of its child.
//!
//! Timing: a word whose `address` is sampled in the cycle before cycle 0 passes these stages.
//!
//! ```text
//! cycle  selection                                  backup
//! 1      words valid; divisor                       words valid
//! 2      reciprocal of the divisor                  AMAF lookup
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
use super::exploration::SCALE;
use super::mean_update::MeanUpdate;
use super::normaliser::{MANTISSA, Normaliser};
use crate::block::block;
use crate::memory::Memory;
use crate::search::multiplier::Multiplier;
use crate::search::position_ring::PLACEMENT;
use crate::word::word;

mod logic;

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
        /// Lowest bits of the node's number.
        LINE: LINE,
    }
}

word! {
    /// Word of the memory `placed`.
    pub(crate) Placed {
        /// Placement of the child.
        PLACEMENT: PLACEMENT,
        /// Always 0.
        UNUSED: 1,
    }
}

word! {
    /// Word of the memory `links`.
    pub(crate) Link {
        /// Link of the child.
        NEXT: NODE,
        /// Upper bits of the visit count.
        VISITS: 2,
    }
}

word! {
    /// Word of the memory `tops`: upper bits.
    pub(crate) Top {
        /// Upper bits of the mean.
        MEAN: 8,
        /// Upper bits of the value count.
        COUNT: 6,
        /// Always 0.
        UNUSED: 2,
    }
}

word! {
    /// Visit count, by the memories that hold it.
    pub(crate) Visits {
        /// Part in `visited`.
        LOW: 16,
        /// Part in `links`.
        HIGH: 2,
    }
}

word! {
    /// Value count.
    pub(crate) Count {
        /// Value count below one visit, in units of 1/16.
        FRACTION: 4,
        /// Value count in visits.
        WHOLE: 18,
    }
}

word! {
    /// Value count, by the memories that hold it.
    pub(crate) CountParts {
        /// Part in `counts`.
        LOW: 16,
        /// Part in `tops`.
        HIGH: 6,
    }
}

word! {
    /// Mean value in units of 2^-24, by the memories that hold it.
    pub(crate) Mean {
        /// Part in `means`.
        LOW: 16,
        /// Part in `tops`.
        HIGH: 8,
    }
}

/// Bits of a child's address: [`LINE`] bits of the node's number and four of the child's five.
pub const ADDRESS: usize = PairAddress::BITS;

/// Bits of a node number.
pub const NODE: usize = 14;

/// Lowest bits of a node number that address the memories of the tree.
pub const LINE: usize = 10;

/// Maximum number of nodes of a tree.
pub const NODES: usize = 1 << LINE;

/// Link that stands for the end of the game.
pub const END: u16 = (1 << NODE) - 1;

/// Number of memories of a bank: a child has a word in each.
pub const MEMORIES: usize = 7;

/// Bits of a value count, in 16ths of a visit.
pub const COUNT: usize = Count::BITS;

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
        pub write_address: Signal<In, Bits<ADDRESS>>,

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
        /// With `link` and `visit`: link, a node number, 0 for a leaf or [`END`].
        pub new_next_node: Signal<In, Bits<NODE>>,
        /// Writes the visit count of a child, and `new_next_node`.
        pub visit: Signal<In, Bit>,
        /// New visit count.
        pub new_visits: Signal<In, Bits<18>>,
        /// With `visit`: high if `new_count` and `new_value` are valid. They are written if value
        /// counts are divisors.
        pub new_count_valid: Signal<In, Bit>,
        /// New value count, in 16ths of a visit.
        pub new_count: Signal<In, Bits<COUNT>>,
        /// Value of the child, in units of 2^-16.
        pub new_value: Signal<In, Bits<16>>,

        // Transfer of single words from and to an external memory.
        /// Memories of the word on `transferred_word`, one bit each, in the order of the encoding;
        /// one bit is high.
        pub memory: Signal<In, Bits<MEMORIES>>,
        /// Word of the child at the `address` of the previous cycle.
        pub transferred_word: Signal<Out, Bits<16>>,
        /// Memories that store `stored_word`; no other write may come then.
        pub store: Signal<In, Bits<MEMORIES>>,
        /// Word to store.
        pub stored_word: Signal<In, Bits<16>>,

        // Job of the pipeline, and its data by cycle.
        /// High if the stages back a result up, low if they score children.
        pub updating: Signal<In, Bit>,
        /// High if the output visit count includes one more visit.
        pub add_visit_1: Signal<In, Bit>,
        /// Placement of the child, for the AMAF lookup.
        pub placement_1: Signal<Out, Bits<PLACEMENT>>,
        /// High for the child of the path.
        pub chosen_3: Signal<In, Bit>,
        /// High if the child may receive a RAVE update.
        pub sibling_3: Signal<In, Bit>,
        /// High if the result is the proven value of the child of the path.
        pub prove_3: Signal<In, Bit>,
        /// Side that makes the placement of the child.
        pub side_3: Signal<In, Bit>,
        /// Ply of the node plus one, as in the AMAF table.
        pub ply_3: Signal<In, Bits<6>>,
        /// AMAF entry of the child's placement.
        pub amaf_entry_3: Signal<In, Bits<MARK>>,
        /// Exploration scale of the node: c * sqrt(N) * log2(N + 1), needed in cycle 4.
        pub scale_4: Signal<In, Bits<SCALE>>,
        /// Result for the side that makes the placement, in units of 2^-16.
        pub result_4: Signal<In, Bits<16>>,

        // Outputs, valid in cycle 7.
        /// Score of the child; without an exploration term if its value is proven.
        pub score: Signal<Out, Bits<SCORE>>,
        /// High if the value of the child is proven.
        pub proven: Signal<Out, Bit>,
        /// Placement of the child.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Visit count of the child.
        pub visits: Signal<Out, Bits<18>>,
        /// Value count of the child with one more visit, in 16ths of a visit.
        pub grown_count: Signal<Out, Bits<COUNT>>,
        /// Value of the child, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Link of the child.
        pub next_node: Signal<Out, Bits<NODE>>,
        placed: Memory<16, ADDRESS> = given,
        priors: Memory<16, ADDRESS> = given,
        links: Memory<16, ADDRESS> = given,
        visited: Memory<16, ADDRESS> = given,
        counts: Memory<16, ADDRESS> = given,
        means: Memory<16, ADDRESS> = given,
        tops: Memory<16, ADDRESS> = given,
        // A large memory is many blocks all over the chip: its words need a register after the
        // read.
        placed_read: DFF<Bits<16>>,
        priors_read: DFF<Bits<16>>,
        links_read: DFF<Bits<16>>,
        visited_read: DFF<Bits<16>>,
        counts_read: DFF<Bits<16>>,
        means_read: DFF<Bits<16>>,
        tops_read: DFF<Bits<16>>,
        // Data that accompany the child, from stage 1 on.
        placements: [DFF<Bits<PLACEMENT>>; 6],
        next_nodes: [DFF<Bits<NODE>>; 6],
        visit_counts: [DFF<Bits<19>>; 6],
        // Divisor of the exploration term: value count, or visit count plus capped value count.
        divisor: DFF<Bits<COUNT>>,
        mean: [DFF<Bits<24>>; 6],
        count: [DFF<Bits<COUNT>>; 2],
        proven_stages: [DFF<Bit>; 4],
        prior: [DFF<Bits<16>>; 3],
        normaliser: Normaliser,
        reciprocal: SyncROM<Bits<17>, MANTISSA> = given,
        exponents: [DFF<Bits<5>>; 4],
        factors: [DFF<Bits<17>>; 2],
        scaled_prior: Multiplier<SCALE, 16, 26> = given,
        exploration: Multiplier<26, 17, 31> = given,
        scored: DFF<Bits<SCORE>>,
        mean_update: MeanUpdate = given,
        visits_1: Signal<Local, Bits<18>>,
        count_1: Signal<Local, Bits<COUNT>>,
        // Value count in visits, before and after the cap `value_count_cap`.
        whole_count: Signal<Local, Bits<18>>,
        capped_count: Signal<Local, Bits<18>>,
        number: Signal<Local, Bits<COUNT>>,
        word_now: Signal<Local, Bits<16>>,
        shifted: Signal<Local, Bits<31>>,
        overflow: Signal<Local, Bits<11>>,
        exploration_term: Signal<Local, Bits<20>>,
        initial_count: Constant<Bits<16>> = given,
        max_exploration: Constant<Bits<20>> = given,
        value_count_cap: Constant<Bits<18>> = given,
        value_count_divisor: Constant<Bit> = given,
        // Fraction bits of the divisor.
        fraction: Constant<Bits<5>> = given,
    }
}

impl Bank {
    /// Creates a bank with half the children of `nodes` nodes, a power of two.
    pub fn new(nodes: usize, p: &SearchParameters) -> Self {
        let words = nodes << (ADDRESS - LINE);
        let by_count = p.formulas.value_count_divisor;
        Self::from(BankParts {
            placed: Memory::new(words),
            priors: Memory::new(words),
            links: Memory::new(words),
            visited: Memory::new(words),
            counts: Memory::new(words),
            means: Memory::new(words),
            tops: Memory::new(words),
            reciprocal: (256..512_u32)
                .map(|n| Reciprocal::of(n).factor.to_bits())
                .into(),
            scaled_prior: Multiplier::unsigned(),
            exploration: Multiplier::unsigned(),
            mean_update: MeanUpdate::new(p),
            initial_count: Constant::new(p.fpu_weight.to_bits()),
            max_exploration: Constant::new(0xf_ffff_u32.to_bits()),
            value_count_cap: Constant::new(p.value_count_cap.min(0xfff).to_bits()),
            value_count_divisor: Constant::new(by_count),
            fraction: Constant::new(if by_count { 4_u32 } else { 0 }.to_bits()),
        })
    }
}
