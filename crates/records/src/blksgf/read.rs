use duoforge_rules::{Colour, ForcedPass, Game, GameVariant, Move, Notation};

use super::error::{SgfError, SgfFault};
use super::parse::{MainLine, Node, Property, parse, unescape};
use super::{OWN, PASSES, VARIANT, colours, names, same_board};
use crate::Place;
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
    let mut newlines = Newlines {
        text,
        at: 0,
        count: 1,
    };
    lines
        .iter()
        .map(|line| Reader::new(text, line)?.read(line, &mut newlines))
        .collect()
}

/// Line counter for increasing offsets.
struct Newlines<'a> {
    text: &'a str,
    at: usize,
    count: usize,
}

impl Newlines<'_> {
    fn line(&mut self, offset: usize) -> usize {
        let between = &self.text[self.at..offset];
        self.count += between.matches('\n').count();
        self.at = offset;
        self.count
    }
}

/// Move as read from the file.
struct Played<'a> {
    colour: usize,
    name: &'a str,
    turn: Move,
    comment: String,
    value: Option<f64>,
}

struct Reader<'a> {
    text: &'a str,
    variant: GameVariant,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, line: &MainLine<'a>) -> Result<Self, SgfError> {
        let root = &line.nodes[0];
        let find = |name| root.iter().find(|property| capitals(property.name, name));
        let Some(property) = find("GM") else {
            return Err(at(text, line.begin, 1, SgfFault::NoKind));
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
        let mut played = Vec::new();
        let mut passes = None;
        for (node, number) in line.nodes.iter().zip(0..) {
            let turn = self.node(node, &mut passes)?;
            if number == 0 {
                self.root(node, &mut record, turn.is_none())?;
            }
            played.extend(turn);
        }
        if self.variant == GameVariant::DUO && played.first().is_some_and(|first| first.colour == 1)
        {
            // The side that moves first is the first player, whatever its colour.
            record.players.reverse();
            for played in &mut played {
                played.colour = 1 - played.colour;
                played.value = played.value.map(|value| -value);
            }
        }
        let left_out = self.follow(played, passes, &mut record)?;
        Ok(FileRecord {
            line: newlines.line(line.begin),
            record,
            left_out,
        })
    }

    /// Reads the properties of the whole game from the root node.
    fn root(&self, node: &Node<'a>, record: &mut Record, comment: bool) -> Result<(), SgfError> {
        for property in node {
            let name = property.name;
            let player = names(&self.variant)
                .iter()
                .position(|of| capitals(name, of));
            if let Some(player) = player {
                record.players[player] = simple(single(self.text, property)?);
            } else if capitals(name, "C") && comment {
                record.comment = unescape(single(self.text, property)?);
            } else if !OWN.iter().any(|own| capitals(name, own))
                && self.colour(name).is_none()
                && !["V", "BM", "DO", "IT", "TE", "PL", PASSES].contains(&name)
                && property.values.len() == 1
            {
                let value = simple(property.values[0]);
                record.facts.insert(name.to_owned(), value);
            }
        }
        Ok(())
    }

    /// Reads the move of a node; `None` if the node has none.
    fn node(
        &self,
        node: &Node<'a>,
        passes: &mut Option<usize>,
    ) -> Result<Option<Played<'a>>, SgfError> {
        let mut played: Option<Played<'a>> = None;
        let mut comment = String::new();
        let mut value = None;
        for property in node {
            let name = property.name;
            if let Some(colour) = self.colour(name) {
                if played.is_some() {
                    let fault = SgfFault::SecondMove(name.to_owned());
                    return Err(self.on_name(property, fault));
                }
                played = Some(Played {
                    colour,
                    name,
                    turn: self.turn(property)?,
                    comment: String::new(),
                    value: None,
                });
            } else if ["AB", "AW", "AE", "A1", "A2", "A3", "A4"]
                .iter()
                .any(|setup| capitals(name, setup))
            {
                let fault = SgfFault::Setup(name.to_owned());
                return Err(self.on_name(property, fault));
            } else if capitals(name, "C") {
                comment = unescape(single(self.text, property)?);
            } else if capitals(name, "V") {
                value = Some(self.number(property)?);
            } else if name == PASSES {
                *passes = Some(self.number(property)?);
            }
        }
        Ok(played.map(|played| Played {
            comment,
            value,
            ..played
        }))
    }

    /// Returns the player whose moves have this property. Very old files spell out the colours.
    fn colour(&self, name: &str) -> Option<usize> {
        const OLD: [&str; 4] = ["BLUE", "YELLOW", "RED", "GREEN"];
        let is = |known: &[&str]| known.iter().position(|known| capitals(name, known));
        let known = is(colours(&self.variant));
        known.or_else(|| is(&OLD).filter(|_| self.variant.colour_count() == OLD.len()))
    }

    fn turn(&self, property: &Property<'a>) -> Result<Move, SgfError> {
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

    fn on_name(&self, property: &Property<'a>, fault: SgfFault) -> SgfError {
        on_value(self.text, property.name, fault)
    }

    /// Plays the moves with the passes between and after them; returns the number of moves after
    /// the end of the game.
    fn follow(
        &self,
        played: Vec<Played<'a>>,
        passes: Option<usize>,
        record: &mut Record,
    ) -> Result<usize, SgfError> {
        let first = played.first().map(|played| played.turn);
        let mut game = Game::new(&played_variant(&self.variant, first));
        let mut lawful = true;
        let mut played = played.into_iter();
        while !game.is_over()
            && let Some(next) = played.next()
        {
            if lawful {
                if self.is_skipped(&game, &next) {
                    continue;
                }
                let skipped = self.skip_to(&mut game, &next)?;
                let pass = Ply::new(Move::Pass);
                record.plies.extend(std::iter::repeat_n(pass, skipped));
                // Illegal moves are kept: the caller judges the game.
                lawful = !game.is_over() && game.play(next.turn).is_ok();
            }
            record.plies.push(Ply {
                turn: next.turn,
                comment: next.comment,
                value: next.value,
            });
        }
        if lawful && !game.is_over() {
            let behind = match passes {
                Some(passes) => (0..passes)
                    .take_while(|_| game.play(Move::Pass).is_ok())
                    .count(),
                None => pass_if_forced(&mut game),
            };
            let pass = Ply::new(Move::Pass);
            record.plies.extend(std::iter::repeat_n(pass, behind));
        }
        let omitted = played.filter(|next| !self.is_skipped(&game, next));
        Ok(omitted.count())
    }

    /// True for the pass of a colour that has no turn, since it has no placement.
    fn is_skipped(&self, game: &Game, next: &Played<'a>) -> bool {
        next.turn == Move::Pass
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
                let fault = SgfFault::Turn {
                    found: next.name.to_owned(),
                    wanted: colours(&self.variant)[wanted].to_owned(),
                };
                return Err(on_value(self.text, next.name, fault));
            }
            passes += 1;
        }
        Ok(passes)
    }
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

