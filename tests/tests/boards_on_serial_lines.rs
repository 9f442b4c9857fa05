//! Complete games of the emitted player over pseudo-terminals that the referee opens as serial
//! devices at 115200 baud.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use duoforge_links::{PtyLink, SerialLink, Served, Stop, serve};
use duoforge_players::{MoverDevice, PatternMover, software};
use duoforge_protocol::{StartCell, TeamCode};
use duoforge_referee::{Ending, Game, Outcome, Player, Referee, RefereeOptions, Seat, Setup};
use duoforge_sim::device::{SimDevice, board_parameters};
use duoforge_sim::{Backend, Options};
use duoforge_twin::Twin;

fn rtl(team: &[u8; 2]) -> SimDevice {
    let mut parameters = board_parameters();
    parameters.team = *team;
    SimDevice::open(Backend::Verilator, &parameters, &Options::default()).expect("Verilator runs")
}

/// Returns all combinations of first seat and start cell, twice, so that each device plays several
/// games in a row.
fn setups() -> Vec<Setup> {
    let firsts = [Seat::One, Seat::Two];
    let starts = [StartCell::Five, StartCell::A];
    let all = firsts
        .iter()
        .flat_map(|&first| starts.map(|start| Setup { first, start }));
    all.cycle().take(8).collect()
}

/// Serves two devices on pseudo-terminals and referees all setups between them.
fn games(boards: [&mut dyn Served; 2]) -> Vec<Game> {
    let mut lines = [(); 2].map(|()| PtyLink::open().expect("a pseudo-terminal"));
    let paths = [0, 1].map(|i: usize| PathBuf::from(lines[i].path()));
    let over = AtomicBool::new(false);
    let over = &over;
    thread::scope(|scope| {
        for (line, board) in lines.iter_mut().zip(boards) {
            scope.spawn(move || {
                let go_on = || !over.load(Ordering::Relaxed);
                while serve(line, board, go_on).expect("the board runs") == Stop::HostGone {}
            });
        }
        let players = paths.map(|path| {
            let link = SerialLink::open(&path.to_string_lossy()).expect("a serial device");
            Player::board(link)
        });
        // Wall-clock time limits apply, and other tests run in parallel to the simulations.
        let rules = RefereeOptions {
            limit: Duration::from_secs(10),
            ..RefereeOptions::default()
        };
        let games = Referee::new(players, rules).series(setups(), &mut ());
        over.store(true, Ordering::Relaxed);
        games.expect("both checkers agree")
    })
}

/// Checks that the games ended normally and equal those of two twins.
fn check(games: &[Game], teams: [&str; 2]) {
    assert_eq!(games.len(), setups().len());
    let mut twins = Referee::new(
        [software::twin(), software::twin()],
        RefereeOptions::default(),
    );
    for (game, setup) in games.iter().zip(setups()) {
        assert!(game.ending.is_normal(), "{}: {}", game.codes(), game.ending);
        assert!(game.plies.len() > 20, "{}", game.codes());
        assert!(game.unsolicited.is_empty(), "{:?}", game.unsolicited);
        assert_eq!(
            game.teams.0.map(|team| team.expect("a team").to_string()),
            teams
        );
        let twin = twins.play(setup, &mut ()).expect("both checkers agree");
        assert_eq!(game.codes(), twin.codes());
        assert_eq!(game.score, twin.score);
    }
}

#[test]
fn board_against_board() {
    let (mut one, mut two) = (rtl(b"AA"), rtl(b"BB"));
    check(&games([&mut one, &mut two]), ["AA", "BB"]);
}

#[test]
fn board_against_software() {
    let mut board = rtl(b"AA");
    let team = TeamCode::new(*b"PT").expect("two letters");
    let mut engine = MoverDevice::new(PatternMover::default(), team);
    // The pattern mover has the same policy, so its games equal the twins' too.
    check(&games([&mut board, &mut engine]), ["AA", "PT"]);
}

#[test]
fn a_board_is_judged_like_any_other_player() {
    // The other participant is a twin with another policy; the score decides the game.
    let mut board = rtl(b"AA");
    let team = TeamCode::new(*b"TW").expect("two letters");
    let policy = duoforge_twin::Policy::linear(&[10, 0, 0, 0, 0, 0, 0]);
    let mut twin = Twin::new(team, policy);
    for game in games([&mut board, &mut twin]) {
        assert!(
            matches!(game.ending, Ending::BothPassed | Ending::AllPlaced { .. }),
            "{}",
            game.ending
        );
        let [one, two] = game.score.0;
        let winner = match one.cmp(&two) {
            std::cmp::Ordering::Greater => Outcome::Win(Seat::One),
            std::cmp::Ordering::Less => Outcome::Win(Seat::Two),
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        assert_eq!(game.outcome, winner);
    }
}
