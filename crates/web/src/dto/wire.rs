//! Bytes of a game.

use duoforge_links::wirelog::{Decoded, Decoder, Direction, WireEntry, WireEvent};
use duoforge_protocol::HostCode;
use duoforge_view::Version;
use serde::Serialize;
use utoipa::ToSchema;

use crate::feed::ShownGame;
use crate::wire::{CASUAL, Wire};

/// Bytes between the service or a referee and the devices of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WireView {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Id of the game.
    pub game: String,
    /// Bytes and remarks in the order of time.
    pub entries: Vec<WireEntryView>,
    /// True if entries are missing: there are more than 4096, or some cannot be read.
    pub truncated: bool,
    /// Names of the files at `GET games/{id}/evidence/{file}`.
    pub files: Vec<&'static str>,
    /// Command that replays the game: in the directory of the journal, or for a casual game in that
    /// of the list that was downloaded.
    pub replay: Option<String>,
}

/// Bytes that travelled together, or a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WireEntryView {
    /// Wall clock time since the begin of the log in microseconds: of the last byte.
    pub us: u64,
    /// Simulated time in microseconds.
    pub sim_us: Option<u64>,
    /// Seat of the device; null for a remark on the game.
    pub seat: Option<u8>,
    /// Number of plies before the move that is prompted for; null outside the moves.
    pub ply: Option<u32>,
    /// `to-board` or `from-board`; null for a remark.
    pub dir: Option<&'static str>,
    /// Bytes as escaped ASCII, or the remark.
    pub text: String,
    /// Bytes in hexadecimal.
    pub hex: Option<String>,
    /// Meaning of the bytes in the contest's protocol.
    pub meaning: Vec<String>,
}

/// Decoder of the bytes of one seat.
#[derive(Default)]
struct SeatDecoder {
    decoder: Decoder,
    ply: Option<u32>,
}

impl WireView {
    /// Describes the bytes of a game.
    pub fn new(game: &ShownGame, wire: Wire) -> Self {
        let mut seats = [SeatDecoder::default(), SeatDecoder::default()];
        let entries = wire.entries.iter().map(|entry| {
            let seat = match entry.line.as_str() {
                "1" => Some(usize::from(game.first_line != 1)),
                "2" => Some(usize::from(game.first_line == 1)),
                _ => None,
            };
            match seat {
                Some(seat) => seats[seat].view(entry, seat),
                None => SeatDecoder::default().view(entry, 2),
            }
        });
        let entries = entries.collect();
        Self {
            version: Version,
            game: game.id(),
            entries,
            truncated: wire.truncated,
            replay: replay(game, &wire.files),
            files: wire.files,
        }
    }
}

impl WireEntryView {
    /// Describes the entries of one device, in seat 0.
    pub fn of_device(entries: &[WireEntry]) -> Vec<Self> {
        let mut decoder = SeatDecoder::default();
        entries.iter().map(|entry| decoder.view(entry, 0)).collect()
    }
}

impl SeatDecoder {
    /// Describes an entry of a seat; any other number is none.
    fn view(&mut self, entry: &WireEntry, seat: usize) -> WireEntryView {
        let micros =
            |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let mut view = WireEntryView {
            us: micros(entry.wall),
            sim_us: entry.simulated.map(micros),
            seat: u8::try_from(seat).ok().filter(|seat| *seat < 2),
            ply: None,
            dir: None,
            text: String::new(),
            hex: None,
            meaning: Vec::new(),
        };
        match &entry.event {
            WireEvent::Note(text) => view.text.clone_from(text),
            WireEvent::Chunk { direction, bytes } => {
                let at = entry.simulated.unwrap_or(entry.wall);
                for decoded in self.decoder.feed(*direction, bytes, at) {
                    self.follow(&decoded);
                    view.meaning.push(meaning(&decoded));
                }
                view.dir = Some(match direction {
                    Direction::ToBoard => "to-board",
                    Direction::FromBoard => "from-board",
                });
                view.text = bytes.escape_ascii().to_string();
                view.hex = Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
            }
        }
        view.ply = self.ply;
        view
    }

    /// Follows the plies of the device's game.
    fn follow(&mut self, decoded: &Decoded) {
        if let Decoded::Code(code) = decoded {
            self.ply = match code {
                HostCode::First { .. } => Some(0),
                HostCode::Second { .. } => Some(1),
                HostCode::Turn { .. } => self.ply.map(|ply| ply + 2),
                HostCode::Handshake | HostCode::End | HostCode::Identify => None,
            };
        }
    }
}

/// Meaning of bytes without the bytes themselves.
pub fn meaning(decoded: &Decoded) -> String {
    let text = decoded.to_string();
    match decoded {
        Decoded::Code(_) | Decoded::Answer(..) => match text.split_once("  ") {
            Some((_, meaning)) => meaning.to_owned(),
            None => text,
        },
        _ => text,
    }
}

/// Command that replays a game, if it ended and has a move. An illegal move is in the evidence alone.
fn replay(game: &ShownGame, files: &[&str]) -> Option<String> {
    let result = game.result.as_ref();
    let has_moves = !game.moves.is_empty();
    let is_illegal = result.is_some_and(|result| result.ending == "illegal");
    let file = if files.contains(&"moves.txt") && (has_moves || is_illegal) {
        format!("{}/moves.txt", game.evidence.as_deref()?)
    } else if files.contains(&CASUAL) && result.is_some() && has_moves {
        format!("duoforge-{}.list", game.id())
    } else {
        return None;
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    let quoted = if file.bytes().all(is_plain) {
        file
    } else {
        format!("'{}'", file.replace('\'', r"'\''"))
    };
    Some(format!("duoforge replay --plies {quoted}"))
}

#[cfg(test)]
mod tests {
    use duoforge_rules::GameVariant;

    use super::*;
    use crate::dto::{GameOutcome, MoveView, Status};

    #[test]
    fn only_a_list_with_a_move_has_a_command() {
        let first = MoveView {
            ply: 0,
            colour: 0,
            seat: 0,
            code: "53e0".to_owned(),
            legal: 414,
            us: 1,
            sim_us: None,
            host_us: None,
            forfeit: false,
            at_ms: None,
        };
        for (file, ending, moves, expected) in [
            ("moves.txt", "timeout", 1, Some("cup.evidence/moves.txt")),
            ("moves.txt", "timeout", 0, None),
            ("moves.txt", "illegal", 0, Some("cup.evidence/moves.txt")),
            (CASUAL, "resigned", 1, Some("duoforge-j.1.list")),
            (CASUAL, "resigned", 0, None),
            ("wire.log", "timeout", 1, None),
        ] {
            let game = ShownGame {
                journal: "j".to_owned(),
                kind: "tournament".to_owned(),
                variant: GameVariant::DUO,
                number: 1,
                attempt: 1,
                round: 1,
                status: Status::Ended,
                seats: Vec::new(),
                moves: vec![first.clone(); moves],
                result: Some(GameOutcome {
                    scores: vec![0, 0],
                    winners: vec![0],
                    draw: false,
                    ending: ending.to_owned(),
                    detail: ending.to_owned(),
                }),
                begun_ms: 0,
                ended_ms: None,
                playable: false,
                evidence: Some("cup.evidence".to_owned()),
                first_line: 1,
                records: 0,
            };
            let expected = expected.map(|path| format!("duoforge replay --plies {path}"));
            assert_eq!(replay(&game, &[file]), expected, "{file} {ending} {moves}");
        }
    }
}
