//! Simulated hardware players with their twins, for the service's comparisons.

use std::collections::BTreeMap;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::search::settings::SearchConfig;
use duoforge_players::PlayerSpec;
use duoforge_protocol::StartCell;
use duoforge_rules::{Cell, DuoBoard, Move, Variant};
use duoforge_sim::campaign::{self, Campaign, Followed, KnownGame};
use duoforge_sim::device::{DevicePlayer, DeviceSpec};
use duoforge_sim::search::{self, MIN_SIMULATIONS, SearchComparison, SearchDecision};
use duoforge_sim::{Backend, Options};
use duoforge_web::{
    Decided, Decision, HardwareModel, HardwareOutcome, HardwarePlayer, Mismatch, Searched,
    SearchedChild,
};

/// Hardware players in Verilator.
#[derive(Debug)]
pub struct SimulatedPlayers {
    /// Hardware players of the operator's profiles.
    profiles: BTreeMap<String, PlayerConfig>,
}

impl SimulatedPlayers {
    /// Creates the players of these profiles; those of unknown hardware are left out.
    pub fn new<'a>(profiles: impl Iterator<Item = (&'a str, &'a PlayerSpec)>) -> Self {
        let known = profiles.filter_map(|(name, spec)| Some((name.to_owned(), hardware(spec)?)));
        Self {
            profiles: known.collect(),
        }
    }
}

/// Hardware player that a player simulates, as RTL or as twin; `None` if it is another one.
fn hardware(spec: &PlayerSpec) -> Option<PlayerConfig> {
    let text = spec.to_string();
    if let Ok(device) = text.parse::<DeviceSpec>() {
        return match device.player {
            DevicePlayer::Emitted(player) => Some(player),
            DevicePlayer::Verilog(_) => None,
        };
    }
    text.parse().ok()
}

/// Returns the position after these moves of Blokus Duo.
///
/// # Errors
/// A sentence for an illegal move.
pub fn position(moves: &[Move], starts_at_a: bool) -> Result<DuoBoard, String> {
    let mut board = match starts_at_a {
        true => DuoBoard::with_starts(&Variant::DUO, &[Cell::new(9, 9), Cell::new(4, 4)]),
        false => DuoBoard::duo(),
    };
    for (ply, &mv) in moves.iter().enumerate() {
        board
            .play(mv)
            .map_err(|error| format!("ply {ply}: {mv}: {error}"))?;
    }
    Ok(board)
}

impl HardwareModel for SimulatedPlayers {
    fn player(&self, text: &str) -> Result<HardwarePlayer, String> {
        let player: PlayerConfig = text.parse().map_err(|error| format!("{error}"))?;
        let (simulations, searches_alone) = match &player {
            PlayerConfig::Pattern => (None, true),
            PlayerConfig::Search(settings) => (
                Some(settings.simulations),
                settings.book.is_none() && !settings.ponder,
            ),
        };
        Ok(HardwarePlayer {
            name: player.to_string(),
            simulations,
            searches_alone,
        })
    }

    fn player_of(&self, profile: &str) -> Option<String> {
        self.profiles.get(profile).map(ToString::to_string)
    }

    fn compare(
        &self,
        decision: &Decision,
        stops: &dyn Fn() -> bool,
    ) -> Result<HardwareOutcome, String> {
        match decision.player.parse() {
            Ok(PlayerConfig::Pattern) => pattern(decision, stops),
            Ok(PlayerConfig::Search(settings)) => search(decision, *settings, stops),
            Err(error) => Err(format!("{error}")),
        }
    }

    fn waveform(&self, decision: &Decision, mismatch: Option<&Mismatch>) -> String {
        let ply = mismatch.map_or(decision.ply, |mismatch| mismatch.ply);
        let mut words = vec![format!("duoforge sim-game --wave ply-{ply}.vcd")];
        if let Some(simulations) = decision.simulations {
            let player = &decision.player;
            words.push(format!("--player {player} --simulations {simulations}"));
            let from = mismatch.and_then(|mismatch| mismatch.simulation);
            words.extend(from.map(|from| format!("--from-simulation {from}")));
        }
        words.extend(decision.moves.iter().take(ply).map(Move::to_string));
        words.join(" ")
    }
}

/// Follows a game on the pattern player.
fn pattern(decision: &Decision, stops: &dyn Fn() -> bool) -> Result<HardwareOutcome, String> {
    let start = if decision.starts_at_a {
        StartCell::A
    } else {
        StartCell::Five
    };
    let game = KnownGame {
        moves: decision.moves.clone(),
        start,
        ply: decision.ply,
    };
    let campaign = Campaign::new(Backend::Verilator, 1, 0);
    let followed = campaign.follow(&game, None, stops);
    let decided = |decided: campaign::Decided| Decided {
        placements: decided.placements,
        reply: decided.reply,
        cycles: decided.cycles,
    };
    let differs = |mismatch: campaign::Mismatch| Mismatch {
        ply: mismatch.ply,
        what: mismatch.what,
        twin: mismatch.twin,
        hardware: mismatch.board,
        simulation: None,
    };
    Ok(match followed.map_err(|error| error.to_string())? {
        Followed::Compared(compared, _) => HardwareOutcome::Compared {
            twin: decided(compared.twin),
            hardware: decided(compared.hardware),
            mismatch: compared.mismatch.map(differs),
        },
        Followed::Deviated { ply, chosen, .. } => HardwareOutcome::Deviated { ply, chosen },
        Followed::Mismatched(mismatch) => HardwareOutcome::Mismatched(differs(mismatch)),
        Followed::Stopped => HardwareOutcome::Stopped,
    })
}

