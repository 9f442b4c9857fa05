//! Tests of the scheduler after a search in the opponent's time: it continues at the node of the
//! reply, or begins with an empty tree.

use duoforge_hdl::search::scheduler::{Scheduler, reply_node};
use duoforge_hdl::search::tree::bank::END;
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::in_every_simulator;
use crate::support::reactive::{Reactive, number};

in_every_simulator!(bench; verilator 300, icarus 60, rust 60);

/// Inputs of the scheduler that change.
const INPUTS: [&str; 16] = [
    "think",
    "ponder",
    "renew",
    "replied",
    "reply",
    "stop",
    "child_count",
    "first_placement",
    "finished",
    "tree_idle",
    "was_read",
    "placement",
    "next_node",
    "node_side",
    "node_children",
    "visits",
];

/// Outputs of the scheduler.
const OUTPUTS: [&str; 12] = [
    "busy",
    "found",
    "best",
    "simulations",
    "pondered",
    "expand",
    "root_side",
    "root_node",
    "simulate",
    "clear",
    "read",
    "child",
];

/// Most cycles of a phase.
const LIMIT: u32 = 2_000;

/// Node of the tree: side to move, and children with their placements and links.
struct Node {
    side: u64,
    children: Vec<(u64, u64)>,
}

/// Record of a phase.
#[derive(Debug, Default)]
struct Record {
    /// Nodes and children that were read.
    read: Vec<(u64, u64)>,
    /// Clears of the tree.
    clears: u32,
    /// Sides of the roots that were expanded.
    expanded: Vec<u64>,
    /// Simulations, and the node at which each started.
    roots: Vec<u64>,
    /// `found`, `best`, `simulations` and `pondered` at the end.
    result: [u64; 4],
}

struct Unit {
    dut: Reactive<16, 12>,
    rng: Rng,
}

impl Unit {
    /// Runs a search to its end. It is stopped once `simulations` have started.
    fn run(&mut self, request: usize, first: &Node, second: &Node, simulations: usize) -> Record {
        let mut record = Record::default();
        let (mut reads, mut left) = (None, 0);
        for cycle in 0..LIMIT {
            let rng = &mut self.rng;
            let mut inputs = [0; 16];
            inputs[request] = u64::from(cycle == 0);
            inputs[5] = u64::from(record.roots.len() >= simulations);
            inputs[6] = first.children.len() as u64;
            inputs[7] = first.children.first().map_or(0, |child| child.0);
            inputs[8] = 1;
            let mut fields = [
                number(rng, 15),
                number(rng, 14),
                number(rng, 1),
                number(rng, 6),
            ];
            let mut was_read = false;
            if left > 0 {
                left -= 1;
                was_read = left == 0;
            }
            if was_read {
                let (node, child): (u64, u64) = reads.take().expect("a child is read");
                let node = if node == 0 { first } else { second };
                let (placement, link) = node.children[child as usize];
                fields = [placement, link, node.side, node.children.len() as u64];
            }
            inputs[9] = u64::from(left == 0 && !was_read && rng.below(3) > 0);
            inputs[10] = was_read.into();
            inputs[11..15].copy_from_slice(&fields);
            let [
                busy,
                found,
                best,
                done,
                pondered,
                expand,
                side,
                root,
                simulate,
                clear,
                read,
                child,
            ] = self.dut.look(inputs);
            if cycle > 0 && busy == 0 {
                record.result = [found, best, done, pondered];
                return record;
            }
            record.clears += clear as u32;
            if expand == 1 {
                record.expanded.push(side);
            }
            if simulate == 1 {
                record.roots.push(root);
            }
            if read == 1 {
                record.read.push((root, child));
                reads = Some((root, child));
                left = 1 + self.rng.below(3);
            }
            self.dut.clock(inputs);
        }
        panic!("the search does not end: {record:?}");
    }

    /// Drives one input for a cycle, with another one.
    fn pulse(&mut self, at: usize, with: (usize, u64)) {
        let mut inputs = [0; 16];
        (inputs[at], inputs[with.0]) = (1, with.1);
        self.dut.clock(inputs);
        self.dut.clock([0; 16]);
    }
}

