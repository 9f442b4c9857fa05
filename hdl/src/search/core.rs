//! A playout core: takes a position over, plays it to its end and tells how it ended.
//!
//! Twin: `duoforge_engine::search::playout::finish` with `Position::margin`. One turn is one
//! revolution of the core's [`Field`]: the placement that was drawn last is stamped while the rows
//! pass on through [`Ground`] to the [`Picker`], which draws the next one.
//!
//! A turn begins with some of the tiles, those whose bits in its random number are set. Where none of
//! these fits, the field turns once more, and all tiles are looked at: two revolutions instead of twice
//! the logic, as that happens in one turn of eight.
//!
//! Who cannot place a tile never can again. So a side that has passed once passes without looking,
//! and a playout ends when the second side is stuck.
//!
//! Timing: `start` counts while `ready`. It makes the field take the root over (`take`), stamp a
//! placement (`stamp`, `side`, `placement`) or both, exactly as [`Field`] says: row `n` of
//! `incoming` is read `n + 2` clocks later, so all cores can take the root while it turns once, if
//! they were started in the same clock as the root's field. Without `finish`, `ready` comes back
//! after 16 clocks, for the next placement. With `finish` that same revolution is the first turn of
//! the playout, in which `to_move` is to move. Every placement that is drawn is reported one clock
//! after it was drawn by `played` with `played_side` and `played_placement`, the first one 26 clocks
//! after `start` at the soonest, then at most one in 25 clocks. `done` follows the last turn: it rises one clock after
//! the last draw failed, stays until the next `start`, and `margin` is right while it is set. `ready`
//! rises with it.
//!
//! A playout ends from every state: where no draw comes for longer than a revolution takes, nothing is under
//! way, and with `enough` there are more placements than a game has. Neither happens in a game.
//!
//! The core has a random generator of its own, which `restart` sets back to its seed (at power-up it
//! is dead: every search has to begin with a restart, while the core is ready). Each turn of the
//! playout takes one number, passes included.

use duoforge_engine::{Rng, search::Parameters};
use duoforge_rules::Tile;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::field::{Field, PLACEMENT, ROWS};
use super::ground::Ground;
use super::picker::Picker;
use crate::block::block;

/// Clocks of a revolution in a playout, of which a turn takes one or two.
pub const TURN: u64 = 25;

/// Plays games to their end.
#[derive(LogicBlock)]
pub struct Core {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Sets the random generator back to its seed.
    pub restart: Signal<In, Bit>,
    /// The start cell of side 0 is (a,a) and not (5,5).
    pub start_is_a: Signal<In, Bit>,
    /// Starts a revolution.
    pub start: Signal<In, Bit>,
    /// With `start`: takes the root over.
    pub take: Signal<In, Bit>,
    /// With `start`: stamps `placement`.
    pub stamp: Signal<In, Bit>,
    /// With `start`: whose placement.
    pub side: Signal<In, Bit>,
    /// With `start`: the placement.
    pub placement: Signal<In, Bits<PLACEMENT>>,
    /// With `start`: plays the game to its end.
    pub finish: Signal<In, Bit>,
    /// With `start` and `finish`: who is to move.
    pub to_move: Signal<In, Bit>,
    /// Ends the playout.
    pub enough: Signal<In, Bit>,
    /// The root's rows.
    pub incoming: Signal<In, Bits<ROWS>>,
    /// With `start` and `take`: tiles that each side has used at the root; bit 0 is tile `a`.
    pub incoming_used: [Signal<In, Bits<21>>; 2],
    /// The core can start with this clock.
    pub ready: Signal<Out, Bit>,
    /// The playout has placed a tile.
    pub played: Signal<Out, Bit>,
    /// Who.
    pub played_side: Signal<Out, Bit>,
    /// Which one.
    pub played_placement: Signal<Out, Bits<PLACEMENT>>,
    /// The playout is over.
    pub done: Signal<Out, Bit>,
    /// Cells that side 0 is ahead at its end; signed.
    pub margin: Signal<Out, Bits<8>>,
    field: Field,
    ground: Ground,
    picker: Picker,
    sizes: ROM<Bits<8>, 5>,
    generator: DFF<Bits<64>>,
    again: DFF<Bit>,
    // All tiles are looked at, and not some of them.
    whole: DFF<Bit>,
    playing: DFF<Bit>,
    mover: DFF<Bit>,
    stuck: [DFF<Bit>; 2],
    over: DFF<Bit>,
    out_valid: DFF<Bit>,
    out_side: DFF<Bit>,
    out_placement: DFF<Bits<PLACEMENT>>,
    // Adds up the tiles one by one, in every turn anew, and goes on to the number at which no draw can come.
    tally: DFF<Bits<5>>,
    sum: DFF<Bits<8>>,
    accept: Signal<Local, Bit>,
    drawn: Signal<Local, Bit>,
    missed: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    stalled: Signal<Local, Bit>,
    next_turn: Signal<Local, Bit>,
    rival: Signal<Local, Bit>,
    rival_stuck: Signal<Local, Bit>,
    used: Signal<Local, Bits<21>>,
    some: Signal<Local, Bits<21>>,
    one: Signal<Local, Bits<64>>,
    two: Signal<Local, Bits<64>>,
    three: Signal<Local, Bits<64>>,
    counted: [Signal<Local, Bits<32>>; 2],
    seed: Constant<Bits<64>>,
    too_long: Constant<Bits<5>>,
}

