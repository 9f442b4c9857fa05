//! All playout cores.
//!
//! Jobs and answers are those of one lane at a time, the one that `lane` names; the cores play on by
//! themselves.
//!
//! Encoding: one set of wires to all lanes and a strobe for each, so that a lane more costs a core and
//! little else.

use duoforge_engine::search::Parameters;
use rust_hdl_core::prelude::*;

use super::field::ROWS;
use super::lane::Lane;
use super::moves::MOVE;
use crate::block::block;

/// Cores and lists.
#[derive(LogicBlock)]
pub struct Lanes<const LANES: usize> {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// All cores begin their random numbers anew.
    pub restart: Signal<In, Bit>,
    /// The start cell of side 0 is (a,a) and not (5,5).
    pub start_is_a: Signal<In, Bit>,
    /// The lane that the other ports are about.
    pub lane: Signal<In, Bits<3>>,
    /// Starts its core with the placement of `step`.
    pub start: Signal<In, Bit>,
    /// With `start`: takes the root over.
    pub take: Signal<In, Bit>,
    /// With `start`: plays on to the end.
    pub finish: Signal<In, Bit>,
    /// Appends `step` to its list.
    pub append: Signal<In, Bit>,
    /// Empties its list.
    pub clear: Signal<In, Bit>,
    /// A step down the tree, see [`super::moves`].
    pub step: Signal<In, Bits<MOVE>>,
    /// The root's rows.
    pub incoming: Signal<In, Bits<ROWS>>,
    /// Tiles that each side has used at the root.
    pub incoming_used: [Signal<In, Bits<21>>; 2],
    /// Its core can start, or there is no such lane.
    pub ready: Signal<Out, Bit>,
    /// Cells that side 0 is ahead there; signed.
    pub margin: Signal<Out, Bits<8>>,
    /// How many words its list has.
    pub count: Signal<Out, Bits<6>>,
    /// Which word to read.
    pub index: Signal<In, Bits<6>>,
    /// The word at the index of the clock before.
    pub word: Signal<Out, Bits<MOVE>>,
    /// How many cores play.
    pub playing: Signal<Out, Bits<4>>,
    all: [Lane; LANES],
    mine: Signal<Local, Bit>,
    number: [Constant<Bits<3>>; LANES],
}

impl<const LANES: usize> Lanes<LANES> {
    /// Cores whose random numbers are those of the twin's lanes.
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        block!(Self {
            all: std::array::from_fn(|lane| Lane::new(parameters, seed ^ (lane as u64) << 32)),
            number: std::array::from_fn(|lane| Constant::new(lane.to_bits())),
        } default
            clock restart start_is_a lane start take finish append clear step incoming incoming_used
            ready margin count index word playing mine
        )
    }
}

impl<const LANES: usize> Logic for Lanes<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = true;
        self.margin.next = bits::<8>(0);
        self.count.next = bits::<6>(0);
        self.word.next = bits::<52>(0);
        self.playing.next = bits::<4>(0);
        for i in 0..LANES {
            self.all[i].clock.next = self.clock.val();
            self.mine.next = self.lane.val() == self.number[i].val();
            self.all[i].mine.next = self.mine.val();
            self.all[i].restart.next = self.restart.val();
            self.all[i].start_is_a.next = self.start_is_a.val();
            self.all[i].start.next = self.start.val();
            self.all[i].take.next = self.take.val();
            self.all[i].finish.next = self.finish.val();
            self.all[i].append.next = self.append.val();
            self.all[i].clear.next = self.clear.val();
            self.all[i].step.next = self.step.val();
            self.all[i].incoming.next = self.incoming.val();
            self.all[i].mine_used.next = self.incoming_used[0].val();
            self.all[i].rival_used.next = self.incoming_used[1].val();
            self.all[i].index.next = self.index.val();
            if !self.all[i].ready.val() {
                self.playing.next = self.playing.val() + 1;
            }
            if self.mine.val() {
                self.ready.next = self.all[i].ready.val();
                self.margin.next = self.all[i].margin.val();
                self.count.next = self.all[i].count.val();
                self.word.next = self.all[i].word.val();
            }
        }
    }
}
