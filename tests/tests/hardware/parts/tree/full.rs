//! Tests of the tree's memory up to its last word: the shipped number of nodes, nearly all with the
//! maximum number of children.

use duoforge_rules::Colour;
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::tree::ChildLink;

use super::driver::Driver;
use super::{parameters, random_children, random_simulation};
use crate::support::games::placements;

#[test]
fn in_verilator() {
    let p = parameters();
    let mut rng = Rng::new(7);
    let all = placements();
    let mut driver = Driver::open(Backend::Verilator, &p);
    while driver.twin.nodes.len() < p.nodes {
        let number = driver.twin.nodes.len() as u32;
        let mut scored = random_children(&mut rng, &all);
        while scored.len() < p.children && number % 7 != 3 {
            scored = random_children(&mut rng, &all);
        }
        let player = Colour(rng.below(2) as u8);
        driver.add(player, &scored, rng.below(1 << 16));
        if number > 0 {
            let parent = rng.below(number);
            let children = driver.twin.children(parent).len() as u32;
            let child = rng.below(children) as usize;
            driver.link(parent, child, ChildLink::Node(number));
        }
    }
    // Every node once, and the newest nodes twice.
    for node in (0..p.nodes as u32).chain(p.nodes as u32 - 16..p.nodes as u32) {
        driver.select(node);
        let (path, moves) = random_simulation(&mut rng, &driver, &all);
        driver.learn(&path, &moves, (rng.below(1 << 16), false), false);
    }
    driver.compare_all();
    driver.report();
    let cover = ["tree: nodes", "tree: children of a node"];
    driver.reached.cover(&cover);
}
