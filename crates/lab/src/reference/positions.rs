//! Positions of a reference table, chosen from games.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, LineWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duoforge_records::read_list;
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::Rng;
use serde::{Deserialize, Serialize};

use super::lines;
use super::split::{Split, key};
use crate::files;
use crate::game::codes;
use crate::output;
use crate::seed::derive;
use crate::training_games;

/// Name of the file format.
const FORMAT: &str = "duoforge positions";

/// Version of the file format.
const VERSION: u32 = 1;

/// Choose positions for a reference table from games
///
/// Each game gives at most one position with two or more legal placements, so positions are
/// independent of each other. The plies from 0 to --max-ply occur equally often where the games
/// allow it, in any first part of the file too. Positions that are mirror images of each other
/// count as one. A hash of the position assigns it to the training half or to the held-out half.
/// The choice depends only on the games and on --seed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of games: those of `games`, or lists of codes such as those of `match --record`
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Maximum number of positions [default: one for each game]
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Last ply of which positions are chosen
    #[arg(long, value_name = "PLY", default_value_t = 20)]
    pub max_ply: usize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// File of positions that are not chosen again; their plies count as used. Repeatable
    #[arg(long, value_name = "FILE")]
    pub exclude: Vec<PathBuf>,
    /// Output file, which must not be one of the others
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// First line of a file of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    format: String,
    version: u32,
    /// Number of games from which the positions were chosen.
    pub games: usize,
    /// Last ply of which positions were chosen.
    pub max_ply: usize,
    /// Seed of the choice.
    pub seed: u64,
}

/// Position as a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Ply of the position.
    pub ply: usize,
    /// Half to which the position belongs.
    pub split: Split,
    /// Codes of the moves that lead to the position, separated by blanks.
    pub moves: String,
}

impl Position {
    /// Creates the position of a board.
    #[must_use]
    pub fn new(board: &DuoBoard) -> Self {
        Self {
            ply: board.ply(),
            split: Split::of(board),
            moves: codes(board.moves()),
        }
    }

    /// Plays the moves.
    ///
    /// # Errors
    /// A move that is not a code or is illegal; a ply or a half that contradicts the moves.
    pub fn board(&self) -> Result<DuoBoard> {
        let board = play(self.moves.split_whitespace())?;
        let expected = Self::new(&board);
        ensure!(
            (self.ply, self.split) == (expected.ply, expected.split),
            "ply {} and half {:?} contradict the moves: expected {} and {:?}",
            self.ply,
            self.split,
            expected.ply,
            expected.split
        );
        Ok(board)
    }
}

/// Plays the moves of these codes.
///
/// # Errors
/// The first code that is not a move or is illegal.
pub fn play<'a>(codes: impl Iterator<Item = &'a str>) -> Result<DuoBoard> {
    let mut board = DuoBoard::duo();
    for code in codes {
        let mv: Move = code
            .parse()
            .with_context(|| format!("{code} is not a move"))?;
        let played = board.play(mv);
        played.with_context(|| format!("{code} is illegal at ply {}", board.ply()))?;
    }
    Ok(board)
}

/// Reads a file of positions.
///
/// # Errors
/// The first invalid line.
pub fn read(path: &Path) -> Result<(Header, Vec<Position>)> {
    let (header, positions): (Header, Vec<Position>) = lines::read(path)?;
    ensure!(
        (header.format.as_str(), header.version) == (FORMAT, VERSION),
        "{} is not a file of positions of version {VERSION}",
        path.display()
    );
    Ok((header, positions))
}

/// Chooses positions from games, see [`Args`]; those of `excluded` are not chosen again.
#[must_use]
pub fn choose(
    games: &[Vec<Move>],
    excluded: &[DuoBoard],
    max_ply: usize,
    count: Option<usize>,
    seed: u64,
) -> Vec<Position> {
    let mut rng = Rng::new(derive(seed, &[0]));
    let mut order: Vec<_> = (0..games.len()).collect();
    shuffle(&mut order, &mut rng);
    let mut chosen = Vec::new();
    let mut known: HashSet<_> = excluded.iter().map(key).collect();
    let mut uses: HashMap<usize, u32> = HashMap::new();
    for board in excluded {
        *uses.entry(board.ply()).or_default() += 1;
    }
    for game in order {
        if Some(chosen.len()) == count {
            break;
        }
        let boards = boards(&games[game], max_ply);
        let mut plies: Vec<_> = (0..boards.len()).collect();
        shuffle(&mut plies, &mut rng);
        plies.sort_by_key(|ply| uses.get(ply).copied().unwrap_or(0));
        let fresh = plies.into_iter().find(|&ply| {
            let board = &boards[ply];
            !known.contains(&key(board)) && board.count_legal() > 1
        });
        if let Some(ply) = fresh {
            known.insert(key(&boards[ply]));
            *uses.entry(ply).or_default() += 1;
            chosen.push(Position::new(&boards[ply]));
        }
    }
    chosen
}

/// Returns the positions of a legal game up to a ply.
fn boards(moves: &[Move], max_ply: usize) -> Vec<DuoBoard> {
    let mut board = DuoBoard::duo();
    let mut boards = vec![board.clone()];
    for &mv in moves.iter().take(max_ply) {
        board.play(mv).expect("games that were read are legal");
        boards.push(board.clone());
    }
    boards
}

