//! Evidence of a lost game: wire log of both connections, board, times and a list for replay.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use duoforge_pictures::{Caption, svg};
use duoforge_protocol::MoveCode;
use duoforge_referee::{BrokenCode, Ending, Game, GameSummary, Seat};
use duoforge_rules::Colour;

/// Directory of all evidence, next to the journal.
pub(crate) fn folder(journal: &Path) -> PathBuf {
    journal.with_extension("evidence")
}

/// Writes the evidence of a game and returns its directory, relative to that of the journal.
/// Evidence that an earlier run left there is replaced.
pub(crate) fn write(journal: &Path, game: &Game, number: u32, attempt: u32) -> io::Result<String> {
    let all = folder(journal);
    let own = format!("game-{number:05}-attempt-{attempt}");
    let place = all.join(&own);
    fs::create_dir_all(&place)?;
    let mut wire = String::new();
    for seat in Seat::BOTH {
        let (name, start) = (&game.names[seat], game.setup.start(seat));
        let line = seat.number();
        put(
            &mut wire,
            &format!("# line {line}: {seat}, {name}, starts at {start}"),
        );
    }
    for entry in &game.wire {
        put(&mut wire, &entry.to_string());
    }
    let caption = Caption {
        colours: match game.setup.first {
            Seat::One => [Colour(0), Colour(1)],
            Seat::Two => [Colour(1), Colour(0)],
        },
        players: Seat::BOTH.map(|seat| format!("{}: {}", game.names[seat], game.score[seat])),
    };
    let summary = serde_json::to_string_pretty(&GameSummary::from(game))?;
    let moves = list(game, number, &place);
    let files = [
        ("wire.log", wire),
        ("game.json", summary + "\n"),
        ("board.svg", svg(&game.board, &caption)),
        ("moves.txt", moves),
    ];
    for (name, text) in files {
        let mut file = File::create(place.join(name))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    File::open(&place)?.sync_all()?;
    let all = all
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Ok(format!("{all}/{own}"))
}

/// Formats the moves as a list with the command that replays them. The move that ended the game is
/// appended, so that the replay rejects it too.
fn list(game: &Game, number: u32, place: &Path) -> String {
    let mut text = String::new();
    let first = &game.names[game.setup.first];
    let second = &game.names[game.setup.first.other()];
    put(
        &mut text,
        &format!("# game {number}: {first} against {second}"),
    );
    put(
        &mut text,
        &format!("# {}", game.ending.to_string().escape_debug()),
    );
    let path = place.join("moves.txt");
    put(
        &mut text,
        &format!("# duoforge replay --plies '{}'", path.display()),
    );
    let mut codes = game.codes();
    if let Some(code) = rejected(&game.ending) {
        let _ = write!(codes, " {}", code.escape_ascii());
    }
    put(&mut text, codes.trim());
    text
}

/// Returns the code that ended the game, if a list can contain it: a list separates codes by
/// blanks, and `#` begins a comment.
fn rejected(ending: &Ending) -> Option<&MoveCode> {
    match ending {
        Ending::Illegal { code, .. }
        | Ending::BrokenCode {
            reason: BrokenCode::Code { code, .. },
            ..
        } => Some(code).filter(|code| {
            let mut bytes = code.iter();
            bytes.all(|&byte| byte.is_ascii_graphic() && byte != b'#')
        }),
        _ => None,
    }
}

fn put(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use duoforge_rules::{CodeError, IllegalMove};

    use super::*;

    #[test]
    fn a_list_ends_with_the_code_that_was_rejected() {
        let broken = |code: &MoveCode| Ending::BrokenCode {
            seat: Seat::One,
            reason: BrokenCode::Code {
                code: *code,
                error: CodeError::Column(code[0]),
            },
        };
        let illegal = Ending::Illegal {
            seat: Seat::Two,
            code: *b"53e0",
            reason: IllegalMove::GameOver,
        };
        for (ending, code) in [
            (illegal, Some(b"53e0")),
            (broken(b"A1k7"), Some(b"A1k7")),
            // These would be another code, a comment, or no text.
            (broken(b"1 k7"), None),
            (broken(b"#1k7"), None),
            (broken(b"\xff1k7"), None),
            (Ending::Resigned { seat: Seat::One }, None),
        ] {
            assert_eq!(rejected(&ending), code, "{ending}");
        }
    }
}
