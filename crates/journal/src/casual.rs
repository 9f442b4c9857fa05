//! Records of casual games: games of any variant that people play for themselves, with moves that
//! can be taken back. A journal of kind `casual` holds one such game.

use serde::{Deserialize, Serialize};

/// Record of a casual game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum CasualRecord {
    /// The game begins.
    Begun(CasualBegun),
    /// A move was accepted.
    Moved(CasualMoved),
    /// Moves were taken back.
    Undone(CasualUndone),
    /// The game has ended.
    Ended(CasualEnded),
}

/// Beginning of a casual game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasualBegun {
    /// Name of the variant.
    pub variant: String,
    /// Name of the scoring rule.
    pub scoring: String,
    /// Players by seat.
    pub seats: Vec<CasualSeat>,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Player of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasualSeat {
    /// Displayed name.
    pub name: String,
    /// Name of the program or device; absent for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Level of the program, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// True if the times of the seat's replies are unofficial: they contain those of a browser.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unofficial: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Accepted move of a casual game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasualMoved {
    /// Number of plies before the move.
    pub ply: u32,
    /// Number of the colour, from 0.
    pub colour: u8,
    /// Number of the seat, from 0.
    pub seat: u8,
    /// Canonical code.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time since the seat was asked, in microseconds; for a device the wall clock time of its reply.
    pub us: u64,
    /// Simulated time of the reply in microseconds, if the player is simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sim_us: Option<u64>,
    /// Maximum host latency during the reply in microseconds, if the player is a device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_us: Option<u64>,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Moves that were taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasualUndone {
    /// Number of plies that remain.
    pub ply: u32,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// End of a casual game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasualEnded {
    /// Keyword of the ending: `played-out`, `resigned`, `player-failed` or `broken-off`.
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
    /// Score by seat, in points of the scoring rule.
    pub scores: Vec<i32>,
    /// Seats that won; several share a draw, and none if the game was broken off.
    pub winners: Vec<u8>,
    /// Number of plies.
    pub plies: u32,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Casual game in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CasualHistory {
    /// Beginning of the game.
    pub begun: CasualBegun,
    /// Moves that stand.
    pub moves: Vec<CasualMoved>,
    /// End of the game; `None` while it is in progress.
    pub ended: Option<CasualEnded>,
}

impl CasualHistory {
    /// Adds the next record of a journal.
    ///
    /// # Errors
    /// Text that states why the record cannot follow the earlier ones.
    pub(crate) fn add(game: &mut Option<Self>, record: CasualRecord) -> Result<(), String> {
        let Some(game) = game else {
            let CasualRecord::Begun(begun) = record else {
                return Err("the casual game has not begun".to_owned());
            };
            *game = Some(Self {
                begun,
                moves: Vec::new(),
                ended: None,
            });
            return Ok(());
        };
        if game.ended.is_some() {
            return Err("the casual game has already ended".to_owned());
        }
        let plies = game.moves.len();
        match record {
            CasualRecord::Begun(_) => return Err("the casual game begins twice".to_owned()),
            CasualRecord::Moved(moved) if moved.ply as usize == plies => game.moves.push(moved),
            CasualRecord::Moved(moved) => {
                return Err(format!("move at ply {}, expected ply {plies}", moved.ply));
            }
            CasualRecord::Undone(undone) if (undone.ply as usize) < plies => {
                game.moves.truncate(undone.ply as usize);
            }
            CasualRecord::Undone(undone) => {
                let ply = undone.ply;
                return Err(format!("{ply} plies remain, expected fewer than {plies}"));
            }
            CasualRecord::Ended(ended) => game.ended = Some(ended),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> CasualRecord {
        CasualRecord::Begun(CasualBegun {
            variant: "duo".to_owned(),
            scoring: "advanced".to_owned(),
            seats: Vec::new(),
            at_ms: 1,
        })
    }

    fn moved(ply: u32) -> CasualRecord {
        CasualRecord::Moved(CasualMoved {
            ply,
            colour: 0,
            seat: 0,
            code: "55a0".to_owned(),
            legal: 414,
            us: 1,
            sim_us: None,
            host_us: Some(3),
            at_ms: 2,
        })
    }

    fn undone(ply: u32) -> CasualRecord {
        CasualRecord::Undone(CasualUndone { ply, at_ms: 3 })
    }

    fn ended() -> CasualRecord {
        CasualRecord::Ended(CasualEnded {
            ending: "resigned".to_owned(),
            detail: "Ann resigned".to_owned(),
            scores: vec![-1, -2],
            winners: vec![1],
            plies: 1,
            at_ms: 4,
        })
    }

    fn added(records: Vec<CasualRecord>) -> Result<usize, String> {
        let mut game = None;
        for record in records {
            CasualHistory::add(&mut game, record)?;
        }
        Ok(game.map_or(0, |game| game.moves.len()))
    }

    #[test]
    fn moves_are_added_and_taken_back() {
        let records = vec![begun(), moved(0), moved(1), moved(2), undone(1), moved(1)];
        assert_eq!(added(records), Ok(2));
    }

    #[test]
    fn records_out_of_order_are_refused() {
        for (records, reason) in [
            (vec![moved(0)], "the casual game has not begun"),
            (vec![begun(), begun()], "the casual game begins twice"),
            (vec![begun(), moved(1)], "move at ply 1, expected ply 0"),
            (
                vec![begun(), moved(0), undone(1)],
                "1 plies remain, expected fewer than 1",
            ),
            (
                vec![begun(), ended(), moved(0)],
                "the casual game has already ended",
            ),
        ] {
            assert_eq!(added(records), Err(reason.to_owned()));
        }
    }
}
