//! A board and its twin that are asked the same.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use duoforge_engine::search::Search;
use duoforge_engine::{Chooser, Maps, Policy, RivalMove, Thought, Twin};
use duoforge_hdl::player::Parameters;
use duoforge_hdl::search::settings::Settings;
use duoforge_hdl::{clocks, scan};
use duoforge_protocol::TeamCode;
use duoforge_rules::DuoBoard;

use super::game::{self, GameReport};
use crate::board::{Answer, SimBoard, Spot, Trace};
use crate::error::Result;
use crate::uart::LineWave;

/// The first thing that differed between the board and the twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The ply at which the board was asked, from 0.
    pub ply: usize,
    /// What was sent.
    pub request: String,
    /// What differed.
    pub what: String,
    /// The twin's.
    pub twin: String,
    /// The board's.
    pub board: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ply {}, request {}: {} differs: twin {}, board {}",
            self.ply, self.request, self.what, self.twin, self.board
        )
    }
}

/// What a board and its twin did about the same bytes.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The board's answer.
    pub answer: Answer,
    /// What the twin thought, if the bytes were a request for a move.
    pub thought: Option<Thought>,
    /// The first thing that differed.
    pub mismatch: Option<Mismatch>,
}

/// How the host's bytes get onto the line.
pub type Shape = Box<dyn FnMut(&[u8]) -> LineWave>;

/// When a search ends, as far as its twin has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    BySimulations,
    ByTime,
}

/// A board in simulation and its twin.
pub struct Pair<'b> {
    /// The board.
    pub board: &'b mut SimBoard,
    /// Its twin.
    pub twin: Twin,
    /// What both play.
    pub policy: Policy,
    /// Flags of the board that tell of the line and not of moves, which the twin does not know:
    /// those that must be set besides the twin's.
    pub line_flags: u8,
    /// When the board's search ends; `None`: it plays by patterns.
    ends: Option<Ends>,
    /// How the host's bytes get onto the line; a clean line of the board's own speed at first.
    pub shape: Shape,
}

impl fmt::Debug for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair")
            .field("board", &self.board)
            .field("twin", &self.twin)
            .finish_non_exhaustive()
    }
}

impl<'b> Pair<'b> {
    /// A board that was built with `parameters` and rests after power-up, a reset or a `0`, and a
    /// new twin.
    ///
    /// # Panics
    /// If the parameters' team code is not two printable letters.
    pub fn new(board: &'b mut SimBoard, parameters: &Parameters) -> Self {
        let team = TeamCode::new(parameters.team).expect("two printable letters");
        let policy = parameters.policy.clone();
        let divisor = board.divisor() as f64;
        Self {
            board,
            twin: Twin::new(team, policy.clone()).with_build(parameters.build),
            policy,
            line_flags: 0,
            ends: None,
            shape: Box::new(move |bytes| {
                let mut wave = LineWave::new(divisor);
                wave.bytes(bytes);
                wave
            }),
        }
    }

