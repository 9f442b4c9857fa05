//! `duoforge serve`: the web service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use duoforge_journal::Tail;
use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_protocol::{BAUD_RATE, REPLY_LIMIT};
use duoforge_referee::{Player, Seat};
use duoforge_web::{DeviceOpener, Players, Profile, ServeError, Server, Settings, Tokens};

use crate::comparisons::SimulatedPlayers;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Style, Verdict};
use crate::profiles::{self, ProfileArgs, ResolvedPlayer};
use crate::terminal::Terminal;

/// Serve the page: watch tournaments and matches, play, analyse
///
/// Follows journals read-only. On a machine that also plays matches, --background keeps many viewers
/// from delaying moves. The address is the only line on standard output. Ctrl-C ends the service, and
/// never a tournament or a match of another process. A tournament that was started on the page finishes
/// its games in progress; it is resumed on the page.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: duoforge serve cups/ --open")]
pub struct Args {
    /// Journals, and directories with journals (*.journal) [default: the current directory]
    #[arg(value_name = "DIRECTORY or JOURNAL")]
    pub sources: Vec<PathBuf>,
    /// Address; port 0 selects a free port, and an address other than loopback needs --tokens
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7014", value_parser = address)]
    pub listen: SocketAddr,
    /// File of tokens: TOML with one line TOKEN = "watch", "play" or "referee" each
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Further host name of the service, such as that of a proxy; may be repeated
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
    pub hosts: Vec<String>,
    /// Directory of the journals of casual games and of tournaments of the page [default: ~/.local/share/duoforge/games]
    #[arg(long, value_name = "DIRECTORY")]
    pub games: Option<PathBuf>,
    /// Maximum number of open event streams; each takes an open file and some 16 KiB
    #[arg(long, value_name = "N", default_value_t = Settings::STREAMS as u64)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=Settings::MAX_STREAMS as u64))]
    pub streams: u64,
    /// Run only when no other program needs the processor (SCHED_IDLE); needs the program chrt. Games
    /// and analyses of the page are slow then while other programs compute
    #[arg(long)]
    pub background: bool,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Profiles that may play on the page: programs, devices and simulated devices
    #[command(flatten)]
    pub profiles: ProfileArgs,
}

/// Reads an address of this machine. Names are not resolved.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "expected ADDRESS:PORT with a numeric address, such as 127.0.0.1:7014".to_owned()
    })
}

/// Reads the name of a host. An IPv6 address is in brackets.
fn host(text: &str) -> std::result::Result<String, String> {
    let is_address = text.starts_with('[') && text.ends_with(']');
    if text.is_empty() || text.contains('/') || (text.contains(':') && !is_address) {
        return Err(
            "expected a name without scheme, port and path, such as hall.example".to_owned(),
        );
    }
    Ok(text.to_owned())
}

/// Notice of the first Ctrl-C.
const NOTICE: &str = "Stopping the service. The games in progress of a tournament that was started at \
                      the page are finished first; Ctrl-C again stops immediately.";

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
    for file in sources.iter().filter(|source| source.is_file()) {
        Tail::new(file).poll()?;
    }
    let games = args.games.clone().or_else(default_games).ok_or_else(|| {
        Failure::new(
            "duoforge::file",
            "there is no directory for the user's data",
        )
        .help("--games names the directory of the journals of casual games")
    })?;
    let (players, hardware) = players(&args.profiles)?;
    if args.background {
        give_way()?;
    }
    let interrupt = Interrupt::catch(Some(NOTICE))?;
    let server = Server::start(Settings {
        listen: args.listen,
        hosts: args.hosts.clone(),
        tokens,
        sources,
        games,
        players,
        hardware: Some(Arc::new(hardware)),
        streams: args.streams as usize,
        write_time: Settings::WRITE_TIME,
    })?;
    let address = format!("http://{}/", server.address());
    output::line(&address)?;
    note!("Ctrl-C stops the service.");
    if args.open
        && let Err(error) = open::that_detached(&address)
    {
        note!("the browser cannot be opened: {error}");
    }
    let notices = server.notices();
    server.run(|| {
        for notice in notices() {
            note!("{notice}");
        }
        interrupt.is_set()
    });
    Ok(Verdict::Good)
}

/// Gives this process the scheduling policy SCHED_IDLE, which its later threads and programs inherit.
fn give_way() -> Result<()> {
    let own = std::process::id().to_string();
    let mut command = Command::new("chrt");
    command.args(["--idle", "--pid", "0", &own]);
    duoforge_tools::run(&mut command)
        .map(drop)
        .map_err(|error| {
            Failure::tool(&error).help("install util-linux on Linux, or leave out --background")
        })
}

/// Players of casual games: the built-in ones and the profiles; the hardware players that profiles
/// simulate.
fn players(args: &ProfileArgs) -> Result<(Players, SimulatedPlayers)> {
    let mut taken = Vec::new();
    let profiles = profiles::all(args)?;
    let specs = profiles.iter().map(|(name, it)| (name.as_str(), &it.spec));
    let hardware = SimulatedPlayers::new(specs);
    for (name, profile) in profiles {
        let profile = match &profile.spec {
            PlayerSpec::Human => {
                note!("profile {name} is not offered: persons play on the page");
                continue;
            }
            spec if spec.takes_openings() => Profile::Program(spec.clone()),
            _ => Profile::Device(Arc::new(ProfileDevice(profile))),
        };
        taken.push((name, profile));
    }
    let (players, refused) = Players::new(taken);
    for name in refused {
        note!("profile {name} is not offered: it has the name of a built-in player");
    }
    Ok((players, hardware))
}

/// Maximum wait for a TCP connection to a device that is examined.
const PATIENCE: Duration = Duration::from_secs(5);

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

    fn open_once(&self) -> std::result::Result<Player, String> {
        let opened = match &self.0.spec {
            PlayerSpec::Link(_) => {
                let link = self.0.link(Instant::now() + PATIENCE);
                link.map(Player::board).map_err(|error| error.to_string())
            }
            spec => {
                let opened = spec.open(Seat::One, &mut Terminal::new(None, PLAIN));
                opened.map_err(|error| error.to_string())
            }
        };
        opened.map(|player| player.named(self.0.label()))
    }

    fn reset(&self) -> Duration {
        self.0.reset
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

    fn spec(&self) -> Option<PlayerSpec> {
        // A plan has no baud rate.
        (self.0.baud() == BAUD_RATE).then(|| self.0.spec.clone())
    }

    fn version(&self) -> Option<String> {
        self.0.version()
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
