//! Colours as the protocol names them.

use duoforge_rules::Colour;

/// Names of the colours of a two-player game, in the order of turns; the first name of each is
/// written.
const TWO: [&[&str]; 2] = [
    &["b", "black", "1", "blue", "purple"],
    &["w", "white", "2", "green", "orange"],
];

/// Names of the colours of a four-player game.
const FOUR: [&[&str]; 4] = [
    &["1", "blue"],
    &["2", "yellow"],
    &["3", "red"],
    &["4", "green"],
];

fn names(players: usize) -> &'static [&'static [&'static str]] {
    match players {
        2 => &TWO,
        4 => &FOUR,
        _ => &[],
    }
}

/// Parses the name of a colour in a game of `players` colours; case is ignored.
#[must_use]
pub fn read_colour(text: &str, players: usize) -> Option<Colour> {
    let text = text.to_ascii_lowercase();
    let place = names(players)
        .iter()
        .position(|names| names.contains(&text.as_str()))?;
    Some(Colour(place as u8))
}

/// Returns the name of a colour in a game of `players` colours: `b` or `w`, or a number from 1.
///
/// # Panics
/// If `players` is neither 2 nor 4, or the game has no such colour.
#[must_use]
pub fn write_colour(player: Colour, players: usize) -> &'static str {
    names(players)[player.index()][0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_all_their_names() {
        for (name, player) in [("b", 0), ("Black", 0), ("1", 0), ("W", 1), ("2", 1)] {
            assert_eq!(read_colour(name, 2), Some(Colour(player)), "{name}");
        }
        for (name, player) in [("1", 0), ("yellow", 1), ("RED", 2), ("green", 3)] {
            assert_eq!(read_colour(name, 4), Some(Colour(player)), "{name}");
        }
        for (name, players) in [("3", 2), ("b", 4), ("", 2), ("bw", 2), ("b", 3)] {
            assert_eq!(read_colour(name, players), None, "{name}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        for players in [2, 4] {
            for player in (0..players as u8).map(Colour) {
                let name = write_colour(player, players);
                assert_eq!(read_colour(name, players), Some(player));
            }
        }
    }
}
