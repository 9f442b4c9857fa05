//! Games of variants with faults of their players.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use duoforge_referee::variant::{
    MoverFault, SeatFaultKind, TimeLeft, VariantGame, VariantMover, VariantObserver, VariantPlayer,
    VariantPly, VariantReferee,
};
use duoforge_referee::{RefereeError, TimeControl};
use duoforge_rules::{Game, GameVariant, Move, Seat};

/// Reply of a scripted player.
type Script = fn(&Game) -> Result<Move, MoverFault>;

/// Player that makes the first legal move, and from its move number `from` on follows a script.
struct Scripted {
    from: usize,
    script: Script,
    moves: usize,
}

impl VariantMover for Scripted {
    fn begin(&mut self, _: &GameVariant, _: Seat) -> Result<(), MoverFault> {
        self.moves = 0;
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        self.moves += 1;
        if self.moves > self.from {
            return (self.script)(game);
        }
        Ok(game.legal_moves()[0])
    }

    fn take_remark(&mut self) -> Option<String> {
        Some(format!("move {}", self.moves))
    }

    fn take_log(&mut self) -> Option<String> {
        Some("log".to_owned())
    }
}

fn first(game: &Game) -> Result<Move, MoverFault> {
    Ok(game.legal_moves()[0])
}

fn player(name: &str, from: usize, script: Script) -> VariantPlayer {
    let moves = 0;
    VariantPlayer::new(
        name,
        Scripted {
            from,
            script,
            moves,
        },
    )
}

/// Plays a game in which the players of some seats follow scripts.
fn played(variant: &GameVariant, scripts: &[(usize, usize, Script)]) -> VariantGame {
    let mut players: Vec<_> = (0..variant.seat_count())
        .map(|seat| player(&seat.to_string(), 0, first))
        .collect();
    for &(seat, from, script) in scripts {
        players[seat] = player(&seat.to_string(), from, script);
    }
    let seating: Vec<_> = (0..players.len()).collect();
    let mut referee = VariantReferee::new(variant, players).unwrap();
    referee.play(&seating, &mut ()).unwrap()
}

/// Every kind of fault, with its keyword and its sentence.
const FAULTS: [(Script, &str, &str); 5] = [
    (
        |_| Ok(Move::Pass),
        "illegal",
        "seat 2 made the illegal move 0000: a pass is legal only if no tile can be placed",
    ),
    (
        |_| {
            Err(MoverFault::Unreadable {
                reply: "x".to_owned(),
                reason: "too short".to_owned(),
            })
        },
        "broken-code",
        "seat 2 replied 'x', which is not a move: too short",
    ),
    (
        |_| Err(MoverFault::Silent),
        "timeout",
        "seat 2 exceeded the time limit: no reply, limit 0.000000 s",
    ),
    (
        |_| Err(MoverFault::Failed("exit status 1".to_owned())),
        "link-lost",
        "seat 2 failed: exit status 1",
    ),
    (|_| Err(MoverFault::Resigned), "resigned", "seat 2 resigned"),
];

#[test]
fn with_four_seats_a_substitute_plays_on_after_each_kind_of_fault() {
    for (script, word, sentence) in FAULTS {
        let game = played(&GameVariant::CLASSIC, &[(1, 2, script)]);
        assert_eq!((game.word(), game.to_string().as_str()), (word, sentence));
        assert_eq!(game.has_violation(), word != "resigned");
        assert!(game.game.is_over());
        assert_eq!(game.seats[1].place, 4);
        let own = |ply: &&VariantPly| ply.played.seat == Seat(1);
        let forfeits: Vec<_> = game
            .plies
            .iter()
            .filter(own)
            .map(|ply| ply.forfeit)
            .collect();
        assert_eq!(forfeits[..2], [false; 2]);
        assert!(forfeits[2..].iter().all(|&forfeit| forfeit));
        assert!(forfeits.len() > 10, "the substitute places tiles");
        let others = game.plies.iter().filter(|ply| ply.played.seat != Seat(1));
        assert!(others.clone().all(|ply| !ply.forfeit));
        // The other seats have the places of their scores.
        for (a, b) in [(0, 2), (0, 3), (2, 3)] {
            let order = game.seats[b].score.cmp(&game.seats[a].score);
            assert_eq!(game.seats[a].place.cmp(&game.seats[b].place), order);
        }
        let fault = game.seats[1].fault.as_ref().unwrap();
        assert_eq!((fault.ply, fault.log.as_deref()), (9, Some("log")));
        assert_eq!(game.plies[1].remark.as_deref(), Some("move 1"));
    }
}

#[test]
fn with_two_seats_the_game_ends_at_the_fault() {
    for (script, word, _) in FAULTS {
        let game = played(&GameVariant::CLASSIC_2, &[(1, 2, script)]);
        assert_eq!((game.word(), game.plies.len()), (word, 5));
        assert_eq!(game.winners(), [Seat(0)]);
        assert_eq!(game.seats[1].place, 2);
    }
}

