//! `duoforge serve`: the web service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_protocol::{REPLY_LIMIT, StartCell};
use duoforge_referee::{Player, Seat};
use duoforge_rules::Move;
use duoforge_sim::Backend;
use duoforge_sim::campaign::{self, Campaign, Followed, KnownGame};
use duoforge_web::{
    Decided, Decision, DeviceOpener, HardwareModel, HardwareOutcome, Mismatch, Players, Profile,
    ServeError, Server, Settings, Tokens,
};

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Style, Verdict};
use crate::profiles::{self, ProfileArgs, ResolvedPlayer};
use crate::terminal::Terminal;

/// Serve the page: watch tournaments and matches, play, analyse
///
/// Follows journals read-only; a game in progress does not notice. The address is the only line on
/// standard output. Ctrl-C ends the service, and never a tournament or a match.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: duoforge serve cups/ --open")]
pub struct Args {
    /// Journals, and directories with journals (*.journal) [default: the current directory]
    #[arg(value_name = "FOLDER or JOURNAL")]
    pub sources: Vec<PathBuf>,
    /// Address; port 0 selects a free port, and an address other than loopback needs --tokens
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7014")]
    pub listen: SocketAddr,
    /// File of tokens: TOML with one line TOKEN = "watch", "play" or "referee" each
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Further host name of the service, such as that of a proxy; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Directory of the journals of casual games [default: ~/.local/share/duoforge/games]
    #[arg(long, value_name = "FOLDER")]
    pub games: Option<PathBuf>,
    /// Maximum number of open event streams; each takes an open file and some 20 KiB
    #[arg(long, value_name = "N", default_value_t = Settings::STREAMS as u64)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=Settings::MAX_STREAMS as u64))]
    pub streams: u64,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Profiles that may play casual games: programs, devices and simulated devices
    #[command(flatten)]
    pub profiles: ProfileArgs,
}

/// Serves until Ctrl-C.
pub fn run(args: &Args) -> Result<Verdict> {
    let tokens = args.tokens.as_deref().map(Tokens::read).transpose()?;
    let sources = match args.sources.as_slice() {
        [] => vec![PathBuf::from(".")],
        sources => sources.to_vec(),
    };
    if let Some(missing) = sources.iter().find(|source| !source.exists()) {
        let message = format!("{} does not exist", missing.display());
        return Err(Failure::new("duoforge::file", message)
            .help("name a journal, or a directory with journals"));
    }
    let games = args.games.clone().or_else(default_games).ok_or_else(|| {
        Failure::new(
            "duoforge::file",
            "there is no directory for the user's data",
        )
        .help("--games names the directory of the journals of casual games")
    })?;
    let players = players(&args.profiles)?;
    let interrupt = Interrupt::catch(Some("Stopping the service."))?;
    let server = Server::start(Settings {
        listen: args.listen,
        hosts: args.hosts.clone(),
        tokens,
        sources,
        games,
        players,
        hardware: Some(Arc::new(SimulatedPlayer)),
        streams: args.streams as usize,
        write_time: Settings::WRITE_TIME,
    })?;
    let address = format!("http://{}/", server.address());
    output::line(&address)?;
    eprintln!("Ctrl-C stops the service.");
    if args.open
        && let Err(error) = open::that_detached(&address)
    {
        eprintln!("the browser cannot be opened: {error}");
    }
    server.run(|| interrupt.is_set());
    Ok(Verdict::Good)
}

/// Players of casual games: the built-in ones and the profiles.
fn players(args: &ProfileArgs) -> Result<Players> {
    let mut taken = Vec::new();
    for (name, profile) in profiles::all(args)? {
        let profile = match &profile.spec {
            PlayerSpec::Human => {
                eprintln!("profile {name} is not offered: persons play at the page");
                continue;
            }
            spec if spec.takes_openings() => Profile::Program(spec.clone()),
            _ => Profile::Device(Arc::new(ProfileDevice(profile))),
        };
        taken.push((name, profile));
    }
    let (players, refused) = Players::new(taken);
    for name in refused {
        eprintln!("profile {name} is not offered: it has the name of a built-in player");
    }
    Ok(players)
}

