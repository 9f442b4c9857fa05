//! Serves a directory of games until it is killed or its standard input ends. The tests kill it.
//! Usage: `serve-games DIRECTORY [--tokens FILE] [--streams N] [--write-ms N] [--source PATH]`. A
//! file `devices` in the directory has one device a line: its name, a blank and its [`PlayerSpec`]; a file
//! `programs` has programs.

use std::env;
use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use duoforge_players::{Mover, OpenContext, PlayerSpec};
use duoforge_referee::{Player, Seat};
use duoforge_web::{
    Decision, DeviceOpener, HardwareModel, HardwareOutcome, HardwarePlayer, Mismatch, Players,
    Profile, Server, Settings, Tokens,
};

/// Device that a text names.
#[derive(Debug)]
struct Device(PlayerSpec);

impl DeviceOpener for Device {
    fn open(&self, seat: Seat) -> Result<Player, String> {
        let opened = self.0.open(seat, &mut NoTerminal);
        opened.map_err(|error| error.to_string())
    }

    fn open_once(&self) -> Result<Player, String> {
        self.open(Seat::One)
    }

    fn reset(&self) -> Duration {
        Duration::ZERO
    }

    fn limit(&self) -> Duration {
        // Slow machines run these tests.
        Duration::from_secs(20)
    }

    fn is_single(&self) -> bool {
        self.0.is_single()
    }

    fn repeats(&self) -> bool {
        self.0.repeats()
    }

    fn spec(&self) -> Option<PlayerSpec> {
        Some(self.0.clone())
    }
}

/// Model whose comparisons last until they are cancelled. Its players are `pattern` and
/// `search:N` with N simulations; the profile `deep` is `search:50`.
#[derive(Debug)]
struct Slow;

impl HardwareModel for Slow {
    fn player(&self, text: &str) -> Result<HardwarePlayer, String> {
        let simulations = match text.strip_prefix("search:") {
            Some(number) => Some(number.parse().map_err(|_| "no number".to_owned())?),
            None if text == "pattern" => None,
            None => return Err("no player".to_owned()),
        };
        Ok(HardwarePlayer {
            name: text.to_owned(),
            simulations,
            searches_alone: true,
        })
    }

    fn player_of(&self, profile: &str) -> Option<String> {
        (profile == "deep").then(|| "search:50".to_owned())
    }

    fn compare(&self, _: &Decision, stops: &dyn Fn() -> bool) -> Result<HardwareOutcome, String> {
        while !stops() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(HardwareOutcome::Stopped)
    }

    fn waveform(&self, decision: &Decision, _: Option<&Mismatch>) -> String {
        format!("wave of ply {}", decision.ply)
    }
}

/// Context of devices that need nothing.
struct NoTerminal;

impl OpenContext for NoTerminal {
    fn person(&mut self, _: Seat) -> Box<dyn Mover> {
        unreachable!("no device is a person")
    }

    fn seed(&mut self, _: Seat) -> u64 {
        1
    }

    fn on_build(&mut self, _: Seat, _: &str) {}

    fn on_wait(&mut self, _: Seat, _: &str) {}
}

/// Profiles of a file, which may be missing.
fn profiles_of(file: &Path, profile: impl Fn(PlayerSpec) -> Profile) -> Vec<(String, Profile)> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let profiles =
        lines.map(|(name, spec)| (name.to_owned(), profile(spec.parse().expect("a player"))));
    profiles.collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let directory = PathBuf::from(arguments.next().ok_or("expected a directory")?);
    let mut sources = vec![directory.join("events")];
    let (mut tokens, mut streams) = (None, Settings::STREAMS);
    let mut write_time = Settings::WRITE_TIME;
    while let (Some(option), Some(value)) = (arguments.next(), arguments.next()) {
        match option.as_str() {
            "--tokens" => tokens = Some(Tokens::read(Path::new(&value))?),
            "--streams" => streams = value.parse()?,
            "--write-ms" => write_time = Duration::from_millis(value.parse()?),
            "--source" => sources.push(value.into()),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let device = |spec| Profile::Device(Arc::new(Device(spec)));
    let mut profiles = profiles_of(&directory.join("devices"), device);
    profiles.extend(profiles_of(&directory.join("programs"), Profile::Program));
    let (players, _) = Players::new(profiles);
    let server = Server::start(Settings {
        listen: "127.0.0.1:0".parse()?,
        hosts: vec!["hall.example".to_owned()],
        tokens,
        sources,
        games: directory.join("games"),
        players,
        hardware: Some(Arc::new(Slow)),
        streams,
        write_time,
    })?;
    println!("{}", server.address());
    let stop = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&stop);
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ended.store(true, Ordering::Relaxed);
    });
    let notices = server.notices();
    server.run(|| {
        notices().iter().for_each(|notice| eprintln!("{notice}"));
        stop.load(Ordering::Relaxed)
    });
    Ok(())
}
