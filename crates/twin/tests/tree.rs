//! Tree search against a slow model of it, step by step, and against hand-made nodes.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

use duoforge_rules::{Colour, DuoBoard, Move, Orientation, Placement};
use duoforge_twin::Rng;
use duoforge_twin::search::amaf::AmafTable;
use duoforge_twin::search::arithmetic::{MAX_VALUE, Reciprocal, exp2_neg, exploration_scale};
use duoforge_twin::search::prior::{self, Candidate};
use duoforge_twin::search::tree::{Child, ChildLink, Node, PathStep, Tree};
use duoforge_twin::search::{
    Formulas, Position, Replies, Results, Search, SearchParameters, Simulation, playout,
};

const MAX: i128 = MAX_VALUE as i128;

/// Number divided by a divisor, rounded down.
fn floor(number: i128, divisor: i128) -> i128 {
    number.div_euclid(divisor)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Leaf,
    Node(usize),
    End,
}

/// Child in the model.
struct ModelChild {
    placement: Placement,
    prior: i128,
    visits: u32,
    /// Value count in 16ths of a visit; 65,535 is skipped, since it marks proven values.
    count: i128,
    /// Mean value in units of 2^-24.
    mean: i128,
    is_proven: bool,
    next: Next,
}

impl ModelChild {
    fn value(&self) -> i128 {
        floor(self.mean, 256)
    }

    fn grow(&mut self, weight: i128, formulas: &Formulas) {
        let end = 1_i128 << formulas.value_count_bits;
        if !self.is_proven && self.count < end - 64 {
            self.count = (self.count + weight).min(end - 2);
            self.count += i128::from(self.count == 65_535);
        }
    }

    /// Moves the mean by the weight's share of the value count; the difference is in 64ths.
    fn approach(&mut self, value: i128, weight: i128, formulas: &Formulas) {
        if self.is_proven {
            return;
        }
        let Reciprocal { factor, shift } = Reciprocal::of(self.count as u32);
        let unit = 1_i128 << (shift - 6);
        let rounding = match formulas.value_count_bits {
            16 => 0,
            _ => unit / 2,
        };
        let difference = floor(value * 256 - self.mean, 64);
        let step = floor(difference * weight * i128::from(factor) + rounding, unit);
        self.mean = (self.mean + step).clamp(0, (1 << 24) - 1);
    }

    fn prove(&mut self, value: i128) {
        if !self.is_proven {
            (self.is_proven, self.mean) = (true, value * 256);
        }
    }
}

struct ModelNode {
    player: Colour,
    visits: u32,
    children: Vec<ModelChild>,
}

impl ModelNode {
    fn new(player: Colour, candidates: &[Candidate], value: i128, p: &SearchParameters) -> Self {
        let child = |candidate: &Candidate| {
            let gap = i128::from(candidate.score_gap) * i128::from(p.fpu_reduction);
            let loss = exp2_neg(floor(gap, 16).min(255) as u32);
            ModelChild {
                placement: candidate.placement,
                prior: i128::from(candidate.prior).min(MAX),
                visits: 0,
                count: p.fpu_weight.into(),
                mean: floor(value * i128::from(loss), 1 << 16) * 256,
                is_proven: false,
                next: Next::Leaf,
            }
        };
        Self {
            player,
            visits: 0,
            children: candidates.iter().map(child).collect(),
        }
    }

    /// Number of children that can be selected.
    fn open(&self, formulas: &Formulas) -> usize {
        let further = match formulas.widen {
            0 => 0,
            widen => self.visits / widen,
        };
        match formulas.first_children {
            0 => self.children.len(),
            first => self.children.len().min(first + further as usize),
        }
    }

    /// First child of the highest key among the first `open` ones that are proven, or are not.
    fn best(
        &self,
        open: usize,
        proven: bool,
        key: impl Fn(&ModelChild) -> i128,
    ) -> Option<(i128, usize)> {
        let children = self.children[..open].iter().enumerate();
        let of_kind = children.filter(|(_, child)| child.is_proven == proven);
        of_kind
            .map(|(i, child)| (key(child), i))
            .max_by_key(|&(key, i)| (key, Reverse(i)))
    }

