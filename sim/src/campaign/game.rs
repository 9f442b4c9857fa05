//! One game against a rival whose moves are random or the policy's.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_engine::{Policy, RivalMove, Rng, Thought, Twin};
use duoforge_hdl::{clocks, scan};
use duoforge_protocol::{MoveCode, StartCell, TeamCode};
use duoforge_rules::{
    Cell, DuoBoard, Move, Orientation, Placement, Player, Rotation, Tile, Variant,
};

use super::Campaign;
use crate::board::{SimBoard, Spot};
use crate::error::Result;

/// What came of a game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Its seed.
    pub seed: u64,
    /// Requests for a move that were answered and compared.
    pub plies: u64,
    /// Legal sets that were compared.
    pub legal_sets: u64,
    /// Clocks from the last stop bit of a request to the answer's first start bit, at most.
    pub longest_delay: u64,
    /// The moves, in four-letter codes.
    pub codes: Vec<String>,
    /// The first thing that differed.
    pub mismatch: Option<Mismatch>,
    /// The waveform of the failure, if one was asked for.
    pub wave: Option<PathBuf>,
    /// Time it took.
    pub wall: Duration,
}

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

/// Plays a game; it ends at the first mismatch.
pub(super) fn play(board: &mut SimBoard, campaign: &Campaign, seed: u64) -> Result<GameReport> {
    let started = Instant::now();
    let team = TeamCode::new(campaign.parameters.team).expect("two printable letters");
    let mut game = Game {
        board,
        twin: Twin::new(team, campaign.parameters.policy.clone()),
        rng: Rng::new(seed),
        policy: campaign.parameters.policy.clone(),
        report: GameReport {
            seed,
            plies: 0,
            legal_sets: 0,
            longest_delay: 0,
            codes: Vec::new(),
            mismatch: None,
            wave: None,
            wall: Duration::ZERO,
        },
    };
    game.run()?;
    game.report.wall = started.elapsed();
    Ok(game.report)
}

struct Game<'b> {
    board: &'b mut SimBoard,
    twin: Twin,
    rng: Rng,
    policy: Policy,
    report: GameReport,
}

