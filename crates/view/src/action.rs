//! Actions: moves as numbers and as codes.

use duoforge_rules::{ActionSpace, CodeError, Move};
use serde::{Deserialize, Serialize};

/// Move as action number and as code.
///
/// The numbers of a board size never change; `docs/variants.md` defines them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Action number: placements in order, then the pass.
    #[cfg_attr(feature = "schema", schemars(range(max = 30_433)))]
    pub number: u32,
    /// Canonical code; `0000` is the pass.
    #[cfg_attr(
        feature = "schema",
        schemars(regex(pattern = "^([1-9a-k]{2}[a-u][0-7]|0000)$"))
    )]
    pub code: String,
}

/// Reason why a text or an action is not a move of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The number is greater than that of the pass.
    #[error("action {number} does not exist: expected 0 to {pass}")]
    Number {
        /// The number.
        number: String,
        /// Number of the pass, the last action.
        pass: u32,
    },
    /// The text is neither a code nor a number.
    #[error("'{text}' is neither a code nor an action number: {reason}")]
    Code {
        /// The text.
        text: String,
        /// Fault in the text as a code.
        reason: CodeError,
    },
    /// The placement extends beyond the board.
    #[error("{code} reaches beyond the board of {size}x{size} cells")]
    OffBoard {
        /// Code of the placement.
        code: String,
        /// Number of columns of the board, equal to the number of rows.
        size: u8,
    },
    /// The number and the code of an action are different moves.
    #[error("action {number} is {found}, not {code}")]
    Contradiction {
        /// Number of the action.
        number: u32,
        /// Canonical code of that number.
        found: String,
        /// Code of the action.
        code: String,
    },
}

impl Action {
    /// Returns the action of a move, or `None` for a placement that extends beyond the board.
    ///
    /// ```
    /// use duoforge_rules::{ActionSpace, Move};
    /// use duoforge_view::Action;
    ///
    /// let actions = ActionSpace::new(14);
    /// let action = Action::new("53e0".parse()?, &actions).expect("a placement on the board");
    /// assert_eq!(serde_json::to_string(&action)?, r#"{"number":1590,"code":"53e0"}"#);
    /// assert_eq!(action.mv(&actions)?, "53e0".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(mv: Move, actions: &ActionSpace) -> Option<Self> {
        let number = actions.number(mv)?;
        let code = mv.to_string();
        Some(Self { number, code })
    }

    /// Returns the move.
    ///
    /// # Errors
    ///
    /// If number and code are not the same move of the board.
    pub fn mv(&self, actions: &ActionSpace) -> Result<Move, ActionError> {
        let mv = of_number(&self.number.to_string(), actions)?;
        if read_code(&self.code, actions)? == mv {
            return Ok(mv);
        }
        Err(ActionError::Contradiction {
            number: self.number,
            found: mv.to_string(),
            code: self.code.clone(),
        })
    }
}

/// Reads a move: a code with any of its aliases, or an action number.
///
/// The only text that could be both is `0000`; it is the pass. `0` is the first placement.
///
/// # Errors
///
/// The reason why the text is not a move of the board.
///
/// ```
/// use duoforge_rules::{ActionSpace, Move};
/// use duoforge_view::read_move;
///
/// let actions = ActionSpace::new(14);
/// assert_eq!(read_move("1590", &actions), read_move("53e0", &actions));
/// assert_eq!(read_move("0000", &actions), Ok(Move::Pass));
/// let error = read_move("13730", &actions).unwrap_err();
/// assert_eq!(error.to_string(), "action 13730 does not exist: expected 0 to 13729");
/// ```
pub fn read_move(text: &str, actions: &ActionSpace) -> Result<Move, ActionError> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && text.as_bytes() != Move::PASS_CODE {
        of_number(text, actions)
    } else {
        read_code(text, actions)
    }
}

/// Returns the move of a number in decimal digits.
fn of_number(digits: &str, actions: &ActionSpace) -> Result<Move, ActionError> {
    let number = digits.parse().ok();
    let mv = number.and_then(|number| actions.mv(number));
    mv.ok_or_else(|| ActionError::Number {
        number: digits.to_owned(),
        pass: actions.pass(),
    })
}

/// Returns the move of a code.
fn read_code(text: &str, actions: &ActionSpace) -> Result<Move, ActionError> {
    let mv: Move = text.parse().map_err(|reason| ActionError::Code {
        text: text.to_owned(),
        reason,
    })?;
    let is_on_board = actions.number(mv).is_some();
    is_on_board
        .then_some(mv)
        .ok_or_else(|| ActionError::OffBoard {
            code: text.to_owned(),
            size: actions.size(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_the_action_of_its_code() {
        for size in [5, 14, 15, 20] {
            let actions = ActionSpace::new(size);
            for number in 0..actions.len() as u32 {
                let mv = actions.mv(number).unwrap();
                let action = Action::new(mv, &actions).unwrap();
                assert_eq!(action.number, number);
                assert_eq!(action.mv(&actions), Ok(mv));
                assert_eq!(read_move(&action.code, &actions), Ok(mv));
                assert_eq!(read_move(&number.to_string(), &actions), Ok(mv));
            }
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let actions = ActionSpace::new(14);
        let reason = |text| read_move(text, &actions).unwrap_err().to_string();
        assert_eq!(
            reason("99999999999"),
            "action 99999999999 does not exist: expected 0 to 13729"
        );
        assert_eq!(
            reason("f1a0"),
            "f1a0 reaches beyond the board of 14x14 cells"
        );
        for text in ["", "53E0", "-1", "+1", "53e8", "11u0", "é"] {
            let start = format!("'{text}' is neither a code nor an action number: ");
            assert!(reason(text).starts_with(&start), "{}", reason(text));
        }
        let action = Action {
            number: 1_590,
            code: "55a0".to_owned(),
        };
        let error = action.mv(&actions).unwrap_err();
        assert_eq!(error.to_string(), "action 1590 is 53e0, not 55a0");
    }
}
