//! Turns: forced passes, and the end of the game.

use super::{Position, SIZES};

impl Position {
    /// Records that the colour to move has no placement: it passes, or loses its turn.
    #[inline(always)]
    pub fn pass(&mut self) {
        let bit = 1 << self.colour;
        self.blocked |= bit;
        if !self.rules.skips {
            self.passed |= bit;
            if self.rules.pass_is_final() {
                self.out |= bit;
            }
        }
        self.next_colour();
    }

    /// Passes the turn to the next colour, or ends the game.
    #[inline(always)]
    pub(super) fn next_colour(&mut self) {
        let count = self.rules.colours as u8;
        for step in 1..=count {
            let next = (self.colour + step) % count;
            let bit = 1 << next;
            if self.out & bit != 0 || self.rules.skips && self.is_skipped(next) {
                continue;
            }
            self.colour = next;
            self.over = self.passed & bit != 0 || self.nobody_places();
            return;
        }
        self.over = true;
    }

    /// True if a colour has no turn. A colour that has passed must be examined at once, since the
    /// game ends when its turn comes; any other may turn out to be stuck later.
    #[inline(always)]
    fn is_skipped(&mut self, colour: u8) -> bool {
        if self.passed != 0 {
            self.examine(colour.into());
        }
        self.blocked >> colour & 1 != 0
    }

    /// True if every colour that takes turns is known to have no placement.
    #[inline(always)]
    fn nobody_places(&self) -> bool {
        let all = (1 << self.rules.colours) - 1;
        (self.blocked | self.out) & all == all
    }

    /// Marks a colour as stuck if it has no placement.
    fn examine(&mut self, colour: usize) {
        if self.blocked >> colour & 1 != 0 {
            return;
        }
        for bound in (0..SIZES).rev() {
            while self.clean_points(colour, bound) > 0 {
                let cell = self.point(colour, bound, 0);
                if let Some(largest) = self.fitting(colour, cell).next() {
                    self.lower(colour, cell, bound, largest.size);
                    return;
                }
                self.lower(colour, cell, bound, 0);
            }
        }
        self.blocked |= 1 << colour;
    }

    /// Passes forced passes until a colour with a placement has the turn; returns `false` if the
    /// game ends first.
    pub fn find_decision(&mut self) -> bool {
        while !self.over {
            self.examine(self.colour());
            if self.blocked >> self.colour & 1 == 0 {
                return true;
            }
            self.pass();
        }
        false
    }
}