/// Returns a node of up to 32 children with different placements.
fn node(rng: &mut Rng, side: u64, least: u32) -> Node {
    let count = least + rng.below(33 - least);
    let offset = rng.below(0x7f00);
    let child = |number| {
        let link = match rng.below(4) {
            0 => 0,
            1 => u64::from(END),
            _ => 1 + u64::from(rng.below(16_000)),
        };
        (u64::from(offset + 3 * number), link)
    };
    Node {
        side,
        children: (0..count).map(child).collect(),
    }
}

fn bench(backend: Backend, rounds: u32) {
    let block = Scheduler::new(4, 1_000, u32::MAX, false);
    let mut unit = Unit {
        dut: Reactive::open(backend, block, "scheduler", INPUTS, OUTPUTS),
        rng: Rng::new(61),
    };
    let [mut continued, mut single, mut fresh, mut unused] = [0; 4];
    for round in 0..rounds {
        let rng = &mut unit.rng;
        let first = node(rng, 1, 0);
        let side = u64::from(rng.below(4) == 0);
        let least = 1 + rng.below(2);
        let mut second = node(rng, side, least);
        if rng.below(3) == 0 {
            second.children.truncate(1);
        }
        let count = first.children.len();
        let reply = match rng.below(5) {
            0 => number(rng, 15),
            _ if count == 0 => 5,
            _ => first.children[rng.below(count as u32) as usize].0,
        };
        let pondered = 1 + rng.below(6) as usize;
        let heard = unit.run(1, &first, &second, pondered);
        let context = format!("{backend}: round {round}");
        assert_eq!((heard.clears, heard.expanded), (1, vec![1]), "{context}");
        assert!(heard.read.is_empty(), "{context}");
        assert!(heard.roots.iter().all(|&root| root == 0), "{context}");
        assert_eq!(heard.roots.is_empty(), count < 2, "{context}");

        // Events between the searches, after which the tree may be used or not.
        let event = unit.rng.below(8);
        if event != 0 {
            unit.pulse(3, (4, reply));
        }
        match event {
            1 => unit.pulse(3, (4, reply)),
            2 => unit.pulse(2, (4, 0)),
            _ => {}
        }
        let usable = event > 2;
        let next = reply_node(&first.children, reply).filter(|_| usable);
        let found = first.children.iter().position(|child| child.0 == reply);
        let mut reads: Vec<(u64, u64)> = Vec::new();
        if usable {
            reads.extend((0..found.map_or(count, |at| at + 1) as u64).map(|child| (0, child)));
            reads.extend(next.map(|next| (next, 0)));
        }
        let root = next.filter(|_| side == 0);
        let heard = unit.run(0, &first, &second, 3);
        assert_eq!(heard.read[..reads.len()], reads, "{context}");
        let tree = if root.is_some() { &second } else { &first };
        // The children of the root are read at the end.
        let at = root.unwrap_or(0);
        let choice = tree.children.len() as u64;
        let last = (0..if choice > 1 { choice } else { 0 }).map(|child| (at, child));
        assert!(
            heard.read[reads.len()..].iter().copied().eq(last),
            "{context}"
        );
        assert!(heard.roots.iter().all(|&root| root == at), "{context}");
        assert_eq!(
            heard.roots.len(),
            if choice > 1 { 3 } else { 0 },
            "{context}"
        );
        let expected = if root.is_some() {
            (0, vec![])
        } else {
            (1, vec![0])
        };
        assert_eq!((heard.clears, heard.expanded), expected, "{context}");
        let best = tree.children.first().map_or(0, |child| child.0);
        let sims = heard.roots.len() as u64;
        let before = match event {
            1 | 2 => 0,
            _ if count < 2 => 0,
            _ => pondered as u64,
        };
        assert_eq!(
            heard.result,
            [u64::from(choice > 0), best, sims, before],
            "{context}"
        );
        match root {
            _ if !usable => unused += 1,
            Some(_) if choice > 1 => continued += 1,
            Some(_) => single += 1,
            None => fresh += 1,
        }
    }
    println!(
        "{backend}: {continued} continued, {single} with one child, {fresh} fresh, {unused} unused"
    );
    assert!(continued > 3 && single > 0 && fresh > 3 && unused > 3);
}
