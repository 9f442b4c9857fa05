use duoforge_rules::{Colour, ForcedPass, Game, GameVariant, Move, Notation};

use super::entry::{Entry, Parts, Played};
use super::error::{SgfError, SgfFault};
use super::parse::{MainLine, Node, Property, parse, unescape};
use super::passes_before;
use super::values::{Finite, at, offset, on_value, shortened, simple, single};
use super::{
    PASSES, SETUP, VARIANT, capitals, colour_of, colours, is_fact_name, names, same_board,
};
use crate::lawful::pass_if_forced;
use crate::record::{Ply, Record, played_variant};

/// Game read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRecord {
    /// Line of the file at which the game starts, from 1.
    pub line: usize,
    /// Game record. The moves may be illegal; no move follows the end of the game.
    pub record: Record,
    /// Number of moves after the end of the game, which were dropped. In Pentobi, the other player
    /// continues after a player has placed every tile; by the contest's rules the game is then
    /// over.
    pub left_out: usize,
}

/// Reads the games of a blksgf: the main line of each tree.
///
/// # Errors
/// The first [`SgfFault`] with its place.
pub fn read_blksgf(text: &str) -> Result<Vec<FileRecord>, SgfError> {
    let lines = parse(text)?;
    let mut newlines = Newlines::new(text);
    lines
        .iter()
        .map(|line| {
            let reader = Reader::new(text, line.begin, &line.nodes[0])?;
            reader.read(line, &mut newlines)
        })
        .collect()
}

/// Line counter for increasing offsets.
pub struct Newlines<'a> {
    text: &'a str,
    at: usize,
    count: usize,
}

impl<'a> Newlines<'a> {
    pub const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            count: 1,
        }
    }

    /// Returns the line of an offset, which is not less than the one before.
    pub fn line(&mut self, offset: usize) -> usize {
        let between = &self.text[self.at..offset];
        self.count += between.matches('\n').count();
        self.at = offset;
        self.count
    }
}

pub struct Reader<'a> {
    text: &'a str,
    pub variant: GameVariant,
}

impl<'a> Reader<'a> {
    /// Creates the reader of a game that starts at `begin` with the node `root`.
    pub fn new(text: &'a str, begin: usize, root: &Node<'a>) -> Result<Self, SgfError> {
        let find = |name| root.iter().find(|property| capitals(property.name, name));
        let Some(property) = find("GM") else {
            return Err(at(text, begin, 1, SgfFault::NoKind));
        };
        let name = single(text, property)?;
        let Some(game) = GameVariant::of_engine_name(name) else {
            return Err(on_value(text, name, SgfFault::Kind(shortened(name))));
        };
        let variant = match find(VARIANT) {
            None => game.clone(),
            Some(property) => other_variant(text, game, single(text, property)?)?,
        };
        Ok(Self { text, variant })
    }

    fn read(
        &self,
        line: &MainLine<'a>,
        newlines: &mut Newlines<'_>,
    ) -> Result<FileRecord, SgfError> {
        let mut record = Record::new(self.variant.clone(), []);
        let mut entries = Vec::new();
        let mut passes = None;
        for (node, number) in line.nodes.iter().zip(0..) {
            let entry = self.node(node, &mut passes)?;
            if number == 0 {
                let has_move = entry.as_ref().and_then(Entry::played).is_some();
                self.root(node, &mut record, !has_move)?;
            }
            entries.extend(entry);
        }
        let first = entries.iter().find_map(Entry::played);
        if self.variant == GameVariant::DUO && first.is_some_and(|first| first.colour == 1) {
            // The side that moves first is the first player, whatever its colour.
            record.players.reverse();
            for entry in &mut entries {
                let value = match entry {
                    Entry::Move(played) => {
                        played.colour = 1 - played.colour;
                        &mut played.value
                    }
                    Entry::Passes { value, .. } => value,
                };
                *value = value.map(|value| -value);
            }
        }
        let left_out = self.follow(entries, passes, &mut record)?;
        Ok(FileRecord {
            line: newlines.line(line.begin),
            record,
            left_out,
        })
    }

