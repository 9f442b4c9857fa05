//! Cell scores: the second layer of the prior network, from the outputs of the channels to the three
//! scores of a cell.
//!
//! Twin: `PriorNetwork::cell_scores`.
//!
//! Timing: `outputs` are sampled in the cycle with `valid` high and in the next one; `valid` is high
//! in every second cycle at most. `scores` are out, with `done` high, four cycles after `valid`.
//!
//! Encoding: two tables hold, for one bit of each channel, the sum of the weights whose bit is set,
//! so that no multiplier is needed. The two upper bits come first, the two lower ones in the next
//! cycle. The sums have an offset of `OFFSET`, which makes them positive; the biases make up for
//! it.

use duoforge_twin::search::prior::network::{CHANNELS, PriorNetwork, SCORE_BITS, SCORES};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::SCORE_PLANES;
use super::channels::OUTPUTS;
use crate::block::block;
use crate::memory::block_rom::BlockRom;

/// Bits of a sum in the tables.
const SUM: usize = 12;

/// Offset of every sum in the tables.
const OFFSET: i32 = 1 << (SUM - 1);

/// Bits of a total.
const TOTAL: usize = 18;

const _: () = assert!(SCORE_BITS == 4 && SCORE_PLANES == 18);

block! {
    /// Second layer.
    pub struct CellScores from CellScoresParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// High in the first cycle of the outputs of a cell.
        pub valid: Signal<In, Bit>,
        /// Outputs of the channels, see [`super::channels`].
        pub outputs: Signal<In, Bits<OUTPUTS>>,
        /// High while `scores` holds those of a cell.
        pub done: Signal<Out, Bit>,
        /// Scores as a covered cell, as an edge and as a corner, six bits each in two's complement.
        pub scores: Signal<Out, Bits<SCORE_PLANES>>,
        // For the lower and for the upper one of two bits.
        tables: [BlockRom<{ SCORES * SUM }, CHANNELS>; 2] = given,
        stage_valid: [DFF<Bit>; 4],
        // Sums of two bits, and of the two bits above.
        pair: [DFF<Bits<14>>; SCORES],
        pair_above: [DFF<Bits<14>>; SCORES],
        score: [DFF<Bits<6>>; SCORES],
        low_bits: Signal<Local, Bits<CHANNELS>>,
        high_bits: Signal<Local, Bits<CHANNELS>>,
        bits_of_channel: Signal<Local, Bits<4>>,
        low_sum: Signal<Local, Bits<SUM>>,
        high_sum: Signal<Local, Bits<SUM>>,
        low_pair: Signal<Local, Bits<14>>,
        high_pair: Signal<Local, Bits<14>>,
        one: Signal<Local, Bits<6>>,
        total: Signal<Local, Bits<TOTAL>>,
        above: Signal<Local, Bits<9>>,
        all: Signal<Local, Bits<SCORE_PLANES>>,
        channel_bit: [Constant<Bits<CHANNELS>>; CHANNELS] = given,
        biases: [Constant<Bits<TOTAL>>; SCORES] = given,
    }
}

impl CellScores {
    /// Creates the layer; without a network, its scores have no meaning.
    ///
    /// # Panics
    /// If a sum or a bias exceeds its bits.
    pub fn new(network: Option<&PriorNetwork>) -> Self {
        let word = |network: &PriorNetwork, address: usize| {
            let scores = (0..SCORES).map(|score| {
                let channels = (0..CHANNELS).filter(|channel| address >> channel & 1 == 1);
                let sum = channels.map(|channel| i32::from(network.second[channel][score]));
                let sum = sum.sum::<i32>() + OFFSET;
                assert!((0..2 * OFFSET).contains(&sum), "the weights are too large");
                (sum as u64) << (SUM * score)
            });
            scores.sum()
        };
        let table = |_| match network {
            None => BlockRom::new([0, 0]),
            Some(network) => {
                BlockRom::new((0..1 << CHANNELS).map(|address| word(network, address)))
            }
        };
        // The lowest bit of a pair counts once, the other one twice, and the upper pair four times.
        let bias = |score: usize| {
            let bias = network.map_or(0, |network| i32::from(network.offsets[score]));
            assert!(bias.abs() < 1 << 15, "a bias is too large");
            (i64::from(bias - 15 * OFFSET) as u64 & ((1 << TOTAL) - 1)).to_bits()
        };
        Self::from(CellScoresParts {
            tables: [0, 1].map(table),
            channel_bit: std::array::from_fn(|i| Constant::new((1_u64 << i).to_bits())),
            biases: std::array::from_fn(|score| Constant::new(bias(score))),
        })
    }
}

impl Logic for CellScores {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.stage_valid[i].clock.next = self.clock.val();
        }
        self.stage_valid[0].d.next = self.valid.val();
        for i in 1..4 {
            self.stage_valid[i].d.next = self.stage_valid[i - 1].q.val();
        }

        // Addresses: the two upper bits of each channel, then the two lower ones.
        self.low_bits.next = bits::<8>(0);
        self.high_bits.next = bits::<8>(0);
        for i in 0..8 {
            self.bits_of_channel.next = self.outputs.val().get_bits::<4>(4 * i);
            if self.stage_valid[0].q.val() {
                self.bits_of_channel.next = self.bits_of_channel.val() << 2;
            }
            if self.bits_of_channel.val().get_bit(2) {
                self.low_bits.next = self.low_bits.val() | self.channel_bit[i].val();
            }
            if self.bits_of_channel.val().get_bit(3) {
                self.high_bits.next = self.high_bits.val() | self.channel_bit[i].val();
            }
        }
        self.tables[0].clock.next = self.clock.val();
        self.tables[1].clock.next = self.clock.val();
        self.tables[0].address.next = self.low_bits.val();
        self.tables[1].address.next = self.high_bits.val();

        // Sums of two bits, then of four.
        self.all.next = bits::<18>(0);
        for i in 0..3 {
            self.pair[i].clock.next = self.clock.val();
            self.pair_above[i].clock.next = self.clock.val();
            self.score[i].clock.next = self.clock.val();
            self.low_sum.next = self.tables[0].data.val().get_bits::<12>(12 * i);
            self.high_sum.next = self.tables[1].data.val().get_bits::<12>(12 * i);
            self.pair[i].d.next = bit_cast::<14, 12>(self.low_sum.val())
                + (bit_cast::<14, 12>(self.high_sum.val()) << 1);
            self.pair_above[i].d.next = self.pair[i].q.val();
            self.low_pair.next = self.pair[i].q.val();
            self.high_pair.next = self.pair_above[i].q.val();
            self.total.next = bit_cast::<18, 14>(self.low_pair.val())
                + (bit_cast::<18, 14>(self.high_pair.val()) << 2)
                + self.biases[i].val();
            // The bits above the score equal its sign, or it is out of its range.
            self.above.next = self.total.val().get_bits::<9>(9);
            self.score[i].d.next = self.total.val().get_bits::<6>(4);
            if self.total.val().get_bit(17) {
                if !self.above.val().all() {
                    self.score[i].d.next = bits::<6>(32);
                }
            } else if self.above.val().any() {
                self.score[i].d.next = bits::<6>(31);
            }
            self.one.next = self.score[i].q.val();
            self.all.next = (self.all.val() >> 6) | (bit_cast::<18, 6>(self.one.val()) << 12);
        }
        self.scores.next = self.all.val();
        self.done.next = self.stage_valid[3].q.val();
    }
}
