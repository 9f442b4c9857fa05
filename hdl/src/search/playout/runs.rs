//! Run window: finds the horizontal runs of cells in the rows of one map.
//!
//! A row of a tile is one run of cells or two. So a tile fits by a test of at most five runs
//! instead of five cells, and all orientations share the runs. A run in row `n` of a tile has at
//! most `5 - n` cells, because each row above it has one. So a row that enters needs only runs of
//! one cell at first, and its runs grow by one cell per cycle.
//!
//! Encoding: slot 0 is the anchor row, slot 4 the row that entered last. There is a plane for each
//! length and slot. Bit `x` of the plane of `length` and `row` is set if the `length` cells from
//! column `x` on are all set. In a window that tests contact, the bit is set if any of these cells
//! is set. The rows themselves stay for two cycles more than the runs.
//!
//! Timing: the outputs include a row from the cycle after it entered. The outputs of a late window
//! include it in the cycle in which it enters. So its rows may enter one cycle after those of the
//! other windows.

use duoforge_rules::Orientation;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// Bits from one plane to the next: the columns right of the board are empty.
pub const PITCH: usize = 18;

/// Bits of all planes.
pub const PLANES: usize = 15 * PITCH;

/// Number of rows that are kept.
pub const KEPT: usize = 7;

/// Maximum number of runs of an orientation.
pub const RUNS: usize = 5;

block! {
    /// Run window over one map.
    pub struct Runs from RunsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Row that enters in this cycle.
        pub row: Signal<In, Bits<14>>,
        /// Planes of runs, by length and slot.
        pub planes: Signal<Out, Bits<PLANES>>,
        /// Rows of the map, oldest first: slot 0 is the third.
        pub rows: Signal<Out, Bits<98>>,
        kept: DFF<Bits<98>>,
        twos: DFF<Bits<56>>,
        threes: DFF<Bits<42>>,
        fours: DFF<Bits<28>>,
        fives: DFF<Bits<14>>,
        cells: [Signal<Local, Bits<14>>; 5],
        runs: [Signal<Local, Bits<14>>; 4],
        longer: [Signal<Local, Bits<14>>; 4],
        kept_next: Signal<Local, Bits<98>>,
        twos_next: Signal<Local, Bits<56>>,
        threes_next: Signal<Local, Bits<42>>,
        fours_next: Signal<Local, Bits<28>>,
        // Rows and runs of the outputs.
        shown: Signal<Local, Bits<98>>,
        shown_twos: Signal<Local, Bits<56>>,
        shown_threes: Signal<Local, Bits<42>>,
        shown_fours: Signal<Local, Bits<28>>,
        shown_fives: Signal<Local, Bits<14>>,
        touching: Constant<Bit> = given,
        late: Constant<Bit> = given,
    }
}

impl Runs {
    /// Creates a window that tests where tiles fit or, if `touching`, where they touch a cell of
    /// the map. The rows of a window that is `late` enter one cycle late.
    pub fn new(touching: bool, late: bool) -> Self {
        Self::from(RunsParts {
            touching: Constant::new(touching),
            late: Constant::new(late),
        })
    }
}