    /// Reads the properties of the whole game from the root node.
    pub fn root(
        &self,
        node: &Node<'a>,
        record: &mut Record,
        comment: bool,
    ) -> Result<(), SgfError> {
        for property in node {
            let name = property.name;
            let player = names(&self.variant)
                .iter()
                .position(|of| capitals(name, of));
            if let Some(player) = player {
                record.players[player] = simple(single(self.text, property)?);
            } else if capitals(name, "C") && comment {
                record.comment = unescape(single(self.text, property)?);
            } else if self.is_fact(property) {
                let value = simple(property.values[0]);
                record.facts.insert(name.to_owned(), value);
            }
        }
        Ok(())
    }

    /// True if a property of the root is a fact of the game.
    pub fn is_fact(&self, property: &Property<'a>) -> bool {
        is_fact_name(&self.variant, property.name) && property.values.len() == 1
    }

    /// Reads the move or the passes of a node; `None` if the node has neither. Sets the number of
    /// passes that follow, if the node states it.
    fn node(
        &self,
        node: &Node<'a>,
        passes: &mut Option<usize>,
    ) -> Result<Option<Entry<'a>>, SgfError> {
        let parts = self.parts(node)?;
        let (comment, value) = (parts.comment, parts.value);
        if let Some(played) = parts.played {
            *passes = parts.passes;
            return Ok(Some(Entry::Move(Played {
                comment,
                value,
                ..played
            })));
        }
        Ok(parts.passes.map(|stated| {
            *passes = Some(0);
            Entry::Passes {
                stated,
                comment,
                value,
            }
        }))
    }

    /// Reads the properties of a node.
    pub fn parts<'n>(&self, node: &'n Node<'a>) -> Result<Parts<'n, 'a>, SgfError> {
        let mut parts = Parts {
            played: None,
            comment: String::new(),
            value: None,
            passes: None,
            others: Vec::new(),
        };
        for property in node {
            let name = property.name;
            if let Some(colour) = colour_of(&self.variant, name) {
                if parts.played.is_some() {
                    let fault = SgfFault::SecondMove(name.to_owned());
                    return Err(self.on_name(name, fault));
                }
                parts.played = Some(Played {
                    colour,
                    name,
                    mv: self.read_move(property)?,
                    comment: String::new(),
                    value: None,
                });
            } else if SETUP.iter().any(|setup| capitals(name, setup)) {
                return Err(self.on_name(name, SgfFault::Setup(name.to_owned())));
            } else if capitals(name, "C") {
                parts.comment = unescape(single(self.text, property)?);
            } else if capitals(name, "V") {
                parts.value = Some(self.number(property)?);
            } else if name == PASSES {
                parts.passes = Some(self.number(property)?);
            } else {
                parts.others.push(property);
            }
        }
        Ok(parts)
    }

    fn read_move(&self, property: &Property<'a>) -> Result<Move, SgfError> {
        // Very old files have one value per cell.
        let cells = property.values.join(",");
        if cells.trim().is_empty() {
            return Ok(Move::Pass);
        }
        let read = Notation::of_size(self.variant.size()).read(&cells);
        read.map_err(|error| {
            let first = property.values[0];
            let last = property.values[property.values.len() - 1];
            let begin = offset(self.text, first);
            let len = offset(self.text, last) + last.len() - begin;
            at(self.text, begin, len, SgfFault::Move(error))
        })
    }

    fn number<T: Finite>(&self, property: &Property<'a>) -> Result<T, SgfError> {
        let value = single(self.text, property)?;
        T::finite(value.trim()).ok_or_else(|| {
            let fault = SgfFault::Number {
                property: property.name.to_owned(),
                value: shortened(value),
            };
            on_value(self.text, value, fault)
        })
    }

    /// Creates an error at the name of a property.
    pub fn on_name(&self, name: &'a str, fault: SgfFault) -> SgfError {
        on_value(self.text, name, fault)
    }

    /// Creates an error at the `;` of a node.
    pub fn on_node(&self, begin: usize, fault: SgfFault) -> SgfError {
        at(self.text, begin, 1, fault)
    }

    /// Plays the entries with the passes between and after them; returns the number of moves after
    /// the end of the game.
    fn follow(
        &self,
        entries: Vec<Entry<'a>>,
        passes: Option<usize>,
        record: &mut Record,
    ) -> Result<usize, SgfError> {
        let first = entries.iter().find_map(Entry::played);
        let mut game = Game::new(&played_variant(&self.variant, first.map(|first| first.mv)));
        let mut lawful = true;
        let mut entries = entries.into_iter();
        while !game.is_over()
            && let Some(entry) = entries.next()
        {
            match entry {
                Entry::Move(next) if lawful => {
                    if self.is_skipped(&game, &next) {
                        continue;
                    }
                    let skipped = self.skip_to(&mut game, &next)?;
                    let pass = Ply::new(Move::Pass);
                    record.plies.extend(std::iter::repeat_n(pass, skipped));
                    // Illegal moves are kept: the caller judges the game.
                    lawful = !game.is_over() && game.play(next.mv).is_ok();
                    record.plies.push(next.into());
                }
                Entry::Move(next) => record.plies.push(next.into()),
                Entry::Passes {
                    stated,
                    comment,
                    value,
                } if lawful => {
                    let missing = stated.saturating_sub(passes_before(&game));
                    if pass(&mut game, missing, record) > 0
                        && let Some(last) = record.plies.last_mut()
                    {
                        (last.comment, last.value) = (comment, value);
                    }
                }
                Entry::Passes { .. } => {}
            }
        }
        if lawful && !game.is_over() {
            let behind = passes.unwrap_or_else(|| pass_if_forced(&mut game.clone()));
            pass(&mut game, behind, record);
        }
        let omitted = entries.filter(|entry| {
            let played = entry.played();
            played.is_some_and(|next| !self.is_skipped(&game, next))
        });
        Ok(omitted.count())
    }

    /// True for the pass of a colour that has no turn, since it has no placement.
    pub fn is_skipped(&self, game: &Game, next: &Played<'a>) -> bool {
        next.mv == Move::Pass
            && self.variant.passing().forced == ForcedPass::Skipped
            && !game.can_place(Colour(next.colour as u8))
    }

    /// Passes until the colour of the next move is to move; returns the number of passes.
    fn skip_to(&self, game: &mut Game, next: &Played<'a>) -> Result<usize, SgfError> {
        let wanted = game.to_move().map_or(0, Colour::index);
        let mut passes = 0;
        while game.to_move() != Some(Colour(next.colour as u8)) {
            let lawful = passes < self.variant.colour_count() && game.play(Move::Pass).is_ok();
            if !lawful || game.is_over() {
                return Err(self.turn_fault(next, wanted));
            }
            passes += 1;
        }
        Ok(passes)
    }

    /// Creates the error of a move that is not the turn of its colour.
    pub fn turn_fault(&self, next: &Played<'a>, wanted: usize) -> SgfError {
        let fault = SgfFault::Turn {
            found: next.name.to_owned(),
            wanted: colours(&self.variant)[wanted].to_owned(),
        };
        self.on_name(next.name, fault)
    }
}

