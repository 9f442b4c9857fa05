//! Playouts against their rules, placement by placement, and positions against the board.

use duoforge_rules::{ActionSpace, Bitboard, Colour, Duo, DuoBoard, Move, Placement};
use duoforge_twin::Rng;
use duoforge_twin::search::playout::finish;
use duoforge_twin::search::{
    DrawMemory, PlayoutMaps, Position, Replies, SearchParameters, draw_by_weight,
};

use common::random_position;

mod common;

/// Allowed cells of a side that are diagonal to its last two tiles. Before a side has placed two,
/// its start cell counts as one.
fn recent_corner_points(board: &DuoBoard, player: Colour) -> Bitboard<Duo> {
    let placements = board.moves().iter().skip(player.index()).step_by(2);
    let placements = placements.filter_map(|mv| match mv {
        Move::Place(placement) => Some(*placement),
        Move::Pass => None,
    });
    let start: Bitboard<Duo> = [board.start(player)].into_iter().collect();
    let mut diagonals: Vec<Bitboard<Duo>> = vec![Bitboard::EMPTY, start];
    diagonals.extend(placements.map(|placement| {
        let cells: Bitboard<Duo> = placement.cells().collect();
        cells.diagonal_neighbours()
    }));
    let [.., before, last] = diagonals[..] else {
        unreachable!("two at least");
    };
    (last | before) & board.allowed(player)
}

/// Reply cells that include the opponent's cells next to its recent corner points.
fn wide_reply_cells(board: &DuoBoard) -> Bitboard<Duo> {
    let (me, opponent) = (board.to_move(), board.to_move().opponent());
    let recent = recent_corner_points(board, opponent);
    let beside = recent.edge_neighbours() & board.allowed(opponent);
    (recent | beside) & board.allowed(me)
}

/// Placement that a playout by classes plays: the most reply cells first, then the largest tiles;
/// the nearest to the random number among those of the class.
fn by_class(
    board: &DuoBoard,
    reply_min_size: u8,
    reply_count_max: usize,
    random: u32,
) -> Option<Placement> {
    let me = board.to_move();
    let reply_cells = match reply_count_max {
        1 => recent_corner_points(board, me.opponent()) & board.allowed(me),
        _ => wide_reply_cells(board),
    };
    let covered = |p: &Placement| p.cells().filter(|&it| reply_cells.contains(it)).count();
    let legal: Vec<_> = board.legal().collect();
    // Tile a is in the sample if bit 11 + a of the random number is high.
    let in_sample = |p: &Placement| (random >> 11) >> p.tile().index() & 1 == 1;
    for all_tiles in [false, true] {
        for count in (0..=reply_count_max).rev() {
            for size in [5, 4, 3, 2, 1] {
                let of_class = legal.iter().filter(|p| {
                    p.tile().size() == size
                        && (all_tiles || in_sample(p))
                        && (count == 0 || size >= reply_min_size && covered(p) >= count)
                });
                let number = |p: &Placement| {
                    let cell = u32::from(p.y) * 4096 + u32::from(p.x) * 128;
                    (cell + p.orientation.index() as u32) ^ (random % (1 << 17))
                };
                if let Some(&nearest) = of_class.min_by_key(|p| number(p)) {
                    return Some(nearest);
                }
            }
        }
    }
    None
}

/// Plays until both sides in turn have nothing to place; returns the placements.
fn played(
    board: &mut DuoBoard,
    rng: &mut Rng,
    mut next: impl FnMut(&DuoBoard, u32) -> Option<Placement>,
) -> Vec<(Colour, Placement)> {
    let mut placements = Vec::new();
    let mut passes = 0;
    while passes < 2 {
        let (player, random) = (board.to_move(), rng.next_u32());
        let placement = next(board, random);
        passes = if placement.is_some() { 0 } else { passes + 1 };
        placements.extend(placement.map(|placement| (player, placement)));
        // After the last pass nothing is played any more.
        if passes < 2 {
            let mv = placement.map_or(Move::Pass, Move::Place);
            board.play(mv).expect("legal");
        }
    }
    placements
}

/// Returns the placements of a simulation: those so far, and those of a playout.
fn finished(
    mut position: Position,
    p: &SearchParameters,
    rng: &mut Rng,
    replies: &Replies,
    mut moves: Vec<(Colour, Placement)>,
) -> Vec<(Colour, Placement)> {
    let memory = &mut DrawMemory::default();
    finish(&mut position, p, rng, replies, memory, &mut moves);
    moves
}

