//! Small learned network for the prior, in place of the log-linear model.
//!
//! A convolution of 5x5 cells gives eight numbers to each cell, the outputs of its channels. A
//! second layer turns these into three scores: as a covered cell, as an edge and as a corner of a
//! placement. Nothing is around the board. The biases of the first layer and the scores of the tiles
//! depend on the [phase] of the game. All values are small integers, so that hardware can compute
//! them: the inputs have one bit, the outputs of the channels four, the scores six.
//!
//! The weights are learned from the network of `engine`; docs/measuring.md has the recipe.

use std::sync::LazyLock;

use duoforge_rules::{Bitboard, Cell, Duo, Size, Tile};
use multiversion::multiversion;

use super::{CellScores, PHASES, PriorMaps, phase};
use crate::search::position::{NETWORK_PLANES, Position};

/// Number of maps of the position, see [`planes`].
pub const PLANES: usize = NETWORK_PLANES + 3;

/// Number of channels: outputs of the first layer.
pub const CHANNELS: usize = 8;

/// Number of scores of a cell: as a covered cell, as an edge and as a corner.
pub const SCORES: usize = 3;

/// Cells of a row or column of a window.
pub const SPAN: usize = 5;

/// Number of cells of a window.
pub const WINDOW: usize = SPAN * SPAN;

/// Maximum output of a channel; the minimum is 0.
pub const MAX_OUTPUT: i32 = 15;

/// Fraction bits of the sums of the first layer.
pub const SUM_BITS: u32 = 3;

/// Fraction bits of the sums of the second layer.
pub const SCORE_BITS: u32 = 4;

/// Minimum of a score of the second layer; the maximum is `-MIN_SCORE - 1`.
pub const MIN_SCORE: i32 = -32;

/// Unit of a score of the second layer, in 16ths of an octave.
pub const STEP: i32 = 2;

/// Size of the file of weights in bytes.
const BYTES: usize = WINDOW * PLANES * CHANNELS
    + 2 * PHASES * CHANNELS
    + CHANNELS * SCORES
    + 2 * SCORES
    + 2 * PHASES * Tile::COUNT;

/// Cells of a row with two empty columns on both sides of the board.
const COLUMNS: usize = 18;

/// Network that ships.
static SHIPPED: LazyLock<PriorNetwork> =
    LazyLock::new(|| PriorNetwork::read(include_bytes!("weights.bin")));

/// Weights of the network. Cells of a window are listed row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorNetwork {
    /// Weights of the first layer, by map and by cell of the window.
    pub first: [[[i16; CHANNELS]; WINDOW]; PLANES],
    /// Biases of the channels, by phase.
    pub biases: [[i16; CHANNELS]; PHASES],
    /// Weights of the second layer, by channel.
    pub second: [[i16; SCORES]; CHANNELS],
    /// Biases of the scores.
    pub offsets: [i16; SCORES],
    /// Scores of the tiles in 16ths of an octave, by phase.
    pub tiles: [[i16; Tile::COUNT]; PHASES],
}

impl PriorNetwork {
    /// Returns the network that ships.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Reads the weights: those of the first layer as bytes, by cell of the window, map and channel;
    /// its biases as 16-bit integers, by phase; the weights of the second layer as bytes, by channel
    /// and score; its biases and the scores of the tiles, by phase, as 16-bit integers. All are
    /// signed and little-endian.
    fn read(bytes: &[u8; BYTES]) -> Self {
        let bytes = &mut bytes.iter().copied();
        let mut network = Self {
            first: [[[0; CHANNELS]; WINDOW]; PLANES],
            biases: [[0; CHANNELS]; PHASES],
            second: [[0; SCORES]; CHANNELS],
            offsets: [0; SCORES],
            tiles: [[0; Tile::COUNT]; PHASES],
        };
        for place in 0..WINDOW {
            for weights in &mut network.first {
                weights[place].fill_with(|| byte(bytes).into());
            }
        }
        network.biases.as_flattened_mut().fill_with(|| short(bytes));
        (network.second.as_flattened_mut()).fill_with(|| byte(bytes).into());
        network.offsets.fill_with(|| short(bytes));
        network.tiles.as_flattened_mut().fill_with(|| short(bytes));
        network
    }