/// Passes up to `most` times, while that is legal; returns the number of passes.
fn pass(game: &mut Game, most: usize, record: &mut Record) -> usize {
    let legal = (0..most).take_while(|_| game.play(Move::Pass).is_ok());
    let passes = legal.count();
    let pass = Ply::new(Move::Pass);
    record.plies.extend(std::iter::repeat_n(pass, passes));
    passes
}

/// Returns the built-in variant of the property `VARIANT`, which has the board and the colours of
/// `game`.
fn other_variant(text: &str, game: &GameVariant, value: &str) -> Result<GameVariant, SgfError> {
    let is_allowed = |variant: &&GameVariant| {
        variant.engine_name().is_none() && same_board(variant) == game.engine_name()
    };
    if let Some(variant) = GameVariant::named(value).filter(is_allowed) {
        return Ok(variant.clone());
    }
    let allowed = GameVariant::BUILT_IN.iter().filter(is_allowed);
    let mut names: Vec<_> = allowed.map(GameVariant::name).collect();
    if names.is_empty() {
        names.push("no property VARIANT");
    }
    let fault = SgfFault::Variant {
        value: shortened(value),
        game: game.engine_name().unwrap_or_default().to_owned(),
        expected: names.join(", "),
    };
    Err(on_value(text, value, fault))
}
