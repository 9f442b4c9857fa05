//! Requests as in real searches: those of the twin, for positions of games.

use duoforge_rules::Colour;
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::arithmetic::MAX_VALUE;
use duoforge_twin::search::tree::ChildLink;
use duoforge_twin::search::{DrawMemory, Position, Replies, SearchParameters, expand, playout};

use super::driver::Driver;
use super::parameters;
use crate::support::games::Game;
use crate::support::in_every_simulator;

in_every_simulator!(bench; verilator (40, 150), icarus (3, 20), rust (3, 20));

fn bench(backend: Backend, (positions, simulations): (u32, u32)) {
    let p = SearchParameters {
        expand_threshold: 2,
        ..parameters()
    };
    let mut rng = Rng::new(11);
    let mut driver = Driver::open(backend, &p);
    for _ in 0..positions {
        let game = Game::random(&mut rng);
        let (board, _) = &game.moves[rng.below(game.moves.len() as u32) as usize];
        let root = Position::new(board);
        let me = root.to_move();
        let Some((player, scored)) = expand(&root, &p) else {
            continue;
        };
        driver.clear();
        // The side to move at the root is side 0.
        driver.add(side(player, player), &scored, MAX_VALUE / 2);
        if player != me {
            continue;
        }
        for _ in 0..simulations {
            simulate(&mut driver, &root, &p, &mut rng);
        }
        driver.compare_all();
    }
    driver.report();
}

fn side(player: Colour, me: Colour) -> Colour {
    Colour(u8::from(player != me))
}

/// Runs one MCTS simulation, down the tree and back up.
fn simulate(driver: &mut Driver, root: &Position, p: &SearchParameters, rng: &mut Rng) {
    let me = root.to_move();
    let player = |side: Colour| if side.0 == 0 { me } else { me.opponent() };
    let mut position = *root;
    let (mut path, mut moves) = (Vec::new(), Vec::new());
    let (mut node, mut proving) = (0, false);
    loop {
        let (step, child) = driver.select(node);
        path.push(step);
        proving |= step.proven_alternative.is_some();
        moves.push((side(position.to_move(), me), child.placement));
        position.place(child.placement);
        let mut next = child.next;
        let room = driver.twin.nodes.len() < p.nodes;
        let at_threshold = proving || child.visits > p.expand_threshold;
        if next == ChildLink::Leaf && at_threshold && room {
            let mover = side(position.to_move().opponent(), me);
            let found = expand(&position, p).map(|(who, scored)| (side(who, me), scored));
            next = driver.twin.add_expansion(mover, child.value(), found, p);
            if let ChildLink::Node(number) = next {
                driver.enter(number);
            }
            driver.link(node, step.child, next);
        }
        match next {
            ChildLink::Node(next) => {
                node = next;
                position.set_to_move(player(driver.twin.nodes[node as usize].player));
            }
            ChildLink::Leaf => {
                let mut played = Vec::new();
                let memory = &mut DrawMemory::default();
                playout::finish(&mut position, p, rng, &Replies::new(0), memory, &mut played);
                let played = played.into_iter();
                moves.extend(played.map(|(player, placement)| (side(player, me), placement)));
                break;
            }
            ChildLink::End => break,
        }
    }
    let value = p.value(position.margin(me));
    let over = moves.len() == path.len();
    driver.learn(&path, &moves, (value, over), false);
}
