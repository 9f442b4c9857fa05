//! Action numbers: a fixed number for each move of a board size.

use crate::{Move, Orientation, Placement};

/// Action numbers of a board of `size` columns.
///
/// The numbers depend on the size alone and never change. Placements come first, ordered by
/// [`Orientation`] index, then by the anchor's row, then by its column. The pass is the last
/// action. With `w` x `h` the bounding box of orientation `o`, and `first(o)` the number of
/// placements of all orientations before `o`:
///
/// ```text
/// number(o, x, y) = first(o) + y * (size - w + 1) + x
/// first(o + 1)    = first(o) + (size - w + 1) * (size - h + 1)
/// ```
///
/// | size | placements | pass |
/// |--:|--:|--:|
/// | 14 | 0 to 13,728 | 13,729 |
/// | 20 | 0 to 30,432 | 30,433 |
///
/// ```
/// use duoforge_rules::{ActionSpace, Move};
///
/// let duo = ActionSpace::new(14);
/// assert_eq!((duo.len(), duo.number(Move::Pass)), (13_730, Some(13_729)));
/// let mv: Move = "53e0".parse()?;
/// assert_eq!(duo.number(mv), Some(1_590));
/// assert_eq!(duo.mv(1_590), Some(mv));
/// # Ok::<(), duoforge_rules::CodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionSpace {
    size: u8,
    /// By orientation index: number of its first placement. The last entry is that of the pass.
    first: [u32; Orientation::COUNT + 1],
}

impl ActionSpace {
    /// Creates the numbers of a board of `size` columns. Orientations that do not fit have none.
    #[must_use]
    pub fn new(size: u8) -> Self {
        let mut first = [0; Orientation::COUNT + 1];
        for orientation in Orientation::all() {
            let (columns, rows) = anchors(orientation, size);
            let index = orientation.index();
            first[index + 1] = first[index] + columns * rows;
        }
        Self { size, first }
    }

    /// Returns the number of columns of the board.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Returns the number of actions: all placements on the board, and the pass.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always the pass")]
    pub const fn len(&self) -> usize {
        self.pass() as usize + 1
    }

    /// Returns the number of the pass, which is also the number of placements.
    #[must_use]
    pub const fn pass(&self) -> u32 {
        self.first[Orientation::COUNT]
    }

    /// Iterates over all placements on the board, in the order of their numbers.
    pub fn placements(self) -> impl Iterator<Item = Placement> {
        (0..self.pass()).filter_map(move |number| self.placement(number))
    }

    /// Returns the number of a move, or `None` for a placement that extends beyond the board.
    #[must_use]
    pub fn number(&self, mv: Move) -> Option<u32> {
        let Move::Place(placement) = mv else {
            return Some(self.pass());
        };
        let Placement { orientation, x, y } = placement;
        let (columns, _) = anchors(orientation, self.size);
        let number = || self.first[orientation.index()] + u32::from(y) * columns + u32::from(x);
        placement.fits(self.size).then(number)
    }

    /// Returns the move of a number, or `None` if no action has it.
    #[must_use]
    pub fn mv(&self, number: u32) -> Option<Move> {
        if number == self.pass() {
            return Some(Move::Pass);
        }
        self.placement(number).map(Move::Place)
    }

    /// Returns the placement of a number, or `None` if no placement has it.
    fn placement(&self, number: u32) -> Option<Placement> {
        if number >= self.pass() {
            return None;
        }
        // The last orientation whose first placement is not after the number.
        let index = self.first.partition_point(|&first| first <= number) - 1;
        let orientation = Orientation::from_index(index)?;
        let (columns, _) = anchors(orientation, self.size);
        let within = number - self.first[index];
        let (x, y) = (within % columns, within / columns);
        Some(Placement::new(orientation, x as u8, y as u8))
    }
}

/// Returns the numbers of columns and rows in which `orientation` can be anchored.
fn anchors(orientation: Orientation, size: u8) -> (u32, u32) {
    let positions = |extent: u8| u32::from((size + 1).saturating_sub(extent));
    (
        positions(orientation.width()),
        positions(orientation.height()),
    )
}
