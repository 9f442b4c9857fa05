//! Tests of every configuration in the files of the targets, simulated as it ships: the parameters
//! are read from the files. Only the search time is shorter. `duoforge sim-shipped` runs searches
//! with their full time.

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::settings::SearchConfig;
use duoforge_rules::Move;
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::device::SimDevice;
use duoforge_sim::search::work::{Work, before};
use duoforge_sim::{Backend, Options};
use duoforge_targets::catalogue;

/// Search time in this test, in milliseconds.
const MILLISECONDS: u32 = 1;

/// Returns the configurations that differ in clock, line, time limits or player, each with the
/// targets that use it.
fn configurations() -> Vec<(PlayerParameters, PlayerConfig, String)> {
    let mut distinct: Vec<(PlayerParameters, PlayerConfig, String)> = Vec::new();
    for target in catalogue::all().expect("all files are sound") {
        for configured in target.configured() {
            let parameters = configured.parameters(*b"DF");
            let player = configured.configuration.player.clone();
            let same = distinct
                .iter_mut()
                .find(|(p, known, _)| *p == parameters && *known == player);
            match same {
                Some((_, _, names)) => *names += &format!(", {}", configured.label()),
                None => distinct.push((parameters, player, configured.label())),
            }
        }
    }
    distinct
}

fn searches() -> Vec<(PlayerParameters, SearchConfig, String)> {
    let all = configurations().into_iter();
    all.filter_map(|(parameters, player, names)| match player {
        PlayerConfig::Pattern => None,
        PlayerConfig::Search(searching) => Some((parameters, *searching, names)),
    })
    .collect()
}

/// Plays a complete game of every pattern player, at its own clock and line rate.
#[test]
fn pattern_players_play_a_game() {
    let mut players = 0;
    for (parameters, player, names) in configurations() {
        if player != PlayerConfig::Pattern {
            continue;
        }
        let board = SimDevice::open(Backend::Verilator, &parameters, &Options::default());
        let mut board = board.expect("the model can be built");
        let report = Lockstep::new(&mut board, &parameters).play(4001);
        let report = report.expect("it runs");
        let (clock, divisor) = (parameters.clock_hz, parameters.divisor());
        assert!(report.mismatch.is_none(), "{names}: {:?}", report.mismatch);
        println!(
            "coverage: pattern player, {clock} Hz, {divisor} cycles a bit ({names}): {} plies, {} cycles from \
             prompt to reply at most",
            report.plies, report.longest_delay
        );
        assert!(report.longest_delay < u64::from(parameters.deadline_cycles));
        players += 1;
    }
    assert!(players >= 2, "{players} cycles ship");
}

/// Plays moves of every search at the beginning of a game, with a deadline of one millisecond. Each
/// move must equal the twin's and arrive in time.
#[test]
fn searches_play_moves() {
    let searches = searches();
    assert!(searches.len() >= 3, "{} searches ship", searches.len());
    for (parameters, mut searching, names) in searches {
        searching.milliseconds = MILLISECONDS;
        let settings = searching.on_clock(parameters.clock_hz);
        let options = Options::default();
        let board = SimDevice::open_search(Backend::Verilator, &parameters, &settings, &options);
        let mut board = board.expect("the model can be built");
        let mut pair = Lockstep::searching(&mut board, &parameters, &settings);
        let handshake = pair.ask(0, b"0").expect("it runs");
        assert_eq!(handshake.mismatch, None);
        let mut request = b"3A53e0".to_vec();
        for ply in [1, 3] {
            let checked = pair.ask(ply, &request).expect("it runs");
            assert!(
                checked.mismatch.is_none(),
                "{names}: {:?}",
                checked.mismatch
            );
            let decision = checked.decision.expect("a prompt");
            let deadline = u64::from(settings.cycles);
            let work = Work::within(deadline, &settings, &decision.position);
            let bound = before(&decision) + work.ending();
            let delay = checked.answer.delay.expect("an answer");
            println!(
                "coverage: {searching} ({names}): ply {ply}, {} simulations, {delay} cycles of {deadline} + {bound}",
                decision.simulations
            );
            assert!((deadline..=deadline + bound).contains(&delay), "{names}");
            let board = pair.twin.board();
            let reply = board.legal().nth(40).map_or(Move::Pass, Move::Place);
            request = [b"4".as_slice(), &reply.to_code_bytes()].concat();
        }
    }
}
