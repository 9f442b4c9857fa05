//! Evidence of a lost game: wire log of both connections, board, times, a list for replay, and the
//! replay as an HTML file.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use duoforge_journal::GameResult;
use duoforge_page::{RefusedMove, Replay, ReplayGame, ReplayResult};
use duoforge_pictures::{Caption, svg};
use duoforge_referee::{BrokenCode, Ending, Game, GameSummary, Seat};
use duoforge_rules::{Colour, GameVariant, Move};

use crate::recorder::micros;

/// Directory of all evidence, next to the journal. `evidence` replaces the extension `journal`; any
/// other name gets `-evidence` at its end, so that two journals do not share a directory.
pub(crate) fn directory(journal: &Path) -> PathBuf {
    if journal.extension().is_some_and(|it| it == "journal") {
        return journal.with_extension("evidence");
    }
    let mut name = journal.as_os_str().to_owned();
    name.push("-evidence");
    name.into()
}

/// Writes the evidence of a game and returns its directory, relative to that of the journal.
/// Evidence that an earlier run left there is replaced.
pub(crate) fn write(
    journal: &Path,
    game: &Game,
    number: u32,
    attempt: u32,
    verdict: GameResult,
) -> io::Result<String> {
    let all = directory(journal);
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
    let mut replay = replay(game, verdict);
    replay.id = number.to_string();
    replay.fact("game", number.to_string());
    replay.fact("attempt", attempt.to_string());
    replay.text("wire log", wire.as_str());
    let files = [
        ("replay.html", Replay::of(replay).html()),
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

/// Replay of the accepted moves and their times. A move that was refused is shown after them.
fn replay(game: &Game, verdict: GameResult) -> ReplayGame {
    let order = [game.setup.first, game.setup.first.other()];
    let variant = GameVariant::DUO.with_starts(&game.setup.start_cells());
    let names = order.map(|seat| game.names[seat].clone());
    let moves = game.plies.iter().map(|ply| ply.mv);
    let mut replay = ReplayGame::new(&variant, &names, moves);
    for (shown, ply) in replay.moves.iter_mut().zip(&game.plies) {
        shown.us = Some(micros(ply.time.wall));
        shown.sim_us = ply.time.simulated.map(micros);
        shown.host_us = Some(micros(ply.time.host));
        shown.forfeit = ply.forfeit;
        shown.comment = ply.text.clone().unwrap_or_default();
    }
    let seat = |player: Seat| u8::from(player != order[0]);
    let winners = match verdict {
        GameResult::One => vec![seat(Seat::One)],
        GameResult::Two => vec![seat(Seat::Two)],
        GameResult::Draw => vec![0, 1],
        GameResult::Open => Vec::new(),
    };
    replay.result = Some(ReplayResult {
        scores: order.map(|player| game.score[player]).to_vec(),
        draw: winners.len() > 1,
        winners,
        ending: game.ending.word().to_owned(),
        detail: game.ending.to_string(),
    });
    if let Ending::Illegal {
        seat: player,
        code,
        reason,
    } = &game.ending
        && let Ok(mv) = Move::from_code_bytes(*code)
    {
        replay.refused = Some(RefusedMove::new(Colour(seat(*player)), mv, reason));
    }
    replay
}

/// Formats the moves as a list with the command that replays them, if there is a move. An illegal
/// move is appended, so that the replay rejects it too.
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
        &format!("# {}", one_line(&game.ending.to_string())),
    );
    let mut codes = game.codes();
    codes += &rejected(&game.ending);
    // A list without a code has no game to replay.
    if !codes.is_empty() && !codes.trim_start().starts_with('#') {
        let path = place.join("moves.txt");
        put(
            &mut text,
            &format!("# duoforge replay --plies '{}'", path.display()),
        );
    }
    put(
        &mut text,
        &format!("# in a browser: '{}'", place.join("replay.html").display()),
    );
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

/// Returns a text with its line breaks and other control characters escaped.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character.is_control() {
            true => line.extend(character.escape_debug()),
            false => line.push(character),
        }
    }
    line
}

fn put(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_journal_of_a_directory_has_its_own_evidence() {
        let table = [
            ("events/cup.journal", "events/cup.evidence"),
            ("events/cup", "events/cup-evidence"),
            ("events/cup.friday", "events/cup.friday-evidence"),
            ("events/cup.saturday", "events/cup.saturday-evidence"),
            ("events/cup.journal.journal", "events/cup.journal.evidence"),
        ];
        for (journal, expected) in table {
            assert_eq!(directory(Path::new(journal)), Path::new(expected));
        }
        let all: HashSet<_> = table.iter().map(|(_, expected)| expected).collect();
        assert_eq!(all.len(), table.len());
    }
}
