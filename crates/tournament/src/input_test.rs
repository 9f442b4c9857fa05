//! Input tests: before the first game of an event, every program and device shows that it starts
//! and answers. A player that fails is excluded, so that no rated game is lost to it.

use std::fmt::Display;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_journal::{History, InputTest, Journal, Record, now_ms};
use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_referee::variant::VariantMover;
use duoforge_referee::{HandshakeError, Player, Seat, TimeControl, check_player};
use duoforge_rules::{Game, Seat as VariantSeat};

use crate::control::{Control, Notice};
use crate::seating::{self, RETRY};
use crate::variant::opened;
use crate::{
    Format, Plan, PlanEntry, TournamentError, TournamentResult, VariantControl, VariantPlan,
};

/// Number of handshakes that a device is asked for, as in a game.
const ATTEMPTS: u32 = 3;

/// Tournament whose players have been tested.
#[derive(Debug)]
pub struct TestedTournament {
    plan: Plan,
    /// Open devices, by the indices of their players.
    devices: Vec<Option<Player>>,
}

impl TestedTournament {
    /// Plan without the excluded players.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Plays the tournament, as [`run`](crate::run()) does, with the devices that the test opened.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn run(
        &mut self,
        journal: &Journal,
        history: &History,
        control: &dyn Control,
    ) -> Result<TournamentResult, TournamentError> {
        let devices = std::mem::take(&mut self.devices);
        crate::run::run_with(&self.plan, journal, history, control, devices)
    }
}

/// Tests the input of the players of a tournament before its first game: bots answer their input
/// test, engines of the Go Text Protocol their first commands, and devices the handshake. The
/// journal records every test; a player that fails is excluded. Tests that the journal holds are
/// not repeated, and an event whose games have begun is not tested.
///
/// Returns `None` if the tournament was stopped meanwhile.
///
/// # Errors
/// [`TournamentError::Player`] for a player that cannot be opened at all,
/// [`TournamentError::TooFew`], [`TournamentError::Journal`].
pub fn test_players(
    plan: &Plan,
    journal: &Journal,
    history: &History,
    control: &dyn Control,
) -> Result<Option<TestedTournament>, TournamentError> {
    let mut tests = history.input_tests.clone();
    let mut devices: Vec<Option<Player>> = plan.players.iter().map(|_| None).collect();
    if !has_begun(history) {
        for (entry, device) in plan.players.iter().zip(&mut devices) {
            if !is_tested(&entry.spec) || tests.iter().any(|test| test.player == entry.name) {
                continue;
            }
            if control.stops() {
                return Ok(None);
            }
            let Some(tested) = test(plan, entry, device, control)? else {
                return Ok(None);
            };
            let test = recorded(journal, &entry.name, tested.err())?;
            if let Some(notice) = excluded(&test) {
                *device = None;
                control.notice(&notice);
            }
            tests.push(test);
        }
    }
    let stays = |entry: &PlanEntry| !is_excluded(&tests, &entry.name);
    let kept = plan.players.iter().zip(devices);
    let kept = kept.filter(|(entry, _)| stays(entry));
    let devices: Vec<_> = kept.map(|(_, device)| device).collect();
    let reduced = plan.without_excluded(&tests);
    // The first player of a gauntlet plays all its games.
    let is_cut = plan.format == Format::Gauntlet && !stays(&plan.players[0]);
    if reduced.players.len() < 2 || is_cut {
        return Err(too_few(reduced.players.len(), 2, &tests));
    }
    let plan = reduced;
    Ok(Some(TestedTournament { plan, devices }))
}

/// Tests the input of the players of a tournament of a variant, as [`test_players`] does. Returns
/// the plan without the excluded players, or `None` if the tournament was stopped meanwhile.
///
/// # Errors
/// As those of [`test_players`].
pub fn test_variant_players(
    plan: &VariantPlan,
    journal: &Journal,
    history: &History,
    control: &dyn VariantControl,
) -> Result<Option<VariantPlan>, TournamentError> {
    let mut tests = history.input_tests.clone();
    if !has_begun(history) {
        for entry in &plan.players {
            if !is_tested(&entry.spec) || tests.iter().any(|test| test.player == entry.name) {
                continue;
            }
            if control.stops() {
                return Ok(None);
            }
            let test = recorded(journal, &entry.name, variant_fault(plan, entry)?)?;
            if let Some(notice) = excluded(&test) {
                control.excluded(&notice);
            }
            tests.push(test);
        }
    }
    let reduced = plan.without_excluded(&tests);
    let needed = plan.variant.seat_count();
    if reduced.players.len() < needed {
        return Err(too_few(reduced.players.len(), needed, &tests));
    }
    Ok(Some(reduced))
}

impl Plan {
    /// Returns the plan without the players that failed these tests. A Swiss tournament of fewer
    /// players has fewer rounds if it must.
    #[must_use]
    pub fn without_excluded(&self, tests: &[InputTest]) -> Self {
        let mut plan = self.clone();
        plan.players
            .retain(|entry| !is_excluded(tests, &entry.name));
        if plan.format == Format::Swiss {
            let most = plan.players.len().saturating_sub(1);
            plan.rounds = plan.rounds.min(u32::try_from(most).unwrap_or(u32::MAX));
        }
        plan
    }
}

impl VariantPlan {
    /// Returns the plan without the players that failed these tests.
    #[must_use]
    pub fn without_excluded(&self, tests: &[InputTest]) -> Self {
        let mut plan = self.clone();
        plan.players
            .retain(|entry| !is_excluded(tests, &entry.name));
        plan
    }
}

