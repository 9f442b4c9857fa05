//! Names of players on a command line.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use duoforge_bots::BotSpec;
use duoforge_engine as engine;
use duoforge_links::{LinkSpec, LinkSpecError};
use duoforge_maxn::MaxnSettings;
use duoforge_twin::search::keys::{Key, Row};
use duoforge_twin::search::{Limit, SearchParameters, SearchSettings};

use crate::{DeviceMaker, PlayerError, Sample};

/// Name of a player that can be opened.
///
/// | text | meaning |
/// |---|---|
/// | `serial:PATH`, `tcp:HOST:PORT`, `pty` and others | a device at the far end of a [`LinkSpec`] |
/// | `twin` | the twin of the pattern player |
/// | `pattern` | the pattern player in software |
/// | `search`, `search:KEY=VALUE,...` | the search player in software, with [`SearchSettings`] |
/// | `engine`, `engine:KEY=VALUE,...` | the engine for processors, with [`engine::EngineSettings`] |
/// | `random`, `random:SEED` | any legal placement |
/// | `greedy`, `greedy:SEED` | the largest tile with the most corner points after it |
/// | `maxn`, `maxn:KEY=VALUE,...` | the engine for every variant, with [`MaxnSettings`] |
/// | `sample:1`, `sample:2` | the [`Sample`] players of the contest's host |
/// | `gtp:COMMAND LINE` | an engine in another process that speaks the Go Text Protocol |
/// | `bot:COMMAND LINE` | a program that speaks the text protocol of bots, with a [`BotSpec`] |
/// | `exec:COMMAND LINE` | a program that speaks the contest's protocol on its standard streams |
/// | `human` | a person at the terminal |
///
/// The player `search` has no time limit unless its search ends by `ms`. The calling program adds
/// the names of the devices that it makes itself, see [`Made`](Self::Made).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// Device at the far end of a link.
    Link(LinkSpec),
    /// Device that the calling program makes; no text parses to it.
    Made(Arc<dyn DeviceMaker>),
    /// Twin of the pattern player.
    Twin,
    /// Pattern player in software.
    Pattern,
    /// Search player in software.
    Search(Box<SearchSettings>),
    /// Engine for processors.
    Engine(Box<engine::EngineSettings>),
    /// Random player; without a seed it uses [`OpenContext::seed`](crate::OpenContext::seed).
    Random(Option<u64>),
    /// Greedy player; without a seed it uses [`OpenContext::seed`](crate::OpenContext::seed).
    Greedy(Option<u64>),
    /// Engine for every variant.
    Maxn(Box<MaxnSettings>),
    /// Sample player of the contest's host.
    Sample(Sample),
    /// Engine in another process: its command line, at least one word.
    Gtp(Vec<String>),
    /// Program that speaks the text protocol of bots.
    Bot(Box<BotSpec>),
    /// Program that speaks the contest's protocol: its command line, at least one word.
    Exec(Vec<String>),
    /// Person at the terminal.
    Human,
}

impl PlayerSpec {
    /// True if the player is deterministic: it repeats a game for the same seed and the same moves.
    #[must_use]
    pub fn repeats(&self) -> bool {
        match self {
            Self::Twin | Self::Pattern | Self::Sample(_) | Self::Random(_) | Self::Greedy(_) => {
                true
            }
            Self::Made(maker) => maker.repeats(),
            Self::Search(settings) => matches!(settings.limit, Limit::Simulations(_)),
            Self::Maxn(settings) => matches!(settings.limit, Limit::Simulations(_)),
            Self::Engine(settings) => {
                matches!(settings.limit, Limit::Simulations(_)) && settings.threads == 1
            }
            Self::Link(_) | Self::Gtp(_) | Self::Bot(_) | Self::Exec(_) | Self::Human => false,
        }
    }

