//! `duoforge-mock KIND`: a player that misbehaves in one way, as a program of its own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use duoforge_conform::mock::{End, Mock, MockKind, serve};
use duoforge_protocol::TeamCode;
use duoforge_protocol::link::{Link, LinkError, PipeLink, PtyLink};

/// A player of the contest's protocol that misbehaves in one way, to try referees with
///
/// It speaks on standard input and output, as in `duoforge match "exec:duoforge-mock late" engine`,
/// or on a pseudo-terminal, whose path is then the only line on standard output.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    /// How it misbehaves
    #[arg(value_enum)]
    kind: MockKind,
    /// On a pseudo-terminal, with a symbolic link to it at this path
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pty: Option<Option<PathBuf>>,
    /// Its team code
    #[arg(long, value_name = "XX", default_value = "MK")]
    team: TeamCode,
    /// Time for an answer in milliseconds, which some of them exceed
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    limit: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(End::HostGone | End::HangUp) => ExitCode::SUCCESS,
        Ok(End::Crash) => ExitCode::from(101),
        Err(error) => {
            eprintln!("duoforge-mock: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<End, LinkError> {
    let limit = Duration::from_millis(args.limit);
    let mut mock = Mock::new(args.kind, args.team, limit);
    let mut link: Box<dyn Link> = match &args.pty {
        None => Box::new(PipeLink::standard()?),
        Some(path) => {
            let link = match path {
                Some(path) => PtyLink::open_at(path)?,
                None => PtyLink::open()?,
            };
            println!("{}", link.path().display());
            Box::new(link)
        }
    };
    // Hosts come and go at a pseudo-terminal; one that goes takes a pipe with it.
    loop {
        let end = serve(&mut *link, &mut mock)?;
        if end != End::HostGone || args.pty.is_none() {
            return Ok(end);
        }
    }
}