    /// Selects a child: its index, a better proven value, and whether the node is solved.
    fn select(&self, p: &SearchParameters) -> (usize, Option<u32>, bool) {
        let scale = exploration_scale(p.exploration, self.visits + 1);
        let score = |child: &ModelChild| {
            let share = floor(i128::from(scale) * child.prior, 1 << 10);
            let capped = floor(child.count, 16).min(p.value_count_cap.into());
            let (divisor, factor_of_units) = match p.formulas.value_count_divisor {
                true => (child.count, 256),
                false => (i128::from(child.visits) + capped, 16),
            };
            let Reciprocal { factor, shift } = Reciprocal::of(divisor as u32);
            let exploration = share * i128::from(factor) * factor_of_units;
            child.value() + floor(exploration, 1 << shift).min(16 * (MAX + 1) - 1)
        };
        let mut open = self.open(&p.formulas);
        while open < self.children.len() && self.best(open, false, score).is_none() {
            open += 1;
        }
        let proven = self.best(open, true, ModelChild::value);
        match (self.best(open, false, score), proven) {
            (Some((score, i)), Some((value, _))) if value > score => (i, Some(value as u32), false),
            (Some((_, i)), _) => (i, None, false),
            (None, best) => {
                let (_, i) = best.expect("a child");
                (i, None, self.children.len() < p.children)
            }
        }
    }

    /// Indices of the children: the one to play first, the others by visit count.
    fn ranking(&self, formulas: &Formulas) -> Vec<usize> {
        let open = self.best(self.children.len(), false, |child| {
            let factor = if formulas.final_wins { child.mean } else { 1 };
            i128::from(child.visits) * factor
        });
        let proven = self.best(self.children.len(), true, ModelChild::value);
        let best = match (open, proven) {
            (Some((_, i)), Some((value, _))) if value < self.children[i].value() => i,
            (_, Some((_, i))) | (Some((_, i)), None) => i,
            (None, None) => return Vec::new(),
        };
        let mut others: Vec<_> = (0..self.children.len()).filter(|&i| i != best).collect();
        others.sort_by_key(|&i| Reverse(self.children[i].visits));
        [vec![best], others].concat()
    }
}

/// Events of a search that a test should meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Met {
    alternatives: u32,
    solved: u32,
    ends: u32,
    forced_passes: u32,
    full: u32,
}

/// Model of a search.
struct Model<'p> {
    p: &'p SearchParameters,
    root: DuoBoard,
    nodes: Vec<ModelNode>,
    in_flight: VecDeque<Simulation>,
    lanes: Vec<Rng>,
    replies: Vec<Replies>,
    results: Results,
    started: usize,
    backed_up: usize,
    met: Met,
}

/// Places a tile for a side; the other side passes if it is its turn.
fn place(board: &mut DuoBoard, player: Colour, placement: Placement) {
    if board.to_move() != player {
        board.play(Move::Pass).expect("a pass");
    }
    board.play(Move::Place(placement)).expect("legal");
}

impl<'p> Model<'p> {
    fn new(p: &'p SearchParameters, seed: u64, root: &DuoBoard) -> Self {
        let candidates = prior::top_candidates(&Position::new(root), &p.weights, p.children);
        let lanes = (0..p.lanes as u64).map(|lane| Rng::new(seed ^ (lane * (1 << 32))));
        Self {
            p,
            root: root.clone(),
            nodes: vec![ModelNode::new(root.to_move(), &candidates, 32_767, p)],
            in_flight: VecDeque::new(),
            lanes: lanes.collect(),
            replies: vec![Replies::new(p.formulas.replies); p.lanes],
            results: Results::default(),
            started: 0,
            backed_up: 0,
            met: Met::default(),
        }
    }