/// Searches the position of a decision.
fn search(
    decision: &Decision,
    settings: SearchConfig,
    stops: &dyn Fn() -> bool,
) -> Result<HardwareOutcome, String> {
    let compared = SearchDecision {
        backend: Backend::Verilator,
        settings,
        board: position(&decision.moves[..decision.ply], decision.starts_at_a)?,
        simulations: decision.simulations.unwrap_or(MIN_SIMULATIONS),
        options: Options::default(),
    }
    .compare(None, stops);
    let Some(compared) = compared.map_err(|error| error.to_string())? else {
        return Ok(HardwareOutcome::Stopped);
    };
    Ok(HardwareOutcome::Searched {
        twin: searched(&compared, false),
        hardware: searched(&compared, true),
        mismatch: compared.difference.map(|difference| Mismatch {
            ply: decision.ply,
            what: difference.what,
            twin: difference.twin,
            hardware: difference.hardware,
            simulation: difference.simulation,
        }),
    })
}

/// Describes the decision of the hardware, or of the twin.
fn searched(compared: &SearchComparison, is_hardware: bool) -> Searched {
    let side: &search::Searched = match is_hardware {
        true => &compared.hardware,
        false => &compared.twin,
    };
    let prior = |placement| {
        let candidate = compared.priors.iter().find(|it| it.placement == placement);
        candidate.map(|candidate| candidate.prior)
    };
    let children = side.children.iter().map(|child| SearchedChild {
        placement: child.placement,
        visits: child.visits,
        value: child.value,
        prior: if is_hardware {
            None
        } else {
            prior(child.placement)
        },
        proven: child.proven,
    });
    Searched {
        legal: side.legal.clone(),
        children: children.collect(),
        reply: side.best.map_or(Move::Pass, Move::Place).to_string(),
        simulations: side.simulations,
        cycles: is_hardware.then_some(compared.cycles),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::read;

    #[test]
    fn profiles_of_known_hardware_name_their_player() {
        let specs = [
            ("rtl", "sim"),
            ("deep", "sim:icarus:search:lanes=1,sims=20"),
            ("soft", "search:lanes=2"),
            ("other", "engine:level=1"),
            ("board", "tcp:127.0.0.1:1"),
            ("theirs", "sim:verilog=rtl,top=player"),
        ]
        .map(|(name, text)| (name, read(text).unwrap()));
        let players = SimulatedPlayers::new(specs.iter().map(|(name, spec)| (*name, spec)));
        let of = |name| players.player_of(name);
        assert_eq!(of("rtl").as_deref(), Some("pattern"));
        assert_eq!(of("deep").as_deref(), Some("search:lanes=1,sims=20"));
        assert_eq!(of("soft").as_deref(), Some("search:lanes=2"));
        for name in ["other", "board", "theirs", "absent"] {
            assert_eq!(of(name), None, "{name}");
        }
        let known = players.player("search:lanes=1,sims=20").unwrap();
        assert_eq!(
            (known.name.as_str(), known.simulations),
            ("search:lanes=1,sims=20", Some(20))
        );
        assert_eq!(players.player("pattern").unwrap().simulations, None);
        let searches_alone = |text: &str| players.player(text).unwrap().searches_alone;
        assert!(searches_alone("pattern") && searches_alone(&known.name));
        for player in ["search:book=1", "search:lanes=1,ponder=1"] {
            assert!(!searches_alone(player), "{player}");
        }
        let refused = players.player("search:lanes=3").unwrap_err();
        assert_eq!(
            refused,
            "lanes=3 is not supported in hardware: expected 1, 2 or 4"
        );
    }

    #[test]
    fn commands_name_the_first_difference() {
        let players = SimulatedPlayers::new(std::iter::empty());
        let moves: Vec<Move> = ["53e0", "a8e0"].map(|code| code.parse().unwrap()).to_vec();
        let mut decision = Decision {
            moves,
            ply: 1,
            starts_at_a: false,
            player: "pattern".to_owned(),
            simulations: None,
        };
        let pattern = players.waveform(&decision, None);
        assert_eq!(pattern, "duoforge sim-game --wave ply-1.vcd 53e0");
        decision.player = "search:lanes=1".to_owned();
        decision.simulations = Some(50);
        let search = "duoforge sim-game --wave ply-1.vcd --player search:lanes=1 --simulations 50";
        assert_eq!(players.waveform(&decision, None), format!("{search} 53e0"));
        let mismatch = Mismatch {
            ply: 1,
            what: "the result".to_owned(),
            twin: "1".to_owned(),
            hardware: "2".to_owned(),
            simulation: Some(7),
        };
        let from = players.waveform(&decision, Some(&mismatch));
        assert_eq!(from, format!("{search} --from-simulation 7 53e0"));
    }

    #[test]
    fn positions_start_at_either_cell() {
        let board = position(&[], true).unwrap();
        assert_eq!(board.start(board.to_move()), Cell::new(9, 9));
        let first = DuoBoard::duo().legal().next().map(Move::Place).unwrap();
        assert_eq!(position(&[first], false).unwrap().ply(), 1);
        assert!(
            position(&[first, first], false)
                .unwrap_err()
                .starts_with("ply 1: ")
        );
    }
}
