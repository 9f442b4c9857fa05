//! Program `duoforge-mock`: command line of the mocks.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use duoforge_links::{Link, LinkError, PipeLink, PtyLink};
use duoforge_protocol::TeamCode;

use super::{End, Mock, MockKind, serve};

/// Player of the contest's protocol with one specific fault, to test referees
///
/// The player uses standard input and output, as in
/// `duoforge match "exec:duoforge-mock late" pattern`. With `--pty` it uses a pseudo-terminal,
/// whose path is then the only line on standard output.
#[derive(Debug, Parser)]
#[command(name = "duoforge-mock", version, max_term_width = 100)]
struct Args {
    /// Kind of fault
    #[arg(value_enum)]
    kind: MockKind,
    /// Use a pseudo-terminal, with a symbolic link to it at this path
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pty: Option<Option<PathBuf>>,
    /// Team code of the player
    #[arg(long, value_name = "XX", default_value = "MK")]
    team: TeamCode,
    /// Time limit of a reply in milliseconds, which some kinds exceed
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    limit: u64,
}

/// Runs the program `duoforge-mock` with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
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
    // Hosts may connect and disconnect on a pseudo-terminal; a pipe ends with its host.
    loop {
        let end = serve(&mut *link, &mut mock)?;
        if end != End::HostGone || args.pty.is_none() {
            return Ok(end);
        }
    }
}