    /// Checks the next simulation.
    fn follow(&mut self, simulation: &Simulation) {
        if self.in_flight.len() == self.p.lanes {
            let oldest = self.in_flight.pop_front().expect("a lane");
            self.back_up(&oldest);
        }
        let p = self.p;
        let mut board = self.root.clone();
        let (mut node, mut proving) = (0, false);
        let mut path = Vec::new();
        let mut moves = Vec::new();
        loop {
            let player = self.nodes[node].player;
            let (child, alternative, solved) = self.nodes[node].select(p);
            path.push(PathStep {
                node: node as u32,
                child,
                proven_alternative: alternative,
                solved,
            });
            self.met.alternatives += u32::from(alternative.is_some());
            self.met.solved += u32::from(solved);
            proving |= alternative.is_some();
            self.nodes[node].visits += 1;
            let selected = &mut self.nodes[node].children[child];
            selected.visits += 1;
            if p.formulas.value_count_divisor {
                selected.grow(16, &p.formulas);
            }
            let (placement, value, visits) =
                (selected.placement, selected.value(), selected.visits);
            let mut next = selected.next;
            self.met.forced_passes += u32::from(board.to_move() != player);
            place(&mut board, player, placement);
            moves.push((player, placement));
            let further = floor(
                i128::from(p.formulas.expand_ply) * (path.len() as i128 - 1),
                16,
            );
            let at_threshold = i128::from(visits) > i128::from(p.expand_threshold) + further;
            if next == Next::Leaf && (proving || at_threshold) {
                if self.nodes.len() < p.nodes {
                    next = self.expand(&board, player, value);
                    self.nodes[node].children[child].next = next;
                } else {
                    self.met.full += 1;
                }
            }
            match next {
                Next::Node(index) => node = index,
                Next::Leaf => break,
                Next::End => {
                    self.met.ends += 1;
                    break;
                }
            }
        }
        assert_eq!(simulation.path, path, "simulation {}", self.started);
        let lane = self.started % p.lanes;
        let mut position = Position::new(&board);
        let (rng, replies) = (&mut self.lanes[lane], &self.replies[lane]);
        playout::finish_with_replies(&mut position, p, rng, replies, &mut moves);
        assert_eq!(simulation.moves, moves, "simulation {}", self.started);
        for &(player, placement) in &moves[path.len()..] {
            place(&mut board, player, placement);
        }
        let me = self.root.to_move();
        let cells = [me, me.opponent()].map(|player| board.cells(player).len() as i32);
        let margin = cells[0] - cells[1];
        let formulas = &p.formulas;
        let value = match formulas.margin_bonus + formulas.length_bonus {
            0 => p.value(margin),
            _ => self.results.value(margin, moves.len(), formulas),
        };
        assert_eq!(simulation.value, value, "simulation {}", self.started);
        self.started += 1;
        self.in_flight.push_back(simulation.clone());
    }

    /// Adds the node after a placement of `mover`, whose value for that side is given.
    fn expand(&mut self, board: &DuoBoard, mover: Colour, value: i128) -> Next {
        let p = self.p;
        let value = match p.formulas.fpu_root {
            true => i128::from(self.results.mean(mover, self.nodes[0].player)),
            false => value,
        };
        let mut board = board.clone();
        for value in [MAX - value, value] {
            if board.has_legal() {
                let position = Position::new(&board);
                let found = prior::top_candidates(&position, &p.weights, p.children);
                let node = ModelNode::new(board.to_move(), &found, value, p);
                self.nodes.push(node);
                return Next::Node(self.nodes.len() - 1);
            }
            if board.play(Move::Pass).is_err() {
                break;
            }
        }
        Next::End
    }

    fn back_up(&mut self, simulation: &Simulation) {
        let p = self.p;
        let searcher = self.nodes[0].player;
        let plies: HashMap<_, _> = simulation.moves.iter().copied().zip(0_i128..).collect();
        let mut value = i128::from(simulation.value);
        let mut proven = simulation.moves.len() == simulation.path.len();
        for (ply, step) in simulation.path.iter().enumerate().rev() {
            let node = &mut self.nodes[step.node as usize];
            let (player, open) = (node.player, node.open(&p.formulas));
            let turned = |value: i128| match player == searcher {
                true => value,
                false => MAX - value,
            };
            let result = turned(value);
            if let Some(alternative) = step.proven_alternative {
                value = turned(alternative.into());
            }
            let child = &mut node.children[step.child];
            if proven {
                child.prove(result);
            } else {
                if !p.formulas.value_count_divisor {
                    child.grow(16, &p.formulas);
                }
                child.approach(result, 16, &p.formulas);
            }
            proven = step.solved;
            if p.rave_weight_max == 0 || node.visits > p.rave_parent_max {
                continue;
            }
            for (i, child) in node.children[..open].iter_mut().enumerate() {
                let is_known = child.count > i128::from(16 * p.rave_child_max);
                let later = plies.get(&(player, child.placement));
                if let Some(&later) = later.filter(|_| i != step.child && !is_known) {
                    let fall = floor((later - ply as i128) * i128::from(p.rave_decay), 256);
                    let weight = i128::from(p.rave_weight_max) - fall;
                    let weight = weight.max(p.rave_weight_min.into());
                    child.grow(weight, &p.formulas);
                    child.approach(result, weight, &p.formulas);
                }
            }
        }
        self.results.add(simulation.value);
        if p.formulas.replies > 0 {
            let replies = &mut self.replies[self.backed_up % p.lanes];
            replies.record_result(&simulation.moves, simulation.value, searcher);
        }
        self.backed_up += 1;
    }
}

