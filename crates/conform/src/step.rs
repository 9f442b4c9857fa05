//! List of the conformance checks.

use crate::conversation::Conversation;
use crate::device::Trouble;
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
pub struct Step {
    /// Number, from 1.
    pub number: usize,
    /// Name, one word.
    pub name: &'static str,
    /// Requirement in a sentence.
    pub about: &'static str,
    /// Kind of check.
    pub kind: Kind,
    /// Runs the check; returns the observation.
    pub(crate) run: fn(&mut Conversation) -> Result<String, Trouble>,
    /// True if the check only examines the record of the first game, without the device.
    pub(crate) looks_back: bool,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.number, self.name)
    }
}

/// Creates a required check.
const fn required(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, Trouble>,
) -> Step {
    Step {
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
    run: fn(&mut Conversation) -> Result<String, Trouble>,
) -> Step {
    Step {
        looks_back: true,
        ..required(number, name, about, run)
    }
}

/// Creates an advisory check, whose failure is a warning.
const fn advised(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, Trouble>,
) -> Step {
    Step {
        kind: Kind::Advice,
        ..required(number, name, about, run)
    }
}

impl Step {
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
            "0 is answered with 1XX, each time with the same team code",
            answers::handshake,
        ),
        look(
            2,
            "answers",
            "in a first game every request is answered, completely",
            answers::answers,
        ),
        look(
            3,
            "timing",
            "in that game every answer is complete within the limit",
            answers::timing,
        ),
        look(
            4,
            "codes",
            "in that game every answer is a code: small letters, no spaces, CR and LF do not matter",
            answers::codes,
        ),
        look(
            5,
            "rules",
            "in that game every move is legal",
            answers::rules,
        ),
        look(
            6,
            "quiet",
            "in that game nothing comes but the answers",
            answers::quiet,
        ),
        required(
            7,
            "next-game",
            "after 9 nothing comes, and 0 begins another game in which nothing is left of the last",
            games::next_game,
        ),
        required(
            8,
            "starts",
            "25 is answered with a move on (5,5), and 2A with one on (a,a)",
            games::starts,
        ),
        required(
            9,
            "orders",
            "35 and 3A with the rival's first move are answered with a move on the own start cell",
            games::orders,
        ),
        required(
            10,
            "aliases",
            "every code of a placement is understood, not only one",
            games::aliases,
        ),
        required(
            11,
            "rival-finished",
            "when the rival passes from now on, the device plays on alone",
            situations::rival_finished,
        ),
        required(
            12,
            "bonus",
            "the game stops at the device's last tile: 9 comes instead of a request",
            situations::bonus,
        ),
        required(
            13,
            "forced-pass",
            "who cannot place a tile answers 0000",
            situations::forced_pass,
        ),
        required(
            14,
            "pass-after-pass",
            "who has passed is asked again, and passes again",
            situations::pass_after_pass,
        ),
        required(
            15,
            "reset",
            "0 in the middle of a game begins another one",
            games::reset,
        ),
        required(
            16,
            "split",
            "bytes of a code may come 15 ms apart",
            bytes::split,
        ),
        required(
            17,
            "glued",
            "9 and 0 may come without a pause",
            bytes::glued,
        ),
        required(
            18,
            "slow-host",
            "the host may take its time before a request",
            bytes::slow_host,
        ),
        required(
            19,
            "series",
            "many games in a row, from both start cells and in both orders",
            games::series,
        ),
        advised(
            20,
            "line-ends",
            "CR and LF behind the host's codes do not matter",
            bytes::line_ends,
        ),
        advised(
            21,
            "garbage",
            "bytes that no code begins with are passed over",
            bytes::garbage,
        ),
        advised(
            22,
            "half-code",
            "a code that stops half-way is forgotten after 200 ms of silence",
            bytes::half_code,
        ),
        advised(
            23,
            "overtaken",
            "a newer code overtakes one that is still being answered",
            bytes::overtaken,
        ),
        advised(
            24,
            "no-hello",
            "2A begins a game even if the 0 before it was lost",
            games::no_hello,
        ),
        advised(
            25,
            "real-passes",
            "in all games so far it passed only where it had to",
            advice::real_passes,
        ),
    ];

    /// Finds a check by its number or name.
    #[must_use]
    pub fn find(text: &str) -> Option<&'static Self> {
        const ALL: &[Step; 25] = &Step::ALL;
        ALL.iter()
            .find(|step| step.name == text || step.number.to_string() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbered_in_their_order_and_found_by_number_and_name() {
        for (i, step) in Step::ALL.iter().enumerate() {
            assert_eq!(step.number, i + 1);
            assert_eq!(Step::find(step.name).map(|step| step.number), Some(i + 1));
            assert_eq!(
                Step::find(&(i + 1).to_string()).map(|step| step.name),
                Some(step.name)
            );
        }
        assert!(Step::find("26").is_none() && Step::find("").is_none());
    }
}