    /// True if only one instance of the player exists, so that it plays one game at a time.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        matches!(self, Self::Link(_))
    }

    /// True if the player accepts the moves of an opening.
    #[must_use]
    pub const fn takes_openings(&self) -> bool {
        matches!(
            self,
            Self::Pattern
                | Self::Sample(_)
                | Self::Random(_)
                | Self::Greedy(_)
                | Self::Maxn(_)
                | Self::Search(_)
                | Self::Engine(_)
                | Self::Gtp(_)
                | Self::Bot(_)
        )
    }

    /// Text that distinguishes versions of the player: its settings and, for a player of this
    /// program, the version of the program; for another program its command line. `None` for a
    /// device at the far end of a link, whose place does not identify it, and for a person.
    #[must_use]
    pub fn version(&self) -> Option<String> {
        match self {
            Self::Link(_) | Self::Human => None,
            Self::Gtp(_) | Self::Bot(_) | Self::Exec(_) => Some(self.to_string()),
            _ => Some(format!("{self}, duoforge {}", env!("CARGO_PKG_VERSION"))),
        }
    }

    /// Seed that the name of the player gives it, if any.
    #[must_use]
    pub fn own_seed(&self) -> Option<u64> {
        match self {
            Self::Random(seed) | Self::Greedy(seed) => *seed,
            Self::Search(settings) => Some(settings.seed),
            Self::Engine(settings) => Some(settings.seed),
            Self::Maxn(settings) => Some(settings.seed),
            _ => None,
        }
    }

    /// Returns the keys of the settings of `search` and `engine`, each with its value in this player;
    /// `None` in place of a value that the settings lack, such as an unused limit. Other players
    /// have no keys here.
    #[must_use]
    pub fn keys(&self) -> Vec<(Key, Option<String>)> {
        fn values<S: 'static>(
            rows: impl IntoIterator<Item = Row<S>>,
            settings: &S,
        ) -> impl Iterator<Item = (Key, Option<String>)> {
            let rows = rows.into_iter();
            rows.map(move |row| (row.key, row.get(settings)))
        }
        match self {
            Self::Search(settings) => values(SearchSettings::KEYS, &**settings)
                .chain(values(SearchParameters::KEYS, &settings.parameters))
                .collect(),
            Self::Engine(settings) => values(engine::EngineSettings::KEYS, &**settings)
                .chain(values(
                    engine::EngineSettings::parameter_rows(),
                    &settings.parameters,
                ))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Letters of the team code of a player in this process. A device replies with its team code
    /// instead.
    #[must_use]
    pub const fn letters(&self) -> [u8; 2] {
        match self {
            Self::Twin => *b"TW",
            Self::Pattern => *b"PT",
            Self::Sample(_) => *b"SP",
            Self::Random(_) => *b"RN",
            Self::Greedy(_) => *b"GR",
            Self::Maxn(_) => *b"MN",
            Self::Search(_) => *b"DF",
            Self::Engine(_) => *b"EN",
            Self::Bot(_) => *b"BT",
            Self::Human => *b"HU",
            Self::Gtp(_) | Self::Link(_) | Self::Made(_) | Self::Exec(_) => *b"GT",
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        match (word, rest) {
            ("twin", None) => Ok(Self::Twin),
            ("pattern", None) => Ok(Self::Pattern),
            ("search", settings) => {
                let settings = settings.unwrap_or_default().parse()?;
                Ok(Self::Search(Box::new(settings)))
            }
            ("engine", settings) => {
                let settings = settings.unwrap_or_default().parse()?;
                Ok(Self::Engine(Box::new(settings)))
            }
            ("strong", _) => Err(PlayerError::Renamed {
                former: "strong",
                name: "engine",
            }),
            ("human", None) => Ok(Self::Human),
            ("random", seed) => read_seed(seed).map(Self::Random),
            ("greedy", seed) => read_seed(seed).map(Self::Greedy),
            ("maxn", settings) => {
                let settings = settings.unwrap_or_default().parse()?;
                Ok(Self::Maxn(Box::new(settings)))
            }
            ("sample", number) => match number.unwrap_or_default().parse() {
                Ok(sample) => Ok(Self::Sample(sample)),
                Err(()) => Err(PlayerError::Unknown(text.to_owned())),
            },
            ("gtp", command) => command_line(command).map(Self::Gtp),
            ("bot", spec) => {
                let spec = spec.unwrap_or_default().parse()?;
                Ok(Self::Bot(Box::new(spec)))
            }
            ("exec", command) => command_line(command).map(Self::Exec),
            _ => match text.parse() {
                Ok(spec) => Ok(Self::Link(spec)),
                Err(LinkSpecError::Unknown(text)) => Err(PlayerError::Unknown(text)),
                Err(error) => Err(error.into()),
            },
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(spec) => spec.fmt(f),
            Self::Made(maker) => write!(f, "{maker}"),
            Self::Twin => f.write_str("twin"),
            Self::Pattern => f.write_str("pattern"),
            Self::Search(settings) => named(f, "search", &settings.to_string()),
            Self::Engine(settings) => named(f, "engine", &settings.to_string()),
            Self::Random(None) => f.write_str("random"),
            Self::Random(Some(seed)) => write!(f, "random:{seed}"),
            Self::Greedy(None) => f.write_str("greedy"),
            Self::Greedy(Some(seed)) => write!(f, "greedy:{seed}"),
            Self::Maxn(settings) => named(f, "maxn", &settings.to_string()),
            Self::Sample(sample) => write!(f, "sample:{sample}"),
            Self::Gtp(words) => write!(f, "gtp:{}", shell_words::join(words)),
            Self::Bot(spec) => write!(f, "bot:{spec}"),
            Self::Exec(words) => write!(f, "exec:{}", shell_words::join(words)),
            Self::Human => f.write_str("human"),
        }
    }
}

/// Parses the seed of a player, if it has one.
fn read_seed(text: Option<&str>) -> Result<Option<u64>, PlayerError> {
    let parse = |text: &str| {
        text.parse()
            .map_err(|_| PlayerError::BadSeed(text.to_owned()))
    };
    text.map(parse).transpose()
}

/// Splits a command line into words, at least one.
fn command_line(text: Option<&str>) -> Result<Vec<String>, PlayerError> {
    let text = text.unwrap_or_default();
    let words = shell_words::split(text).unwrap_or_default();
    if words.is_empty() {
        return Err(PlayerError::BadCommand(text.to_owned()));
    }
    Ok(words)
}

/// Prints a name, followed by its settings if there are any.
fn named(f: &mut fmt::Formatter<'_>, name: &str, settings: &str) -> fmt::Result {
    match settings {
        "" => f.write_str(name),
        settings => write!(f, "{name}:{settings}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_is_parsed_and_printed() {
        let texts = [
            "serial:/dev/ttyUSB0",
            "tcp:localhost:10000",
            "tcp-listen:127.0.0.1:10001",
            "pty",
            "pty:/tmp/board",
            "twin",
            "pattern",
            "search",
            "search:sims=500,children=32",
            "engine",
            "engine:ms=5000,threads=2",
            "random",
            "random:42",
            "greedy",
            "greedy:7",
            "maxn",
            "maxn:level=4,seed=2",
            "sample:1",
            "sample:2",
            "gtp:/opt/engine --level 5 'two words'",
            "bot:python3 bot.py",
            "bot:timebank=2s,memory=64:./bot",
            "exec:./bot --team 'A B'",
            "human",
        ];
        for text in texts {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let device: PlayerSpec = "/dev/ttyS0".parse().unwrap();
        assert_eq!(device, "serial:/dev/ttyS0".parse().unwrap());
    }

    #[test]
    fn a_version_states_the_settings_but_no_place() {
        let version = |text: &str| text.parse::<PlayerSpec>().unwrap().version();
        let program = env!("CARGO_PKG_VERSION");
        for (text, expected) in [
            (
                "engine:sims=50",
                format!("engine:sims=50, duoforge {program}"),
            ),
            ("twin", format!("twin, duoforge {program}")),
            ("exec:./bot --fast", "exec:./bot --fast".to_owned()),
            ("bot:./bot --fast", "bot:./bot --fast".to_owned()),
        ] {
            assert_eq!(version(text), Some(expected));
        }
        for text in ["/dev/ttyUSB0", "tcp:localhost:1", "human"] {
            assert_eq!(version(text), None);
        }
    }

    #[test]
    fn keys_have_the_values_of_the_settings() {
        let value = |text: &str, name: &str| {
            let keys = text.parse::<PlayerSpec>().expect("a player").keys();
            let mut found = keys.into_iter().filter(|(key, _)| key.name == name);
            found.next().expect("the key").1
        };
        for (text, name, expected) in [
            ("search:sims=20,children=8", "sims", Some("20")),
            ("search:sims=20,children=8", "ms", None),
            ("search:sims=20,children=8", "children", Some("8")),
            ("search:sims=20", "lanes", Some("4")),
            ("engine:ms=5,threads=3,fpu_weight=20", "sims", None),
            ("engine:ms=5,threads=3,fpu_weight=20", "threads", Some("3")),
            (
                "engine:ms=5,threads=3,fpu_weight=20",
                "fpu_weight",
                Some("20"),
            ),
        ] {
            assert_eq!(value(text, name).as_deref(), expected, "{text} {name}");
        }
        let keys = |text: &str| text.parse::<PlayerSpec>().expect("a player").keys();
        assert!(keys("pattern").is_empty());
        assert!(keys("engine").iter().all(|(key, _)| key.name != "lanes"));
    }

    #[test]
    fn broken_players_have_typed_errors() {
        let error = |text: &str| text.parse::<PlayerSpec>().unwrap_err();
        assert!(matches!(error("twins"), PlayerError::Unknown(_)));
        assert!(matches!(error("twin:3"), PlayerError::Unknown(_)));
        assert!(matches!(error(""), PlayerError::Unknown(_)));
        assert!(matches!(error("sample:3"), PlayerError::Unknown(_)));
        assert!(matches!(error("sample"), PlayerError::Unknown(_)));
        assert!(matches!(error("sim"), PlayerError::Unknown(_)));
        assert!(matches!(error("sim:rust:x"), PlayerError::Unknown(_)));
        assert!(matches!(error("random:x"), PlayerError::BadSeed(_)));
        assert!(matches!(error("greedy:-1"), PlayerError::BadSeed(_)));
        assert!(matches!(error("tcp:here"), PlayerError::BadLink(_)));
        assert!(matches!(error("search:x=1"), PlayerError::BadSettings(_)));
        assert!(matches!(
            error("engine:nodes=1"),
            PlayerError::BadSettings(_)
        ));
        assert!(matches!(error("bot"), PlayerError::BadBot(_)));
        assert!(matches!(
            error("bot:memory=1:./bot"),
            PlayerError::BadBot(_)
        ));
        for text in ["strong", "strong:ms=900"] {
            let message = "the player `strong` is now called `engine`";
            assert_eq!(error(text).to_string(), message);
        }
        let broken = [
            "gtp",
            "gtp:",
            "gtp: ",
            "gtp:engine 'open",
            "exec",
            "exec:",
            "exec:'",
        ];
        for text in broken {
            assert!(matches!(error(text), PlayerError::BadCommand(_)), "{text}");
        }
    }
}
