//! List of the conformance checks.

use crate::conversation::Conversation;
use crate::device::CheckError;
use crate::steps::{advice, answers, bytes, games, situations};

/// Kind of check: required or advisory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Required of every device by the contest's rules and protocol.
    Required,
    /// The contest leaves the behaviour open: the check warns and never fails.
    Advice,
}

/// Numbered conformance check of a device.
pub struct ConformanceCheck {
    /// Number, from 1.
    pub number: usize,
    /// Name in small letters and hyphens.
    pub name: &'static str,
    /// Requirement in a sentence.
    pub about: &'static str,
    /// Kind of check.
    pub kind: Kind,
    /// Runs the check; returns the observation.
    pub(crate) run: fn(&mut Conversation) -> Result<String, CheckError>,
    /// True if the check only examines the record of the first game, without the device.
    pub(crate) looks_back: bool,
}

impl std::fmt::Debug for ConformanceCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.number, self.name)
    }
}

/// Creates a required check.
const fn required(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        number,
        name,
        about,
        kind: Kind::Required,
        run,
        looks_back: false,
    }
}

/// Creates a check of the first game.
const fn look(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        looks_back: true,
        ..required(number, name, about, run)
    }
}

/// Creates an advisory check, whose failure is a warning.
const fn advised(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        kind: Kind::Advice,
        ..required(number, name, about, run)
    }
}

impl ConformanceCheck {
    /// All checks in order: a device that fails an early check is unlikely to pass later ones.
    ///
    /// No check concerns the opponent's last tile. No host can lead every device into that
    /// situation, since a device may block. The situation is also invisible to the device: the host
    /// stops at that tile and sends `9` instead of the prompt that would contain it. The device has
    /// then replied and receives `9`, as in `next-game` and every other game that the host ends.
    pub const ALL: [Self; 25] = [
        required(
            1,
            "handshake",
            "0 gets the reply 1XX, with the same team code each time",
            answers::handshake,
        ),
        look(
            2,
            "answers",
            "every prompt of the first game gets a complete reply",
            answers::answers,
        ),
        look(
            3,
            "timing",
            "every reply of the first game is complete within the limit",
            answers::timing,
        ),
        look(
            4,
            "codes",
            "every reply of the first game is a code in small letters, without spaces",
            answers::codes,
        ),
        look(
            5,
            "rules",
            "every move of the first game is legal",
            answers::rules,
        ),
        look(
            6,
            "quiet",
            "no bytes other than replies arrive in the first game",
            answers::quiet,
        ),
        required(
            7,
            "next-game",
            "9 gets no reply; the next 0 starts a game from an empty board",
            games::next_game,
        ),
        required(
            8,
            "starts",
            "25 gets a placement on (5,5), and 2A one on (a,a)",
            games::starts,
        ),
        required(
            9,
            "orders",
            "35 and 3A with the opponent's first move get a placement on the device's start cell",
            games::orders,
        ),
        required(
            10,
            "aliases",
            "every code of a placement is understood, not only the canonical code",
            games::aliases,
        ),
        required(
            11,
            "opponent-finished",
            "after the opponent's last placement, the device continues to place tiles",
            situations::opponent_finished,
        ),
        required(
            12,
            "last-tile",
            "after the device's last tile, the host ends the game: 9 replaces the prompt",
            situations::last_tile,
        ),
        required(
            13,
            "forced-pass",
            "without a legal placement, the device passes with 0000",
            situations::forced_pass,
        ),
        required(
            14,
            "pass-after-pass",
            "after a forced pass, the device passes again when prompted",
            situations::pass_after_pass,
        ),
        required(
            15,
            "reset",
            "0 during a game starts another game",
            games::reset,
        ),
        required(
            16,
            "split",
            "the bytes of a code may arrive 15 ms apart",
            bytes::split,
        ),
        required(
            17,
            "back-to-back",
            "9 and 0 may arrive without a pause",
            bytes::back_to_back,
        ),
        required(
            18,
            "slow-host",
            "the host may be silent for seconds before a prompt",
            bytes::slow_host,
        ),
        required(
            19,
            "series",
            "many games in succession, from both start cells and in both orders",
            games::series,
        ),
        advised(
            20,
            "line-ends",
            "CR and LF after a host code are ignored",
            bytes::line_ends,
        ),
        advised(
            21,
            "garbage",
            "bytes that begin no code are ignored",
            bytes::garbage,
        ),
        advised(
            22,
            "partial-code",
            "a partial code is dropped after 200 ms of silence",
            bytes::partial_code,
        ),
        advised(
            23,
            "superseded",
            "a newer code supersedes a prompt whose reply is pending",
            bytes::superseded,
        ),
        advised(
            24,
            "no-handshake",
            "2A starts a game even if the preceding 0 was lost",
            games::no_handshake,
        ),
        advised(
            25,
            "no-voluntary-pass",
            "in all games so far, the device passed only without a legal placement",
            advice::no_voluntary_pass,
        ),
    ];

    /// Finds a check by its number or name.
    #[must_use]
    pub fn find(text: &str) -> Option<&'static Self> {
        const ALL: &[ConformanceCheck; 25] = &ConformanceCheck::ALL;
        ALL.iter()
            .find(|step| step.name == text || step.number.to_string() == text)
    }

    /// Finds the present name of a check by a name that it had in an earlier version.
    #[must_use]
    pub fn renamed(text: &str) -> Option<&'static str> {
        const NAMES: [(&str, &str); 7] = [
            ("glued", "back-to-back"),
            ("overtaken", "superseded"),
            ("no-hello", "no-handshake"),
            ("half-code", "partial-code"),
            ("bonus", "last-tile"),
            ("rival-finished", "opponent-finished"),
            ("real-passes", "no-voluntary-pass"),
        ];
        let mut names = NAMES.iter();
        names
            .find(|(old, _)| *old == text)
            .map(|&(_, present)| present)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbered_in_their_order_and_found_by_number_and_name() {
        for (i, step) in ConformanceCheck::ALL.iter().enumerate() {
            assert_eq!(step.number, i + 1);
            assert_eq!(
                ConformanceCheck::find(step.name).map(|step| step.number),
                Some(i + 1)
            );
            assert_eq!(
                ConformanceCheck::find(&(i + 1).to_string()).map(|step| step.name),
                Some(step.name)
            );
        }
        assert!(ConformanceCheck::find("26").is_none() && ConformanceCheck::find("").is_none());
    }

    #[test]
    fn former_names_lead_to_checks() {
        for old in ["glued", "rival-finished", "real-passes"] {
            assert!(ConformanceCheck::find(old).is_none(), "{old}");
            assert!(
                ConformanceCheck::renamed(old)
                    .and_then(ConformanceCheck::find)
                    .is_some(),
                "{old}"
            );
        }
        assert_eq!(ConformanceCheck::renamed("handshake"), None);
    }
}
