//! Game in progress: handshake, moves and end, on the links of both players.

use std::thread;
use std::time::Duration;

use duoforge_links::wirelog::WireLog;
use duoforge_protocol::{MoveCode, TeamCode};
use duoforge_rules as rules;

use crate::connection::{Connection, PromptError, ReplyContent, TimedReply};
use crate::judge::{MoveJudge, Refusal};
use crate::referee::{Observer, RefereeOptions};
use crate::{
    BrokenCode, Ending, Fault, Game, LateReply, Outcome, Ply, RefereeError, Seat, Seats, Setup,
    Time, Unsolicited,
};

/// Name of the referee's remarks in the wire log.
const REFEREE: &str = "referee";

/// Code of a pass.
const PASS: MoveCode = *b"0000";

/// Received team codes, and the faults of the other handshakes.
type NoTeams = (Seats<Option<TeamCode>>, Seats<Option<Fault>>);

/// Game in progress.
pub(crate) struct Play<'a> {
    lines: &'a mut Seats<Connection>,
    log: &'a WireLog,
    rules: RefereeOptions,
    setup: Setup,
    judge: MoveJudge,
    plies: Vec<Ply>,
    unsolicited: Vec<Unsolicited>,
    resets: Seats<Duration>,
}

impl<'a> Play<'a> {
    /// Prepares a game; `resets` holds the durations of the devices' resets.
    pub(crate) fn new(
        lines: &'a mut Seats<Connection>,
        log: &'a WireLog,
        rules: RefereeOptions,
        setup: Setup,
        resets: Seats<Duration>,
    ) -> Self {
        Self {
            lines,
            log,
            rules,
            setup,
            judge: MoveJudge::new(setup),
            plies: Vec::new(),
            unsolicited: Vec::new(),
            resets,
        }
    }

    /// Plays the game, from the handshake to `9` and the pause after it.
    ///
    /// # Errors
    /// As [`Referee::play`](crate::Referee::play).
    pub(crate) fn run(mut self, observer: &mut dyn Observer) -> Result<Game, RefereeError> {
        let (teams, ending) = match self.handshake()? {
            Ok(teams) => {
                observer.begun(self.setup, &teams);
                let ending = match self.moves(observer) {
                    Err(RefereeError::BrokenOff) => {
                        self.say_end();
                        return Err(RefereeError::BrokenOff);
                    }
                    ending => ending?,
                };
                (Seats(teams.0.map(Some)), ending)
            }
            Err((teams, faults)) => (teams, Ending::NoHandshake { faults }),
        };
        Ok(self.close(teams, ending))
    }

    /// Prompts both players for their team codes, the second even if the first fails.
    fn handshake(&mut self) -> Result<Result<Seats<TeamCode>, NoTeams>, RefereeError> {
        let [one, two] = [self.greet(Seat::One)?, self.greet(Seat::Two)?];
        Ok(match (one, two) {
            (Ok(one), Ok(two)) => Ok(Seats([one, two])),
            (one, two) => {
                let both = [one, two];
                let teams = both.clone().map(Result::ok);
                Err((Seats(teams), Seats(both.map(Result::err))))
            }
        })
    }

    fn greet(&mut self, seat: Seat) -> Result<Result<TeamCode, Fault>, RefereeError> {
        let mut tries = 1;
        loop {
            let line = &mut self.lines[seat];
            let prompt = line.session().handshake()?;
            let answer = line.ask(prompt, Duration::ZERO);
            self.collect_unsolicited(seat);
            let fault = match answer {
                Ok(TimedReply {
                    content: ReplyContent::Team(team),
                    ..
                }) => return sorted(self.discard_late(seat, tries).map(|()| team)),
                Ok(_) => unreachable!("the answer to 0 is a team code"),
                Err(PromptError::Player(fault)) => fault,
                Err(PromptError::Host(error)) => return Err(error),
            };
            let line = seat.number().to_string();
            self.log.note(&line, format!("no handshake: {fault}"));
            let gone = matches!(fault, Fault::Lost(_)) && !self.lines[seat].may_return();
            if tries >= self.rules.handshakes || gone {
                return Ok(Err(fault));
            }
            tries += 1;
        }
    }

    /// After several attempts, late replies to the earlier ones may still arrive.
    fn discard_late(&mut self, seat: Seat, tries: u32) -> Result<(), PromptError> {
        if tries > 1 {
            thread::sleep(self.rules.pause);
            self.lines[seat].discard()?;
            self.collect_unsolicited(seat);
        }
        Ok(())
    }

