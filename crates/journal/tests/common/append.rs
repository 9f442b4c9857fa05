//! Appends games to a journal until it is killed: `append-games JOURNAL`. An existing journal is
//! resumed.

use std::env;
use std::error::Error;
use std::path::Path;

use duoforge_journal::{Annulled, Begun, Header, Journal, JournalError, Kind, Moved, Record};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: append-games JOURNAL")?;
    let path = Path::new(&path);
    match Journal::create(path, Header::new(Kind::Tournament, "Endless", "")) {
        Ok(journal) => drop(journal),
        Err(JournalError::Exists(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let (journal, history, _) = Journal::open(path)?;
    for game in history.running() {
        journal.append(&Record::Annulled(Annulled {
            game: game.begun.game,
            attempt: game.begun.attempt,
            reason: "the writer stopped".to_owned(),
        }))?;
    }
    let last = history.games.keys().last().copied().unwrap_or(0);
    for game in last + 1.. {
        journal.append(&Record::Begun(Begun::new(game, 1, ["A", "B"])))?;
        for ply in 1..=20 {
            journal.append(&Record::Moved(Moved {
                game,
                attempt: 1,
                ply,
                player: if ply % 2 == 1 { 1 } else { 2 },
                code: "53e0".to_owned(),
                legal: 414,
                us: 1_234,
                sim_us: None,
                host_us: None,
                forfeit: false,
            }))?;
        }
    }
    Ok(())
}