/// Runs a search and the model of it; returns what they met.
fn check(search: &mut Search, p: &SearchParameters, seed: u64, board: &DuoBoard, sims: u64) -> Met {
    let mut simulations = Vec::new();
    let found = search.run_traced(
        board,
        |done| done < sims,
        |simulation| simulations.push(simulation.clone()),
    );
    let mut model = Model::new(p, seed, board);
    for simulation in &simulations {
        model.follow(simulation);
    }
    while let Some(simulation) = model.in_flight.pop_front() {
        model.back_up(&simulation);
    }
    let solved = simulations.last().is_some_and(|last| last.path[0].solved);
    let count = simulations.len() as u64;
    assert_eq!((found.solved, found.simulations), (solved, count));
    let is_choice = model.nodes[0].children.len() > 1;
    assert!(count == if is_choice { sims } else { 0 } || solved);
    let lines = found.lines.iter().map(|line| {
        let value = i128::from(line.value);
        (line.placement, line.visits, value, line.proven)
    });
    let children = &model.nodes[0].children;
    let ranking = model.nodes[0].ranking(&p.formulas).into_iter();
    let expected = ranking.map(|i| {
        let child = &children[i];
        (
            child.placement,
            child.visits,
            child.value(),
            child.is_proven,
        )
    });
    assert!(lines.eq(expected));
    model.met
}

/// Positions of a game of random placements, after these plies.
fn positions(seed: u64, plies: &[usize]) -> Vec<DuoBoard> {
    let mut rng = Rng::new(seed);
    let mut board = DuoBoard::duo();
    let mut positions = Vec::new();
    for ply in 0..=*plies.iter().max().expect("a ply") {
        if plies.contains(&ply) {
            positions.push(board.clone());
        }
        let count = board.count_legal();
        let drawn = (count > 0).then(|| rng.below(count) as usize);
        let placement = drawn.and_then(|drawn| board.legal().nth(drawn));
        if board
            .play(placement.map_or(Move::Pass, Move::Place))
            .is_err()
        {
            break;
        }
    }
    positions
}

/// Parameters that between them reach every branch of the search.
fn parameters() -> Vec<SearchParameters> {
    let base = SearchParameters {
        expand_threshold: 4,
        ..SearchParameters::default()
    };
    let in_hardware = SearchParameters {
        children: 12,
        expand_threshold: 2,
        nodes: 60,
        value_count_cap: 5,
        rave_weight_max: 30,
        rave_decay: 300,
        rave_child_max: 9,
        rave_parent_max: 150,
        lanes: 3,
        ..base.clone()
    };
    let formulas = Formulas {
        value_count_divisor: true,
        value_count_bits: 24,
        fpu_root: true,
        expand_ply: 40,
        replies: 2,
        margin_bonus: 12_288,
        length_bonus: 4_096,
        final_wins: true,
        ..Formulas::default()
    };
    let widening = Formulas {
        first_children: 2,
        widen: 7,
        playout_weights: true,
        replies: 1,
        length_bonus: 9_000,
        ..Formulas::default()
    };
    vec![
        in_hardware,
        SearchParameters {
            formulas,
            lanes: 2,
            ..SearchParameters::of_software()
        },
        SearchParameters {
            formulas: widening,
            fpu_reduction: 0,
            exploration: 200,
            ..base.clone()
        },
        // Value counts at their ends: with 16 bits they stay there, with 24 bits they pass 65,535.
        SearchParameters {
            fpu_weight: 65_464,
            rave_weight_max: 250,
            exploration: 4_096,
            ..base.clone()
        },
        SearchParameters {
            fpu_weight: 65_519,
            formulas: Formulas {
                value_count_bits: 24,
                ..Formulas::default()
            },
            rave_weight_max: 0,
            rave_weight_min: 9,
            lanes: 2,
            ..base
        },
    ]
}

