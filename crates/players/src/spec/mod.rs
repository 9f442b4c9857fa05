//! Names of players on a command line.

mod text;

use std::sync::Arc;

use duoforge_bots::BotSpec;
use duoforge_engine as engine;
use duoforge_links::LinkSpec;
use duoforge_maxn::MaxnSettings;
use duoforge_twin::search::keys::{Key, Row};
use duoforge_twin::search::{Limit, SearchParameters, SearchSettings};

use crate::{DeviceMaker, Sample};

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

    /// Returns the player with this seed if it is random and has none, else the player itself.
    #[must_use]
    pub fn seeded(&self, seed: impl FnOnce() -> u64) -> Self {
        match self {
            Self::Random(None) => Self::Random(Some(seed())),
            Self::Greedy(None) => Self::Greedy(Some(seed())),
            spec => spec.clone(),
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
