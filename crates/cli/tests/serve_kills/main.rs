//! `duoforge serve` killed with SIGKILL while browsers watch and play. Nothing that was
//! acknowledged is lost, and every browser continues without a gap or a double.
//!
//! `DUOFORGE_KILLS=100 cargo test -p duoforge --test serve_kills -- --nocapture` is the campaign.
#![cfg(unix)]

mod client;

#[path = "../common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use client::{Event, Events, request};
use common::{Served, text};
use duoforge_journal::{
    Begun, CasualRecord, Ended, GameResult, Header, Journal, Kind, Moved, Record, Tail, now_ms,
};
use duoforge_twin::Rng;
use serde_json::{Value, json};

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

/// Records by which a stream may be behind before it gets a snapshot.
const MAX_BEHIND: u64 = 256;

/// Longest wait for something that must happen.
const PATIENCE: Duration = Duration::from_secs(240);

/// State that all threads share.
#[derive(Default)]
struct Hall {
    address: Mutex<String>,
    /// Number of acknowledged requests.
    acknowledged: AtomicU64,
    /// True once no browser plays and nothing more is written.
    closing: AtomicBool,
    /// True once the service has ended for good.
    closed: AtomicBool,
}

impl Hall {
    fn address(&self) -> String {
        self.address.lock().unwrap().clone()
    }