impl Core {
    /// A core whose generator is `Rng::new(seed)` after a restart.
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let sizes = Tile::ALL.into_iter().map(|tile| tile.size().to_bits());
        block!(Self {
            picker: Picker::new(parameters),
            sizes: sizes.into(),
            seed: Constant::new(Rng::new(seed).state().to_bits()),
            too_long: Constant::new(30_u32.to_bits()),
        } default
            clock restart start_is_a start take stamp side placement finish to_move enough incoming
            incoming_used ready played played_side played_placement done margin field ground
            generator again whole playing mover stuck over out_valid out_side out_placement tally
            sum accept drawn missed failed stalled next_turn rival rival_stuck used some one two three
            counted
        )
    }
}

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, generator, again, whole, playing, mover, over);
        dff_setup!(self, clock, out_valid, out_side, out_placement, tally, sum);
        clock!(self, clock, field, ground, picker);

        // Turns.
        self.ready.next = self.field.idle.val() & (!self.playing.q.val());
        self.accept.next = self.start.val() & self.ready.val();
        self.drawn.next = self.playing.q.val() & self.picker.picked.val() & self.picker.found.val();
        self.missed.next =
            self.playing.q.val() & self.picker.picked.val() & (!self.picker.found.val());
        self.failed.next = self.missed.val() & self.whole.q.val();
        self.rival.next = !self.mover.q.val();
        self.rival_stuck.next = self.stuck[1].q.val();
        if self.mover.q.val() {
            self.rival_stuck.next = self.stuck[0].q.val();
        }
        self.next_turn.next = self.drawn.val() | (self.failed.val() & (!self.rival_stuck.val()));
        if self.missed.val() {
            self.whole.d.next = true;
        }
        if self.next_turn.val() | self.accept.val() {
            self.whole.d.next = false;
        }
        for i in 0..2 {
            self.stuck[i].clock.next = self.clock.val();
            self.stuck[i].d.next = self.stuck[i].q.val();
        }
        if self.failed.val() {
            if self.mover.q.val() {
                self.stuck[1].d.next = true;
            } else {
                self.stuck[0].d.next = true;
            }
            if self.rival_stuck.val() {
                self.playing.d.next = false;
                self.over.d.next = true;
            }
        }
        self.stalled.next = self.enough.val() | (self.tally.q.val() == self.too_long.val());
        if self.playing.q.val() & self.stalled.val() {
            self.playing.d.next = false;
            self.over.d.next = true;
        }
        if !self.rival_stuck.val() & self.next_turn.val() {
            self.mover.d.next = self.rival.val();
        }
        if self.accept.val() {
            self.over.d.next = false;
            self.playing.d.next = self.finish.val();
            self.mover.d.next = self.to_move.val();
            self.stuck[0].d.next = false;
            self.stuck[1].d.next = false;
        }

        // The position.
        self.field.advance.next = true;
        self.field.incoming.next = self.incoming.val();
        self.field.start.next =
            self.accept.val() | self.next_turn.val() | (self.missed.val() & (!self.whole.q.val()));
        if self.playing.q.val() {
            self.field.take.next = false;
            self.field.stamp.next = self.drawn.val();
            self.field.side.next = self.mover.q.val();
            self.field.placement.next = self.picker.placement.val();
        } else {
            self.field.take.next = self.take.val();
            self.field.stamp.next = self.stamp.val();
            self.field.side.next = self.side.val();
            self.field.placement.next = self.placement.val();
        }
        for i in 0..2 {
            self.field.incoming_used[i].next = self.incoming_used[i].val();
        }

        // What fits there.
        self.ground.valid.next = self.field.valid.val();
        self.ground.row.next = self.field.row.val();
        self.ground.passing.next = self.field.passing.val();
        self.ground.side.next = self.mover.q.val();
        self.ground.start_is_a.next = self.start_is_a.val();
        // A revolution on the way down is no turn.
        self.picker.valid.next = self.ground.valid_out.val() & self.playing.q.val();
        self.picker.allowed.next = self.ground.allowed.val();
        self.picker.corner.next = self.ground.corner.val();
        self.picker.marked.next = self.ground.marked.val();
        self.picker.random.next = self.generator.q.val().get_bits::<17>(32);
        self.used.next = self.field.used[0].val();
        if self.mover.q.val() {
            self.used.next = self.field.used[1].val();
        }
        self.some.next = self.generator.q.val().get_bits::<21>(43);
        self.picker.used.next = self.used.val() | (!self.some.val());
        if self.whole.q.val() {
            self.picker.used.next = self.used.val();
        }
        self.out_valid.d.next = self.drawn.val();
        self.out_side.d.next = self.mover.q.val();
        self.out_placement.d.next = self.picker.placement.val();

        // The generator: a number for each turn, and one more for a rival who passes unseen.
        self.one.next = self.generator.q.val() ^ (self.generator.q.val() << 13);
        self.two.next = self.one.val() ^ (self.one.val() >> 7);
        self.three.next = self.two.val() ^ (self.two.val() << 17);
        self.again.d.next = self.drawn.val() & self.rival_stuck.val();
        if self.next_turn.val() | (self.accept.val() & self.finish.val()) | self.again.q.val() {
            self.generator.d.next = self.three.val();
        }
        if self.restart.val() {
            self.generator.d.next = self.seed.val();
        }

        // The margin.
        self.sizes.address.next = self.tally.q.val();
        self.counted[0].next = bit_cast::<32, 21>(self.field.used[0].val());
        self.counted[1].next = bit_cast::<32, 21>(self.field.used[1].val());
        if self.tally.q.val() != self.too_long.val() {
            self.tally.d.next = self.tally.q.val() + 1;
        }
        if self.counted[0].val().get_bit(self.tally.q.val().index()) {
            if !self.counted[1].val().get_bit(self.tally.q.val().index()) {
                self.sum.d.next = self.sum.q.val() + self.sizes.data.val();
            }
        } else {
            if self.counted[1].val().get_bit(self.tally.q.val().index()) {
                self.sum.d.next = self.sum.q.val() - self.sizes.data.val();
            }
        }
        // The tiles are right from the second clock of a revolution on.
        if self.field.start.val() {
            self.tally.d.next = bits::<5>(31);
            self.sum.d.next = bits::<8>(0);
        }

        self.played.next = self.out_valid.q.val();
        self.played_side.next = self.out_side.q.val();
        self.played_placement.next = self.out_placement.q.val();
        self.done.next = self.over.q.val();
        self.margin.next = self.sum.q.val();
    }
}
