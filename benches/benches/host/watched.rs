//! Host latency of a game that event streams watch, relative to the same game alone.
//!
//! The service and its clients are separate processes on this machine; the clients, which would be
//! other computers, run only when a processor is idle. Blocks of games alone and of watched games
//! alternate, so that a change of the machine's load meets both. The referee writes its journal in
//! all of them.

use std::env;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use duoforge_journal::{Begun, Header, Journal, Kind, Record};
use duoforge_protocol::TeamCode;
use duoforge_referee::{Game, HostLatency, Observer, Ply, Seats, Setup};
use duoforge_rules::DuoBoard;
use duoforge_tournament::{ended, moved, result};
use duoforge_twin::Rng;
use duoforge_web::{Players, Server, Settings};

use crate::games;

/// Number of event streams.
const STREAMS: usize = 100;

/// Thinking time of the devices: 100 moves per second, a hundred times as many as in a contest.
const THINKING: Duration = Duration::from_millis(10);

/// Pairs of blocks, and games of a block.
const ROUNDS: usize = 40;
const GAMES: usize = 4;

/// Permitted ratio of both latencies at the 99th percentile.
const MOST: f64 = 1.1;

/// Interval in which the clients read their streams.
const READING: Duration = Duration::from_millis(50);

/// Runs a process of the benchmark, if this is one: `serve DIRECTORY` or `watch ADDRESS`.
pub fn role() -> Option<ExitCode> {
    let mut arguments = env::args().skip(1);
    let done = match (arguments.next()?.as_str(), arguments.next()) {
        ("serve", Some(directory)) => serve(PathBuf::from(directory)),
        ("watch", Some(address)) => watch(&address),
        _ => return None,
    };
    if let Err(error) = done {
        eprintln!("error: {error}");
        return Some(ExitCode::FAILURE);
    }
    Some(ExitCode::SUCCESS)
}

/// Serves a directory until the process is killed.
fn serve(directory: PathBuf) -> io::Result<()> {
    let (players, _) = Players::new(Vec::new());
    let server = Server::start(Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        hosts: Vec::new(),
        tokens: None,
        games: directory.join("games"),
        sources: vec![directory],
        players,
        hardware: None,
        streams: Settings::STREAMS,
        write_time: Settings::WRITE_TIME,
    });
    let server = server.map_err(io::Error::other)?;
    println!("{}", server.address());
    server.run(|| false);
    Ok(())
}

/// Reads the streams of a service, and prints the number of records that came for each line of
/// input.
fn watch(address: &str) -> io::Result<()> {
    const MARK: &[u8] = b"event: record\n";
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        let mut stream = TcpStream::connect(address)?;
        let request = format!("GET /api/v1/stream HTTP/1.0\r\nHost: {address}\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        // All that follows the snapshot of the journal are records.
        let mut head = BufReader::new(&mut stream).lines();
        while head.next().ok_or(ErrorKind::UnexpectedEof)?? != "event: journal" {}
        drop(head);
        stream.set_nonblocking(true)?;
        streams.push((stream, Vec::new()));
    }
    println!("open");
    let (ask, asked) = mpsc::channel();
    thread::spawn(move || {
        io::stdin()
            .lines()
            .map_while(Result::ok)
            .try_for_each(|_| ask.send(()))
    });
    let mut records = 0;
    let mut part = vec![0; 1 << 16];
    loop {
        let is_asked = match asked.recv_timeout(READING) {
            Ok(()) => true,
            Err(mpsc::RecvTimeoutError::Timeout) => false,
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
        };
        for (stream, rest) in &mut streams {
            loop {
                match stream.read(&mut part) {
                    Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                    Ok(count) => rest.extend_from_slice(&part[..count]),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error),
                }
            }
            records += rest.windows(MARK.len()).filter(|it| *it == MARK).count();
            // A mark may be cut by the end of what has come.
            let kept = rest.len().saturating_sub(MARK.len() - 1);
            rest.drain(..kept);
        }
        if is_asked {
            println!("{records}");
        }
    }
}