/// Every step of every simulation, and the result, from the opening to the end of a game.
#[test]
fn searches_are_those_of_the_model() {
    let mut met = Met::default();
    for (number, p) in parameters().into_iter().enumerate() {
        let seed = 11 + number as u64;
        // One search for all positions: nothing of an earlier one is left.
        let mut search = Search::new(p.clone(), seed);
        for board in positions(seed, &[0, 5, 11, 16, 19, 21, 23, 25]) {
            let new = check(&mut search, &p, seed, &board, 300);
            met.alternatives += new.alternatives;
            met.solved += new.solved;
            met.ends += new.ends;
            met.forced_passes += new.forced_passes;
            met.full += new.full;
        }
    }
    let Met {
        alternatives,
        solved,
        ends,
        forced_passes,
        full,
    } = met;
    let all = [alternatives, solved, ends, forced_passes, full];
    assert!(all.iter().all(|&count| count > 10), "{met:?}");
}

/// A placement of each index in the list of all on the board.
fn any(index: usize) -> Placement {
    DuoBoard::duo().legal().nth(index).expect("a placement")
}

fn child(index: usize, visits: u32, value_count: u32, value: u32, prior: u32) -> Child {
    Child {
        placement: any(index),
        prior,
        visits,
        value_count,
        mean: value << 8,
        next: ChildLink::Leaf,
    }
}

fn proven(index: usize, visits: u32, value: u32) -> Child {
    let mut child = child(index, visits, 16, 0, 100);
    child.set_proven(value);
    child
}

/// Tree of one node that was not visited.
fn tree(children: &[Child]) -> Tree {
    let node = Node {
        player: Colour(0),
        first: 0,
        len: children.len() as u32,
        visits: 0,
    };
    Tree {
        nodes: vec![node],
        children: children.to_vec(),
    }
}

#[test]
fn a_proven_value_has_a_value_count_of_all_ones_and_stays() {
    let formulas = Formulas::default();
    let mut child = child(0, 3, 65_471, MAX_VALUE, 9);
    assert!(!child.is_proven());
    // The mean of the greatest results is the greatest value.
    child.update(MAX_VALUE, 11, &formulas);
    assert_eq!((child.value_count, child.value()), (65_482, MAX_VALUE));
    child.update(MAX_VALUE, 11, &formulas);
    assert_eq!((child.value_count, child.value()), (65_482, MAX_VALUE));
    child.set_proven(700);
    assert!(child.is_proven());
    assert_eq!((child.value_count, child.value()), (0xffff, 700));
    child.set_proven(800);
    child.update(900, 16, &formulas);
    assert_eq!((child.value_count, child.value()), (0xffff, 700));
}

#[test]
fn the_divisor_counts_visits_and_the_capped_value_count() {
    let child = child(0, 3, 16 * 7 + 15, 0, 9);
    let caps = [1, 6, 7, 4_095].map(|cap| child.exploration_visits(cap));
    assert_eq!(caps, [4, 9, 10, 10]);
}

/// The exploration term is capped at 16 times the maximum value. At the first visit of the node,
/// with the exploration 4096, the term is 64 times the prior, divided by the divisor.
#[test]
fn the_exploration_term_has_a_maximum() {
    let p = SearchParameters {
        exploration: 4_096,
        ..SearchParameters::default()
    };
    // 64 * 65535 is above the maximum of 2^20 - 1.
    let capped = child(0, 0, 16, 0, 65_535);
    for (value, selected) in [(62, 0), (63, 0), (64, 1)] {
        // 64 * 16383 = 2^20 - 64.
        let other = child(1, 0, 16, value, 16_383);
        assert_eq!(tree(&[capped, other]).select(0, &p).child, selected);
    }
}