impl Game<'_> {
    fn run(&mut self) -> Result<()> {
        let start = if self.rng.below(2) == 0 {
            StartCell::Five
        } else {
            StartCell::A
        };
        let me = Player(self.rng.below(2) as u8);
        // How often, of four times, the rival plays at random: from the policy's moves alone to
        // random ones alone. Its first move is always random, so that games differ.
        let wildness = 1 + self.rng.below(4);
        let cell = |start: StartCell| {
            let (x, y) = start.coordinates();
            Cell::new(x, y)
        };
        let mut starts = [cell(start.other()); 2];
        starts[me.index()] = cell(start);
        let mut host = DuoBoard::with_starts(&Variant::DUO, &starts);
        if !self.ask(0, b"0")? {
            return Ok(());
        }
        let mut rival: Option<MoveCode> = None;
        let mut asked = false;
        while !host.is_over() {
            if host.to_move() == me {
                let request = match (asked, rival) {
                    (false, None) => vec![b'2', start.letter()],
                    (false, Some(code)) => [&[b'3', start.letter()], &code[..]].concat(),
                    (true, code) => [b"4", &code.expect("the rival has moved")[..]].concat(),
                };
                asked = true;
                if !self.ask(host.ply(), &request)? {
                    return Ok(());
                }
                let choice = self.twin.thought().and_then(|thought| thought.choice);
                let turn = choice.map_or(Move::Pass, |choice| Move::Place(choice.placement));
                self.make(&mut host, turn);
            } else {
                let turn = self.rival_move(&host, wildness);
                rival = Some(self.code_of(turn));
                self.make(&mut host, turn);
            }
        }
        self.ask(host.ply(), b"9")?;
        Ok(())
    }

    fn make(&mut self, host: &mut DuoBoard, turn: Move) {
        let code = turn.to_code_bytes();
        self.report
            .codes
            .push(String::from_utf8_lossy(&code).into_owned());
        host.play(turn).expect("both sides play legal moves");
    }

    fn rival_move(&mut self, host: &DuoBoard, wildness: u32) -> Move {
        let count = host.count_legal();
        if count == 0 {
            return Move::Pass;
        }
        if host.ply() >= 2 && self.rng.below(4) >= wildness {
            let choice = self.policy.best(host).expect("there are legal placements");
            return Move::Place(choice.placement);
        }
        let pick = self.rng.below(count) as usize;
        host.legal().nth(pick).map_or(Move::Pass, Move::Place)
    }

    /// Any of the codes that name the move: the board must take every alias.
    fn code_of(&mut self, turn: Move) -> MoveCode {
        let Move::Place(placement) = turn else {
            return turn.to_code_bytes();
        };
        let aliases = aliases(placement);
        aliases[self.rng.below(aliases.len() as u32) as usize]
    }

    /// Sends a request to the board and to the twin and compares all that can be seen. Returns
    /// whether everything was equal.
    fn ask(&mut self, ply: usize, request: &[u8]) -> Result<bool> {
        let expected = request
            .iter()
            .filter_map(|&byte| self.twin.receive(byte))
            .last();
        let expected = expected.map_or(Vec::new(), |frame| frame.as_bytes().to_vec());
        let answer = self.board.exchange(request)?;
        let trace = self.board.trace()?;
        let status = self.board.status()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let differs = |what: &str, twin: String, board: String| {
            let request = text(request);
            (twin != board).then(|| Mismatch {
                ply,
                request,
                what: what.into(),
                twin,
                board,
            })
        };
        let mut found = None;
        if let Some(thought) = self.twin.thought() {
            self.report.plies += 1;
            self.report.legal_sets += 1 + u64::from(looked_up(thought).is_some());
            self.report.longest_delay = self.report.longest_delay.max(answer.delay.unwrap_or(0));
            let rival = looked_up(thought).map_or(Vec::new(), spots);
            let own = spots(&thought.position);
            let trouble = self.twin.trouble();
            let flags = u8::from(trouble.broken) | u8::from(trouble.illegal) << 1;
            found = differs("the rival's legal set", list(&rival), list(&trace.rival))
                .or_else(|| differs("the legal set", list(&own), list(&trace.own)))
                .or_else(|| {
                    let scores = scores(&self.policy, thought);
                    differs(
                        "a score",
                        format!("{scores:?}"),
                        format!("{:?}", trace.scores),
                    )
                })
                .or_else(|| differs("the flags", flags.to_string(), status.flags.to_string()))
                .or_else(|| {
                    let count = own.len().to_string();
                    differs("the legal count", count, status.legal_count.to_string())
                })
                .or_else(|| {
                    let clocks = clocks::request(thought).to_string();
                    differs("the clock count", clocks, status.think_clocks.to_string())
                });
        }
        let found = differs("the answer", text(&expected), text(&answer.bytes)).or(found);
        self.report.mismatch = found;
        Ok(self.report.mismatch.is_none())
    }
}

/// All codes of a placement.
fn aliases(placement: Placement) -> Vec<MoveCode> {
    let rotations = Rotation::ALL.into_iter();
    let tile: Tile = placement.tile();
    rotations
        .filter(|&rotation| {
            Orientation::from_tile_rotation(tile, rotation) == placement.orientation
        })
        .map(|rotation| {
            let back = Orientation::back(tile, rotation);
            let (x, y) = (placement.x + back.x, placement.y + back.y);
            duoforge_rules::Code {
                x,
                y,
                tile,
                rotation,
            }
            .to_bytes()
        })
        .collect()
}

/// The position in which the rival's move was looked up, if it was.
fn looked_up(thought: &Thought) -> Option<&DuoBoard> {
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
            let maps = duoforge_engine::Maps::new(position, position.to_move());
            scan::twin(position)
                .into_iter()
                .map(move |placement| policy.score(&maps, placement))
        })
        .collect()
}

/// A list of placements, short enough to read where it is long.
fn list(spots: &[Spot]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
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
