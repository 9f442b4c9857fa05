//! AMAF table: placements of one MCTS simulation, found among the children of a node.

use duoforge_rules::{Colour, Placement, Rows};
use multiversion::multiversion;

/// Codes in a vector register.
const LANES: usize = 16;

/// Children that are compared at once, in two registers.
const CHUNK: usize = 2 * LANES;

/// Code of no placement.
const NO_CODE: u16 = u16::MAX;

/// Returns the code of a placement: a unique number below 2^15, with four bits for the column, four
/// for the row and seven for the orientation.
pub(super) fn placement_code(placement: Placement) -> u16 {
    let Placement { orientation, x, y } = placement;
    (orientation.index() as u16) << 8 | u16::from(y) << 4 | u16::from(x)
}

/// AMAF table: the placements of a simulation with their plies, for each side.
///
/// A placement occurs at most once in a game, whichever side plays it.
#[derive(Clone, Debug, Default)]
pub struct AmafTable([Side; 2]);

/// Placements of one side; entry `i` of both lists is the same placement.
#[derive(Clone, Debug, Default)]
struct Side {
    codes: Vec<u16>,
    plies: Vec<u32>,
}

/// Codes of children in a vector register.
type Register = [u16; LANES];

impl AmafTable {
    /// Records all placements of a simulation, in order; the table must be empty.
    pub fn set_all(&mut self, moves: &[(Colour, Placement)]) {
        for (&(player, placement), ply) in moves.iter().zip(0..) {
            let side = &mut self.0[player.index()];
            side.codes.push(placement_code(placement));
            side.plies.push(ply);
        }
    }

    /// Removes all placements.
    pub fn clear(&mut self) {
        for side in &mut self.0 {
            side.codes.clear();
            side.plies.clear();
        }
    }

    /// Calls `found` with the index of each child that has a placement of `player`, and with the ply
    /// of that placement. `children` holds the codes of the children's placements.
    pub(super) fn find(&self, player: Colour, children: &[u16], mut found: impl FnMut(usize, u32)) {
        let side = &self.0[player.index()];
        find_codes(children, &side.codes, |i| {
            let placed = side.codes.iter().position(|&code| code == children[i]);
            found(i, side.plies[placed.expect("the code is in the list")]);
        });
    }
}

/// Calls `found` with the index of each child whose code is in the list.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn find_codes<F: FnMut(usize)>(children: &[u16], list: &[u16], mut found: F) {
    let mut chunks = children.chunks_exact(CHUNK);
    let mut first = 0;
    for chunk in &mut chunks {
        let registers = [&chunk[..LANES], &chunk[LANES..]].map(Register::from_slice);
        for_each_bit(hits(registers, list), |i| found(first + i));
        first += CHUNK;
    }
    let mut registers = [[NO_CODE; LANES]; 2];
    let rest = chunks.remainder();
    registers.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
    for_each_bit(hits(registers, list), |i| found(first + i));
}

/// Returns the set of the codes, one bit each, that are in the list.
// Without branches: the compiler compares all codes of a register at once. The end of the loop at
// [`NO_CODE`], which no list has, keeps it from a slower order: one code with many entries.
#[inline(always)]
fn hits([lower, upper]: [Register; 2], list: &[u16]) -> u32 {
    let equal = |code, wanted| if code == wanted { u16::MAX } else { 0 };
    let either = |any, equal| any | equal;
    let mut any = [[0; LANES]; 2];
    for &wanted in list.iter().take_while(|&&wanted| wanted != NO_CODE) {
        let wanted = [wanted; LANES];
        any[0] = any[0].zip(lower.zip(wanted, equal), either);
        any[1] = any[1].zip(upper.zip(wanted, equal), either);
    }
    let bits = any.as_flattened().iter().zip(0..);
    bits.fold(0, |bits, (&any, i)| bits | u32::from(any & 1) << i)
}

/// Calls `found` with the index of each set bit.
#[inline(always)]
fn for_each_bit(mut bits: u32, mut found: impl FnMut(usize)) {
    while bits != 0 {
        found(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::ActionSpace;

    use super::*;

    /// Returns all placements on the board.
    fn placements() -> Vec<Placement> {
        let placements: Vec<_> = ActionSpace::new(14).placements().collect();
        assert_eq!(placements.len(), 13_729);
        placements
    }

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<_> = placements().into_iter().map(placement_code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 13_729);
        assert!(codes.iter().all(|&code| code < 1 << 15));
    }

    /// The children of each length are found at each place, by the side that placed them only.
    #[test]
    fn children_are_found_with_the_ply_of_their_placement() {
        let placements = placements();
        let players = [Colour(0), Colour(1)].into_iter().cycle();
        let moves: Vec<_> = players
            .zip(placements.iter().copied().step_by(331))
            .collect();
        let mut table = AmafTable::default();
        table.set_all(&moves);
        for len in [0, 1, 31, 32, 33, 64, 700, placements.len()] {
            let children: Vec<_> = placements[..len]
                .iter()
                .copied()
                .map(placement_code)
                .collect();
            for player in [Colour(0), Colour(1)] {
                let mut found = Vec::new();
                table.find(player, &children, |child, ply| found.push((child, ply)));
                let expected = moves
                    .iter()
                    .zip(0..)
                    .filter_map(|(&(side, placement), ply)| {
                        let child = placements[..len].iter().position(|&p| p == placement)?;
                        (side == player).then_some((child, ply))
                    });
                assert_eq!(found, expected.collect::<Vec<_>>(), "{len} {player:?}");
            }
        }
        table.clear();
        table.find(
            Colour(0),
            &placements
                .into_iter()
                .map(placement_code)
                .collect::<Vec<_>>(),
            |child, _| panic!("{child} is found in an empty table"),
        );
    }
}