/// Process of this benchmark; it is killed when this value is dropped.
struct Role {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Role {
    fn start(mut command: Command, name: &str, argument: &str) -> Self {
        let mut child = command
            .args([name, argument])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the process has ended");
        line.trim_end().to_owned()
    }
}

impl Drop for Role {
    fn drop(&mut self) {
        // The process may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Observer that writes games to a journal.
struct Recorder {
    journal: Journal,
    game: u32,
    plies: usize,
    records: usize,
}

impl Recorder {
    fn new(path: &Path) -> Self {
        Self {
            journal: Journal::create(path, Header::new(Kind::Match, "A - B", "[]")).unwrap(),
            game: 0,
            plies: 0,
            records: 0,
        }
    }

    fn append(&mut self, record: &Record) {
        self.records += 1;
        self.journal.append(record).unwrap();
    }
}

impl Observer for Recorder {
    fn begun(&mut self, _: Setup, _: &Seats<TeamCode>) {
        self.game += 1;
        self.plies = 0;
        self.append(&Record::Begun(Begun::new(self.game, 1, ["A", "B"])));
    }

    fn moved(&mut self, ply: &Ply, _: &DuoBoard) {
        self.plies += 1;
        self.append(&Record::Moved(moved(self.game, 1, self.plies, ply)));
    }

    fn ended(&mut self, game: &Game) {
        let result = result(game.outcome);
        self.append(&Record::Ended(ended(game, self.game, 1, result, None)));
    }
}

/// Latencies of a block of games; true if they are watched.
fn block(is_watched: bool) -> Vec<Duration> {
    let directory = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::new(&directory.path().join("match.journal"));
    let roles = is_watched.then(|| {
        let own = env::current_exe().unwrap();
        let mut service = Role::start(
            Command::new(&own),
            "serve",
            directory.path().to_str().unwrap(),
        );
        let address = service.line();
        // The clients would be other computers: they take only what others leave of this one.
        let mut idle = Command::new("chrt");
        idle.args(["--idle", "0"]).arg(&own);
        let mut clients = Role::start(idle, "watch", &address);
        assert_eq!(clients.line(), "open");
        (service, clients)
    });
    let (latencies, lost) = games(GAMES, THINKING, &mut recorder);
    assert_eq!(lost, 0, "games that did not end normally");
    if let Some((_service, mut clients)) = roles {
        let mut asking = clients.child.stdin.take().unwrap();
        // The last records come with the next poll of the journal.
        let is_complete = |_| {
            thread::sleep(READING);
            writeln!(asking).unwrap();
            let received: usize = clients.line().parse().unwrap();
            assert!(received <= STREAMS * recorder.records, "doubles");
            received == STREAMS * recorder.records
        };
        assert!((0..200).any(is_complete), "records of all streams");
    }
    latencies
}

fn p99(blocks: &[&Vec<Duration>]) -> Duration {
    let all = blocks.iter().flat_map(|block| block.iter().copied());
    HostLatency::of(all.collect()).below(990)
}

/// Measures the ratio of the latencies at the 99th percentile, with its standard error over
/// resampled blocks. True if it is not significantly above the permitted one.
pub fn measure() -> bool {
    let (mut alone, mut watched) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        for is_watched in [round % 2 == 1, round % 2 == 0] {
            let blocks = if is_watched { &mut watched } else { &mut alone };
            blocks.push(block(is_watched));
        }
    }
    let mut rng = Rng::new(1);
    let mut draw = |blocks: &[Vec<Duration>]| {
        let drawn = (0..blocks.len()).map(|_| rng.below(blocks.len() as u32) as usize);
        let drawn: Vec<usize> = drawn.collect();
        p99(&drawn
            .iter()
            .map(|&block| &blocks[block])
            .collect::<Vec<_>>())
        .as_secs_f64()
    };
    let ratios: Vec<f64> = (0..1000).map(|_| draw(&watched) / draw(&alone)).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let squared = ratios
        .iter()
        .map(|ratio| (ratio - mean).powi(2))
        .sum::<f64>();
    let error = (squared / ratios.len() as f64).sqrt();
    let of = |blocks: &[Vec<Duration>]| p99(&blocks.iter().collect::<Vec<_>>());
    let ratio = of(&watched).as_secs_f64() / of(&alone).as_secs_f64();
    crate::print("alone, with a journal: the host adds", alone.concat());
    let what = format!("{STREAMS} event streams watch: the host adds");
    crate::print(&what, watched.concat());
    println!("ratio at 99 %: {ratio:.2} ± {error:.2}, permitted {MOST}");
    ratio - 2.0 * error <= MOST
}