    /// Plays moves until the game ends.
    fn moves(&mut self, observer: &mut dyn Observer) -> Result<Ending, RefereeError> {
        for seat in Seat::BOTH {
            self.lines[seat].begin();
        }
        loop {
            let seat = self.setup.mover(self.plies.len());
            let legal = self.judge.board().count_legal();
            let (answer, time) = match self.ask(seat)? {
                Ok(answer) => answer,
                Err(fault) => return Ok(fault.ends(seat)),
            };
            let forfeit = answer.is_none();
            let remark = self.lines[seat].take_remark();
            let code = answer.unwrap_or(PASS);
            let mv = match self.judge.play(code)? {
                Ok(mv) => mv,
                Err(_) if forfeit => return Ok(self.out_of_time(seat, time)),
                Err(Refusal::Illegal(reason)) => {
                    return Ok(Ending::Illegal { seat, code, reason });
                }
                Err(Refusal::Broken(error)) => {
                    let reason = BrokenCode::Code { code, error };
                    return Ok(Ending::BrokenCode { seat, reason });
                }
            };
            let ply = Ply {
                seat,
                code,
                mv,
                legal,
                time,
                forfeit: forfeit || remark.forfeit,
                text: remark.text,
            };
            observer.moved(&ply, self.judge.board());
            self.plies.push(ply);
            if observer.breaks_off() {
                return Err(RefereeError::BrokenOff);
            }
            if self.judge.board().is_over() {
                return Ok(match mv {
                    rules::Move::Pass => Ending::BothPassed,
                    rules::Move::Place(_) => Ending::AllPlaced { seat },
                });
            }
        }
    }

    /// Ending for a bank that ran out before the player may pass.
    fn out_of_time(&self, seat: Seat, time: Time) -> Ending {
        let late = LateReply {
            received: Vec::new(),
            after: Some(time.judged()),
            limit: self.lines[seat].full_bank(),
        };
        Ending::Timeout { seat, late }
    }

    /// Sends the next prompt; the code is `None` if the player forfeits the move.
    fn ask(&mut self, seat: Seat) -> Result<Result<(Option<MoveCode>, Time), Fault>, RefereeError> {
        let start = self.setup.start(seat);
        let last = self.plies.last().map(|ply| ply.code);
        let line = &mut self.lines[seat];
        let session = line.session();
        let prompt = match (last, self.plies.len()) {
            (None, _) => session.first(start)?,
            (Some(code), 1) => session.second(start, code)?,
            (Some(code), _) => session.turn(code)?,
        };
        let answer = line.ask_move(prompt);
        self.collect_unsolicited(seat);
        sorted(answer.map(|answer| match answer.content {
            ReplyContent::Move(code) => (Some(code), answer.time),
            ReplyContent::Forfeit => (None, answer.time),
            ReplyContent::Team(_) => unreachable!("the answer to a request for a move is a move"),
        }))
    }

    fn collect_unsolicited(&mut self, seat: Seat) {
        let bytes = self.lines[seat].take_unsolicited();
        if bytes.is_empty() {
            return;
        }
        let line = seat.number().to_string();
        let text = format!("discarded, as nothing was due: {}", bytes.escape_ascii());
        self.log.note(&line, text);
        self.unsolicited.push(Unsolicited {
            seat,
            ply: self.plies.len(),
            bytes,
        });
    }

    fn say_end(&mut self) {
        for seat in Seat::BOTH {
            self.lines[seat].end();
        }
    }

    /// Sends `9` to both players, pauses and records the game.
    fn close(mut self, teams: Seats<Option<TeamCode>>, ending: Ending) -> Game {
        self.say_end();
        let board = self.judge.board().clone();
        let place = |seat| rules::Colour((seat != self.setup.first).into());
        let cells_placed = Seats::each(|seat| board.cells_placed(place(seat)));
        let score = Seats::each(|seat| board.score(place(seat)));
        let outcome = ending.outcome(score);
        let verdict = match outcome {
            Outcome::Win(seat) => format!("{seat} wins"),
            Outcome::Draw => "draw".to_owned(),
            Outcome::Open => "nobody wins".to_owned(),
        };
        self.log.note(REFEREE, format!("{ending}; {verdict}"));
        if self.lines.iter().any(Connection::needs_pause) {
            thread::sleep(self.rules.pause);
        }
        for seat in Seat::BOTH {
            // A broken link shows at its next use and in the log.
            let _ = self.lines[seat].discard();
            self.collect_unsolicited(seat);
        }
        let logs = Seats::each(|seat| self.lines[seat].take_log());
        for seat in Seat::BOTH {
            let has_won = outcome == Outcome::Win(seat) || outcome == Outcome::Draw;
            for text in logs[seat].iter().flat_map(|log| log.lines()) {
                if !has_won {
                    self.log
                        .note(&seat.number().to_string(), format!("log: {text}"));
                }
            }
        }
        Game {
            setup: self.setup,
            names: Seats::each(|seat| self.lines[seat].name().to_owned()),
            teams,
            board,
            cells_placed,
            score,
            ending,
            outcome,
            plies: self.plies,
            unsolicited: self.unsolicited,
            resets: self.resets,
            logs,
            wire: self.log.take(),
        }
    }
}

/// Separates failures of this program from faults of a player.
fn sorted<T>(result: Result<T, PromptError>) -> Result<Result<T, Fault>, RefereeError> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(PromptError::Player(fault)) => Ok(Err(fault)),
        Err(PromptError::Host(error)) => Err(error),
    }
}