/// True if a test excludes the player.
pub(crate) fn is_excluded(tests: &[InputTest], player: &str) -> bool {
    let mut tests = tests.iter();
    tests.any(|test| test.player == player && test.fault.is_some())
}

fn has_begun(history: &History) -> bool {
    history.finished || !history.games.is_empty() || history.variant_games.iter().next().is_some()
}

/// True for players outside this program. A simulation that fails is an error of this program.
const fn is_tested(spec: &PlayerSpec) -> bool {
    matches!(
        spec,
        PlayerSpec::Bot(_) | PlayerSpec::Gtp(_) | PlayerSpec::Exec(_) | PlayerSpec::Link(_)
    )
}

fn recorded(
    journal: &Journal,
    player: &str,
    fault: Option<String>,
) -> Result<InputTest, TournamentError> {
    let test = InputTest {
        player: player.to_owned(),
        fault,
        at_ms: now_ms(),
    };
    journal.append(&Record::InputTest(test.clone()))?;
    Ok(test)
}

/// Returns the notice of a failed test.
fn excluded(test: &InputTest) -> Option<Notice> {
    test.fault.as_ref().map(|fault| Notice::Excluded {
        player: test.player.clone(),
        fault: fault.clone(),
    })
}

fn too_few(left: usize, needed: usize, tests: &[InputTest]) -> TournamentError {
    let failed = tests.iter().filter(|test| test.fault.is_some());
    let players: Vec<_> = failed.map(|test| test.player.clone()).collect();
    TournamentError::TooFew {
        left,
        needed,
        excluded: players.join(", "),
    }
}

/// Tests a player of a tournament of the contest's game; the inner result is that of the test.
/// `None` if the tournament was stopped.
fn test(
    plan: &Plan,
    entry: &PlanEntry,
    device: &mut Option<Player>,
    control: &dyn Control,
) -> Result<Option<Result<(), String>>, TournamentError> {
    if let PlayerSpec::Bot(_) | PlayerSpec::Gtp(_) = entry.spec {
        return program(entry).map(Some);
    }
    let until = Instant::now() + plan.reconnect;
    let player = loop {
        match seating::open(entry, Seat::One, plan.seed, &[], control) {
            Ok(player) => break player,
            Err(PlayerError::Open { source, .. }) if Instant::now() < until => {
                control.notice(&Notice::Gone {
                    player: entry.name.clone(),
                    reason: source.to_string(),
                });
                let next = Instant::now() + RETRY.max(plan.reconnect / 10);
                while Instant::now() < next.min(until) {
                    if control.stops() {
                        return Ok(None);
                    }
                    thread::sleep(RETRY.min(Duration::from_millis(100)));
                }
            }
            Err(error) => return Err(not_opened(entry, error)),
        }
    };
    let player = device.insert(player);
    let limit = match entry.clock {
        Some(TimeControl::Fixed(limit)) => limit,
        _ => plan.limit,
    };
    let mut result = Err(String::new());
    for _ in 0..ATTEMPTS {
        result = match check_player(player, limit) {
            Ok(_) => return Ok(Some(Ok(()))),
            Err(error) => Err(fault(&error)),
        };
    }
    Ok(Some(result))
}

/// Starts a program that speaks a text protocol, tests its input, and ends it.
fn program(entry: &PlanEntry) -> Result<Result<(), String>, TournamentError> {
    let mut mover = match entry.spec.mover() {
        Ok(mover) => mover,
        Err(error) => return start_fault(entry, error).map(Err),
    };
    if let (Some(clock), Some(channel)) = (entry.clock, mover.side_channel()) {
        channel.set_time_control(clock);
    }
    let result = mover.prepare().map_err(|error| text(&error));
    mover.end();
    Ok(result)
}

/// Tests a player of a tournament of a variant; returns the fault, if any.
fn variant_fault(plan: &VariantPlan, entry: &PlanEntry) -> Result<Option<String>, TournamentError> {
    let mut mover: Box<dyn VariantMover> = match opened(plan, entry, plan.seed) {
        Ok(mover) => mover,
        Err(error) => return start_fault(entry, error).map(Some),
    };
    mover.set_time_control(plan.time_control(entry));
    let begun = mover.begin(&plan.variant, VariantSeat(0));
    mover.end(&Game::new(&plan.variant));
    Ok(begun.err().map(|error| text(&error)))
}

/// Returns the fault of a program that started and does not speak its protocol. A program that
/// cannot be started at all is an error of the plan.
fn start_fault(entry: &PlanEntry, error: PlayerError) -> Result<String, TournamentError> {
    if error.is_absent() {
        Err(not_opened(entry, error))
    } else {
        Ok(text(&error))
    }
}

fn not_opened(entry: &PlanEntry, error: PlayerError) -> TournamentError {
    TournamentError::Player {
        name: entry.name.clone(),
        source: Box::new(error),
    }
}

fn text(error: &impl Display) -> String {
    error.to_string()
}

/// Describes a failed handshake without the seat, which is not known yet.
fn fault(error: &HandshakeError) -> String {
    let answers = |got: &[u8]| format!("answers 0 with '{}'", got.escape_ascii());
    match error {
        HandshakeError::Silent { limit, .. } => {
            format!("does not answer 0 within {} s", limit.as_secs_f64())
        }
        HandshakeError::Garbage { got, .. } => {
            format!(
                "{}, which is framing garbage and no team code",
                answers(got)
            )
        }
        HandshakeError::Broken { got, reason, .. } => format!("{}: {reason}", answers(got)),
        HandshakeError::Link { source, .. } => source.to_string(),
        error => error.to_string(),
    }
}
