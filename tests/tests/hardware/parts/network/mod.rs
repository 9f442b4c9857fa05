//! Tests of the prior network: each of its blocks alone, then all of them together.

mod cell_scores;
mod channels;
mod planes;
mod rows;
mod window;

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::search::expansion::network::{self, SCORE_BITS, SCORE_PLANES};
use duoforge_hdl::search::expansion::prior_maps::{self, MAPS};
use duoforge_hdl::search::position_ring::Content;
use duoforge_rules::{Bitboard, Duo, Tile};
use duoforge_sim::PortId;
use duoforge_twin::Rng;
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::PHASES;
use duoforge_twin::search::prior::network::{CHANNELS, PLANES, PriorNetwork, SCORES, SPAN, WINDOW};

use crate::support::bench::Bench;
use crate::support::games::Game;

/// Rows of a map.
type Map = [u16; SIDE];

/// Scores of all cells, by row and column.
pub type Scores = [[[i16; SCORES]; SIDE]; SIDE];

/// Returns a number of this absolute value at most.
fn up_to(rng: &mut Rng, most: i16) -> i16 {
    let most = i32::from(most);
    (rng.below(2 * most as u32 + 1) as i32 - most) as i16
}

/// Returns a network of random weights. The last phase has the greatest biases, and the last score
/// has the greatest weights.
pub fn any_network(rng: &mut Rng) -> PriorNetwork {
    PriorNetwork {
        first: [[[0; CHANNELS]; WINDOW]; PLANES]
            .map(|cells| cells.map(|weights| weights.map(|_: i16| up_to(rng, 30)))),
        biases: [60, 200, 1_000, 20_000].map(|most| [most; CHANNELS].map(|most| up_to(rng, most))),
        second: [[20, 60, 127]; CHANNELS].map(|channel| channel.map(|most| up_to(rng, most))),
        offsets: [100, 300, 1_000].map(|most| up_to(rng, most)),
        tiles: [[2_400; Tile::COUNT]; PHASES].map(|tiles| tiles.map(|most| up_to(rng, most))),
    }
}

/// Returns a map in which some eighths of the cells are set, at random.
fn any_map(rng: &mut Rng) -> Map {
    let eighths = rng.below(9);
    std::array::from_fn(|_| {
        let cells = (0..SIDE).map(|x| u16::from(rng.below(8) < eighths) << x);
        cells.sum()
    })
}

/// Returns the scores of all cells by the twins of both layers.
pub fn scores(network: &PriorNetwork, phase: usize, planes: &[Map; PLANES]) -> Scores {
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let window = network::window::twin(planes, x, y);
            network.cell_scores(&network::channels::twin(network, phase, &window))
        })
    })
}

/// Returns the rows of the bit planes of scores.
fn bit_planes(scores: &Scores) -> [Map; SCORE_PLANES] {
    std::array::from_fn(|plane| {
        let (score, bit) = (plane / SCORE_BITS, plane % SCORE_BITS);
        scores.map(|row| {
            let bits = row.iter().enumerate();
            let bits = bits.map(|(x, scores)| (scores[score] as u16 >> bit & 1) << x);
            bits.sum()
        })
    })
}

/// Returns the columns of a window, whose cells are listed row by row: each has its newest row in
/// the lowest bits.
fn columns(cells: &[u16; WINDOW]) -> [u64; SPAN] {
    std::array::from_fn(|x| {
        let cells = (0..SPAN).map(|y| u64::from(cells[SPAN * y + x]) << (PLANES * (SPAN - 1 - y)));
        cells.sum()
    })
}

/// Maps of a position from which the planes follow. Arrays of two hold the side to move, then its
/// opponent.
struct Source {
    recent: [Map; 2],
    start: [Map; 2],
    maps: [Map; MAPS],
    occupied: Map,
    opponent_allowed: Map,
}

impl Source {
    /// Returns the maps of a position of a game, for the side to move.
    fn of(game: &Game, content: &Content, position: &Position) -> Self {
        let players = [position.to_move(), position.to_move().opponent()];
        let rows = |set: Bitboard<Duo>| std::array::from_fn(|y| set.row(y as u8) as u16);
        let recent = players.map(|player| {
            let side = game.side(player) as usize;
            let (last, before) = (&content.maps[2 + side], &content.maps[4 + side]);
            std::array::from_fn(|y| last[y] | before[y])
        });
        let start = players.map(|player| {
            let is_new = content.used[game.side(player) as usize] == 0;
            let start = Some(game.starts[player.index()]);
            rows(start.into_iter().filter(|_| is_new).collect())
        });
        Self {
            recent,
            start,
            maps: prior_maps::twin(position),
            occupied: rows(position.occupied()),
            opponent_allowed: rows(position.allowed(players[1])),
        }
    }