/// Seats with a fault come after the others, the first fault last. The game ends when only one seat
/// has no fault.
#[test]
fn the_first_fault_has_the_last_place() {
    let resigns: Script = |_| Err(MoverFault::Resigned);
    let faults = [(3, 1, resigns), (0, 3, resigns), (2, 5, resigns)];
    let game = played(&GameVariant::CLASSIC, &faults);
    let places: Vec<_> = game.seats.iter().map(|seat| seat.place).collect();
    assert_eq!(places, [3, 1, 2, 4]);
    assert_eq!(game.plies.len(), 5 * 4 + 2);
    assert_eq!(game.first_fault().unwrap().0, Seat(3));
    assert_eq!(
        game.to_string(),
        "seat 1 resigned; seat 3 resigned; seat 4 resigned"
    );
}

/// The shared colour of three seats is placed after a fault too, and a game of one seat is
/// finished.
#[test]
fn every_variant_is_finished() {
    let one_seat = duoforge_rules::VariantDefinition {
        name: "alone".to_owned(),
        size: 7,
        seats: 1,
        colours: vec![duoforge_rules::ColourDefinition {
            seat: Some(0),
            starts: vec![[0, 0]],
            ..Default::default()
        }],
        ..Default::default()
    };
    let alone = GameVariant::new(&one_seat).unwrap();
    for variant in GameVariant::BUILT_IN.iter().chain([&alone]) {
        let game = played(variant, &[]);
        assert_eq!((game.word(), game.game.is_over()), ("finished", true));
        let cells: u32 = game.seats.iter().map(|seat| seat.cells).sum();
        let shared = variant.shared_colour();
        let shared = shared.map_or(0, |colour| game.game.cells_placed(colour));
        assert_eq!(cells + shared, game.game.occupied().len());
        let result = game.game.result();
        for (seat, expected) in game.seats.iter().zip(result.seats()) {
            assert_eq!((seat.score, seat.place), (expected.score, expected.place));
        }
    }
    let resigns: Script = |_| Err(MoverFault::Resigned);
    let game = played(&GameVariant::CLASSIC_3, &[(2, 4, resigns)]);
    assert_eq!((game.seats[2].place, game.game.is_over()), (3, true));
    let shared = game.plies.iter().filter(|ply| ply.played.colour.0 == 3);
    assert!(shared.clone().any(|ply| ply.forfeit) && shared.clone().any(|ply| !ply.forfeit));
}

/// A bank that runs out forfeits that move; running out again loses.
#[test]
fn a_bank_forgives_once_and_a_fixed_limit_never() {
    let slow: Script = |game| {
        thread::sleep(Duration::from_millis(150));
        first(game)
    };
    let ms = Duration::from_millis;
    let bank = TimeControl::TimeBank {
        start: ms(60),
        increment: ms(60),
    };
    for (control, forfeits) in [(bank, 1), (TimeControl::Fixed(ms(60)), 0)] {
        let late = player("late", 3, slow).with_time(control);
        let players = vec![player("ready", 0, first), late];
        let mut referee = VariantReferee::new(&GameVariant::CLASSIC_2, players).unwrap();
        let game = referee.play(&[0, 1], &mut ()).unwrap();
        assert_eq!(game.word(), "timeout", "{game}");
        assert_eq!(
            game.plies.iter().filter(|ply| ply.forfeit).count(),
            forfeits
        );
        assert_eq!(game.plies.len(), 7 + 2 * forfeits);
        let fault = game.seats[1].fault.as_ref().unwrap();
        assert!(
            matches!(fault.kind, SeatFaultKind::Timeout { after: Some(after), limit }
                if after >= ms(100) && limit == ms(60)),
            "{game}"
        );
    }
}

/// Observer that aborts the game after some plies.
struct Stopper(usize);

impl VariantObserver for Stopper {
    fn moved(&mut self, ply: &VariantPly, game: &Game) {
        assert_eq!(game.plies().last(), Some(&ply.played));
        self.0 -= 1;
    }

    fn breaks_off(&mut self) -> bool {
        self.0 == 0
    }
}

#[test]
fn what_is_not_a_fault_of_a_player_is_an_error() {
    struct Choosy;
    impl VariantMover for Choosy {
        fn begin(&mut self, _: &GameVariant, seat: Seat) -> Result<(), MoverFault> {
            Err(MoverFault::Unsuitable(format!("no seat {seat}")))
        }

        fn choose(&mut self, _: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
            Err(MoverFault::Resigned)
        }
    }
    let players = || vec![player("a", 0, first), player("b", 0, first)];
    let error = VariantReferee::new(&GameVariant::CLASSIC_3, players()).unwrap_err();
    assert_eq!(error.to_string(), "2 players for classic-3: expected 3");

    let mut mixed = players();
    mixed[1] = VariantPlayer::new("choosy", Choosy);
    let mut referee = VariantReferee::new(&GameVariant::CLASSIC_2, mixed).unwrap();
    let error = referee.play(&[1, 0], &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "choosy cannot play classic-2: no seat 1");

    let mut referee = VariantReferee::new(&GameVariant::CLASSIC_2, players()).unwrap();
    let error = referee.play(&[0, 1], &mut Stopper(3)).unwrap_err();
    assert!(matches!(error, RefereeError::BrokenOff), "{error}");
    // The players play the next game from its beginning.
    let game = referee.play(&[1, 0], &mut ()).unwrap();
    assert_eq!(
        (game.word(), game.seats[0].name.as_str()),
        ("finished", "b")
    );
}

