use duoforge_rules::{GameVariant, Seat};
use duoforge_twin::Rng;

use super::*;
use crate::playout::{MAX_PLIES, SimulatedPly, draw, finish};

/// Placements of the colour to move, by the corner points of the position.
fn placements(position: &Position) -> Vec<Placement> {
    let colour = position.colour();
    let mut found = Vec::new();
    for cell in cells(&position.corner_points(colour)) {
        let fitting = position.fitting(colour, cell);
        found.extend(fitting.map(|it| placement(key_at(it, cell))));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Passes of a game while they are forced.
fn pass_if_forced(game: &mut Game) {
    while game.is_pass_forced() {
        game.play(Move::Pass).expect("a forced pass");
    }
}

/// Compares a position in which a colour has a placement with the game; the slow checker of
/// `duoforge-rules` checks the latter.
fn compare(position: &Position, game: &Game) {
    assert_eq!(Some(colour(position.colour())), game.to_move());
    assert_eq!(Some(Seat(position.seat() as u8)), game.seat_to_move());
    let mut legal = game.legal();
    legal.sort_unstable();
    assert!(placements(position) == legal, "\n{game}");
    let scores: Vec<i32> = game.seats().map(|seat| game.seat_score(seat)).collect();
    assert_eq!(position.scores()[..scores.len()], scores);
}

fn colour(index: usize) -> duoforge_rules::Colour {
    duoforge_rules::Colour(index as u8)
}

#[test]
fn a_position_follows_the_game_in_every_variant() {
    let mut rng = Rng::new(1);
    for variant in GameVariant::BUILT_IN {
        for _ in 0..4 {
            let mut game = Game::new(&variant);
            let mut position = Position::new(&game);
            while position.find_decision() {
                pass_if_forced(&mut game);
                compare(&position, &game);
                compare(&Position::new(&game), &game);
                let legal = game.legal();
                let random = legal[rng.below(legal.len() as u32) as usize];
                game.play(random.into()).expect("a legal placement");
                position.play(key(random.orientation.index() as u8, random.x, random.y));
            }
            pass_if_forced(&mut game);
            assert!(game.is_over(), "\n{game}");
        }
    }
}

#[test]
fn playouts_are_legal_games_to_the_end() {
    let mut rng = Rng::new(2);
    for variant in GameVariant::BUILT_IN {
        for random_plies in [0, 3, 9, 30] {
            let mut game = Game::new(&variant);
            for _ in 0..random_plies {
                let legal = game.legal();
                if legal.is_empty() {
                    break;
                }
                let random = legal[rng.below(legal.len() as u32) as usize];
                game.play(random.into()).expect("a legal placement");
                pass_if_forced(&mut game);
            }
            let mut position = Position::new(&game);
            let mut plies: Vec<SimulatedPly> = Vec::with_capacity(MAX_PLIES);
            finish(&mut position, &mut rng, &mut plies);
            for ply in &plies {
                pass_if_forced(&mut game);
                assert_eq!(game.to_move(), Some(colour(ply.colour.into())));
                assert_eq!(game.seat_to_move(), Some(Seat(ply.seat)));
                game.play(placement(ply.key).into())
                    .expect("a legal placement");
            }
            pass_if_forced(&mut game);
            assert!(game.is_over(), "\n{game}");
            let scores: Vec<i32> = game.seats().map(|seat| game.seat_score(seat)).collect();
            assert_eq!(position.scores()[..scores.len()], scores);
        }
    }
}

#[test]
fn playouts_answer_at_recent_corner_points() {
    let mut rng = Rng::new(3);
    let mut answers = 0;
    for _ in 0..50 {
        let mut game = Game::new(&GameVariant::DUO);
        for _ in 0..6 {
            let legal = game.legal();
            let large: Vec<_> = legal.iter().filter(|it| it.tile().size() == 5).collect();
            let random = large[rng.below(large.len() as u32) as usize];
            game.play((*random).into()).expect("a legal placement");
        }
        // Corner points at the opponent's last two placements, cell by cell.
        let opponent = game.to_move().expect("the game is not over").opponent();
        let plies = [game.plies()[3], game.plies()[5]];
        let tiles: Vec<_> = plies
            .iter()
            .flat_map(|ply| ply.mv.placement().expect("no pass").cells())
            .collect();
        let recent: Vec<_> = game
            .corner_points(opponent)
            .iter()
            .filter(|cell| {
                let is_diagonal = |other: &duoforge_rules::Cell| {
                    cell.x.abs_diff(other.x) == 1 && cell.y.abs_diff(other.y) == 1
                };
                tiles.iter().any(is_diagonal)
            })
            .collect();
        let covers = |it: &Placement| it.cells().any(|cell| recent.contains(&cell));
        if !game.legal().iter().any(covers) {
            continue;
        }
        answers += 1;
        let drawn = draw(&mut Position::new(&game), &mut rng).expect("a placement");
        assert!(covers(&placement(drawn)), "\n{game}");
    }
    assert!(answers > 10, "{answers}");
}