    /// Returns random maps.
    fn any(rng: &mut Rng) -> Self {
        Self {
            recent: std::array::from_fn(|_| any_map(rng)),
            start: std::array::from_fn(|_| {
                let (x, y) = (rng.below(14), rng.below(20) as usize);
                std::array::from_fn(|row| u16::from(row == y) << x)
            }),
            maps: std::array::from_fn(|_| any_map(rng)),
            occupied: any_map(rng),
            opponent_allowed: any_map(rng),
        }
    }

    /// Returns the planes.
    fn planes(&self) -> [Map; PLANES] {
        let recent = |side: usize, corner: usize| {
            let cells = |y: usize| self.recent[side][y] | self.start[side][y];
            std::array::from_fn(|y| self.maps[corner][y] & cells(y))
        };
        [
            self.occupied,
            self.maps[prior_maps::ALLOWED],
            self.opponent_allowed,
            self.maps[prior_maps::CORNER],
            self.maps[prior_maps::OPPONENT_CORNER],
            recent(0, prior_maps::CORNER),
            recent(1, prior_maps::OPPONENT_CORNER),
            [0x3fff; SIDE],
            self.maps[prior_maps::AROUND],
            self.maps[prior_maps::OPPONENT_BESIDE],
            self.maps[prior_maps::OPPONENT_AROUND],
        ]
    }
}

/// Returns a row of a map; rows off the board are empty.
fn row(map: &Map, y: Option<usize>) -> u64 {
    let row = y.and_then(|y| map.get(y));
    row.copied().unwrap_or(0).into()
}

/// Inputs of the row stream.
struct StreamPorts {
    on_board: PortId,
    recent: [PortId; 2],
    start: [PortId; 2],
    maps: [PortId; MAPS],
    occupied: PortId,
    opponent_allowed: PortId,
}

impl StreamPorts {
    /// Returns the inputs of a block that gives the start cells this name.
    fn open(dut: &Bench, start: &str) -> Self {
        Self {
            on_board: dut.input("on_board"),
            recent: [0, 1].map(|side| dut.input(&format!("recent${side}"))),
            start: [0, 1].map(|side| dut.input(&format!("{start}${side}"))),
            maps: std::array::from_fn(|map| dut.input(&format!("maps${map}"))),
            occupied: dut.input("occupied"),
            opponent_allowed: dut.input("opponent_allowed"),
        }
    }

    /// Drives a step of the stream, with row `step` of the recent corners. Those count only on the
    /// board.
    fn drive(&self, dut: &mut Bench, source: &Source, step: usize, rng: &mut Rng) {
        dut.drive(self.on_board, (step < SIDE).into());
        for side in 0..2 {
            let recent = source.recent[side].get(step).copied();
            let recent = recent.unwrap_or_else(|| rng.next_u32() as u16 & 0x3fff);
            dut.drive(self.recent[side], recent.into());
            let start = row(&source.start[side], step.checked_sub(1));
            dut.drive(self.start[side], start);
        }
        let y = step.checked_sub(2);
        for (port, map) in self.maps.into_iter().zip(&source.maps) {
            dut.drive(port, row(map, y));
        }
        dut.drive(self.occupied, row(&source.occupied, y));
        dut.drive(self.opponent_allowed, row(&source.opponent_allowed, y));
    }

    /// Drives anything on the inputs that count only while the planes move.
    fn disturb(&self, dut: &mut Bench, rng: &mut Rng) {
        dut.drive(self.on_board, rng.below(2).into());
        for port in self.recent.into_iter().chain(self.start) {
            dut.drive(port, u64::from(rng.next_u32()) & 0x3fff);
        }
    }

    /// Drives anything on all inputs.
    fn disturb_all(&self, dut: &mut Bench, rng: &mut Rng) {
        self.disturb(dut, rng);
        let others = [self.occupied, self.opponent_allowed];
        for port in self.maps.into_iter().chain(others) {
            dut.drive(port, u64::from(rng.next_u32()) & 0x3fff);
        }
    }
}
