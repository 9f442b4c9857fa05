use duoforge_rules::{Colour, Game, GameVariant, Move};

use super::entry::{Parts, Played};
use super::error::{SgfError, SgfFault};
use super::parse::{RawNode, RawTree, parse_trees, unescape};
use super::passes_before;
use super::read::{Newlines, Reader};
use crate::Record;
use crate::tree::{Annotations, GameTree, Positions, SgfProperty, TreeError, play};

/// Game tree read from a file.
#[derive(Clone, Debug)]
pub struct FileTree {
    /// Line of the file at which the game starts, from 1.
    pub line: usize,
    /// Game tree.
    pub tree: GameTree,
    /// Number of moves after the ends of their lines, or after the maximum number of moves, which
    /// were dropped; see [`FileRecord::left_out`](crate::FileRecord::left_out).
    pub left_out: usize,
}

/// Reads the games of a blksgf with all variations, comments and properties.
///
/// Properties that duoforge does not know are kept, but for those of the root that the writer sets.
/// Implied passes are joined: `(;B[..])(;B[..])` after a move of `B` are two placements after one
/// pass of `W`. [`write_blksgf_trees`](crate::write_blksgf_trees) writes a tree such that it is read
/// as it was.
///
/// # Errors
/// The first [`SgfFault`] with its place. Unlike those of a record, all moves must be legal.
pub fn read_blksgf_trees(text: &str) -> Result<Vec<FileTree>, SgfError> {
    let trees = parse_trees(text)?;
    file_trees(text, &trees, usize::MAX).collect()
}

/// Reads the games of a blksgf as [`read_blksgf_trees`], each one separately, and of each line the
/// first `plies` moves, passes included. Later moves are left out; they may be illegal.
///
/// # Errors
/// A fault in the grammar of the file. The fault of one game does not affect the others.
///
/// ```
/// use duoforge_records::read_each_blksgf_tree;
///
/// let text = "(;GM[Blokus Duo];B[e10];W[e10]) (;GM[Blokus Duo];B[e10];W[j5])";
/// let games = read_each_blksgf_tree(text, usize::MAX)?;
/// assert_eq!([games[0].is_ok(), games[1].is_ok()], [false, true]);
/// let games = read_each_blksgf_tree(text, 1)?;
/// assert_eq!(games[0].as_ref().map(|game| game.left_out), Ok(1));
/// # Ok::<(), duoforge_records::SgfError>(())
/// ```
pub fn read_each_blksgf_tree(
    text: &str,
    plies: usize,
) -> Result<Vec<Result<FileTree, SgfError>>, SgfError> {
    let trees = parse_trees(text)?;
    Ok(file_trees(text, &trees, plies).collect())
}

fn file_trees<'a>(
    text: &'a str,
    trees: &'a [RawTree<'a>],
    plies: usize,
) -> impl Iterator<Item = Result<FileTree, SgfError>> {
    let mut newlines = Newlines::new(text);
    trees.iter().map(move |raw| {
        let reader = Reader::new(text, raw.begin, &raw.nodes[0].properties)?;
        let (tree, left_out) = TreeReader::new(&reader, plies).read(raw)?;
        Ok(FileTree {
            line: newlines.line(raw.begin),
            // Passes that lead to a later move.
            tree: if plies == usize::MAX {
                tree
            } else {
                tree.truncated(plies)
            },
            left_out,
        })
    })
}

struct TreeReader<'r, 'a> {
    reader: &'r Reader<'a>,
    tree: GameTree,
    positions: Positions,
    /// Maximum number of moves of a line, passes included.
    plies: usize,
    /// True if `W` moves first in Blokus Duo; known from the first move on.
    swapped: Option<bool>,
    left_out: usize,
}

impl<'r, 'a> TreeReader<'r, 'a> {
    fn new(reader: &'r Reader<'a>, plies: usize) -> Self {
        let tree = GameTree::new(reader.variant.clone());
        Self {
            reader,
            positions: Positions::new(&tree),
            tree,
            plies,
            swapped: None,
            left_out: 0,
        }
    }

