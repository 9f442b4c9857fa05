//! Evidence of a lost game: wire log of both connections, board, times and a list for replay.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use duoforge_pictures::{Caption, svg};
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

/// Formats the moves as a list with the command that replays them. An illegal move is appended, so
/// that the replay rejects it too.
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
    codes += &rejected(&game.ending);
    put(&mut text, codes.trim());
    text
}

/// Formats the move that the referee rejected, as the end of a list. A broken code is a comment,
/// since a list with it could not be read.
fn rejected(ending: &Ending) -> String {
    let comment = |word: &dyn Display| format!(" # then '{word}', which is not a code");
    match ending {
        Ending::Illegal { code, .. } => format!(" {}", code.escape_ascii()),
        Ending::BrokenCode { reason, .. } => match reason {
            BrokenCode::Code { code, .. } => comment(&code.escape_ascii()),
            BrokenCode::Text { reply, .. } => comment(&reply.escape_debug()),
            BrokenCode::Reply(_) => String::new(),
        },
        _ => String::new(),
    }
}

fn put(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
