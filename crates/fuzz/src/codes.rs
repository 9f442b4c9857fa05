//! Moves as text: codes, action numbers, and the cells of the Go Text Protocol.

use duoforge_rules::{ActionSpace, Code, Move, Notation};
use duoforge_view::{Action, read_move};

use crate::text::read_text;

/// Sizes of the boards on which moves are read.
const SIZES: [u8; 3] = [5, 14, 20];

/// Moves as text: what is read is written and read as the same move.
pub fn codes(bytes: &[u8]) -> bool {
    let code = read_text(bytes, str::parse::<Code>);
    if let Some(code) = code {
        assert_eq!(code.to_bytes(), bytes);
        if let Some(placement) = code.placement() {
            assert_eq!(placement.code().placement(), Some(placement));
        }
    }
    let mv = read_text(bytes, str::parse::<Move>);
    if let Some(mv) = mv {
        // A centre beyond the largest board has no name.
        if !mv.to_string().contains('?') {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        assert_eq!(
            mv.placement(),
            code.and_then(|code| code.placement())
                .filter(|_| mv != Move::Pass)
        );
    }
    let numbered = SIZES.map(|size| is_action(bytes, &ActionSpace::new(size)));
    let notations = [
        Notation::DUO,
        Notation::DUO.turned(),
        Notation::CLASSIC,
        Notation::of_size(5),
    ];
    let written = notations.map(|notation| is_notation(bytes, notation));
    mv.is_some() || numbered.contains(&true) || written.contains(&true)
}

/// Reads a move of a board, by code or by number.
fn is_action(bytes: &[u8], actions: &ActionSpace) -> bool {
    let Some(mv) = read_text(bytes, |text| read_move(text, actions)) else {
        return false;
    };
    let action = Action::new(mv, actions).expect("the move is on the board");
    assert_eq!(action.mv(actions), Ok(mv));
    assert_eq!(read_move(&action.number.to_string(), actions), Ok(mv));
    assert_eq!(read_move(&action.code, actions), Ok(mv));
    true
}

/// Reads a move as its cells.
fn is_notation(bytes: &[u8], notation: Notation) -> bool {
    let Some(mv) = read_text(bytes, |text| notation.read(text)) else {
        return false;
    };
    assert_eq!(notation.read(&notation.write(mv)), Ok(mv));
    let turned = notation.turned();
    assert_eq!(turned.read(&turned.write(mv)), Ok(mv));
    true
}
