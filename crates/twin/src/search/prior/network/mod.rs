//! Small learned network for the prior, in place of the log-linear model.
//!
//! Two convolutions of 3x3 cells with integer weights give three scores to each cell: as a covered
//! cell, as an edge and as a corner of a placement. Nothing is around the board. The biases of the
//! first convolution and the scores of the tiles depend on the [phase](super::phase) of the game.
//! All values are small integers, so that hardware can compute them.
//!
//! The weights are learned from the network of `engine`; docs/measuring.md has the recipe.

use std::sync::LazyLock;

use duoforge_rules::{Bitboard, Cell, Duo, Tile};

use super::scores::{COLUMNS, ENTRIES, entry};
use super::{CellScores, PHASES, PriorMaps, phase};
use crate::search::position::{NETWORK_PLANES, Position};

/// Number of maps of the position, see [`planes`].
const PLANES: usize = NETWORK_PLANES + 3;

/// Number of channels of the first convolution.
const CHANNELS: usize = 8;

/// Number of scores of a cell: as a covered cell, as an edge and as a corner.
const SCORES: usize = 3;

/// Number of cells of a window of 3x3 cells.
const WINDOW: usize = 9;

/// Maximum output of a channel; the minimum is 0.
const MAX_ACTIVATION: i16 = 255;

/// Size of the file of weights in bytes.
const BYTES: usize = WINDOW * PLANES * CHANNELS
    + 2 * PHASES * CHANNELS
    + WINDOW * CHANNELS * SCORES
    + 2 * PHASES * Tile::COUNT
    + 1;

/// Network that ships.
static SHIPPED: LazyLock<PriorNetwork> =
    LazyLock::new(|| PriorNetwork::read(include_bytes!("weights.bin")));

/// Weights of the network. Cells of a window are listed row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorNetwork {
    /// Weights of the first convolution, by cell of the window and by map.
    first: [[[i16; CHANNELS]; PLANES]; WINDOW],
    /// Biases of the channels, by phase.
    biases: [[i16; CHANNELS]; PHASES],
    /// Weights of the second convolution, by cell of the window and by score.
    second: [[[i16; CHANNELS]; SCORES]; WINDOW],
    /// Scores of the tiles, by phase.
    tiles: [[i16; Tile::COUNT]; PHASES],
    /// Fraction bits of the sums of the second convolution.
    shift: u32,
}

impl PriorNetwork {
    /// Returns the network that ships.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Reads the weights: those of the first convolution as bytes, by cell of the window, map and
    /// channel; its biases as 16-bit integers, by phase; the weights of the second convolution as
    /// bytes, by cell of the window, channel and score; the scores of the tiles as 16-bit integers,
    /// by phase; and the number of fraction bits. All are signed and little-endian.
    fn read(bytes: &[u8; BYTES]) -> Self {
        let bytes = &mut bytes.iter().copied();
        let mut network = Self {
            first: [[[0; CHANNELS]; PLANES]; WINDOW],
            biases: [[0; CHANNELS]; PHASES],
            second: [[[0; CHANNELS]; SCORES]; WINDOW],
            tiles: [[0; Tile::COUNT]; PHASES],
            shift: 0,
        };
        let first = network.first.as_flattened_mut().as_flattened_mut();
        first.fill_with(|| byte(bytes).into());
        network.biases.as_flattened_mut().fill_with(|| short(bytes));
        for cell in &mut network.second {
            for channel in 0..CHANNELS {
                cell.iter_mut()
                    .for_each(|score| score[channel] = byte(bytes).into());
            }
        }
        network.tiles.as_flattened_mut().fill_with(|| short(bytes));
        network.shift = byte(bytes) as u32;
        network
    }

    /// Returns the scores of all placements of the side to move.
    pub fn scores(&self, position: &Position) -> CellScores {
        let phase = phase(position);
        let activations = self.activations(&planes(position), &self.biases[phase]);
        let mut scores = CellScores::new(self.tiles[phase]);
        for cell in Bitboard::<Duo>::FULL.iter() {
            scores.set(cell, self.cell_scores(&activations, cell));
        }
        scores
    }

    /// Returns the outputs of the channels by cell; an empty row and column are around the board.
    fn activations(
        &self,
        planes: &[Bitboard<Duo>; PLANES],
        biases: &[i16; CHANNELS],
    ) -> [[i16; CHANNELS]; ENTRIES] {
        let mut sums = [[0; CHANNELS]; ENTRIES];
        for (number, plane) in planes.iter().enumerate() {
            for cell in plane.iter() {
                // The cell is in the windows of its neighbours: the window's first cell belongs to
                // the neighbour below and to the right.
                for (place, weights) in self.first.iter().enumerate() {
                    let (y, x) = (2 - place / 3, 2 - place % 3);
                    let sum = &mut sums[entry(cell) - COLUMNS - 1 + y * COLUMNS + x];
                    let terms = sum.iter_mut().zip(&weights[number]);
                    terms.for_each(|(sum, weight)| *sum += weight);
                }
            }
        }
        let mut activations = [[0; CHANNELS]; ENTRIES];
        for cell in Bitboard::<Duo>::FULL.iter() {
            let terms = sums[entry(cell)].iter().zip(biases);
            let outputs = activations[entry(cell)].iter_mut();
            for (output, (sum, bias)) in outputs.zip(terms) {
                *output = (sum + bias).clamp(0, MAX_ACTIVATION);
            }
        }
        activations
    }

    /// Returns the scores of a cell as a covered cell, as an edge and as a corner.
    fn cell_scores(&self, activations: &[[i16; CHANNELS]; ENTRIES], cell: Cell) -> [i16; SCORES] {
        let mut sums = [0_i32; SCORES];
        for (place, weights) in self.second.iter().enumerate() {
            let (y, x) = (place / 3, place % 3);
            let inputs = &activations[entry(cell) - COLUMNS - 1 + y * COLUMNS + x];
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let products = inputs.iter().zip(weights);
                *sum += products
                    .map(|(&input, &weight)| i32::from(input) * i32::from(weight))
                    .sum::<i32>();
            }
        }
        sums.map(|sum| {
            let rounded = (sum + (1 << self.shift >> 1)) >> self.shift;
            rounded.clamp(i8::MIN.into(), i8::MAX.into()) as i16
        })
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
fn planes(position: &Position) -> [Bitboard<Duo>; PLANES] {
    let maps = PriorMaps::new(position);
    let more = [maps.around, maps.opponent_beside, maps.opponent_around];
    let mut planes = [Bitboard::EMPTY; PLANES];
    planes[..NETWORK_PLANES].copy_from_slice(&position.network_planes());
    planes[NETWORK_PLANES..].copy_from_slice(&more);
    planes
}

#[cfg(test)]
mod tests;