impl Logic for Runs {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, kept, twos, threes, fours, fives);
        self.kept_next.next =
            (self.kept.q.val() >> 14) | (bit_cast::<98, 14>(self.row.val()) << 84);
        for i in 0..5 {
            self.cells[i].next = self.kept.q.val().get_bits::<14>(14 * i + 28);
        }

        // Runs that grow while their row moves up by a slot, the shortest first.
        self.runs[0].next = self.cells[4].val();
        self.runs[1].next = self.twos.q.val().get_bits::<14>(42);
        self.runs[2].next = self.threes.q.val().get_bits::<14>(28);
        self.runs[3].next = self.fours.q.val().get_bits::<14>(14);
        if self.touching.val() {
            self.longer[0].next = self.runs[0].val() | (self.cells[4].val() >> 1);
            self.longer[1].next = self.runs[1].val() | (self.cells[3].val() >> 2);
            self.longer[2].next = self.runs[2].val() | (self.cells[2].val() >> 3);
            self.longer[3].next = self.runs[3].val() | (self.cells[1].val() >> 4);
        } else {
            self.longer[0].next = self.runs[0].val() & (self.cells[4].val() >> 1);
            self.longer[1].next = self.runs[1].val() & (self.cells[3].val() >> 2);
            self.longer[2].next = self.runs[2].val() & (self.cells[2].val() >> 3);
            self.longer[3].next = self.runs[3].val() & (self.cells[1].val() >> 4);
        }
        self.twos_next.next =
            (self.twos.q.val() >> 14) | (bit_cast::<56, 14>(self.longer[0].val()) << 42);
        self.threes_next.next =
            (self.threes.q.val() >> 14) | (bit_cast::<42, 14>(self.longer[1].val()) << 28);
        self.fours_next.next =
            (self.fours.q.val() >> 14) | (bit_cast::<28, 14>(self.longer[2].val()) << 14);
        self.kept.d.next = self.kept_next.val();
        self.twos.d.next = self.twos_next.val();
        self.threes.d.next = self.threes_next.val();
        self.fours.d.next = self.fours_next.val();
        self.fives.d.next = self.longer[3].val();

        if self.late.val() {
            self.shown.next = self.kept_next.val();
            self.shown_twos.next = self.twos_next.val();
            self.shown_threes.next = self.threes_next.val();
            self.shown_fours.next = self.fours_next.val();
            self.shown_fives.next = self.longer[3].val();
        } else {
            self.shown.next = self.kept.q.val();
            self.shown_twos.next = self.twos.q.val();
            self.shown_threes.next = self.threes.q.val();
            self.shown_fours.next = self.fours.q.val();
            self.shown_fives.next = self.fives.q.val();
        }
        self.rows.next = self.shown.val();
        self.planes.next = bit_cast::<270, 14>(self.shown.val().get_bits::<14>(28))
            | (bit_cast::<270, 14>(self.shown.val().get_bits::<14>(42)) << 18)
            | (bit_cast::<270, 14>(self.shown.val().get_bits::<14>(56)) << 36)
            | (bit_cast::<270, 14>(self.shown.val().get_bits::<14>(70)) << 54)
            | (bit_cast::<270, 14>(self.shown.val().get_bits::<14>(84)) << 72)
            | (bit_cast::<270, 14>(self.shown_twos.val().get_bits::<14>(0)) << 90)
            | (bit_cast::<270, 14>(self.shown_twos.val().get_bits::<14>(14)) << 108)
            | (bit_cast::<270, 14>(self.shown_twos.val().get_bits::<14>(28)) << 126)
            | (bit_cast::<270, 14>(self.shown_twos.val().get_bits::<14>(42)) << 144)
            | (bit_cast::<270, 14>(self.shown_threes.val().get_bits::<14>(0)) << 162)
            | (bit_cast::<270, 14>(self.shown_threes.val().get_bits::<14>(14)) << 180)
            | (bit_cast::<270, 14>(self.shown_threes.val().get_bits::<14>(28)) << 198)
            | (bit_cast::<270, 14>(self.shown_fours.val().get_bits::<14>(0)) << 216)
            | (bit_cast::<270, 14>(self.shown_fours.val().get_bits::<14>(14)) << 234)
            | (bit_cast::<270, 14>(self.shown_fives.val()) << 252);
    }
}

/// Returns the offset in the planes at which the columns of each run of an orientation begin.
///
/// Orientations of fewer than five runs repeat their first run.
pub fn offsets(orientation: Orientation) -> [usize; RUNS] {
    let found = runs(orientation);
    std::array::from_fn(|i| *found.get(i).unwrap_or(&found[0]))
}

/// Returns the offsets of the runs of an orientation like [`offsets`], without repetitions.
pub fn runs(orientation: Orientation) -> Vec<usize> {
    // Planes are sorted by length, then row; there are `6 - length` planes of `length` cells.
    let plane = |length: usize, row: usize| (1..length).map(|l| 6 - l).sum::<usize>() + row;
    let mut found = Vec::new();
    for (row, &cells) in orientation.rows().iter().enumerate() {
        let mut x = 0;
        while cells >> x != 0 {
            x += (cells >> x).trailing_zeros() as usize;
            let length = (cells >> x).trailing_ones() as usize;
            assert!(length + row <= 5, "a row of a tile has a cell");
            found.push(PITCH * plane(length, row) + x);
            x += length;
        }
    }
    found
}