    /// The same for a board that searches within these settings.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn searching(
        board: &'b mut SimBoard,
        parameters: &Parameters,
        settings: &Settings,
    ) -> Self {
        let search = Search::new(settings.parameters.clone(), settings.seed);
        let mut pair = Self::new(board, parameters);
        let team = TeamCode::new(parameters.team).expect("two printable letters");
        pair.twin = Twin::new(
            team,
            Chooser::Search(Box::new(search), settings.simulations.into()),
        );
        pair.twin = pair.twin.with_build(parameters.build);
        pair.ends = Some(match settings.clocks {
            u32::MAX => Ends::BySimulations,
            _ => Ends::ByTime,
        });
        pair
    }

    /// Whether the board searches, which lists no legal sets.
    pub fn searches(&self) -> bool {
        self.ends.is_some()
    }

    /// Plays a complete game against a rival whose moves the seed decides; it ends at the first
    /// mismatch.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn play(&mut self, seed: u64) -> Result<GameReport> {
        game::play(self, seed)
    }

    /// Sends a request to both and compares all that can be seen.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn ask(&mut self, ply: usize, request: &[u8]) -> Result<Checked> {
        let wave = (self.shape)(request);
        self.ask_by(ply, request, &wave)
    }

    /// Sends a request to both, to the board as a wave that may do more than its bytes, and compares
    /// all that can be seen.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn ask_by(&mut self, ply: usize, request: &[u8], wave: &LineWave) -> Result<Checked> {
        let answer = self.board.answer_to(wave)?;
        let trace = self.board.trace()?;
        let status = self.board.status()?;
        // A search that ended by time is repeated from its number of simulations.
        if self.ends == Some(Ends::ByTime) {
            self.twin.set_simulations(status.simulations.into());
        }
        let (mut expected, mut thought) = (Vec::new(), None);
        for &byte in request {
            if let Some(frame) = self.twin.receive(byte) {
                expected = frame.as_bytes().to_vec();
            }
            thought = self.twin.thought().cloned();
        }
        let mut seen = vec![("the answer", text(&expected), text(&answer.bytes))];
        let trouble = self.twin.trouble();
        let flags = u8::from(trouble.broken) | u8::from(trouble.illegal) << 1 | self.line_flags;
        seen.push(("the flags", flags.to_string(), status.flags.to_string()));
        if let Some(thought) = thought.as_ref().filter(|_| self.searches()) {
            let (twin, board) = (thought.simulations, status.simulations);
            let what = "the number of simulations";
            seen.push((what, twin.to_string(), board.to_string()));
        } else if let Some(thought) = &thought {
            seen.extend(self.thinking(thought, &trace));
            let count = thought.position.count_legal();
            seen.extend([
                (
                    "the legal count",
                    count.to_string(),
                    status.legal_count.to_string(),
                ),
                (
                    "the clock count",
                    clocks::request(thought).to_string(),
                    status.think_clocks.to_string(),
                ),
            ]);
        }
        let differing = seen.into_iter().find(|(_, twin, board)| twin != board);
        let mismatch = differing.map(|(what, twin, board)| Mismatch {
            ply,
            request: text(request),
            what: what.into(),
            twin,
            board,
        });
        Ok(Checked {
            answer,
            thought,
            mismatch,
        })
    }

    fn thinking(&self, thought: &Thought, trace: &Trace) -> [(&'static str, String, String); 3] {
        let rival = looked_up(thought).map_or(Vec::new(), spots);
        let own = spots(&thought.position);
        let scores = scores(&self.policy, thought);
        [
            ("the rival's legal set", list(&rival), list(&trace.rival)),
            ("the legal set", list(&own), list(&trace.own)),
            (
                "a score",
                format!("{scores:?}"),
                format!("{:?}", trace.scores),
            ),
        ]
    }
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// The position in which the rival's move was looked up, if it was.
pub(super) fn looked_up(thought: &Thought) -> Option<&DuoBoard> {
    match &thought.rival {
        RivalMove::Placed(position) | RivalMove::Illegal(position) => Some(position),
        RivalMove::None | RivalMove::Passed => None,
    }
}

fn spots(position: &DuoBoard) -> Vec<Spot> {
    let placements = scan::twin(position);
    placements
        .iter()
        .map(|p| (p.orientation.index() as u8, p.x, p.y))
        .collect()
}

/// The scores of all placements that were looked at, the rival's first.
fn scores(policy: &Policy, thought: &Thought) -> Vec<u16> {
    let positions = looked_up(thought).into_iter().chain([&thought.position]);
    positions
        .flat_map(|position| {
            let maps = Maps::new(position, position.to_move());
            scan::twin(position)
                .into_iter()
                .map(move |placement| policy.score(&maps, placement))
        })
        .collect()
}

/// A list of placements, short enough to read where it is long.
fn list(spots: &[Spot]) -> String {
    let mut hasher = DefaultHasher::new();
    spots.hash(&mut hasher);
    let shown: Vec<_> = spots
        .iter()
        .take(4)
        .map(|spot| format!("{spot:?}"))
        .collect();
    format!(
        "{} placements (hash {:016x}): {}",
        spots.len(),
        hasher.finish(),
        shown.join(" ")
    )
}
