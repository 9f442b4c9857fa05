//! Channels: the first layer of the prior network, from a window to its eight outputs.
//!
//! Twin: [`twin`], which is `PriorNetwork::outputs` of the sum of the weights whose input is set.
//!
//! Timing: `window` is sampled in the cycle with `valid` high and in the next one; `valid` is high in
//! every second cycle at most. `done` is high five cycles after `valid`; `outputs` are held for that
//! cycle and the next one. `phase` is held while any window is in the pipeline.
//!
//! Encoding: the inputs are bits, so that a table holds the sum of the weights of eight inputs at
//! each address, and no multiplier is needed. A window has twice as many inputs as the tables have
//! addresses: its lower half comes first. The partial sums have an offset of `OFFSET`, which makes
//! them positive; the biases make up for it.

use duoforge_twin::search::prior::PHASES;
use duoforge_twin::search::prior::network::{
    CHANNELS, MAX_OUTPUT, PLANES, PriorNetwork, SPAN, SUM_BITS, WINDOW as CELLS,
};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::window::{COLUMN, WINDOW};
use crate::block::block;
use crate::memory::block_rom::BlockRom;

/// Inputs per table and half of the window.
const INPUTS: usize = 8;

/// Number of groups of inputs per half of the window, each with two tables.
const GROUPS: usize = WINDOW.div_ceil(2 * INPUTS);

/// Bits of a partial sum.
const PART: usize = 9;

/// Offset of every partial sum.
const OFFSET: i32 = 1 << (PART - 1);

/// Channels per table.
const PER_TABLE: usize = CHANNELS / 2;

/// Bits of the outputs.
pub const OUTPUTS: usize = 4 * CHANNELS;

const _: () = assert!(MAX_OUTPUT == 15 && SUM_BITS == 3);

block! {
    /// First layer.
    pub struct Channels from ChannelsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Phase of the game, from 0 to 3.
        pub phase: Signal<In, Bits<2>>,
        /// High in the first cycle of a window.
        pub valid: Signal<In, Bit>,
        /// Window, see [`super::window`].
        pub window: Signal<In, Bits<WINDOW>>,
        /// High in the first cycle of the outputs.
        pub done: Signal<Out, Bit>,
        /// Outputs of the channels, four bits each.
        pub outputs: Signal<Out, Bits<OUTPUTS>>,
        // By group: two tables with four channels each. Bit 8 of the address is the half.
        tables: [BlockRom<{ PER_TABLE * PART }, { INPUTS + 1 }>; 2 * GROUPS] = given,
        biases: [ROM<Bits<16>, 2>; CHANNELS] = given,
        // Cycles since `valid`.
        stage_valid: [DFF<Bit>; 5],
        // Sums of three groups, six for each channel.
        parts: [DFF<Bits<11>>; 6 * CHANNELS] = given,
        // Sums of a half, and of the half before it.
        half: [DFF<Bits<14>>; CHANNELS],
        half_before: [DFF<Bits<14>>; CHANNELS],
        output: [DFF<Bits<4>>; CHANNELS],
        inputs: Signal<Local, Bits<288>>,
        chunk: Signal<Local, Bits<INPUTS>>,
        address: Signal<Local, Bits<{ INPUTS + 1 }>>,
        one: Signal<Local, Bits<PART>>,
        two: Signal<Local, Bits<PART>>,
        three: Signal<Local, Bits<PART>>,
        part: Signal<Local, Bits<11>>,
        sum: Signal<Local, Bits<14>>,
        lower: Signal<Local, Bits<14>>,
        upper: Signal<Local, Bits<14>>,
        kept: Signal<Local, Bits<4>>,
        total: Signal<Local, Bits<16>>,
        all: Signal<Local, Bits<OUTPUTS>>,
    }
}

impl Channels {
    /// Creates the layer; without a network, all outputs are 0.
    ///
    /// # Panics
    /// If a partial sum or a bias exceeds its bits.
    pub fn new(network: Option<&PriorNetwork>) -> Self {
        let table = |number: usize| match network {
            None => BlockRom::new([0, 0]),
            Some(network) => {
                let words = (0..2 << INPUTS).map(|address| word(network, number, address));
                BlockRom::new(words)
            }
        };
        let bias = |channel: usize| {
            (0..PHASES).map(move |phase| {
                let bias = network.map_or(0, |network| network.biases[phase][channel]);
                let bias = i32::from(bias) - OFFSET * 2 * GROUPS as i32;
                assert!((-32_000..14_000).contains(&bias), "a bias is too large");
                (bias as u64 & 0xffff).to_bits()
            })
        };
        Self::from(ChannelsParts {
            tables: std::array::from_fn(table),
            biases: std::array::from_fn(|channel| bias(channel).into()),
            parts: std::array::from_fn(|_| Default::default()),
        })
    }
}

/// Returns a word of a table: the partial sums of its channels.
fn word(network: &PriorNetwork, table: usize, address: usize) -> u64 {
    let (half, chunk) = (address >> INPUTS, address & ((1 << INPUTS) - 1));
    let first = (half * GROUPS + table / 2) * INPUTS;
    let inputs = (0..INPUTS).filter(|input| chunk >> input & 1 == 1);
    let inputs: Vec<_> = inputs
        .filter_map(|input| weights(network, first + input))
        .collect();
    let channels = (0..PER_TABLE).map(|channel| {
        let sum = inputs.iter();
        let sum = sum.map(|weights| i32::from(weights[table % 2 * PER_TABLE + channel]));
        let sum: i32 = sum.sum::<i32>() + OFFSET;
        assert!((0..2 * OFFSET).contains(&sum), "the weights are too large");
        (sum as u64) << (PART * channel)
    });
    channels.sum()
}