#[test]
fn playouts_follow_their_classes() {
    for seed in 0..30 {
        let board = random_position(seed, seed as usize % 25);
        for reply_min_size in [1, 4, 6] {
            let (mut one, mut two) = (Rng::new(seed + 100), Rng::new(seed + 100));
            let expected = played(&mut board.clone(), &mut one, |board, random| {
                by_class(board, reply_min_size, 1, random)
            });
            let p = SearchParameters {
                reply_min_size: reply_min_size.into(),
                ..SearchParameters::default()
            };
            let found = finished(
                Position::new(&board),
                &p,
                &mut two,
                &Replies::new(0),
                Vec::new(),
            );
            // As many random numbers were drawn.
            assert_eq!((found, two), (expected, one), "seed {seed}");
        }
    }
}

#[test]
fn playouts_follow_their_classes_by_the_number_of_reply_cells() {
    let mut p = SearchParameters::default();
    for (seed, min_size, max) in (0..10)
        .flat_map(|seed| [(1, 2), (1, 4), (3, 3), (6, 4)].map(|(size, max)| (seed, size, max)))
    {
        let board = random_position(seed, seed as usize * 2);
        (p.reply_min_size, p.formulas.reply_count_max) = (min_size.into(), max);
        let (mut one, mut two) = (Rng::new(seed), Rng::new(seed));
        let expected = played(&mut board.clone(), &mut one, |board, random| {
            by_class(board, min_size, max as usize, random)
        });
        let found = finished(
            Position::new(&board),
            &p,
            &mut two,
            &Replies::new(0),
            Vec::new(),
        );
        assert_eq!((found, two), (expected, one), "seed {seed}, {max}");
    }
}

/// The reply cells of a playout by weight include the opponent's cells next to its recent corner
/// points.
#[test]
fn playouts_by_weight_reply_at_and_beside_recent_corner_points() {
    let mut memory = DrawMemory::default();
    let mut p = SearchParameters::default();
    p.formulas.playout_weights = true;
    for seed in 0..30 {
        let board = random_position(seed, seed as usize % 25);
        let (mut one, mut two) = (Rng::new(seed), Rng::new(seed));
        let expected = played(&mut board.clone(), &mut one, |board, random| {
            let me = board.to_move();
            let maps = PlayoutMaps {
                allowed: board.allowed(me),
                corners: board.corner_points(me),
                reply_cells: wide_reply_cells(board),
            };
            draw_by_weight(&maps, board.tiles_left(me), random, &mut memory)
        });
        let found = finished(
            Position::new(&board),
            &p,
            &mut two,
            &Replies::new(0),
            Vec::new(),
        );
        assert_eq!((found, two), (expected, one), "seed {seed}");
    }
}

/// The last good reply is played if it is legal.
#[test]
fn playouts_play_replies_that_are_legal() {
    let mut p = SearchParameters::default();
    p.formulas.replies = 2;
    let board = random_position(3, 6);
    let start = Position::new(&board);
    let me = board.to_move();
    let first = finished(start, &p, &mut Rng::new(1), &Replies::new(2), Vec::new());
    let mut replies = Replies::new(2);
    replies.record(&first, Some(me));
    let again = vec![first[0], first[1]];
    let mut position = start;
    position.place(first[0].1);
    position.place(first[1].1);
    let again = finished(position, &p, &mut Rng::new(2), &replies, again);
    assert_eq!(again[2], first[2], "the winner repeats its reply");
    assert_ne!(again[3], first[3], "the loser does not");
}

/// Legality, allowed cells and margins are those of the board, also after placements on the
/// position itself.
#[test]
fn positions_are_those_of_their_board() {
    let all: Vec<_> = ActionSpace::new(14).placements().collect();
    for seed in 0..12 {
        let mut board = random_position(seed, 2 * seed as usize);
        let mut position = Position::new(&board);
        for further in 0..3 {
            if further > 0 {
                let count = board.count_legal() as usize;
                let Some(placement) = board.legal().nth(count / 2) else {
                    break;
                };
                board.play(Move::Place(placement)).expect("legal");
                position.place(placement);
            }
            assert_eq!(position.to_move(), board.to_move());
            for player in [Colour(0), Colour(1)] {
                assert_eq!(position.allowed(player), board.allowed(player));
                assert_eq!(position.corner_points(player), board.corner_points(player));
                assert_eq!(
                    position.recent_corner_points(player),
                    recent_corner_points(&board, player)
                );
                assert_eq!(position.tiles(player), board.tiles_left(player));
                let cells = [player, player.opponent()].map(|it| board.cells(it).len() as i32);
                assert_eq!(position.margin(player), cells[0] - cells[1]);
            }
            let legal = all
                .iter()
                .filter(|&&placement| position.is_legal(placement));
            let mut legal: Vec<_> = legal.copied().collect();
            let mut expected: Vec<_> = board.legal().collect();
            let order = |p: &Placement| (p.orientation, p.x, p.y);
            legal.sort_by_key(order);
            expected.sort_by_key(order);
            assert_eq!(legal, expected);
        }
    }
}
