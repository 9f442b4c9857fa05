//! Runs one game of a tournament: attempts until one counts.

use duoforge_journal::{Annulled, Begun, GameHistory, GameResult, Record, now_ms};
use duoforge_referee::{
    self as referee, Ending, Fault, Player, Referee, RefereeOptions, Seat, Seats,
};

use crate::control::Notice;
use crate::recorder::{Recorder, ended, micros, result};
use crate::seating::{keep, reach};
use crate::seeds::{opening, seed};
use crate::tournament_run::TournamentRun;
use crate::{Evidence, Fixture, Played, TournamentError, evidence};

/// Number of attempts without a handshake after which the player loses the game.
const HANDSHAKES: u32 = 3;

/// Number of attempts annulled by host stalls after which the tournament stops.
const STALLS: u32 = 5;

/// Game, with its contents of the journal.
pub(crate) struct Game<'a> {
    pub fixture: Fixture,
    pub before: Option<&'a GameHistory>,
}

/// Result of an attempt.
enum Attempt {
    Counts(Played),
    /// The attempt is annulled, for this reason.
    Void(String, Cause),
}

/// Cause of an annulled attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Stall,
    Handshake,
    Other,
}

/// Plays a game until an attempt counts; `None` if the tournament was stopped before.
pub(crate) fn play(
    floor: &TournamentRun<'_>,
    game: &Game<'_>,
) -> Result<Option<Played>, TournamentError> {
    let mut goes_on = game.before.filter(|before| !before.is_annulled);
    let mut attempt = match (game.before, goes_on) {
        (None, _) => 1,
        (Some(before), Some(_)) => before.begun.attempt,
        (Some(before), None) => before.begun.attempt + 1,
    };
    let (mut stalls, mut handshakes) = (0, 0);
    loop {
        let last = handshakes + 1 >= HANDSHAKES;
        match try_once(floor, game.fixture, attempt, goes_on.take(), last)? {
            None => return Ok(None),
            Some(Attempt::Counts(played)) => return Ok(Some(played)),
            Some(Attempt::Void(reason, cause)) => {
                let number = game.fixture.number;
                floor.journal.append(&Record::Annulled(Annulled {
                    game: number,
                    attempt,
                    reason: reason.clone(),
                }))?;
                stalls += u32::from(cause == Cause::Stall);
                handshakes += u32::from(cause == Cause::Handshake);
                if stalls == STALLS {
                    return Err(TournamentError::Host {
                        game: number,
                        times: stalls,
                    });
                }
                attempt += 1;
                floor.control.notice(&Notice::Restarted {
                    game: number,
                    players: names(floor, game.fixture),
                    reason,
                });
                if floor.stops() {
                    return Ok(None);
                }
            }
        }
    }
}

