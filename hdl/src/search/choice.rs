//! Which tiles are looked at, and in which phase the game is.
//!
//! Both depend on the number of tiles on the board. See `duoforge_engine::search::prior`, which is the
//! twin.
//!
//! Timing: `wanted` and `phase` are right three clocks after a change of `used`, `others` after two; both
//! follow `side` and `all` in the next clock, `others` at once.

use duoforge_engine::search::{Position, prior};
use duoforge_rules::{DuoBoard, Orientation, Placement, Tile};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// Chooses tiles and weights.
#[derive(LogicBlock)]
pub struct Choice {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Tiles that each side has used; bit 0 is tile `a`.
    pub used: [Signal<In, Bits<21>>; 2],
    /// Whose tiles.
    pub side: Signal<In, Bit>,
    /// All tiles that are left are wanted.
    pub all: Signal<In, Bit>,
    /// The tiles that are wanted: those that are left and worthwhile, or all that are left.
    pub wanted: Signal<Out, Bits<21>>,
    /// Tiles are left that are not worthwhile.
    pub others: Signal<Out, Bit>,
    /// The phase of the game.
    pub phase: Signal<Out, Bits<2>>,
    // By the number of tiles on the board.
    worthwhile: ROM<Bits<21>, 6>,
    phases: ROM<Bits<2>, 6>,
    sevens: [DFF<Bits<3>>; 6],
    on_board: DFF<Bits<6>>,
    wanted_now: DFF<Bits<21>>,
    phase_now: DFF<Bits<2>>,
    left: Signal<Local, Bits<21>>,
    big: Signal<Local, Bits<21>>,
    little: Signal<Local, Bits<21>>,
    seven: Signal<Local, Bits<7>>,
    tiles: Signal<Local, Bits<42>>,
    ones: Signal<Local, Bits<3>>,
    sum: Signal<Local, Bits<6>>,
}

impl Default for Choice {
    fn default() -> Self {
        block!(Self {
            worthwhile: (0..=LAST).map(|n| worthwhile(n).to_bits()).into(),
            phases: (0..=LAST).map(|n| phase(n).to_bits()).into(),
        } default
            clock used side all wanted others phase sevens on_board wanted_now phase_now left big
            little seven tiles ones sum
        )
    }
}

impl Logic for Choice {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, on_board, wanted_now, phase_now);

        // Tiles on the board, by sevens.
        self.tiles.next =
            bit_cast::<42, 21>(self.used[0].val()) | (bit_cast::<42, 21>(self.used[1].val()) << 21);
        self.sum.next = bits::<6>(0);
        for i in 0..6 {
            self.seven.next = self.tiles.val().get_bits::<7>(7 * i);
            self.sevens[i].clock.next = self.clock.val();
            self.sevens[i].d.next = bit_cast::<3, 1>(self.seven.val().get_bits::<1>(0))
                + bit_cast::<3, 1>(self.seven.val().get_bits::<1>(1))
                + bit_cast::<3, 1>(self.seven.val().get_bits::<1>(2))
                + bit_cast::<3, 1>(self.seven.val().get_bits::<1>(3))
                + bit_cast::<3, 1>(self.seven.val().get_bits::<1>(4))
                + bit_cast::<3, 1>(self.seven.val().get_bits::<1>(5))
                + bit_cast::<3, 1>(self.seven.val().get_bits::<1>(6));
            self.ones.next = self.sevens[i].q.val();
            self.sum.next = self.sum.val() + bit_cast::<6, 3>(self.ones.val());
        }
        self.on_board.d.next = self.sum.val();
        self.worthwhile.address.next = self.on_board.q.val();
        self.phases.address.next = self.on_board.q.val();
        self.phase_now.d.next = self.phases.data.val();

        if self.side.val() {
            self.left.next = !self.used[1].val();
        } else {
            self.left.next = !self.used[0].val();
        }
        self.big.next = self.left.val() & self.worthwhile.data.val();
        self.little.next = self.left.val() ^ self.big.val();
        self.wanted_now.d.next = self.big.val();
        if self.all.val() {
            self.wanted_now.d.next = self.left.val();
        }
        self.wanted.next = self.wanted_now.q.val();
        self.others.next = self.little.val().any();
        self.phase.next = self.phase_now.q.val();
    }
}

/// The most tiles on a board whose next player has one left.
const LAST: usize = 2 * Tile::COUNT - 1;

/// A position with this many tiles on the board, of which only the numbers matter, in which the player to
/// move still has one tile.
fn position_with(on_board: usize, kept: Tile) -> Position {
    let mut position = Position::new(&DuoBoard::duo());
    let mover = position.to_move();
    let others = Tile::ALL.into_iter().filter(|&tile| tile != kept);
    let placed = (Tile::ALL.into_iter().map(|tile| (mover.rival(), tile)))
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

/// The tiles that are worthwhile when this many are on the board; bit 0 is tile `a`.
fn worthwhile(on_board: usize) -> u32 {
    let tiles = Tile::ALL.into_iter();
    let big =
        tiles.filter(|&tile| prior::worthwhile(&position_with(on_board, tile)).contains(tile));
    big.fold(0, |set, tile| set | 1 << tile.index())
}

/// The phase of the game when this many tiles are on the board.
fn phase(on_board: usize) -> u32 {
    prior::phase(&position_with(on_board, Tile::MONOMINO)) as u32
}
