//! Players that choose moves without a link: their seeds, new games and time limits.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use duoforge_players::{
    MoveError, Mover, MoverDevice, PatternMover, PlayerSpec, TimeLeft, VariantContext, VariantMover,
};
use duoforge_protocol::{ByteDevice, MoveCode, TeamCode};
use duoforge_referee::SideChannel;
use duoforge_rules::{DuoBoard, Game, GameVariant, Move};

/// Seeds of the first moves that are compared.
const SEEDS: Range<u64> = 20..32;

fn spec(name: &str) -> PlayerSpec {
    name.parse().unwrap()
}

/// Checks that a player that is given a seed chooses as one whose name has that seed, and that the
/// seed matters. `choose` chooses a first move after giving a seed, if there is one.
fn check_seeds(text: &str, choose: impl Fn(&str, Option<u64>) -> Move) {
    let separator = if text.contains(':') { ",seed=" } else { ":" };
    let named: Vec<_> = SEEDS
        .map(|seed| choose(&format!("{text}{separator}{seed}"), None))
        .collect();
    let given: Vec<_> = SEEDS.map(|seed| choose(text, Some(seed))).collect();
    assert_eq!(given, named, "{text}");
    assert!(named.iter().any(|mv| *mv != named[0]), "{text}: {named:?}");
}

#[test]
fn a_seed_determines_the_moves_of_a_player_of_duo() {
    for text in [
        "search:sims=40",
        "engine:sims=40,threads=1",
        "random",
        "greedy",
        "maxn:sims=40",
    ] {
        check_seeds(text, |name, seed| {
            let mut mover = spec(name).mover().unwrap();
            if let Some(seed) = seed {
                // A seed replaces the one before it.
                mover.seed(5);
                mover.seed(seed);
            }
            mover.choose(&DuoBoard::duo()).unwrap()
        });
    }
}

/// Context without persons, which gives the seed 0.
struct Nothing;

impl VariantContext for Nothing {
    fn person(&mut self) -> Box<dyn VariantMover> {
        unreachable!("no person plays")
    }

    fn seed(&mut self) -> u64 {
        0
    }
}

fn variant_mover(name: &str, variant: &GameVariant) -> Box<dyn VariantMover> {
    spec(name).variant_mover(variant, &mut Nothing).unwrap()
}

#[test]
fn a_seed_determines_the_moves_of_a_player_of_a_variant() {
    let variant = &GameVariant::CLASSIC;
    for text in ["random", "greedy", "maxn:sims=40"] {
        check_seeds(text, |name, seed| {
            let mut mover = variant_mover(name, variant);
            if let Some(seed) = seed {
                mover.seed(5);
                mover.seed(seed);
            }
            let game = Game::new(variant);
            mover.choose(&game, TimeLeft::UNLIMITED).unwrap()
        });
    }
}

/// In a new game the engine searches a position as it did before, without its tree.
#[test]
fn the_engine_forgets_its_tree_in_a_new_game() {
    let mut board = DuoBoard::duo();
    for code in ["53e0", "a8e0"] {
        board.play(code.parse().unwrap()).unwrap();
    }
    let differences = |begins: bool| {
        let differs = |seed: &u64| {
            let name = format!("engine:sims=60,threads=1,seed={seed}");
            let mut mover = spec(&name).mover().unwrap();
            let first = mover.choose(&board).unwrap();
            if begins {
                mover.begin();
            }
            mover.choose(&board).unwrap() != first
        };
        SEEDS.filter(differs).count()
    };
    assert_eq!(differences(true), 0);
    // With the tree of the first search, the second one knows more.
    assert!(differences(false) > 0);
}

/// A search of a billion simulations ends with the time: here at its first check of the clock.
#[test]
fn the_engine_for_variants_ends_with_its_time() {
    let variant = &GameVariant::CLASSIC_2;
    let game = Game::new(variant);
    for is_bank in [false, true] {
        let mut mover = variant_mover("maxn:sims=1000000000", variant);
        let time = TimeLeft {
            left: Some(Duration::ZERO),
            is_bank,
            ..TimeLeft::UNLIMITED
        };
        let mv = mover.choose(&game, time).unwrap();
        assert!(game.check(mv).is_ok(), "{mv}");
    }
}

/// A partial code is dropped after silence, as in the hardware player.
#[test]
fn a_device_in_software_knows_the_inter_byte_timeout() {
    let team = TeamCode::new(*b"PT").unwrap();
    let mut device = MoverDevice::new(PatternMover::default(), team);
    for byte in *b"3A53" {
        assert!(device.receive(byte).unwrap().is_none());
    }
    device.on_silence();
    let reply = device.receive(b'0').unwrap().unwrap();
    assert_eq!(reply.to_string(), "1PT");
}

/// Player that records the calls.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn call(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

impl SideChannel for Recorder {}

impl Mover for Recorder {
    fn choose(&mut self, _: &DuoBoard) -> Result<Move, MoveError> {
        self.call("choose");
        Ok(Move::Pass)
    }

    fn choose_code(&mut self, _: &DuoBoard) -> Result<MoveCode, MoveError> {
        self.call("code");
        Ok(*b"55a3")
    }

    fn prepare(&mut self) -> Result<(), MoveError> {
        self.call("prepare");
        Ok(())
    }

    fn begin(&mut self) {
        self.call("begin");
    }

    fn end(&mut self) {
        self.call("end");
    }

    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        Some(Arc::new(self.clone()))
    }

    fn seed(&mut self, seed: u64) {
        self.call(&format!("seed {seed}"));
    }
}

#[test]
fn a_boxed_player_receives_every_call() {
    let recorder = Recorder::default();
    let mut mover: Box<dyn Mover> = Box::new(recorder.clone());
    let board = DuoBoard::duo();
    // Calls of the box itself, as a generic caller makes them.
    Mover::seed(&mut mover, 7);
    Mover::prepare(&mut mover).unwrap();
    Mover::begin(&mut mover);
    assert_eq!(Mover::choose(&mut mover, &board).unwrap(), Move::Pass);
    assert_eq!(Mover::choose_code(&mut mover, &board).unwrap(), *b"55a3");
    Mover::end(&mut mover);
    assert!(Mover::side_channel(&mover).is_some());
    let calls = recorder.0.lock().unwrap().join(", ");
    assert_eq!(calls, "seed 7, prepare, begin, choose, code, end");
}
