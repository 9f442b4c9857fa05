//! Failures of the command: a message, a code and the next action.

mod boards;
mod links;
mod tournaments;

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use duoforge_conform::{ConformError, IdentifyError};
use duoforge_gtp::ClientError;
use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_records::ListError;
use duoforge_referee::{RefereeError, Seat};
use duoforge_sim::SimError;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::players;

/// Failure of the command. Every failure has a code, and most have help.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    message: String,
    code: &'static str,
    help: Option<String>,
    snippet: Option<Box<Snippet>>,
    broken_pipe: bool,
}

/// Place in an input that a failure concerns.
#[derive(Debug)]
struct Snippet {
    source: NamedSource<String>,
    span: LabeledSpan,
}

/// Result of a function that may fail with a message for the user.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Creates a failure with a code such as `duoforge::file`.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code,
            help: None,
            snippet: None,
            broken_pipe: false,
        }
    }

    /// Adds the next action.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// Creates the failure of a file that cannot be `action`, a participle such as `read`.
    pub fn file(action: &str, path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        let help = match action {
            "read" => "check the path and its permissions",
            _ => "check the path, its permissions and the disk",
        };
        Self::new(
            "duoforge::file",
            format!("{path} cannot be {action}: {error}"),
        )
        .help(help)
    }

    /// Creates the failure of an invalid list of moves, shown in its text.
    pub fn list(name: &str, text: String, error: &ListError) -> Self {
        let line_start: usize = text
            .split_inclusive('\n')
            .take(error.line - 1)
            .map(str::len)
            .sum();
        let before = text[line_start..].chars().take(error.column - 1);
        let offset = line_start + before.map(char::len_utf8).sum::<usize>();
        let span = LabeledSpan::at(offset..offset + error.word.len(), error.reason.to_string());
        Self::new("duoforge::list", format!("{name}, {error}"))
            .help(
                "a list contains four-letter codes separated by blanks, one game per line; \
                 # begins a comment",
            )
            .shown(name, text, span)
    }

    /// Shows the place in an input that the failure concerns, unless its line is too long to read.
    pub fn shown(self, name: &str, text: String, span: LabeledSpan) -> Self {
        const MAX_LINE: usize = 1000;
        let begin = text[..span.offset()]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let end = text[span.offset()..].find('\n');
        let end = end.map_or(text.len(), |newline| span.offset() + newline);
        if end - begin > MAX_LINE {
            return self;
        }
        Self {
            snippet: Some(Box::new(Snippet {
                source: NamedSource::new(name, text),
                span,
            })),
            ..self
        }
    }

    /// Creates the failure of a bug in duoforge.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::new("duoforge::internal", message)
            .help("this is a bug in duoforge, not in a player; please report it")
    }

    /// Puts the seat of the player before the message.
    fn of_seat(self, seat: Seat) -> Self {
        Self {
            message: format!("{seat} cannot be reached: {}", self.message),
            ..self
        }
    }

    /// Returns true for a broken pipe on standard output.
    pub const fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self {
            broken_pipe: error.kind() == io::ErrorKind::BrokenPipe,
            ..Self::new(
                "duoforge::output",
                format!("standard output cannot be written: {error}"),
            )
        }
    }
}

impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Self {
        let message = error.to_string();
        match error {
            PlayerError::Engine(error) => error.into(),
            PlayerError::Open { seat, source } => Self::from(source).of_seat(seat),
            PlayerError::Made { source, .. } => inside(message, &*source),
            PlayerError::BadLink(_) | PlayerError::Renamed { .. } => {
                Self::new("duoforge::player", message)
            }
            PlayerError::BadBot(_) => Self::new("duoforge::player", message)
                .help("bot: takes a command line, as in \"bot:python3 examples/bots/bot.py\""),
            #[cfg(unix)]
            PlayerError::Bot(_) => Self::new("duoforge::bot", message)
                .help("check that the program exists and is executable; docs/bots.md has examples"),
            PlayerError::BadSettings(_) => Self::new("duoforge::player", message)
                .help("`duoforge players search` and `duoforge players engine` list the keys"),
            PlayerError::OtherVariant { .. } => Self::new("duoforge::player", message).help(
                format!("players by variant: {}", PlayerSpec::VARIANT_PLAYERS),
            ),
            _ => Self::new("duoforge::player", message).help(players::names()),
        }
    }
}

impl From<RefereeError> for Failure {
    fn from(error: RefereeError) -> Self {
        let message = error.to_string();
        match error {
            RefereeError::Inside { source, .. } => inside(message, &*source),
            RefereeError::Link(error) => error.into(),
            RefereeError::PlayerCount { .. } => Self::new("duoforge::usage", message)
                .help("name one player for each seat of the variant"),
            RefereeError::Unsuitable { .. } => Self::new("duoforge::player", message).help(
                format!("players by variant: {}", PlayerSpec::VARIANT_PLAYERS),
            ),
            _ => Self::bug(message),
        }
    }
}

impl From<ConformError> for Failure {
    fn from(error: ConformError) -> Self {
        let message = error.to_string();
        match error {
            ConformError::Open(source) => match source.downcast::<PlayerError>() {
                Ok(error) => (*error).into(),
                Err(_) => Self::new("duoforge::player", message),
            },
            ConformError::Inside { source, .. } => inside(message, &*source),
            ConformError::Referee(error) => error.into(),
            _ => Self::bug(message),
        }
    }
}

impl From<IdentifyError> for Failure {
    fn from(error: IdentifyError) -> Self {
        let message = error.to_string();
        match error {
            IdentifyError::Silent => Self::new("duoforge::device::silent", message).help(
                "check that the device is powered and loaded, and that rx and tx are crossed",
            ),
            IdentifyError::Garbled(_) => Self::new("duoforge::device::garbled", message).help(
                "the device must speak the contest's protocol, at 115200 baud or the baud rate of \
                 its profile",
            ),
            IdentifyError::Link(error) => error.into(),
            _ => Self::bug(message),
        }
    }
}

impl From<SimError> for Failure {
    fn from(error: SimError) -> Self {
        inside(format!("the simulated device: {error}"), &error)
    }
}

/// Failure of a component that the command put behind a link: a simulator, or the name of one.
fn inside(message: String, source: &(dyn Error + Send + Sync + 'static)) -> Failure {
    let source = source.downcast_ref::<SimError>();
    let task = match source {
        Some(SimError::Tool(error)) => error.task(),
        _ => None,
    };
    match (source, task) {
        (_, Some(task)) => Failure::new("duoforge::tool", message).help(boards::programs(task)),
        (Some(_), None) => Failure::new("duoforge::simulator", message),
        (None, None) => Failure::new("duoforge::player", message).help(players::names()),
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let help = match &error {
            ClientError::NoCommand | ClientError::Start { .. } => {
                "gtp: takes the command line of an engine, as in `gtp:/usr/bin/pentobi-gtp --level \
                 5`; check that the program exists and is executable"
            }
            _ => {
                "an engine must speak the Go Text Protocol for Blokus Duo: start it by hand and \
                 type list_commands"
            }
        };
        Self::new("duoforge::engine", error.to_string()).help(help)
    }
}

impl Diagnostic for Failure {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let snippet = self.snippet.as_ref()?;
        Some(&snippet.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let snippet = self.snippet.as_ref()?;
        Some(Box::new(std::iter::once(snippet.span.clone())))
    }
}
