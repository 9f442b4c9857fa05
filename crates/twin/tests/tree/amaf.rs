//! Entries of the AMAF table.

use duoforge_rules::{ActionSpace, Colour};
use duoforge_twin::search::amaf::AmafTable;

/// Every placement on the board has a separate entry.
#[test]
fn the_amaf_table_holds_side_and_ply_of_every_placement() {
    let placements: Vec<_> = ActionSpace::new(14).placements().collect();
    assert_eq!(placements.len(), 13_729);
    let players = [Colour(0), Colour(1)].into_iter().cycle();
    let moves: Vec<_> = players.zip(placements).collect();
    let mut table = AmafTable::default();
    table.set_all(&moves[..10_000]);
    for (&(player, placement), ply) in moves.iter().zip(0..) {
        let expected = (ply < 10_000).then_some(ply);
        assert_eq!(table.get(placement, player), expected);
        assert_eq!(table.get(placement, player.opponent()), None);
    }
    table.clear_all(&moves[..9_999]);
    let left = moves
        .iter()
        .filter(|(player, placement)| table.get(*placement, *player).is_some());
    assert_eq!(left.collect::<Vec<_>>(), [&moves[9_999]]);
    let (player, placement) = moves[9_999];
    table.clear(placement);
    assert_eq!(table.get(placement, player), None);
}