/// Style of messages to the operator.
const PLAIN: Style = Style {
    colour: false,
    unicode: false,
    terminal: false,
};

/// Device of a profile.
#[derive(Debug)]
struct ProfileDevice(ResolvedPlayer);

impl DeviceOpener for ProfileDevice {
    fn open(&self, seat: Seat) -> std::result::Result<Player, String> {
        let mut terminal = Terminal::new(None, PLAIN);
        let player = self.0.player(seat, &mut terminal);
        player.map_err(|error| match error {
            // The seat is that of the page, which numbers seats itself.
            PlayerError::Open { source, .. } => source.to_string(),
            error => error.to_string(),
        })
    }

    fn limit(&self) -> Duration {
        self.0.limit.unwrap_or(REPLY_LIMIT)
    }

    fn is_single(&self) -> bool {
        self.0.spec.is_single()
    }

    fn repeats(&self) -> bool {
        self.0.spec.repeats()
    }
}

/// Pattern player in Verilator, and its twin.
#[derive(Debug)]
struct SimulatedPlayer;

impl HardwareModel for SimulatedPlayer {
    fn compare(
        &self,
        decision: &Decision,
        stops: &dyn Fn() -> bool,
    ) -> std::result::Result<HardwareOutcome, String> {
        let start = if decision.starts_at_a {
            StartCell::A
        } else {
            StartCell::Five
        };
        let game = KnownGame {
            moves: decision.moves.clone(),
            start,
            ply: decision.ply,
        };
        let campaign = Campaign::new(Backend::Verilator, 1, 0);
        let followed = campaign.follow(&game, None, stops);
        let decided = |decided: campaign::Decided| Decided {
            placements: decided.placements,
            reply: decided.reply,
            cycles: decided.cycles,
        };
        let differs = |mismatch: campaign::Mismatch| Mismatch {
            ply: mismatch.ply,
            what: mismatch.what,
            twin: mismatch.twin,
            hardware: mismatch.board,
        };
        Ok(match followed.map_err(|error| error.to_string())? {
            Followed::Compared(compared, _) => HardwareOutcome::Compared {
                twin: decided(compared.twin),
                hardware: decided(compared.hardware),
                mismatch: compared.mismatch.map(differs),
            },
            Followed::Deviated { ply, chosen, .. } => HardwareOutcome::Deviated { ply, chosen },
            Followed::Mismatched(mismatch) => HardwareOutcome::Mismatched(differs(mismatch)),
            Followed::Stopped => HardwareOutcome::Stopped,
        })
    }

    fn waveform(&self, decision: &Decision) -> String {
        let ply = decision.ply;
        let moves = decision.moves.iter().take(ply).map(Move::to_string);
        let codes: Vec<_> = moves.collect();
        let codes = codes.join(" ");
        format!("duoforge sim-game --wave ply-{ply}.vcd {codes}")
            .trim_end()
            .to_owned()
    }
}

/// Directory of casual games in the user's data.
fn default_games() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(
        etcetera::BaseStrategy::data_dir(&base)
            .join("duoforge")
            .join("games"),
    )
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        let message = error.to_string();
        let (code, help) = match error {
            ServeError::Listen { .. } => (
                "duoforge::serve::listen",
                "--listen 127.0.0.1:0 selects a free port",
            ),
            ServeError::Open(_) => (
                "duoforge::serve::tokens",
                "--tokens FILE names the tokens of clients; without it, listen on 127.0.0.1",
            ),
            ServeError::Tokens { .. } => (
                "duoforge::serve::tokens",
                "a file of tokens has one line TOKEN = \"ROLE\" each, with the roles watch, play \
                 and referee",
            ),
            ServeError::Descriptors { .. } => (
                "duoforge::serve::files",
                "--streams N lowers the number of streams; `ulimit -Hn` prints the limit of files",
            ),
            _ => (
                "duoforge::file",
                "check the path, its permissions and the disk",
            ),
        };
        Self::new(code, message).help(help)
    }
}
