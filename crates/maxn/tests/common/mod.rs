//! Small variants for the tests.

use duoforge_rules::{ColourDefinition, GameVariant, VariantDefinition};

/// Creates a variant of two seats on a small board: each colour starts in its corner, and the seats
/// own the colours in turn.
pub fn small(size: i64, colours: usize, change: fn(&mut VariantDefinition)) -> GameVariant {
    let end = size - 1;
    let corners = [[0, 0], [end, end], [end, 0], [0, end]];
    let colour = |i: usize| ColourDefinition {
        seat: Some(i as i64 % 2),
        starts: vec![corners[i]],
        ..ColourDefinition::default()
    };
    let mut definition = VariantDefinition {
        name: "small".to_owned(),
        size,
        seats: 2,
        colours: (0..colours).map(colour).collect(),
        ..VariantDefinition::default()
    };
    change(&mut definition);
    GameVariant::new(&definition).expect("a valid variant")
}