/// Number that a property may hold.
trait Finite: Sized {
    fn finite(text: &str) -> Option<Self>;
}

impl Finite for f64 {
    fn finite(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &Self| number.is_finite())
    }
}

impl Finite for usize {
    fn finite(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// True if the capitals and digits of a name equal `known`; older files have lower-case letters in
/// between.
fn capitals(name: &str, known: &str) -> bool {
    name.bytes()
        .filter(|byte| !byte.is_ascii_lowercase())
        .eq(known.bytes())
}

fn single<'a>(text: &'a str, property: &Property<'a>) -> Result<&'a str, SgfError> {
    if let [value] = property.values[..] {
        return Ok(value);
    }
    let fault = SgfFault::Several(property.name.to_owned());
    Err(on_value(text, property.values[1], fault))
}

/// Resolves the escapes of a value and joins its lines.
fn simple(value: &str) -> String {
    unescape(value).replace('\n', " ")
}

/// Returns the byte offset of a slice of the text.
fn offset(text: &str, piece: &str) -> usize {
    piece.as_ptr() as usize - text.as_ptr() as usize
}

fn on_value(text: &str, value: &str, fault: SgfFault) -> SgfError {
    at(text, offset(text, value), value.len(), fault)
}

fn at(text: &str, offset: usize, len: usize, fault: SgfFault) -> SgfError {
    SgfError {
        place: Place::new(text, offset, len),
        fault,
    }
}

/// Shortens a text for a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