/// Makes one attempt. If `last` is true, a player without a handshake loses the game.
fn try_once(
    floor: &TournamentRun<'_>,
    fixture: Fixture,
    attempt: u32,
    goes_on: Option<&GameHistory>,
    last: bool,
) -> Result<Option<Attempt>, TournamentError> {
    let plan = floor.plan;
    let number = fixture.number;
    let moves = opening(plan.seed, fixture.opening, plan.opening, fixture.setup);
    let entries = Seats::each(|seat| &plan.players[fixture.player(seat)]);
    let seeds = Seats::each(|seat| seed(plan, entries[seat], number, seat));
    let mut opened = Vec::new();
    for seat in Seat::BOTH {
        match reach(floor, fixture, seat, seeds[seat], &moves)? {
            Some(player) => opened.push(player),
            None => return Ok(None),
        }
    }
    if goes_on.is_none() {
        let text: Vec<String> = moves.iter().map(ToString::to_string).collect();
        floor.journal.append(&Record::Begun(Begun {
            game: number,
            attempt,
            players: names(floor, fixture),
            first: fixture.setup.first.number(),
            starts: Seat::BOTH.map(|seat| fixture.setup.start(seat).letter().into()),
            round: fixture.round,
            seeds: seeds.0,
            reset_us: [0, 1].map(|seat| micros(opened[seat].reset_waited())),
            versions: [0, 1].map(|seat| opened[seat].version().map(str::to_owned)),
            opening: text.join(" "),
            at_ms: now_ms(),
        }))?;
    }
    let known = goes_on.map_or(&[][..], |game| &game.moves);
    let mut recorder = Recorder::new(floor.journal, number, attempt, known);
    let rules = RefereeOptions {
        limit: plan.limit,
        ..RefereeOptions::default()
    };
    let opened: [Player; 2] = opened.try_into().expect("there are two seats");
    let mut referee = Referee::new(opened, rules);
    let game = referee.play(fixture.setup, &mut recorder);
    if let Ok(game) = &game {
        keep(floor, fixture, referee, &game.ending);
    }
    let annulled = matches!(&game, Ok(game) if matches!(game.ending, Ending::Annulled { .. }));
    if let Some(ply) = recorder.differs().filter(|_| !annulled) {
        let reason = format!("move {ply} differs in the replay of the journal");
        return Ok(Some(Attempt::Void(reason, Cause::Other)));
    }
    if let Some(failure) = recorder.failure() {
        return Err(failure.into());
    }
    let game = game.map_err(|source| TournamentError::Referee {
        game: number,
        source: Box::new(source),
    })?;
    judge(floor, number, attempt, &game, last).map(Some)
}

/// Decides whether a game counts, and records it if it does.
fn judge(
    floor: &TournamentRun<'_>,
    number: u32,
    attempt: u32,
    game: &referee::Game,
    last: bool,
) -> Result<Attempt, TournamentError> {
    let verdict = match &game.ending {
        Ending::Annulled { .. } => {
            return Ok(Attempt::Void(game.ending.to_string(), Cause::Stall));
        }
        Ending::NoHandshake { .. } if !last => {
            return Ok(Attempt::Void(game.ending.to_string(), Cause::Handshake));
        }
        Ending::NoHandshake { faults } => forfeit(faults),
        _ => result(game.outcome),
    };
    let decided = matches!(verdict, GameResult::One | GameResult::Two);
    let wanted = match floor.plan.evidence {
        Evidence::All => true,
        Evidence::Lost => decided || game.ending.is_violation(),
        Evidence::Violations => game.ending.is_violation(),
    };
    let place = if wanted {
        let written = evidence::write(floor.journal.path(), game, number, attempt, verdict);
        Some(written.map_err(|source| TournamentError::Evidence {
            game: number,
            source,
        })?)
    } else {
        None
    };
    let ended = ended(game, number, attempt, verdict, place);
    floor.journal.append(&Record::Ended(ended.clone()))?;
    Ok(Attempt::Counts(Played::from(&ended)))
}

/// Result of a game without a handshake: the player that did not reply loses; no player wins if
/// neither replied.
const fn forfeit(faults: &Seats<Option<Fault>>) -> GameResult {
    match &faults.0 {
        [Some(_), None] => GameResult::Two,
        [None, Some(_)] => GameResult::One,
        _ => GameResult::Open,
    }
}

fn names(floor: &TournamentRun<'_>, fixture: Fixture) -> [String; 2] {
    fixture
        .players
        .map(|player| floor.plan.players[player].name.clone())
}

#[cfg(test)]
mod tests {
    use duoforge_referee::LinkLoss;

    use super::*;

    #[test]
    fn who_alone_has_no_handshake_loses() {
        let fault = || Some(Fault::Lost(LinkLoss::Closed));
        let table = [
            ([fault(), None], GameResult::Two),
            ([None, fault()], GameResult::One),
            ([fault(), fault()], GameResult::Open),
        ];
        for (faults, result) in table {
            assert_eq!(forfeit(&Seats(faults)), result);
        }
    }
}
