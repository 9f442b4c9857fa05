//! Tile filter: candidate tiles and phase of the game.
//!
//! Both depend on the number of tiles on the board. Twin: `duoforge_twin::search::prior`.
//!
//! Timing: after a change of `used`, `wanted` and `phase` are valid three cycles later, `others`
//! two cycles later. `wanted` follows `side` and `all` in the next cycle; `others` follows `side`
//! in the same cycle.

use duoforge_rules::{DuoBoard, Orientation, Placement, Tile};
use duoforge_twin::search::{Position, prior};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

block! {
    /// Tile filter.
    pub struct TileFilter from TileFilterParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Position and request.
        /// Tiles used by each side; bit 0 is tile `a`.
        pub used: [Signal<In, Bits<21>>; 2],
        /// Side whose tiles are filtered.
        pub side: Signal<In, Bit>,
        /// High if all remaining tiles are wanted.
        pub all: Signal<In, Bit>,

        // Result.
        /// Wanted tiles: the remaining candidate tiles, or all remaining tiles.
        pub wanted: Signal<Out, Bits<21>>,
        /// High if tiles remain that are not candidate tiles.
        pub others: Signal<Out, Bit>,
        /// Phase of the game, from 0 to 3.
        pub phase: Signal<Out, Bits<2>>,
        // By the number of tiles on the board.
        candidate_tiles: ROM<Bits<21>, 6> = given,
        phases: ROM<Bits<2>, 6> = given,
        group_counts: [DFF<Bits<3>>; 6],
        tiles_on_board: DFF<Bits<6>>,
        wanted_now: DFF<Bits<21>>,
        phase_now: DFF<Bits<2>>,
        remaining: Signal<Local, Bits<21>>,
        candidates: Signal<Local, Bits<21>>,
        non_candidates: Signal<Local, Bits<21>>,
        group: Signal<Local, Bits<7>>,
        tiles: Signal<Local, Bits<42>>,
        group_count: Signal<Local, Bits<3>>,
        sum: Signal<Local, Bits<6>>,
    }
}

impl Default for TileFilter {
    fn default() -> Self {
        Self::from(TileFilterParts {
            candidate_tiles: (0..=LAST).map(|n| worthwhile(n).to_bits()).into(),
            phases: (0..=LAST).map(|n| phase(n).to_bits()).into(),
        })
    }
}

impl Logic for TileFilter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tiles_on_board, wanted_now, phase_now);

        // Tiles on the board, counted in groups of seven.
        self.tiles.next =
            bit_cast::<42, 21>(self.used[0].val()) | (bit_cast::<42, 21>(self.used[1].val()) << 21);
        self.sum.next = bits::<6>(0);
        for i in 0..6 {
            self.group.next = self.tiles.val().get_bits::<7>(7 * i);
            self.group_counts[i].clock.next = self.clock.val();
            self.group_counts[i].d.next = bit_cast::<3, 1>(self.group.val().get_bits::<1>(0))
                + bit_cast::<3, 1>(self.group.val().get_bits::<1>(1))
                + bit_cast::<3, 1>(self.group.val().get_bits::<1>(2))
                + bit_cast::<3, 1>(self.group.val().get_bits::<1>(3))
                + bit_cast::<3, 1>(self.group.val().get_bits::<1>(4))
                + bit_cast::<3, 1>(self.group.val().get_bits::<1>(5))
                + bit_cast::<3, 1>(self.group.val().get_bits::<1>(6));
            self.group_count.next = self.group_counts[i].q.val();
            self.sum.next = self.sum.val() + bit_cast::<6, 3>(self.group_count.val());
        }
        self.tiles_on_board.d.next = self.sum.val();
        self.candidate_tiles.address.next = self.tiles_on_board.q.val();
        self.phases.address.next = self.tiles_on_board.q.val();
        self.phase_now.d.next = self.phases.data.val();

        if self.side.val() {
            self.remaining.next = !self.used[1].val();
        } else {
            self.remaining.next = !self.used[0].val();
        }
        self.candidates.next = self.remaining.val() & self.candidate_tiles.data.val();
        self.non_candidates.next = self.remaining.val() ^ self.candidates.val();
        self.wanted_now.d.next = self.candidates.val();
        if self.all.val() {
            self.wanted_now.d.next = self.remaining.val();
        }
        self.wanted.next = self.wanted_now.q.val();
        self.others.next = self.non_candidates.val().any();
        self.phase.next = self.phase_now.q.val();
    }
}

/// Maximum number of tiles on a board whose side to move has one tile left.
const LAST: usize = 2 * Tile::COUNT - 1;

/// Returns a position with this number of tiles on the board; the side to move has not used `kept`.
///
/// Only the numbers of tiles are meaningful, not where the tiles are.
fn position_with(on_board: usize, kept: Tile) -> Position {
    let mut position = Position::new(&DuoBoard::duo());
    let mover = position.to_move();
    let others = Tile::ALL.into_iter().filter(|&tile| tile != kept);
    let placed = (Tile::ALL.into_iter().map(|tile| (mover.opponent(), tile)))
        .chain(others.map(|tile| (mover, tile)));
    for (player, tile) in placed.take(on_board) {
        let shape = Orientation::of_tile(tile)
            .next()
            .expect("every tile has one");
        position.set_to_move(player);
        position.place(Placement::new(shape, 0, 0));
    }
    position.set_to_move(mover);
    position
}

/// Returns the candidate tiles with this number of tiles on the board; bit 0 is tile `a`.
fn worthwhile(on_board: usize) -> u32 {
    let tiles = Tile::ALL.into_iter();
    let big =
        tiles.filter(|&tile| prior::candidate_tiles(&position_with(on_board, tile)).contains(tile));
    big.fold(0, |set, tile| set | 1 << tile.index())
}

/// Returns the phase of the game with this number of tiles on the board.
fn phase(on_board: usize) -> u32 {
    prior::phase(&position_with(on_board, Tile::MONOMINO)) as u32
}