    fn wait_for(&self, what: &str, mut found: impl FnMut() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !found() {
            assert!(Instant::now() < deadline, "{what}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Records that a watcher has received of one journal.
#[derive(Debug, Default)]
struct Seen {
    /// Number of the next record.
    next: u64,
    /// Type and code by number.
    records: BTreeMap<u64, (String, Option<String>)>,
}

/// Browser that watches.
#[derive(Default)]
struct Watcher {
    journals: Mutex<BTreeMap<String, Seen>>,
    returns: AtomicU64,
    snapshots: AtomicU64,
}

impl Watcher {
    fn watch(&self, hall: &Hall) {
        let mut position = String::new();
        while !hall.closed.load(Ordering::Relaxed) {
            let Ok(mut events) = Events::open(&hall.address(), &position) else {
                thread::sleep(Duration::from_millis(5));
                continue;
            };
            self.returns.fetch_add(1, Ordering::Relaxed);
            while let Ok(event) = events.next() {
                self.take(&event);
                if let Some(id) = event.id {
                    position = id;
                }
            }
        }
    }

    fn take(&self, Event { name, data, .. }: &Event) {
        let mut journals = self.journals.lock().unwrap();
        match name.as_str() {
            "journal" => {
                let event = &data["event"];
                let (id, records) = (event["id"].as_str().unwrap(), event["records"].as_u64());
                let records = records.unwrap();
                if let Some(seen) = journals.get(id) {
                    let behind = records.saturating_sub(seen.next);
                    assert!(
                        behind > MAX_BEHIND,
                        "{id}: a snapshot {behind} records later"
                    );
                    self.snapshots.fetch_add(1, Ordering::Relaxed);
                }
                journals.entry(id.to_owned()).or_default().next = records;
            }
            "record" => {
                let (id, number) = (data["journal"].as_str().unwrap(), data["n"].as_u64());
                let seen = journals.get_mut(id).expect("a snapshot comes first");
                assert_eq!(number, Some(seen.next), "{id}: a gap or a double");
                let code = data["move"]["code"].as_str().map(str::to_owned);
                let kind = data["type"].as_str().unwrap().to_owned();
                seen.records.insert(seen.next, (kind, code));
                seen.next += 1;
            }
            "gone" => panic!("{data}"),
            _ => {}
        }
    }

    /// True if everything on the disk has been received.
    fn is_up_to_date(&self, disk: &BTreeMap<String, Vec<Record>>) -> bool {
        let journals = self.journals.lock().unwrap();
        let next = |id: &String| journals.get(id).map(|seen| seen.next);
        disk.iter()
            .all(|(id, records)| next(id) == Some(records.len() as u64))
    }
}

/// Game that a browser has created, with the moves that the service acknowledged.
#[derive(Debug, Default)]
struct PlayedGame {
    id: String,
    moves: BTreeMap<u64, String>,
}

/// Plays games until the hall closes; returns them.
fn play(hall: &Hall, seats: &str, seed: u64) -> Vec<PlayedGame> {
    let mut rng = Rng::new(seed);
    let mut games: Vec<PlayedGame> = Vec::new();
    let mut current: Option<Value> = None;
    while !hall.closing.load(Ordering::Relaxed) {
        let address = hall.address();
        let done = match (&current, games.last_mut()) {
            (Some(state), Some(game)) => step(&address, state, game, &mut rng, hall),
            _ => {
                let body = format!("{{\"variant\":\"duo\",\"seats\":{seats}}}");
                let answer = request(&address, "POST", "/api/v1/games", &body);
                answer.map(|(status, value)| {
                    assert_eq!(status, 201, "{value}");
                    let id = value["id"].as_str().unwrap().to_owned();
                    hall.acknowledged.fetch_add(1, Ordering::Relaxed);
                    games.push(PlayedGame {
                        id,
                        ..PlayedGame::default()
                    });
                    Some(value)
                })
            }
        };
        match done {
            Ok(next) => current = next,
            // The service was killed; it may have carried out the request.
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
    games
}

/// Next request of a game; `None` once it has ended.
fn step(
    address: &str,
    state: &Value,
    game: &mut PlayedGame,
    rng: &mut Rng,
    hall: &Hall,
) -> std::io::Result<Option<Value>> {
    if !state["result"].is_null() {
        return Ok(None);
    }
    let path = format!("/api/v1/games/{}", game.id);
    if state["thinking"] == true || state.get("stale").is_some() {
        thread::sleep(Duration::from_millis(5));
        let (status, value) = request(address, "GET", &path, "")?;
        assert_eq!(status, 200, "a game that was acknowledged: {value}");
        check(game, &value);
        return Ok(Some(value));
    }
    let codes = state["state"]["legal"]["codes"].as_array().unwrap();
    let code = match codes.len() {
        0 => "0000",
        count => codes[rng.below(count as u32) as usize].as_str().unwrap(),
    };
    let ply = state["ply"].as_u64().unwrap();
    let body = json!({ "ply": ply, "code": code }).to_string();
    let answer = request(address, "POST", &format!("{path}/moves"), &body);
    let stale = || Ok(Some(json!({ "result": null, "stale": true })));
    match answer {
        Ok((200, value)) => {
            game.moves.insert(ply, code.to_owned());
            hall.acknowledged.fetch_add(1, Ordering::Relaxed);
            check(game, &value);
            Ok(Some(value))
        }
        // The move of a request without an answer had been carried out, or a program has moved.
        Ok((409, _)) => stale(),
        Ok((status, value)) => panic!("{status}: {value}"),
        // It is not known what the service did with the move.
        Err(_) => stale(),
    }
}

/// Checks that a game holds all its acknowledged moves.
fn check(game: &PlayedGame, view: &Value) {
    for (ply, code) in &game.moves {
        let found = &view["moves"][*ply as usize]["code"];
        assert_eq!(found, code.as_str(), "{} at ply {ply} was lost", game.id);
    }
}

/// Writes a tournament as a referee in another process does, until the hall closes.
fn referee(hall: &Hall, path: &Path) {
    let journal = Journal::create(path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    let mut game = 0;
    while !hall.closing.load(Ordering::Relaxed) {
        game += 1;
        for record in [
            Record::Begun(Begun::new(game, 1, ["A", "B"])),
            Record::Moved(Moved {
                game,
                attempt: 1,
                ply: 1,
                player: 1,
                code: "53e0".to_owned(),
                legal: 414,
                us: 1_234,
                sim_us: None,
                host_us: None,
                forfeit: false,
            }),
            Record::Ended(Ended {
                game,
                attempt: 1,
                result: GameResult::One,
                ending: "timeout".to_owned(),
                detail: "player 2 did not reply".to_owned(),
                score: [-84, -89],
                cells_placed: [5, 0],
                teams: [None, None],
                plies: 1,
                evidence: None,
                at_ms: now_ms(),
            }),
        ] {
            journal.append(&record).unwrap();
            thread::sleep(Duration::from_millis(30));
        }
    }
}

/// Records of all journals by id.
fn disk(folders: &[PathBuf]) -> BTreeMap<String, Vec<Record>> {
    let mut all = BTreeMap::new();
    for folder in folders {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let mut tail = Tail::new(&entry.path());
            let records = tail.poll().unwrap();
            // A service that was killed while it created a journal leaves one without a header.
            if let Some(history) = tail.history() {
                all.insert(history.header.id.clone(), records);
            }
        }
    }
    all
}

/// Type and code of a record, as a stream states them.
fn described(record: &Record) -> (&'static str, Option<String>) {
    match record {
        Record::Header(_) => ("header", None),
        Record::Opened(_) => ("opened", None),
        Record::Begun(_) | Record::Casual(CasualRecord::Begun(_)) => ("begun", None),
        Record::Moved(moved) => ("moved", Some(moved.code.clone())),
        Record::Casual(CasualRecord::Moved(moved)) => ("moved", Some(moved.code.clone())),
        Record::Ended(_) | Record::Casual(CasualRecord::Ended(_)) => ("ended", None),
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_kill_loses_what_was_acknowledged_and_no_browser_misses_a_record() {
    let kills = std::env::var("DUOFORGE_KILLS").ok();
    let kills = kills.map_or(KILLS, |text| text.parse().expect("a number of kills"));
    let folder = tempfile::tempdir().unwrap();
    let folders = ["events", "games"].map(|name| folder.path().join(name));
    folders.iter().for_each(|it| fs::create_dir(it).unwrap());
    let [events, own] = &folders;
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
    let mut last = disk(&folders);
    hall.wait_for("the watchers receive every record", || {
        let failed = |it: &thread::JoinHandle<()>| it.is_finished();
        assert!(!watching.iter().any(failed), "a watcher failed");
        let now = disk(&folders);
        let is_still = records(&now) == records(&last);
        last = now;
        is_still && watchers.iter().all(|it| it.is_up_to_date(&last))
    });
    assert_eq!(served.interrupt(), 0);
    hall.closed.store(true, Ordering::Relaxed);
    watching.into_iter().for_each(|it| it.join().unwrap());
    let disk = disk(&folders);
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
