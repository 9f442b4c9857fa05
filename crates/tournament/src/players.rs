//! Opens players for a game.

use duoforge_arena::{ArenaError, Desk, Mover, NoMove, Player, PlayerSpec, Resigned, Seat};
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::Backend;

use crate::run::{Control, Notice};
use crate::seeds::mixed;
use crate::{Entry, Plan};

/// Player whose first moves are given.
struct Opened {
    player: Box<dyn Mover>,
    opening: Vec<Move>,
}

impl Mover for Opened {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, NoMove> {
        match self.opening.get(board.ply()) {
            Some(&turn) if board.moves() == &self.opening[..board.ply()] => Ok(turn),
            _ => self.player.choose(board),
        }
    }

    fn begin(&mut self) {
        self.player.begin();
    }

    fn seed(&mut self, seed: u64) {
        self.player.seed(seed);
    }
}

/// Services for opening players: seeds, and notices while a player is built or awaited.
struct Office<'a> {
    name: &'a str,
    seed: u64,
    control: &'a dyn Control,
}

impl Desk for Office<'_> {
    fn person(&mut self, _: Seat) -> Box<dyn Mover> {
        // Plans with persons are rejected.
        Box::new(Nobody)
    }

    fn seed(&mut self, _: Seat) -> u64 {
        self.seed
    }

    fn builds(&mut self, _: Seat, backend: Backend) {
        self.control.notice(&Notice::Builds {
            player: self.name.to_owned(),
            backend: backend.to_string(),
        });
    }

    fn waits(&mut self, _: Seat, place: &str) {
        self.control.notice(&Notice::Waits {
            player: self.name.to_owned(),
            place: place.to_owned(),
        });
    }
}

struct Nobody;

impl Mover for Nobody {
    fn choose(&mut self, _: &DuoBoard) -> Result<Move, NoMove> {
        Err(Resigned.into())
    }
}

/// Seed of a player in a game; depends on the plan's seed, the player's seed, the game and the
/// seat.
pub(crate) fn seed(plan: &Plan, entry: &Entry, game: u32, seat: Seat) -> u64 {
    let own = match &entry.spec {
        PlayerSpec::Random(own) => own.unwrap_or_default(),
        PlayerSpec::Search(settings) => settings.seed,
        PlayerSpec::Strong(settings) => settings.seed,
        _ => 0,
    };
    mixed(&[plan.seed, own, game.into(), seat as u64])
}

/// Opens a player for a game.
pub(crate) fn open(
    entry: &Entry,
    seat: Seat,
    seed: u64,
    opening: &[Move],
    control: &dyn Control,
) -> Result<Player, ArenaError> {
    let player = if entry.opens() {
        let spec = match &entry.spec {
            PlayerSpec::Random(_) => PlayerSpec::Random(Some(seed)),
            spec => spec.clone(),
        };
        let mut player = spec.mover()?;
        player.seed(seed);
        let opened = Opened {
            player,
            opening: opening.to_vec(),
        };
        Player::choosing(opened, entry.spec.to_string(), team(&entry.spec))
    } else {
        let mut office = Office {
            name: &entry.name,
            seed,
            control,
        };
        entry.spec.open(seat, &mut office)?
    };
    let player = player.named(&entry.name);
    Ok(match entry.clock {
        Some(clock) => player.with_clock(clock),
        None => player,
    })
}

/// Team code of a player in software, as in matches.
const fn team(spec: &PlayerSpec) -> [u8; 2] {
    match spec {
        PlayerSpec::Engine => *b"EN",
        PlayerSpec::Sample(_) => *b"SP",
        PlayerSpec::Random(_) => *b"RN",
        PlayerSpec::Search(_) => *b"DF",
        PlayerSpec::Strong(_) => *b"ST",
        _ => *b"GT",
    }
}