    /// Returns the scores of all placements of the side to move.
    pub fn scores(&self, position: &Position) -> CellScores {
        let phase = phase(position);
        let mut scores = CellScores::new(self.tiles[phase]);
        let sums = self.sums(&planes(position));
        for cell in Bitboard::<Duo>::FULL.iter() {
            let outputs = self.outputs(&sums[entry(cell)], phase);
            let steps = self.cell_scores(&outputs);
            scores.set(cell, steps.map(|score| score * STEP as i16));
        }
        scores
    }

    /// Returns the sums of the first layer without its biases, by [entry] of a cell.
    fn sums(&self, planes: &[Bitboard<Duo>; PLANES]) -> [[i16; CHANNELS]; COLUMNS * COLUMNS] {
        let mut sums = [[0; CHANNELS]; COLUMNS * COLUMNS];
        add_windows(&self.first, planes, sums.as_flattened_mut());
        sums
    }

    /// Returns the outputs of the channels, each from 0 to [`MAX_OUTPUT`], from sums without biases.
    pub fn outputs(&self, sums: &[i16; CHANNELS], phase: usize) -> [i16; CHANNELS] {
        std::array::from_fn(|channel| {
            let sum = i32::from(sums[channel]) + i32::from(self.biases[phase][channel]);
            (sum >> SUM_BITS).clamp(0, MAX_OUTPUT) as i16
        })
    }

    /// Returns the scores of a cell, in units of [`STEP`], as a covered cell, as an edge and as a
    /// corner.
    pub fn cell_scores(&self, outputs: &[i16; CHANNELS]) -> [i16; SCORES] {
        let mut sums = self.offsets.map(i32::from);
        for (&output, weights) in outputs.iter().zip(&self.second) {
            let terms = sums.iter_mut().zip(weights);
            terms.for_each(|(sum, &weight)| *sum += i32::from(output) * i32::from(weight));
        }
        sums.map(|sum| (sum >> SCORE_BITS).clamp(MIN_SCORE, -MIN_SCORE - 1) as i16)
    }
}

/// Returns the entry of a cell among the sums: the last cell of the board comes first, so that a cell
/// adds the weights to the sums around it in the order of its window.
fn entry(cell: Cell) -> usize {
    let last = usize::from(Duo::WIDTH) - 1;
    let (y, x) = (last - usize::from(cell.y), last - usize::from(cell.x));
    (y + SPAN / 2) * COLUMNS + x + SPAN / 2
}

/// Adds the weights of all cells of the maps to the sums of the first layer.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2"))]
fn add_windows(
    weights: &[[[i16; CHANNELS]; WINDOW]; PLANES],
    planes: &[Bitboard<Duo>; PLANES],
    sums: &mut [i16],
) {
    const ROW: usize = SPAN * CHANNELS;
    let last = usize::from(Duo::WIDTH) - 1;
    for (plane, weights) in planes.iter().zip(weights) {
        for y in 0..Duo::WIDTH {
            let mut cells = plane.row(y);
            while cells != 0 {
                let x = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                for (dy, terms) in weights.as_flattened().chunks_exact(ROW).enumerate() {
                    let first = (last - usize::from(y) + dy) * COLUMNS + last - x;
                    let sums = &mut sums[first * CHANNELS..][..ROW];
                    for (sum, term) in sums.iter_mut().zip(terms) {
                        *sum += term;
                    }
                }
            }
        }
    }
}

/// Reads a signed byte of the weights.
fn byte(bytes: &mut impl Iterator<Item = u8>) -> i8 {
    bytes.next().expect("the size is that of all weights") as i8
}

/// Reads a signed integer of 16 bits of the weights.
fn short(bytes: &mut impl Iterator<Item = u8>) -> i16 {
    let [low, high] = [byte(bytes), byte(bytes)];
    i16::from_le_bytes([low as u8, high as u8])
}

/// Returns the maps of the position, for the side to move: those that all networks read; its allowed
/// cells in the 3x3 neighbourhoods of its corner points; the opponent's allowed cells next to its
/// corner points; and those in their 3x3 neighbourhoods.
pub fn planes(position: &Position) -> [Bitboard<Duo>; PLANES] {
    let maps = PriorMaps::new(position);
    let more = [maps.around, maps.opponent_beside, maps.opponent_around];
    let mut planes = [Bitboard::EMPTY; PLANES];
    planes[..NETWORK_PLANES].copy_from_slice(&position.network_planes());
    planes[NETWORK_PLANES..].copy_from_slice(&more);
    planes
}

#[cfg(test)]
mod tests;
