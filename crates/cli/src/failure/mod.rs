//! What a user sees when something cannot be done: a sentence, a code, and what to do about it.

mod boards;
mod tournaments;

use std::fmt;
use std::io;
use std::path::Path;

use duoforge_arena::{ArenaError, MeetError};
use duoforge_gtp::ClientError;
use duoforge_links::LinkError;
use duoforge_records::ListError;
use duoforge_sim::SimError;
use duoforge_tools::ToolError;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::players;

/// A failure of the command; every one has a code and most have help.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    message: String,
    code: &'static str,
    help: Option<String>,
    snippet: Option<Box<Snippet>>,
    broken_pipe: bool,
}

/// The place in an input that a failure is about.
#[derive(Debug)]
struct Snippet {
    source: NamedSource<String>,
    span: LabeledSpan,
}

/// The result of whatever may fail with a message for the user.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure with a code such as `duoforge::file`.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code,
            help: None,
            snippet: None,
            broken_pipe: false,
        }
    }

    /// Adds what to do about it.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// A file that cannot be read or written.
    pub fn file(action: &str, path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        Self::new(
            "duoforge::file",
            format!("{path} cannot be {action}: {error}"),
        )
    }

    /// A list of moves that cannot be read, shown in its text.
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
                "a list holds four-letter codes separated by blanks, one game a line; \
                 # begins a comment",
            )
            .shown(name, text, span)
    }

    /// Shows the place in an input that it is about, unless nobody could find it in so long a line.
    pub fn shown(self, name: &str, text: String, span: LabeledSpan) -> Self {
        const MOST: usize = 1000;
        let begin = text[..span.offset()]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let end = text[span.offset()..].find('\n');
        let end = end.map_or(text.len(), |newline| span.offset() + newline);
        if end - begin > MOST {
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

    /// Whether whoever read the output has gone, which is nobody's fault.
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
                format!("the output cannot be written: {error}"),
            )
        }
    }
}

impl From<ArenaError> for Failure {
    fn from(error: ArenaError) -> Self {
        let message = error.to_string();
        match error {
            ArenaError::UnknownPlayer(_)
            | ArenaError::BadSeed(_)
            | ArenaError::BadCommand(_)
            | ArenaError::BadSearch(_)
            | ArenaError::NoMover(_) => {
                Self::new("duoforge::player", message).help(players::names())
            }
            ArenaError::Engine(error) => error.into(),
            ArenaError::Simulation(SimError::Tool(ToolError::Missing { .. })) => {
                Self::new("duoforge::tool", message)
                    .help("the pinned tools go below .tools in the project's folder, without root")
            }
            ArenaError::Simulation(_) => Self::new("duoforge::simulator", message),
            ArenaError::Link(error) => error.into(),
            ArenaError::BadBackend(_) | ArenaError::BadLink(_) => {
                Self::new("duoforge::player", message)
            }
            ArenaError::Open { source, .. } => Self {
                message,
                ..Self::from(source)
            },
            _ => Self::new("duoforge::internal", message)
                .help("this is a mistake in duoforge, not a player's: please report it"),
        }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let help = match &error {
            ClientError::NoCommand | ClientError::Start { .. } => {
                "gtp: takes the command line of an engine, as in `gtp:/usr/bin/pentobi-gtp --level 5`; \
                 is the program there, and may it be executed?"
            }
            _ => {
                "does it speak the Go Text Protocol for Blokus Duo? Start it by hand and type \
                 list_commands"
            }
        };
        Self::new("duoforge::engine", error.to_string()).help(help)
    }
}

impl From<MeetError> for Failure {
    fn from(error: MeetError) -> Self {
        let message = error.to_string();
        let (code, help) = match error {
            MeetError::Silent { .. } => (
                "duoforge::board::silent",
                "is it powered, loaded, and connected with rx and tx crossed?",
            ),
            MeetError::Garbage { .. } => (
                "duoforge::board::garbled",
                "the contest's lines have 115200 baud, 8N1; another baud rate goes into a profile",
            ),
            MeetError::Broken { .. } => (
                "duoforge::board::garbled",
                "is it a board of the contest? `duoforge conform DEVICE` tells what is wrong with it",
            ),
            MeetError::Link { source, .. } => {
                return Self {
                    message,
                    ..Self::from(source)
                };
            }
            MeetError::SameDevice { .. } => (
                "duoforge::link::same_device",
                "each player needs a line of its own; `duoforge ports` lists them",
            ),
            MeetError::Swapped { .. } => (
                "duoforge::board::swapped",
                "name the players in the other order, or swap the cables",
            ),
            MeetError::OtherTeam { .. } => (
                "duoforge::board::other_team",
                "is it the right board? The team code that is expected stands in its profile",
            ),
        };
        Self::new(code, message).help(help)
    }
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        let message = error.to_string();
        let (code, help) = match &error {
            LinkError::Timeout => (
                "duoforge::link::timeout",
                "is the board powered and running?",
            ),
            LinkError::Closed => ("duoforge::link::closed", "is the board still plugged in?"),
            LinkError::Ended { .. } => (
                "duoforge::link::ended",
                "run the program in a terminal and type a code, such as 0, to see why it ends",
            ),
            LinkError::Busy { .. } => (
                "duoforge::link::busy",
                "close the other program; `fuser PATH` names it",
            ),
            LinkError::NoPermission { .. } => (
                "duoforge::link::permission",
                "join the group that owns it, as in `sudo usermod -aG dialout $USER`, and log in anew; \
                 `duoforge doctor` names the group",
            ),
            LinkError::Ambiguous { .. } => (
                "duoforge::link::ambiguous",
                "name it by its serial number, usb:VVVV:PPPP:SERIAL, or by its path",
            ),
            LinkError::NotFound { .. } => (
                "duoforge::link::not_found",
                "`duoforge ports` lists the serial devices of this machine",
            ),
            LinkError::Io { .. } => (
                "duoforge::link::io",
                "is it a serial device or a pseudo-terminal?",
            ),
        };
        Self::new(code, message).help(help)
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
