//! Benchmark of the host latency per move on a pseudo-terminal: with one game, with eight at once,
//! and with one game that 100 event streams of the web service watch.
//!
//! The devices run in threads of this process and measure their own thinking times. The rest of the
//! time that the referee measures is host latency: wake-ups at both ends, the terminal, and the
//! referee.

mod watched;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, PtyLink, SerialLink, Served, serve};
use duoforge_protocol::TeamCode;
use duoforge_referee::{Game, HostLatency, Observer, Player, Referee, RefereeOptions, Seat, Setup};
use duoforge_twin::{Policy, Twin};

/// Maximum host latency at the 99th percentile with one game.
const MOST: Duration = Duration::from_millis(1);

/// Prompt for a move with the usual length.
const PROMPT: &[u8] = b"453e0";

/// Time limit of the bare loop for received bytes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Device that measures its own thinking times.
struct Timed {
    twin: Twin,
    /// Time for which each move is held back.
    pause: Duration,
    own: Arc<Mutex<Vec<Duration>>>,
}

impl Served for Timed {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, LinkError> {
        let begin = Instant::now();
        let answer = self.twin.exchange(bytes)?;
        // A handshake reply has three bytes; moves have four.
        if answer.len() == 4 {
            thread::sleep(self.pause);
            self.own.lock().unwrap().push(begin.elapsed());
        }
        Ok(answer)
    }

    fn on_silence(&mut self) -> Result<(), LinkError> {
        Served::on_silence(&mut self.twin)
    }
}

/// Returns a device on a pseudo-terminal that holds back its moves, and the list of its thinking
/// times.
fn board(pause: Duration) -> (Player, Arc<Mutex<Vec<Duration>>>) {
    let mut pty = PtyLink::open().unwrap();
    let path = pty.path().to_str().unwrap().to_owned();
    let own = Arc::new(Mutex::new(Vec::new()));
    let mut timed = Timed {
        twin: Twin::new(TeamCode::new(*b"TW").unwrap(), Policy::default()),
        pause,
        own: Arc::clone(&own),
    };
    let link = SerialLink::open(&path).unwrap();
    thread::spawn(move || serve(&mut pty, &mut timed, || true));
    (Player::board(link), own)
}

/// Plays games between two devices, one after the other. Returns the host latency of each reply,
/// and the number of games that did not end normally.
fn games(number: usize, pause: Duration, observer: &mut dyn Observer) -> (Vec<Duration>, usize) {
    let [(one, first), (two, second)] = [board(pause), board(pause)];
    let rules = RefereeOptions {
        pause: Duration::from_millis(20),
        ..RefereeOptions::default()
    };
    let mut referee = Referee::new([one, two], rules);
    let games = referee
        .series(vec![Setup::default(); number], observer)
        .unwrap();
    let late = |game: &&Game| !game.ending.is_normal();
    let lost = games.iter().filter(late).count();
    let mut added = Vec::new();
    for (seat, own) in [(Seat::One, first), (Seat::Two, second)] {
        let plies = games.iter().flat_map(|game| &game.plies);
        let measured = plies
            .filter(|ply| ply.seat == seat)
            .map(|ply| ply.time.wall);
        let own = own.lock().unwrap();
        added.extend(
            measured
                .zip(own.iter())
                .map(|(all, own)| all.saturating_sub(*own)),
        );
    }
    (added, lost)
}

/// Exchanges the same bytes without a referee or a device. The result is the latency of the system
/// itself under its present load.
fn bare(rounds: usize) -> Vec<Duration> {
    let mut pty = PtyLink::open().unwrap();
    let mut host = SerialLink::open(pty.path().to_str().unwrap()).unwrap();
    thread::spawn(move || {
        let mut buf = [0; 64];
        let mut due = 0;
        while let Ok(received) = pty.recv(&mut buf, Instant::now() + PATIENCE) {
            due += received.bytes.len();
            if due == PROMPT.len() {
                due = 0;
                pty.send(&PROMPT[1..]).unwrap();
            }
        }
    });
    let mut times = Vec::new();
    let mut buf = [0; 64];
    for _ in 0..rounds {
        let sent = host.send(PROMPT).unwrap();
        let mut left = PROMPT.len() - 1;
        while left > 0 {
            let received = host.recv(&mut buf, Instant::now() + PATIENCE).unwrap();
            left -= received.bytes.len();
            times.extend((left == 0).then(|| received.at.saturating_duration_since(sent.at)));
        }
    }
    times
}

fn print(what: &str, times: Vec<Duration>) -> HostLatency {
    let moves = times.len();
    let latency = HostLatency::of(times);
    let micros = |time: Duration| time.as_micros();
    println!(
        "{what}: {} us (median), {} us (99 %), {} us (most) of {moves}",
        micros(latency.below(500)),
        micros(latency.below(990)),
        micros(latency.longest())
    );
    latency
}

fn main() -> ExitCode {
    if let Some(code) = watched::role() {
        return code;
    }
    print("the system alone takes", bare(2_000));
    let mut good = true;
    for (at_once, each) in [(1, 40), (8, 20)] {
        let played: Vec<_> = thread::scope(|scope| {
            let all: Vec<_> = (0..at_once)
                .map(|_| scope.spawn(|| games(each, Duration::ZERO, &mut ())))
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let lost: usize = played.iter().map(|(_, lost)| lost).sum();
        let added: Vec<Duration> = played.into_iter().flat_map(|(added, _)| added).collect();
        let what = format!(
            "{} games, {at_once} at once, {lost} lost: the host adds",
            at_once * each
        );
        let latency = print(&what, added);
        good &= lost == 0 && (at_once > 1 || latency.below(990) < MOST);
    }
    good &= watched::measure();
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