    /// Returns the tree, and the number of moves after the ends of their lines.
    fn read(mut self, raw: &RawTree<'a>) -> Result<(GameTree, usize), SgfError> {
        let mut is_leaf = vec![true; raw.nodes.len()];
        for parent in raw.nodes.iter().filter_map(|node| node.parent) {
            is_leaf[parent] = false;
        }
        // Node of the tree at which the line of each node of the file continues; `None` after the
        // end of the game.
        let mut ends: Vec<Option<usize>> = Vec::with_capacity(raw.nodes.len());
        for (node, is_leaf) in raw.nodes.iter().zip(is_leaf) {
            let parts = self.reader.parts(&node.properties)?;
            let end = match node.parent {
                None => Some(self.root(node, parts, is_leaf)?),
                Some(parent) => match ends[parent] {
                    Some(end) => self.node(end, node, parts, is_leaf)?,
                    None => {
                        self.left_out += usize::from(parts.played.is_some());
                        None
                    }
                },
            };
            ends.push(end);
        }
        if self.swapped == Some(true) {
            self.tree.players.reverse();
            for node in 0..self.tree.node_count() {
                let notes = self.tree.notes_mut(node);
                notes.value = notes.value.map(|value| -value);
            }
        }
        Ok((self.tree, self.left_out))
    }

    fn root(
        &mut self,
        node: &RawNode<'a>,
        mut parts: Parts<'_, 'a>,
        is_leaf: bool,
    ) -> Result<usize, SgfError> {
        let mut record = Record::new(self.reader.variant.clone(), []);
        let is_empty = parts.played.is_none();
        self.reader.root(&node.properties, &mut record, is_empty)?;
        self.tree.players = record.players;
        self.tree.facts = record.facts;
        let variant = &self.reader.variant;
        parts.others.retain(|property| {
            super::is_kept_name(variant, property.name, true) && !self.reader.is_fact(property)
        });
        if !is_empty {
            // The annotations of a root with a move belong to the move.
            let end = self.node(0, node, parts, is_leaf)?;
            return Ok(end.unwrap_or_default());
        }
        let passes = parts.passes;
        *self.tree.notes_mut(0) = notes(&mut parts);
        if is_leaf {
            return self.pass_at_leaf(0, passes, node.begin);
        }
        Ok(0)
    }

    /// Adds a node of the file after a node of the tree.
    fn node(
        &mut self,
        parent: usize,
        node: &RawNode<'a>,
        mut parts: Parts<'_, 'a>,
        is_leaf: bool,
    ) -> Result<Option<usize>, SgfError> {
        let begin = node.begin;
        let Some(mut played) = parts.played.take() else {
            return self.without_move(parent, begin, parts, is_leaf).map(Some);
        };
        let is_duo = self.reader.variant == GameVariant::DUO;
        let swapped = *self.swapped.get_or_insert(is_duo && played.colour == 1);
        if swapped {
            played.colour = 1 - played.colour;
        }
        let game = self.positions.at(&self.tree, parent);
        if self.reader.is_skipped(game, &played) {
            return self.without_move(parent, begin, parts, is_leaf).map(Some);
        }
        if is_at_end(game, self.plies) {
            self.left_out += 1;
            return Ok(None);
        }
        let parent = self.pass_to(parent, &played, begin)?;
        let game = self.positions.at(&self.tree, parent);
        if is_at_end(game, self.plies) {
            self.left_out += 1;
            return Ok(None);
        }
        let mv = played.mv;
        let game = play(game, &self.reader.variant, mv).map_err(|reason| {
            let fault = SgfFault::Illegal { mv, reason };
            self.reader.on_name(played.name, fault)
        })?;
        let passes = parts.passes;
        let added = self.insert(parent, Some(mv), notes(&mut parts), game, begin)?;
        if is_leaf {
            return self.pass_at_leaf(added, passes, begin).map(Some);
        }
        Ok(Some(added))
    }

