//! `duoforge serve` killed with SIGKILL while browsers watch and play. Nothing that was
//! acknowledged is lost, and every browser continues without a gap or a double.
//!
//! `DUOFORGE_KILLS=100 cargo test -p duoforge --test serve_kills -- --nocapture` is the campaign.
#![cfg(unix)]

mod client;
#[path = "../common/mod.rs"]
mod common;
mod games;
mod hall;
mod journals;
mod watcher;

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use common::{Served, text};
use duoforge_twin::Rng;
use games::{PlayedGame, play};
use hall::Hall;
use journals::{described, disk, referee};
use watcher::Watcher;

/// Number of kills, unless `DUOFORGE_KILLS` sets another.
const KILLS: u64 = 5;

/// Number of browsers that only watch.
const WATCHERS: usize = 4;

/// Seats of the games that browsers play.
const SEATS: [&str; 3] = [
    r#"[{"kind":"person"},{"kind":"person"}]"#,
    r#"[{"kind":"person"},{"kind":"player","player":"random"}]"#,
    r#"[{"kind":"player","player":"greedy"},{"kind":"person"}]"#,
];

#[test]
fn no_kill_loses_what_was_acknowledged_and_no_browser_misses_a_record() {
    let kills = std::env::var("DUOFORGE_KILLS").ok();
    let kills = kills.map_or(KILLS, |text| text.parse().expect("a number of kills"));
    let directory = tempfile::tempdir().unwrap();
    let directories = ["events", "games"].map(|name| directory.path().join(name));
    directories
        .iter()
        .for_each(|it| fs::create_dir(it).unwrap());
    let [events, own] = &directories;
    let start = || {
        Served::start(&[
            "serve",
            text(events),
            "--listen",
            "127.0.0.1:0",
            "--games",
            text(own),
        ])
    };
    let hall = Arc::new(Hall::default());
    let tell = |served: &Served| {
        let host = served.place.strip_prefix("http://").expect("an address");
        *hall.address.lock().unwrap() = host.trim_end_matches('/').to_owned();
    };
    let mut served = start();
    tell(&served);
    let watchers: Vec<_> = (0..WATCHERS).map(|_| Arc::<Watcher>::default()).collect();
    let watching: Vec<_> = watchers
        .iter()
        .map(|watcher| {
            let (watcher, hall) = (Arc::clone(watcher), Arc::clone(&hall));
            thread::spawn(move || watcher.watch(&hall))
        })
        .collect();
    hall.wait_for("the watchers connect", || {
        let connected = |it: &Arc<Watcher>| it.returns.load(Ordering::Relaxed) > 0;
        watchers.iter().all(connected)
    });
    let writing = {
        let (hall, path) = (Arc::clone(&hall), events.join("cup.journal"));
        thread::spawn(move || referee(&hall, &path))
    };
    let seed = u64::from(std::process::id());
    let playing: Vec<_> = (1..)
        .zip(SEATS)
        .map(|(number, seats)| {
            let hall = Arc::clone(&hall);
            thread::spawn(move || play(&hall, seats, seed + number))
        })
        .collect();
    let mut rng = Rng::new(seed);
    for kill in 0..kills {
        let before = hall.acknowledged.load(Ordering::Relaxed);
        // Most kills come while browsers play, some as soon as the service listens.
        if kill % 5 != 4 {
            let more = u64::from(rng.below(6)) + 1;
            hall.wait_for("the service acknowledges requests", || {
                let ended = |it: &thread::JoinHandle<_>| it.is_finished();
                assert!(!playing.iter().any(ended), "a browser that plays failed");
                let ended = |it: &thread::JoinHandle<()>| it.is_finished();
                assert!(!watching.iter().any(ended), "a browser that watches failed");
                hall.acknowledged.load(Ordering::Relaxed) >= before + more
            });
        }
        thread::sleep(Duration::from_micros(rng.below(30_000).into()));
        // SIGKILL.
        drop(served);
        served = start();
        tell(&served);
    }
    hall.wait_for("the last service acknowledges requests", || {
        hall.acknowledged.load(Ordering::Relaxed) > kills
    });
    hall.closing.store(true, Ordering::Relaxed);
    let games: Vec<PlayedGame> = playing
        .into_iter()
        .flat_map(|it| it.join().unwrap())
        .collect();
    writing.join().unwrap();
    // Programs may still move; then nothing is written any more.
    let records = |disk: &BTreeMap<_, Vec<_>>| disk.values().map(Vec::len).sum::<usize>();
    let mut last = disk(&directories);
    hall.wait_for("the watchers receive every record", || {
        let failed = |it: &thread::JoinHandle<()>| it.is_finished();
        assert!(!watching.iter().any(failed), "a watcher failed");
        let now = disk(&directories);
        let is_still = records(&now) == records(&last);
        last = now;
        is_still && watchers.iter().all(|it| it.is_up_to_date(&last))
    });
    assert_eq!(served.interrupt(), 0);
    hall.closed.store(true, Ordering::Relaxed);
    watching.into_iter().for_each(|it| it.join().unwrap());
    let disk = disk(&directories);
    let mut moves = 0;
    for game in &games {
        let (journal, _) = game.id.split_once('.').unwrap();
        let records = disk.get(journal).expect("a game that was acknowledged");
        let played = records.iter().map(described);
        let played: Vec<_> = played.filter_map(|(_, code)| code).collect();
        for (ply, code) in &game.moves {
            assert_eq!(&played[*ply as usize], code, "{} at ply {ply}", game.id);
        }
        moves += game.moves.len();
    }
    let mut received = 0;
    for watcher in &watchers {
        for (id, seen) in watcher.journals.lock().unwrap().iter() {
            for (number, (kind, code)) in &seen.records {
                let found = described(&disk[id][*number as usize]);
                assert_eq!((kind.as_str(), code), (found.0, &found.1), "{id} {number}");
            }
            received += seen.records.len();
        }
        // It has returned at least once.
        assert!(watcher.returns.load(Ordering::Relaxed) > u64::from(kills > 0));
    }
    let count = |of: fn(&Watcher) -> &AtomicU64| {
        let all = watchers.iter().map(|it| of(it).load(Ordering::Relaxed));
        all.sum::<u64>()
    };
    println!(
        "{kills} kills: {} games with {moves} acknowledged moves, all kept; {WATCHERS} watchers \
         returned {} times and received {received} records, each once, from journals with {}; {} \
         snapshots",
        games.len(),
        count(|it| &it.returns),
        records(&disk),
        count(|it| &it.snapshots),
    );
}
