//! `duoforge demo`: a refereed game of the simulated hardware in one command.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use duoforge_links::{PtyLink, SerialLink, Served, Stop, serve};
use duoforge_players::{MoverDevice, PatternMover};
use duoforge_protocol::TeamCode;
use duoforge_referee::{Player, RefereeOptions};
use duoforge_sim::device::{SimDevice, board_parameters};
use duoforge_sim::{Backend, Options};

use crate::failure::{Failure, Result};
use crate::output::{Style, Verdict};
use crate::play::seeds::GamesPlayed;
use crate::play::setups::{First, Start, setups};
use crate::play::watch::{Watch, WatchArgs};

/// Play the simulated hardware against the software player, over pseudo-terminals
///
/// The hardware player, emitted as Verilog and simulated, and the software player each have a
/// pseudo-terminal. The referee opens both as serial devices and plays by the contest's rules.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Simulator: verilator, icarus or rust
    #[arg(long, default_value = "verilator")]
    pub backend: Backend,
    /// Number of games; first player and start cells alternate
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    #[command(flatten)]
    pub watch: WatchArgs,
}

/// Plays the games.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    note!("Building the simulated device ({}).", args.backend);
    let options = Options::default();
    let mut board = SimDevice::open(args.backend, &board_parameters(), &options)?;
    let team = TeamCode::new(*b"PT").expect("letters are printable");
    let mut pattern = MoverDevice::new(PatternMover::default(), team);
    let (mut board_line, mut pattern_line) = (PtyLink::open()?, PtyLink::open()?);
    let (board_path, pattern_path) = (path(&board_line), path(&pattern_line));
    note!("The simulated device is at {board_path}, the software player at {pattern_path}.");

    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let boards = [
            scope.spawn(|| keep_serving(&mut board_line, &mut board, &over)),
            scope.spawn(|| keep_serving(&mut pattern_line, &mut pattern, &over)),
        ];
        let verdict = play(
            args,
            style,
            [
                (&board_path, format!("sim:{} at {board_path}", args.backend)),
                (&pattern_path, format!("pattern at {pattern_path}")),
            ],
        );
        over.store(true, Ordering::Relaxed);
        for board in boards {
            board
                .join()
                .map_err(|_| Failure::bug("a device panicked"))??;
        }
        verdict
    })
}

fn path(link: &PtyLink) -> String {
    Path::to_string_lossy(link.path()).into_owned()
}

fn keep_serving(link: &mut PtyLink, board: &mut dyn Served, over: &AtomicBool) -> Result<()> {
    while serve(link, board, || !over.load(Ordering::Relaxed))? == Stop::HostGone {}
    Ok(())
}

/// Plays the games as referee, which opens the devices by their paths.
fn play(args: &Args, style: Style, players: [(&str, String); 2]) -> Result<Verdict> {
    let mut watch = Watch::new(
        &args.watch,
        style,
        args.games,
        false,
        GamesPlayed::default(),
    )?;
    let [one, two] = players
        .map(|(path, name)| SerialLink::open(path).map(|link| Player::board(link).named(name)));
    let setups = setups(args.games, First::Alternate, Start::Alternate);
    watch.play([one?, two?], RefereeOptions::default(), setups)
}