/// Player that makes the first legal move and has no extras.
struct Plain;

impl VariantMover for Plain {
    fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        first(game)
    }
}

#[test]
fn a_player_without_extras_leaves_no_remark_and_no_log() {
    let players = ["a", "b"].map(|name| VariantPlayer::new(name, Plain));
    let mut referee = VariantReferee::new(&GameVariant::CLASSIC_2, players.into()).unwrap();
    let game = referee.play(&[0, 1], &mut ()).unwrap();
    for ply in &game.plies {
        assert_eq!((&ply.remark, &ply.log), (&None, &None));
    }
    assert!(game.seats.iter().all(|seat| seat.log.is_none()));
}

#[test]
fn a_referee_returns_its_players_with_their_names() {
    let players = ["a", "b"].map(|name| VariantPlayer::new(name, Plain));
    let referee = VariantReferee::new(&GameVariant::CLASSIC_2, players.into()).unwrap();
    assert_eq!(referee.names(), ["a", "b"]);
    let players = referee.into_players();
    let names: Vec<_> = players.iter().map(VariantPlayer::name).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn the_slowest_reply_of_a_seat_is_the_longest_of_its_own() {
    let slow: Script = |game| {
        thread::sleep(Duration::from_millis(5));
        first(game)
    };
    let game = played(&GameVariant::CLASSIC_2, &[(1, 2, slow)]);
    for seat in [Seat(0), Seat(1)] {
        let own = game.plies.iter().filter(|ply| ply.played.seat == seat);
        let longest = own.map(|ply| ply.time).max().unwrap();
        assert_eq!(game.slowest(seat), longest, "{seat}");
        assert!(longest > Duration::ZERO, "{seat}");
    }
    assert_ne!(game.slowest(Seat(0)), game.slowest(Seat(1)));
}

/// Player that records the calls.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn call(&self, text: impl Into<String>) {
        self.0.lock().unwrap().push(text.into());
    }
}

impl VariantMover for Recorder {
    fn set_time_control(&mut self, control: TimeControl) {
        self.call(format!("{control:?}"));
    }

    fn begin(&mut self, variant: &GameVariant, seat: Seat) -> Result<(), MoverFault> {
        self.call(format!("begin {} {seat}", variant.name()));
        Err(MoverFault::Silent)
    }

    fn choose(&mut self, game: &Game, time: TimeLeft) -> Result<Move, MoverFault> {
        self.call(format!("choose {} {:?}", game.plies().len(), time.left));
        first(game)
    }

    fn end(&mut self, game: &Game) {
        self.call(format!("end {}", game.plies().len()));
    }

    fn seed(&mut self, seed: u64) {
        self.call(format!("seed {seed}"));
    }

    fn take_remark(&mut self) -> Option<String> {
        Some("remark".to_owned())
    }

    fn take_log(&mut self) -> Option<String> {
        Some("log".to_owned())
    }
}

#[test]
fn a_boxed_player_receives_every_call() {
    let recorder = Recorder::default();
    let mut mover: Box<dyn VariantMover> = Box::new(recorder.clone());
    let variant = &GameVariant::CLASSIC;
    // Calls of the box itself, as a generic caller makes them.
    let control = TimeControl::Fixed(Duration::from_secs(2));
    VariantMover::set_time_control(&mut mover, control);
    VariantMover::seed(&mut mover, 7);
    let begun = VariantMover::begin(&mut mover, variant, Seat(2));
    assert_eq!(begun, Err(MoverFault::Silent));
    let game = Game::new(variant);
    let chosen = VariantMover::choose(&mut mover, &game, TimeLeft::UNLIMITED).unwrap();
    assert_eq!(chosen, game.legal_moves()[0]);
    VariantMover::end(&mut mover, &game);
    let remark = VariantMover::take_remark(&mut mover);
    let log = VariantMover::take_log(&mut mover);
    let kept = (remark.as_deref(), log.as_deref());
    assert_eq!(kept, (Some("remark"), Some("log")));
    let calls = recorder.0.lock().unwrap().join(", ");
    assert_eq!(
        calls,
        "Fixed(2s), seed 7, begin classic 3, choose 0 None, end 0"
    );
}
