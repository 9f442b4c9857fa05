//! Names of players as text: parsing and printing.

use std::fmt;
use std::str::FromStr;

use duoforge_links::LinkSpecError;

use super::PlayerSpec;
use crate::PlayerError;

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
