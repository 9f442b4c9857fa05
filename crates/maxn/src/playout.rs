//! Playout: random completion of a game.
//!
//! A move prefers placements that cover reply cells, as many as possible. Without one, it draws a
//! corner point at which a tile of the greatest possible size may fit, and there a placement by
//! weight: a factor 3 for each cell, and 1.8 for each corner of the tile.

use duoforge_twin::Rng;
use multiversion::multiversion;

use crate::position::{Key, PaddedCell, Position, ReplyCells, SIZES, key_at};
use crate::shapes::{BEFORE_CENTRE, PAD, WindowShape, window};

/// Placement of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedPly {
    /// Index of the colour.
    pub colour: u8,
    /// Index of the seat that decided.
    pub seat: u8,
    /// The placement.
    pub key: Key,
}

/// Maximum number of placements in a game.
pub const MAX_PLIES: usize = 84;

/// Maximum number of placements around one cell.
const MAX_FITTING: usize = 512;

/// Maximum number of reply cells that raise the preference of a placement.
const MAX_REPLIES: u32 = 4;

/// Plays until the game ends; adds each placement to `plies`, which has capacity for
/// [`MAX_PLIES`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn finish(position: &mut Position, rng: &mut Rng, plies: &mut Vec<SimulatedPly>) {
    while !position.is_over() {
        match draw(position, rng) {
            Some(key) => {
                plies.push(SimulatedPly {
                    colour: position.colour() as u8,
                    seat: position.seat() as u8,
                    key,
                });
                position.play(key);
            }
            None => position.pass(),
        }
    }
}

/// Draws a placement of the colour to move; `None` if it has none.
#[inline(always)]
pub fn draw(position: &mut Position, rng: &mut Rng) -> Option<Key> {
    let colour = position.colour();
    if let Some(cells) = position.reply_cells(position.seat())
        && let Some(key) = draw_reply(position, colour, &cells, rng)
    {
        return Some(key);
    }
    for bound in (0..SIZES).rev() {
        let mut count = position.clean_points(colour, bound);
        while count > 0 {
            let cell = position.point(colour, bound, rng.below(count));
            let mut fitting = Fitting::new();
            fitting.find(position, colour, cell);
            let size = fitting.largest();
            if usize::from(size) == bound + 1 {
                let drawn = fitting.draw(rng);
                return Some(key_at(drawn, cell));
            }
            position.lower(colour, cell, bound, size);
            count -= 1;
        }
    }
    None
}

/// Draws a placement that covers reply cells, as many as possible; `None` if none covers one.
#[inline(always)]
fn draw_reply(
    position: &Position,
    colour: usize,
    cells: &ReplyCells,
    rng: &mut Rng,
) -> Option<Key> {
    // Columns within four of a reply cell.
    let near = cells.columns | cells.columns << 1 | cells.columns >> 1;
    let near = near | near << 1 | near >> 1;
    let near = near | near << 2 | near >> 2;
    let points = position.corner_points(colour);
    let mut best = Replies::default();
    let rows = points.iter().enumerate().take(cells.bottom + PAD + 1);
    for (y, &row) in rows.skip(cells.top - PAD) {
        let mut rest = row & near;
        while rest != 0 {
            let cell = (rest.trailing_zeros() as u8, y as u8);
            rest &= rest - 1;
            best.add(position, colour, cell, cells);
        }
    }
    best.draw(rng)
}

/// Placements with the most reply cells so far, reduced to the drawn one by weight.
struct Replies {
    count: u32,
    total: u32,
    len: usize,
    found: [(u32, Key); MAX_FITTING],
}

impl Default for Replies {
    #[inline(always)]
    fn default() -> Self {
        Self {
            count: 1,
            total: 0,
            len: 0,
            found: [(0, 0); MAX_FITTING],
        }
    }
}

impl Replies {
    /// Adds the placements that cover a corner point and reply cells.
    #[inline(always)]
    fn add(&mut self, position: &Position, colour: usize, cell: PaddedCell, cells: &ReplyCells) {
        let replies = window(&cells.grid, cell.0.into(), cell.1.into());
        if replies == 0 {
            return;
        }
        let at_centre = (replies >> BEFORE_CENTRE.trailing_ones() & 1) as u32;
        let (list, forbidden) = position.window_list(colour, cell);
        for it in list {
            if it.mask & forbidden != 0 {
                continue;
            }
            let count = (it.mask & replies).count_ones() + at_centre;
            let count = count.min(MAX_REPLIES);
            if count < self.count {
                continue;
            }
            if count > self.count {
                (self.count, self.total, self.len) = (count, 0, 0);
            }
            if self.len < MAX_FITTING {
                self.total += it.weight;
                self.found[self.len] = (self.total, key_at(it, cell));
                self.len += 1;
            }
        }
    }

    #[inline(always)]
    fn draw(&self, rng: &mut Rng) -> Option<Key> {
        if self.len == 0 {
            return None;
        }
        let random = rng.below(self.total);
        let found = self.found[..self.len].iter();
        let drawn = found.copied().find(|&(below, _)| random < below);
        drawn.map(|(_, key)| key)
    }
}

/// Placements that cover one corner point.
struct Fitting {
    list: &'static [WindowShape],
    len: usize,
    found: [u16; MAX_FITTING],
}

impl Fitting {
    #[inline(always)]
    fn new() -> Self {
        Self {
            list: &[],
            len: 0,
            found: [0; MAX_FITTING],
        }
    }

    #[inline(always)]
    fn find(&mut self, position: &Position, colour: usize, cell: PaddedCell) {
        let (list, forbidden) = position.window_list(colour, cell);
        self.list = list;
        self.len = 0;
        for (i, it) in list.iter().enumerate() {
            self.found[self.len % MAX_FITTING] = i as u16;
            self.len += usize::from(it.mask & forbidden == 0);
        }
    }

    /// Size of the largest tile that fits, 0 if none does.
    #[inline(always)]
    fn largest(&self) -> u8 {
        match self.len {
            0 => 0,
            _ => self.list[usize::from(self.found[0])].size,
        }
    }

    /// Draws a placement by weight; there has to be one.
    #[inline(always)]
    fn draw(&self, rng: &mut Rng) -> &'static WindowShape {
        let found = &self.found[..self.len];
        let weight = |&i: &u16| self.list[usize::from(i)].weight;
        let mut random = rng.below(found.iter().map(weight).sum());
        for i in found {
            let weight = weight(i);
            if random < weight {
                return &self.list[usize::from(*i)];
            }
            random -= weight;
        }
        &self.list[usize::from(found[0])]
    }
}
