//! Names of players.

use duoforge_players::PlayerSpec;

use crate::text::read_text;

/// Names of players: the printed name is read as the same player.
pub fn players(bytes: &[u8]) -> bool {
    let Some(spec) = read_text(bytes, str::parse::<PlayerSpec>) else {
        return false;
    };
    let again: PlayerSpec = spec.to_string().parse().expect("a printed name");
    assert_eq!(again, spec);
    true
}
