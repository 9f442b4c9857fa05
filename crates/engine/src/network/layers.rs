//! Layers of a network.

use duoforge_rules::{Bitboard, Duo};
use multiversion::multiversion;

use super::weights::{CHANNELS, Layer, Network, UNITS};
use super::{Input, Outputs};

/// Cells of a row with an empty column on both sides of the board.
const COLUMNS: usize = 16;

/// Rows with an empty row above and below the board.
const ROWS: usize = 16;

/// Cells that are computed together: their sums and one row of weights fit the registers.
const TOGETHER: usize = 4;

/// First columns of the cells that are computed together; the last ones overlap.
const COLUMNS_TOGETHER: [usize; 4] = [1, 5, 9, 11];

/// Channels of all cells; those around the board are 0.
#[derive(Clone)]
struct Cells([[f32; CHANNELS]; ROWS * COLUMNS]);

impl Network {
    /// Computes the outputs for a position.
    pub(super) fn outputs(&self, input: &Input) -> Outputs {
        outputs(self, input)
    }
}

#[multiversion(targets("x86_64+avx2+fma"))]
fn outputs(network: &Network, input: &Input) -> Outputs {
    outputs_inline(network, input)
}

#[inline(always)]
fn outputs_inline(network: &Network, input: &Input) -> Outputs {
    let mut cells = Cells([[0.0; CHANNELS]; ROWS * COLUMNS]);
    cells.fill(network, input);
    let mut next = cells.clone();
    for layer in &network.layers {
        next.convolve(&cells, layer);
        std::mem::swap(&mut cells, &mut next);
    }
    cells.outputs(network, input)
}

impl Cells {
    /// Computes the first layer. Its maps are sparse: each cell of a map adds its weights to the
    /// cells around it.
    #[inline(always)]
    fn fill(&mut self, network: &Network, input: &Input) {
        let mut first = network.first.bias;
        for (&global, weights) in input.globals.iter().zip(&network.globals) {
            add(&mut first, global, weights);
        }
        for row in self.0.chunks_exact_mut(COLUMNS) {
            row.fill(first);
        }
        let windows = network.first.weights.chunks_exact(input.planes.len());
        for (i, weights) in windows.enumerate() {
            // A cell is at this place of the window of the cell that is as far up and left of it.
            let (down, right) = (i / 3, i % 3);
            for (map, weights) in input.planes.iter().zip(weights) {
                self.add_map(map, (2 - down) * COLUMNS + 2 - right, weights);
            }
        }
        self.rectify();
    }

    /// Adds weights to the cells at a distance from those of a map. The distance is counted from the
    /// cell in the row above and the column before.
    #[inline(always)]
    fn add_map(&mut self, map: &Bitboard<Duo>, distance: usize, weights: &[f32; CHANNELS]) {
        for y in 0..14_usize {
            let mut row = map.row(y as u8);
            while row != 0 {
                let x = row.trailing_zeros() as usize;
                row &= row - 1;
                let cell = &mut self.0[y * COLUMNS + x + distance];
                for (sum, weight) in cell.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
        }
    }

    /// Sets negative numbers and the cells around the board to 0.
    #[inline(always)]
    fn rectify(&mut self) {
        for (i, cell) in self.0.iter_mut().enumerate() {
            let (x, y) = (i % COLUMNS, i / COLUMNS);
            let is_inside = (1..=14).contains(&x) && (1..=14).contains(&y);
            for number in cell {
                *number = if is_inside { number.max(0.0) } else { 0.0 };
            }
        }
    }

    /// Computes a layer from the one before, and adds that one to it.
    #[inline(always)]
    fn convolve(&mut self, before: &Self, layer: &Layer) {
        for y in 1..=14 {
            for x in COLUMNS_TOGETHER {
                let mut sums = [layer.bias; TOGETHER];
                for (i, weights) in layer.weights.chunks_exact(CHANNELS).enumerate() {
                    let from = (y + i / 3 - 1) * COLUMNS + x + i % 3 - 1;
                    let cells = &before.0[from..from + TOGETHER];
                    for (channel, weights) in weights.iter().enumerate() {
                        for (sums, cell) in sums.iter_mut().zip(cells) {
                            add(sums, cell[channel], weights);
                        }
                    }
                }
                let at = y * COLUMNS + x;
                let cells = self.0[at..at + TOGETHER].iter_mut();
                for ((cell, sums), before) in cells.zip(sums).zip(&before.0[at..]) {
                    *cell = std::array::from_fn(|c| (before[c] + sums[c]).max(0.0));
                }
            }
        }
    }

    /// Computes the outputs from the last layer.
    #[inline(always)]
    fn outputs(&self, network: &Network, input: &Input) -> Outputs {
        let mut outputs = Outputs {
            cells: Box::new([network.cells_bias; 14 * 14]),
            tiles: network.tiles_bias,
            value: network.value_bias[0],
        };
        let (mut mean, mut most) = ([0.0; CHANNELS], [0.0_f32; CHANNELS]);
        let on_board = (1..=14).flat_map(|y| (1..=14).map(move |x| y * COLUMNS + x));
        for (i, scores) in on_board.zip(outputs.cells.iter_mut()) {
            for (c, &number) in self.0[i].iter().enumerate() {
                mean[c] += number / (14.0 * 14.0);
                most[c] = most[c].max(number);
                add(scores, number, &network.cells[c]);
            }
        }
        let mut dense: [f32; UNITS] = network.dense_bias;
        let inputs = mean.iter().chain(&most).chain(&input.globals);
        for (&number, weights) in inputs.zip(&network.dense) {
            add(&mut dense, number, weights);
        }
        let weights = network.tiles.iter().zip(&network.value);
        for (number, (tiles, [value])) in dense.into_iter().zip(weights) {
            let number = number.max(0.0);
            add(&mut outputs.tiles, number, tiles);
            outputs.value = number.mul_add(*value, outputs.value);
        }
        outputs
    }
}

/// Adds the product of a number and weights to sums. Each step is rounded once, with the
/// instructions of the processor or without.
#[inline(always)]
fn add<const N: usize>(sums: &mut [f32; N], number: f32, weights: &[f32; N]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = number.mul_add(*weight, *sum);
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::DuoBoard;
    use duoforge_twin::search::Position;

    use super::*;

    /// Tests the portable code too, which dispatch would skip on a processor with AVX2.
    #[test]
    fn every_processor_computes_the_same_outputs() {
        let mut board = DuoBoard::duo();
        for code in ["53e0", "a8e0", "21k7"] {
            let input = Input::new(&Position::new(&board));
            let network = Network::shipped();
            assert_eq!(network.outputs(&input), outputs_inline(network, &input));
            board.play(code.parse().expect("a code")).expect("legal");
        }
    }
}
