//! Names of colours.

use duoforge_gtp::{read_colour, write_colour};
use duoforge_rules::Colour;

#[test]
fn colours_have_their_names_on_both_boards() {
    for (players, names) in [
        (
            2,
            &[
                (0, &["b", "black", "1", "blue", "purple"][..]),
                (1, &["w", "white", "2", "green", "orange"]),
            ][..],
        ),
        (
            4,
            &[
                (0, &["1", "blue"]),
                (1, &["2", "yellow"]),
                (2, &["3", "red"]),
                (3, &["4", "green"]),
            ],
        ),
    ] {
        for &(player, names) in names {
            assert_eq!(write_colour(Colour(player), players), names[0]);
            for name in names {
                assert_eq!(read_colour(name, players), Some(Colour(player)));
                assert_eq!(
                    read_colour(&name.to_uppercase(), players),
                    Some(Colour(player))
                );
                assert_eq!(read_colour(&format!("{name} "), players), None);
            }
        }
    }
}