/// Returns the weights of an input, a bit of the window.
fn weights(network: &PriorNetwork, input: usize) -> Option<&[i16; CHANNELS]> {
    let (x, y) = (input / COLUMN, SPAN - 1 - input % COLUMN / PLANES);
    (x < SPAN).then(|| &network.first[input % PLANES][SPAN * y + x])
}

impl Logic for Channels {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..5 {
            self.stage_valid[i].clock.next = self.clock.val();
        }
        self.stage_valid[0].d.next = self.valid.val();
        for i in 1..5 {
            self.stage_valid[i].d.next = self.stage_valid[i - 1].q.val();
        }

        // Addresses: the lower half of the window, then the upper one.
        self.inputs.next = bit_cast::<288, 275>(self.window.val());
        for i in 0..18 {
            self.chunk.next = self.inputs.val().get_bits::<8>(8 * i);
            self.address.next = bit_cast::<9, 8>(self.chunk.val());
            if self.stage_valid[0].q.val() {
                self.chunk.next = self.inputs.val().get_bits::<8>(8 * i + 144);
                self.address.next = bits::<9>(256) | bit_cast::<9, 8>(self.chunk.val());
            }
            self.tables[i * 2].clock.next = self.clock.val();
            self.tables[i * 2 + 1].clock.next = self.clock.val();
            self.tables[i * 2].address.next = self.address.val();
            self.tables[i * 2 + 1].address.next = self.address.val();
        }

        // Sums of three groups each, by channel.
        for i in 0..4 {
            for j in 0..6 {
                self.parts[i * 6 + j].clock.next = self.clock.val();
                self.one.next = self.tables[j * 6].data.val().get_bits::<9>(9 * i);
                self.two.next = self.tables[j * 6 + 2].data.val().get_bits::<9>(9 * i);
                self.three.next = self.tables[j * 6 + 4].data.val().get_bits::<9>(9 * i);
                self.parts[i * 6 + j].d.next = bit_cast::<11, 9>(self.one.val())
                    + bit_cast::<11, 9>(self.two.val())
                    + bit_cast::<11, 9>(self.three.val());
                self.parts[i * 6 + j + 24].clock.next = self.clock.val();
                self.one.next = self.tables[j * 6 + 1].data.val().get_bits::<9>(9 * i);
                self.two.next = self.tables[j * 6 + 3].data.val().get_bits::<9>(9 * i);
                self.three.next = self.tables[j * 6 + 5].data.val().get_bits::<9>(9 * i);
                self.parts[i * 6 + j + 24].d.next = bit_cast::<11, 9>(self.one.val())
                    + bit_cast::<11, 9>(self.two.val())
                    + bit_cast::<11, 9>(self.three.val());
            }
        }

        // Sums of the halves, then outputs.
        self.all.next = bits::<32>(0);
        for i in 0..8 {
            self.half[i].clock.next = self.clock.val();
            self.half_before[i].clock.next = self.clock.val();
            self.output[i].clock.next = self.clock.val();
            self.sum.next = bits::<14>(0);
            for j in 0..6 {
                self.part.next = self.parts[i * 6 + j].q.val();
                self.sum.next = self.sum.val() + bit_cast::<14, 11>(self.part.val());
            }
            self.half[i].d.next = self.sum.val();
            self.half_before[i].d.next = self.half[i].q.val();
            self.biases[i].address.next = self.phase.val();
            self.lower.next = self.half_before[i].q.val();
            self.upper.next = self.half[i].q.val();
            self.total.next = bit_cast::<16, 14>(self.lower.val())
                + bit_cast::<16, 14>(self.upper.val())
                + self.biases[i].data.val();
            self.output[i].d.next = self.output[i].q.val();
            if self.stage_valid[3].q.val() {
                self.output[i].d.next = self.total.val().get_bits::<4>(3);
                if self.total.val().get_bits::<8>(7).any() {
                    self.output[i].d.next = bits::<4>(15);
                }
                if self.total.val().get_bit(15) {
                    self.output[i].d.next = bits::<4>(0);
                }
            }
            self.kept.next = self.output[i].q.val();
            self.all.next = (self.all.val() >> 4) | (bit_cast::<32, 4>(self.kept.val()) << 28);
        }
        self.outputs.next = self.all.val();
        self.done.next = self.stage_valid[4].q.val();
    }
}

/// Returns the outputs of the channels for a window, row by row, each cell with a bit for each
/// plane: the twin function of this block.
pub fn twin(network: &PriorNetwork, phase: usize, window: &[u16; CELLS]) -> [i16; CHANNELS] {
    let mut sums = [0; CHANNELS];
    for (plane, weights) in network.first.iter().enumerate() {
        let cells = weights.iter().zip(window);
        for (weights, _) in cells.filter(|(_, planes)| **planes >> plane & 1 == 1) {
            sums.iter_mut().zip(weights).for_each(|(sum, w)| *sum += w);
        }
    }
    network.outputs(&sums, phase)
}
