//! Weights of a network, as stored in a file.

use std::sync::LazyLock;

use duoforge_rules::Tile;

use super::{GLOBALS, PLANES};

/// Number of channels of a layer.
pub(super) const CHANNELS: usize = 16;

/// Number of units of the layer before the scores of tiles and the value.
pub(super) const UNITS: usize = 32;

/// Cells of a 3x3 window.
const WINDOW: usize = 9;

/// Maximum number of layers.
const MAX_LAYERS: usize = 16;

/// Weights of the network that ships.
static SHIPPED: LazyLock<Network> = LazyLock::new(|| {
    let bytes = include_bytes!("weights.bin");
    Network::read(bytes).expect("the file that ships is complete")
});

/// Reason why bytes are not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The number of layers is out of range.
    #[error("a network has 1 to {MAX_LAYERS} layers, not {0}")]
    Layers(u32),
    /// The size is 0 or no multiple of 4 bytes.
    #[error("a network has whole numbers of 4 bytes, not {0} bytes")]
    Numbers(usize),
    /// The size does not fit the number of layers.
    #[error("a network of {layers} layers has {expected} bytes, not {actual}")]
    Size {
        /// Number of layers.
        layers: usize,
        /// Expected number of bytes.
        expected: usize,
        /// Actual number of bytes.
        actual: usize,
    },
}

/// Convolution of 3x3 cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    /// Weights by cell of the window, row by row, and by input; one for each channel.
    pub weights: Vec<[f32; CHANNELS]>,
    pub bias: [f32; CHANNELS],
}

/// Network: all weights, in natural units.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub(super) first: Layer,
    /// Weights of the inputs that hold for the whole board, in the first layer.
    pub(super) globals: Vec<[f32; CHANNELS]>,
    /// Further layers; each adds to the one before.
    pub(super) layers: Vec<Layer>,
    pub(super) cells: Vec<[f32; 3]>,
    pub(super) cells_bias: [f32; 3],
    /// Weights of means, maxima and inputs that hold for the whole board.
    pub(super) dense: Vec<[f32; UNITS]>,
    pub(super) dense_bias: [f32; UNITS],
    pub(super) tiles: Vec<[f32; Tile::COUNT]>,
    pub(super) tiles_bias: [f32; Tile::COUNT],
    pub(super) value: Vec<[f32; 1]>,
    pub(super) value_bias: [f32; 1],
}

impl Network {
    /// Returns the network that ships.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Reads a network: the number of layers as a 32-bit integer, then all weights in the order of
    /// the fields as 32-bit floating-point numbers, everything little-endian.
    ///
    /// # Errors
    /// [`NetworkError`] if the size does not fit the number of layers.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (words, rest) = bytes.as_chunks::<4>();
        let (Some((layers, words)), []) = (words.split_first(), rest) else {
            return Err(NetworkError::Numbers(bytes.len()));
        };
        let layers = u32::from_le_bytes(*layers);
        if !(1..=MAX_LAYERS as u32).contains(&layers) {
            return Err(NetworkError::Layers(layers));
        }
        let layers = layers as usize;
        if words.len() != numbers(layers) {
            return Err(NetworkError::Size {
                layers,
                expected: 4 * (1 + numbers(layers)),
                actual: bytes.len(),
            });
        }
        let mut words = words.iter().map(|&word| f32::from_le_bytes(word));
        Ok(Self {
            first: layer(&mut words, PLANES),
            globals: rows(&mut words, GLOBALS),
            layers: (1..layers).map(|_| layer(&mut words, CHANNELS)).collect(),
            cells: rows(&mut words, CHANNELS),
            cells_bias: row(&mut words),
            dense: rows(&mut words, 2 * CHANNELS + GLOBALS),
            dense_bias: row(&mut words),
            tiles: rows(&mut words, UNITS),
            tiles_bias: row(&mut words),
            value: rows(&mut words, UNITS),
            value_bias: row(&mut words),
        })
    }
}

/// Returns the number of weights of a network.
const fn numbers(layers: usize) -> usize {
    (WINDOW * (PLANES + (layers - 1) * CHANNELS) + layers + GLOBALS) * CHANNELS
        + 3 * (CHANNELS + 1)
        + UNITS * (2 * CHANNELS + GLOBALS + 1)
        + (UNITS + 1) * (Tile::COUNT + 1)
}

fn row<const N: usize>(words: &mut impl Iterator<Item = f32>) -> [f32; N] {
    std::array::from_fn(|_| words.next().expect("the size has been checked"))
}

fn rows<const N: usize>(words: &mut impl Iterator<Item = f32>, count: usize) -> Vec<[f32; N]> {
    (0..count).map(|_| row(words)).collect()
}

fn layer(words: &mut impl Iterator<Item = f32>, inputs: usize) -> Layer {
    Layer {
        weights: rows(words, WINDOW * inputs),
        bias: row(words),
    }
}