#[test]
fn a_proven_value_is_an_alternative_only_above_the_score_of_the_selected_child() {
    let p = SearchParameters {
        exploration: 0,
        ..SearchParameters::default()
    };
    for (value, alternative) in [(499, None), (500, None), (501, Some(501))] {
        let tree = tree(&[proven(0, 0, value), child(1, 0, 16, 500, 9)]);
        let step = tree.select(0, &p);
        assert_eq!((step.child, step.solved), (1, false));
        assert_eq!(step.proven_alternative, alternative);
    }
}

/// A node with the maximum number of children may lack legal moves.
#[test]
fn a_node_is_solved_if_the_values_of_all_moves_are_proven() {
    let values = [proven(0, 0, 5), proven(1, 0, 8), proven(2, 0, 8)];
    for (children, solved) in [(2, false), (3, false), (4, true)] {
        let p = SearchParameters {
            children,
            ..SearchParameters::default()
        };
        let step = tree(&values).select(0, &p);
        assert_eq!((step.child, step.solved), (1, solved), "{children}");
    }
}

#[test]
fn the_final_move_is_the_most_visited_or_a_better_proven_one() {
    let visited = [
        child(0, 5, 16, 900, 9),
        child(1, 30, 16, 500, 9),
        child(2, 30, 16, 800, 9),
        child(3, 10, 16, 2_000, 9),
    ];
    for (values, best, order) in [
        (&[][..], 1, &[1, 2, 3, 0][..]),
        (&[499], 1, &[1, 4, 2, 3, 0]),
        (&[500], 4, &[4, 1, 2, 3, 0]),
        (&[600, 700, 700], 5, &[5, 4, 6, 1, 2, 3, 0]),
    ] {
        let values = values.iter().zip(4..);
        let values = values.map(|(&value, index)| proven(index, 40, value));
        let children: Vec<_> = visited.into_iter().chain(values).collect();
        let tree = tree(&children);
        assert_eq!(tree.best_child(0), best);
        assert_eq!(tree.ranking(0), order);
        let formulas = Formulas::default();
        assert_eq!(tree.best_child_with(0, &formulas), best);
        assert_eq!(tree.ranking_with(0, &formulas), order);
    }
    // Products of values and visits: 4,500, 15,000, 24,000 and 20,000.
    let by_product = Formulas {
        final_wins: true,
        ..Formulas::default()
    };
    assert_eq!(tree(&visited).best_child_with(0, &by_product), 2);
    assert_eq!(tree(&visited).ranking_with(0, &by_product), [2, 1, 3, 0]);
    assert_eq!(tree(&[proven(0, 0, 0)]).ranking(0), [0]);
    assert_eq!(tree(&[]).ranking(0), []);
}

/// Every placement on the board has a separate entry.
#[test]
fn the_amaf_table_holds_side_and_ply_of_every_placement() {
    let board = (0..14).flat_map(|y| (0..14).map(move |x| (x, y)));
    let placements: Vec<_> = Orientation::all()
        .flat_map(|orientation| board.clone().map(move |(x, y)| (orientation, x, y)))
        .map(|(orientation, x, y)| Placement::new(orientation, x, y))
        .filter(|placement| placement.fits(14))
        .collect();
    assert_eq!(placements.len(), 13_729);
    let players = [Colour(0), Colour(1)].into_iter().cycle();
    let moves: Vec<_> = players.zip(placements).collect();
    let mut table = AmafTable::default();
    table.set_all(&moves[..10_000]);
    for (&(player, placement), ply) in moves.iter().zip(0..) {
        let expected = (ply < 10_000).then_some(ply);
        assert_eq!(table.get(placement, player), expected);
        assert_eq!(table.get(placement, player.opponent()), None);
    }
    table.clear_all(&moves[..9_999]);
    let left = moves
        .iter()
        .filter(|(player, placement)| table.get(*placement, *player).is_some());
    assert_eq!(left.collect::<Vec<_>>(), [&moves[9_999]]);
    let (player, placement) = moves[9_999];
    table.clear(placement);
    assert_eq!(table.get(placement, player), None);
}