    /// Adds a node without a move: passes up to the number that it states, or annotations alone.
    fn without_move(
        &mut self,
        parent: usize,
        begin: usize,
        mut parts: Parts<'_, 'a>,
        is_leaf: bool,
    ) -> Result<usize, SgfError> {
        let before = passes_before(self.positions.at(&self.tree, parent));
        let stated = parts.passes.unwrap_or(0);
        let missing = self.possible(parent, stated.saturating_sub(before));
        let notes = notes(&mut parts);
        if missing == 0 {
            let game = self.positions.at(&self.tree, parent).clone();
            let added = self.insert(parent, None, notes, game, begin)?;
            return match parts.passes {
                None if is_leaf => self.pass_at_leaf(added, None, begin),
                _ => Ok(added),
            };
        }
        let mut end = parent;
        for _ in 1..missing {
            end = self.implied_pass(end, begin)?;
        }
        self.new_pass(end, notes, begin)
    }

    /// Adds the passes after the last move of a line: those that the file states, else the forced
    /// ones. Returns the end of the line.
    fn pass_at_leaf(
        &mut self,
        leaf: usize,
        stated: Option<usize>,
        begin: usize,
    ) -> Result<usize, SgfError> {
        let passes = match stated {
            Some(stated) => self.possible(leaf, stated),
            None => {
                let mut game = self.positions.at(&self.tree, leaf).clone();
                crate::lawful::pass_if_forced(&mut game)
            }
        };
        let mut end = leaf;
        for _ in 0..passes {
            end = self.new_pass(end, Annotations::default(), begin)?;
        }
        Ok(end)
    }

    /// Returns how many of `passes` passes are legal after a node.
    fn possible(&mut self, node: usize, passes: usize) -> usize {
        let mut game = self.positions.at(&self.tree, node).clone();
        (0..passes)
            .take_while(|_| game.play(Move::Pass).is_ok())
            .count()
    }

    /// Passes until the colour of a move is to move; returns the end of the line.
    fn pass_to(
        &mut self,
        parent: usize,
        played: &Played<'a>,
        begin: usize,
    ) -> Result<usize, SgfError> {
        let colour = Colour(played.colour as u8);
        let wanted = self.positions.at(&self.tree, parent).to_move();
        let wanted = wanted.map_or(0, Colour::index);
        let mut end = parent;
        for _ in 0..=self.reader.variant.colour_count() {
            let game = self.positions.at(&self.tree, end);
            if game.to_move() == Some(colour) {
                return Ok(end);
            }
            if game.is_over() || game.check(Move::Pass).is_err() {
                break;
            }
            end = self.implied_pass(end, begin)?;
        }
        Err(self.reader.turn_fault(played, wanted))
    }

    /// Returns a pass without annotations after a node: the last child, or a new one.
    fn implied_pass(&mut self, parent: usize, begin: usize) -> Result<usize, SgfError> {
        if let Some(&last) = self.tree.node(parent).children().last() {
            let node = self.tree.node(last);
            if node.mv() == Some(Move::Pass) && node.notes.is_empty() {
                return Ok(last);
            }
        }
        self.new_pass(parent, Annotations::default(), begin)
    }

    fn new_pass(
        &mut self,
        parent: usize,
        notes: Annotations,
        begin: usize,
    ) -> Result<usize, SgfError> {
        let mut game = self.positions.at(&self.tree, parent).clone();
        game.play(Move::Pass).expect("the caller checked the pass");
        self.insert(parent, Some(Move::Pass), notes, game, begin)
    }

    fn insert(
        &mut self,
        parent: usize,
        mv: Option<Move>,
        notes: Annotations,
        game: Game,
        begin: usize,
    ) -> Result<usize, SgfError> {
        let added = self.tree.insert(parent, mv, notes).map_err(|error| {
            let fault = match error {
                TreeError::Depth => SgfFault::Depth,
                _ => SgfFault::Nodes,
            };
            self.reader.on_node(begin, fault)
        })?;
        self.positions.enter(added, game);
        Ok(added)
    }
}

/// True if no move of a line is read after a position.
fn is_at_end(game: &Game, plies: usize) -> bool {
    game.is_over() || game.plies().len() >= plies
}

/// Returns the annotations of a node.
fn notes(parts: &mut Parts<'_, '_>) -> Annotations {
    let others = parts.others.iter();
    Annotations {
        comment: std::mem::take(&mut parts.comment),
        value: parts.value.take(),
        properties: others
            .map(|property| SgfProperty {
                name: property.name.to_owned(),
                values: property.values.iter().map(|it| unescape(it)).collect(),
            })
            .collect(),
    }
}
