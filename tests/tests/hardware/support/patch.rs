//! Expected patches of the scan.

use duoforge_rules::Placement;

/// Returns the maps in the 7x7 box whose cell (1, 1) is the placement's anchor, seven bits per row.
/// Cells off the board are 0.
pub fn patches<const MAPS: usize>(maps: &[[u16; 14]; MAPS], placement: Placement) -> [u64; MAPS] {
    maps.map(|map| {
        let mut patch = 0;
        for bit in 0..49 {
            let x = usize::from(placement.x) + bit % 7;
            let y = usize::from(placement.y) + bit / 7;
            let row = y.checked_sub(1).and_then(|y| map.get(y)).unwrap_or(&0);
            if (1..=14).contains(&x) {
                patch |= u64::from(row >> (x - 1) & 1) << bit;
            }
        }
        patch
    })
}
