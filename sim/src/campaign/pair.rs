//! Lockstep comparison: the simulated device and its twin receive the same bytes.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::pattern::{cycles, scan};
use duoforge_hdl::search::settings::ClockedSearchConfig;
use duoforge_protocol::TeamCode;
use duoforge_rules::DuoBoard;
use duoforge_twin::search::Search;
use duoforge_twin::{Decision, OpponentMove, Policy, PolicyMaps, SearchChooser, Twin};

use crate::device::{Answer, RawPlacement, SimDevice, Status, Trace};
use crate::error::Result;
use crate::uart::LineWave;

/// First difference between the device and the twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Ply of the prompt, from 0.
    pub ply: usize,
    /// Bytes that were sent.
    pub request: String,
    /// Name of the value that differs.
    pub what: String,
    /// Value of the twin.
    pub twin: String,
    /// Value of the device.
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

/// Result of sending the same bytes to the device and its twin.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Reply of the device.
    pub answer: Answer,
    /// Decision of the twin, if the bytes were a prompt for a move.
    pub decision: Option<Decision>,
    /// Placements and scores that the device processed.
    pub trace: Trace,
    /// Values of the device's status ports.
    pub status: Status,
    /// First mismatch.
    pub mismatch: Option<Mismatch>,
}

/// Function that turns the host's bytes into a waveform on the line.
pub type Shape = Box<dyn FnMut(&[u8]) -> LineWave>;

/// Limit that ends a search; the twin needs it to repeat the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    BySimulations,
    ByTime,
}

/// Simulated device and its twin.
pub struct Lockstep<'b> {
    /// Simulated device.
    pub board: &'b mut SimDevice,
    /// Bit-exact model of the device.
    pub twin: Twin,
    /// Policy of both.
    pub policy: Policy,
    /// Status flags about the line, which the twin does not model. They must be set in addition to
    /// the twin's flags.
    pub line_flags: u8,
    /// Limit of the device's search; `None` for the pattern player.
    ends: Option<Ends>,
    /// Function that turns the host's bytes into a waveform; initially a clean line at the device's
    /// speed.
    pub shape: Shape,
}

impl fmt::Debug for Lockstep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair")
            .field("board", &self.board)
            .field("twin", &self.twin)
            .finish_non_exhaustive()
    }
}

impl<'b> Lockstep<'b> {
    /// Pairs a pattern player that was built with `parameters` with a new twin. The device must be
    /// idle after power-up, a reset or a `0`.
    ///
    /// # Panics
    /// If the parameters' team code is not two printable letters.
    pub fn new(board: &'b mut SimDevice, parameters: &PlayerParameters) -> Self {
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

    /// Pairs a search player with these settings with a new twin.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn searching(
        board: &'b mut SimDevice,
        parameters: &PlayerParameters,
        settings: &ClockedSearchConfig,
    ) -> Self {
        let chooser = SearchChooser {
            search: Search::new(settings.parameters.clone(), settings.seed),
            simulations: settings.simulations.into(),
            book: settings.book,
        };
        let mut pair = Self::new(board, parameters);
        let team = TeamCode::new(parameters.team).expect("two printable letters");
        pair.twin = Twin::new(team, chooser).with_build(parameters.build);
        pair.ends = Some(match settings.cycles {
            u32::MAX => Ends::BySimulations,
            _ => Ends::ByTime,
        });
        pair
    }

    /// Returns true if the device searches. A search player reports no legal sets.
    pub fn searches(&self) -> bool {
        self.ends.is_some()
    }

    /// Sends bytes to the device and the twin, and compares all observable results.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn ask(&mut self, ply: usize, request: &[u8]) -> Result<Checked> {
        let wave = (self.shape)(request);
        self.ask_by(ply, request, &wave)
    }

    /// Sends bytes to the twin and a waveform to the device, and compares all observable results.
    /// The waveform carries the bytes and may add disturbances.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn ask_by(&mut self, ply: usize, request: &[u8], wave: &LineWave) -> Result<Checked> {
        let answer = self.board.answer_to(wave)?;
        let trace = self.board.trace()?;
        let status = self.board.status()?;
        // The twin repeats a search that ended by time with the device's number of simulations.
        if self.ends == Some(Ends::ByTime) {
            self.twin.set_simulations(status.simulations.into());
        }
        self.twin.set_pondered(status.pondered.into());
        let (mut expected, mut decision) = (Vec::new(), None);
        for &byte in request {
            if let Some(frame) = self.twin.receive(byte) {
                expected = frame.as_bytes().to_vec();
            }
            decision = self.twin.decision().cloned();
        }
        let mut seen = Vec::new();
        if status.thinking {
            let limit = self.board.limit();
            seen.push((
                "the time of the reply",
                format!("at most {limit} cycles"),
                "more".to_owned(),
            ));
        }
        seen.push(("the answer", text(&expected), text(&answer.bytes)));
        let flags = self.twin.flags();
        let flags = u8::from(flags.broken) | u8::from(flags.illegal) << 1 | self.line_flags;
        seen.push(("the flags", flags.to_string(), status.flags.to_string()));
        if let Some(decision) = decision.as_ref().filter(|_| self.searches()) {
            let (twin, board) = (decision.simulations, status.simulations);
            let what = "the number of simulations";
            seen.push((what, twin.to_string(), board.to_string()));
        } else if let Some(decision) = &decision {
            seen.extend(self.thinking(decision, &trace));
            let count = decision.position.count_legal();
            seen.extend([
                (
                    "the legal count",
                    count.to_string(),
                    status.legal_count.to_string(),
                ),
                (
                    "the clock count",
                    cycles::request(decision).to_string(),
                    status.think_cycles.to_string(),
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
            decision,
            trace,
            status,
            mismatch,
        })
    }

    fn thinking(&self, decision: &Decision, trace: &Trace) -> [(&'static str, String, String); 3] {
        let opponent = looked_up(decision).map_or(Vec::new(), placements);
        let own = placements(&decision.position);
        let scores = scores(&self.policy, decision);
        [
            (
                "the opponent's legal set",
                list(&opponent),
                list(&trace.opponent),
            ),
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

/// Returns the position in which the opponent's placement was looked up, if it was looked up.
pub(super) fn looked_up(decision: &Decision) -> Option<&DuoBoard> {
    match &decision.opponent {
        OpponentMove::Placed(position) | OpponentMove::Illegal(position) => Some(position),
        OpponentMove::None | OpponentMove::Passed => None,
    }
}

fn placements(position: &DuoBoard) -> Vec<RawPlacement> {
    let placements = scan::twin(position);
    placements
        .iter()
        .map(|p| (p.orientation.index() as u8, p.x, p.y))
        .collect()
}

/// Returns the scores of all scanned placements, the opponent's first.
fn scores(policy: &Policy, decision: &Decision) -> Vec<u16> {
    let positions = looked_up(decision).into_iter().chain([&decision.position]);
    positions
        .flat_map(|position| {
            let maps = PolicyMaps::new(position, position.to_move());
            scan::twin(position)
                .into_iter()
                .map(move |placement| policy.score(&maps, placement))
        })
        .collect()
}

/// Formats a list of placements: their number, a hash of all, and the first four.
fn list(placements: &[RawPlacement]) -> String {
    let mut hasher = DefaultHasher::new();
    placements.hash(&mut hasher);
    let shown: Vec<_> = placements
        .iter()
        .take(4)
        .map(|placement| format!("{placement:?}"))
        .collect();
    format!(
        "{} placements (hash {:016x}): {}",
        placements.len(),
        hasher.finish(),
        shown.join(" ")
    )
}
