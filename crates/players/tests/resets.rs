//! Hard resets of devices after a game, and the referee's wait for them.

use std::time::{Duration, Instant};

use duoforge_links::wirelog::WireEvent;
use duoforge_players::software;
use duoforge_referee::{
    Game, Observer, Player, Referee, RefereeOptions, Seat, SeatedDevice, Seats, Setup,
};

/// Reset that no test waits for.
const HOUR: Duration = Duration::from_secs(3_600);

/// Reset that tests wait for. Shorter ones might pass before the wait on a busy machine.
const RESET: Duration = Duration::from_millis(500);

fn referee(reset: Duration) -> Referee {
    let device = software::random(1).with_reset(reset);
    Referee::new([device, software::random(2)], RefereeOptions::default())
}

/// Observer that records the waits, and wants to stop from its call number `stops_at` on.
struct Recorder {
    waits: Vec<(Seat, Duration)>,
    calls: usize,
    stops_at: usize,
}

impl Recorder {
    const fn stopping_at(stops_at: usize) -> Self {
        Self {
            waits: Vec::new(),
            calls: 0,
            stops_at,
        }
    }
}

impl Observer for Recorder {
    fn resets(&mut self, seat: Seat, time: Duration) {
        self.waits.push((seat, time));
    }

    fn wants_stop(&mut self) -> bool {
        self.calls += 1;
        self.calls > self.stops_at
    }
}

/// Names of the connections with a note of a wait.
fn noted(game: &Game) -> Vec<&str> {
    let notes = game.wire.iter().filter(
        |entry| matches!(&entry.event, WireEvent::Note(text) if text.ends_with("for the reset")),
    );
    notes.map(|entry| &*entry.line).collect()
}

#[test]
fn a_game_begins_after_the_resets_and_holds_their_times() {
    let mut referee = referee(RESET);
    let mut observer = Recorder::stopping_at(usize::MAX);
    let first = referee.play(Setup::default(), &mut observer).unwrap();
    assert_eq!(first.resets, Seats([Duration::ZERO; 2]));
    assert!(observer.waits.is_empty(), "{:?}", observer.waits);
    assert!(noted(&first).is_empty());

    let begin = Instant::now();
    referee.begin_resets();
    let games = referee.series([Setup::default()], &mut observer).unwrap();
    assert!(begin.elapsed() >= RESET);
    assert_eq!(games.len(), 1);
    let [one, two] = games[0].resets.0;
    assert!(one > Duration::ZERO && two.is_zero(), "{one:?} {two:?}");
    assert!(
        matches!(observer.waits[..], [(Seat::One, time)] if !time.is_zero() && time <= RESET),
        "{:?}",
        observer.waits
    );
    assert_eq!(noted(&games[0]), ["1"]);
}

#[test]
fn a_series_ends_before_a_game_or_during_a_reset_if_the_observer_wants_it() {
    // Without a reset the observer is asked once before each game.
    for games in [0, 2] {
        let mut observer = Recorder::stopping_at(games);
        let played = referee(Duration::ZERO).series([Setup::default(); 4], &mut observer);
        assert_eq!(played.unwrap().len(), games);
    }
    // The first call is before the wait, the third one during it.
    let mut referee = referee(HOUR);
    referee.begin_resets();
    let mut observer = Recorder::stopping_at(2);
    let games = referee.series([Setup::default(); 4], &mut observer);
    assert_eq!((games.unwrap().len(), observer.calls), (0, 3));
}

#[test]
fn a_player_knows_the_rest_of_its_reset() {
    let mut player = software::random(1).with_reset(HOUR);
    assert_eq!(player.reset_until(), None);
    assert!(player.reset_left().is_zero());
    assert!(player.wait_for_reset(|| panic!("there is no wait")));

    let until = Instant::now() + HOUR;
    let mut player = player.resetting_until(Some(until));
    assert_eq!(player.reset_until(), Some(until));
    let left = player.reset_left();
    assert!(!left.is_zero() && left <= HOUR, "{left:?}");
    assert!(!player.wait_for_reset(|| true));
    assert!(player.reset_waited().is_zero());

    let begin = Instant::now();
    let mut player = player.resetting_until(Some(begin + RESET));
    assert!(player.wait_for_reset(|| false));
    let waited = player.reset_waited();
    assert!(!waited.is_zero() && waited <= begin.elapsed(), "{waited:?}");
    assert_eq!(player.reset_until(), None);
}

/// A game that ends begins the reset of each device that needs one.
#[test]
fn the_end_of_a_game_begins_the_reset() {
    let begin = Instant::now();
    let mut referee = referee(HOUR);
    referee.play(Setup::default(), &mut ()).unwrap();
    let [one, two] = referee.into_players();
    assert!(one.reset_until().is_some_and(|until| until >= begin + HOUR));
    assert_eq!(two.reset_until(), None);

    let seated = |player: Player| {
        let mut device = SeatedDevice::new(player, Seat::One, RefereeOptions::default());
        device.begin().unwrap();
        device.end()
    };
    let end = seated(software::random(1).with_reset(HOUR));
    assert!(end.is_some_and(|until| until >= begin + HOUR));
    assert_eq!(seated(software::random(1)), None);
}