/// Shuffles a list (Fisher and Yates).
fn shuffle<T>(list: &mut [T], rng: &mut Rng) {
    for last in (1..list.len()).rev() {
        list.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

/// Chooses positions and writes them.
///
/// # Errors
/// Games that cannot be read; a file that cannot be written, or that is an input.
pub fn run(args: &Args) -> Result<()> {
    let inputs = args.files.iter().chain(&args.exclude);
    let inputs = inputs.map(PathBuf::as_path);
    files::check_distinct(inputs, &[("--out", Some(&args.out))])?;
    let mut games = Vec::new();
    for path in &args.files {
        games.extend(games_of(path)?);
    }
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        games: games.len(),
        max_ply: args.max_ply,
        seed: args.seed,
    };
    let mut excluded = Vec::new();
    for path in &args.exclude {
        for position in read(path)?.1 {
            let board = position.board();
            excluded.push(board.with_context(|| path.display().to_string())?);
        }
    }
    let chosen = choose(&games, &excluded, args.max_ply, args.count, args.seed);
    write(&args.out, &header, &chosen).with_context(|| files::failed(&args.out))?;
    let held_out = chosen
        .iter()
        .filter(|position| position.split == Split::HeldOut)
        .count();
    output::line(format_args!(
        "{} positions of {} games in {}, {held_out} of them held out",
        chosen.len(),
        games.len(),
        args.out.display()
    ))?;
    Ok(())
}

fn write(path: &Path, header: &Header, positions: &[Position]) -> Result<()> {
    let mut file = LineWriter::new(File::create(path)?);
    writeln!(file, "{}", serde_json::to_string(header)?)?;
    for position in positions {
        writeln!(file, "{}", serde_json::to_string(position)?)?;
    }
    Ok(())
}

/// Reads the games of a file, of JSON lines or of codes.
fn games_of(path: &Path) -> Result<Vec<Vec<Move>>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
    let text = std::io::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    if text.starts_with('{') {
        let games = training_games::read(BufReader::new(text.as_bytes())).context(name)?;
        return Ok(games.into_iter().map(|(_, moves)| moves).collect());
    }
    let games = read_list(&text).with_context(|| name.clone())?;
    let game = games.iter().map(|game| {
        let codes: Vec<_> = game
            .codes
            .iter()
            .map(|code| String::from_utf8_lossy(&code.bytes))
            .collect();
        let board = play(codes.iter().map(AsRef::as_ref));
        let board = board.with_context(|| format!("{name}, line {}", game.line))?;
        Ok(board.moves().to_vec())
    });
    game.collect()
}

#[cfg(test)]
mod tests {
    use duoforge_twin::Policy;

    use super::*;
    use crate::openings::walk;

    fn games(count: u64) -> Vec<Vec<Move>> {
        let game = |seed| {
            let mut rng = Rng::new(seed);
            let board = walk(&Policy::default(), DuoBoard::duo(), usize::MAX, &mut rng);
            board.moves().to_vec()
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn plies_are_balanced_in_every_first_part() {
        let chosen = choose(&games(100), &[], 9, None, 1);
        assert_eq!(chosen.len(), 100);
        let mut known = HashSet::new();
        for position in &chosen {
            assert!(known.insert(key(&position.board().expect("legal"))));
        }
        for part in [10, 50, 100] {
            for ply in 2..=9 {
                let count = chosen[..part]
                    .iter()
                    .filter(|position| position.ply == ply)
                    .count();
                assert!((part / 11..=part / 8).contains(&count), "{ply}: {count}");
            }
        }
        // There is one empty board.
        assert_eq!(
            chosen.iter().filter(|position| position.ply == 0).count(),
            1
        );
    }

    #[test]
    fn choices_depend_only_on_games_and_seed() {
        let games = games(30);
        let choose = |count, seed| choose(&games, &[], 20, count, seed);
        assert_eq!(choose(None, 1), choose(None, 1));
        assert_ne!(choose(None, 1), choose(None, 2));
        assert_eq!(choose(Some(7), 1), choose(None, 1)[..7]);
        let first = choose(Some(7), 1);
        let boards: Vec<_> = first
            .iter()
            .map(|position| position.board().expect("legal"))
            .collect();
        let more = super::choose(&games, &boards, 20, None, 1);
        assert!(more.iter().all(|position| !first.contains(position)));
        assert!(more.len() >= 20);
    }

    #[test]
    fn positions_are_checked() {
        let position = choose(&games(3), &[], 20, None, 1).remove(2);
        assert!(position.board().is_ok());
        for (change, expected) in [
            (
                Position {
                    ply: 40,
                    ..position.clone()
                },
                "contradict the moves",
            ),
            (
                Position {
                    moves: "53e0 53e0".into(),
                    ..position.clone()
                },
                "53e0 is illegal at ply 1",
            ),
            (
                Position {
                    moves: "53".into(),
                    ..position.clone()
                },
                "53 is not a move",
            ),
        ] {
            let error = format!("{:#}", change.board().expect_err("no position"));
            assert!(error.contains(expected), "{error}");
        }
    }
}
