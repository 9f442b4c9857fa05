//! Grammar of SGF: parses trees of nodes of properties, and keeps all nodes or the main lines.

use super::error::{SgfError, SgfFault};
use super::sinks::{MainLines, Sink, Trees};
use crate::{MOST_BYTES, Place};

/// Property as in the file, with its escapes unresolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property<'a> {
    /// Name in capitals and digits, as in the file.
    pub name: &'a str,
    /// Escaped values as in the file, at least one.
    pub values: Vec<&'a str>,
}

/// Properties of a node.
pub type Node<'a> = Vec<Property<'a>>;

/// Main line of a game, at least one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine<'a> {
    /// Byte offset at which the game starts.
    pub begin: usize,
    /// Nodes, starting with the root.
    pub nodes: Vec<Node<'a>>,
}

/// Tree of a game, at least one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTree<'a> {
    /// Byte offset at which the game starts.
    pub begin: usize,
    /// Nodes in the order of the file, starting with the root.
    pub nodes: Vec<RawNode<'a>>,
}

/// Node of a [`RawTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawNode<'a> {
    /// Byte offset of the node.
    pub begin: usize,
    /// Index of the node before this one on its line; `None` for the root.
    pub parent: Option<usize>,
    /// Number of nodes above this one.
    pub depth: usize,
    /// Properties.
    pub properties: Node<'a>,
}

/// Parser state: tokens that may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Another game, or the end of the text.
    Game,
    /// First node of a tree.
    Node,
    /// Property, node or variation.
    Inside,
    /// Variation, or the end of a tree.
    Fork,
}

impl Next {
    const fn wanted(self) -> &'static str {
        match self {
            Self::Game => "`(`, the beginning of a game,",
            Self::Node => "`;`, the beginning of a node,",
            Self::Inside => "a property such as B[e10], or one of `;`, `(` and `)`,",
            Self::Fork => "`(` or `)`",
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

/// Parses the main lines of all games of a text.
///
/// Other variations are checked but not kept. The nesting depth does not affect memory use.
pub fn parse(text: &str) -> Result<Vec<MainLine<'_>>, SgfError> {
    let mut sink = MainLines::default();
    parse_into(text, &mut sink)?;
    Ok(sink.lines)
}

/// Parses the trees of all games of a text, with all variations.
pub fn parse_trees(text: &str) -> Result<Vec<RawTree<'_>>, SgfError> {
    let mut sink = Trees::default();
    parse_into(text, &mut sink)?;
    Ok(sink.trees)
}

fn parse_into<'a>(text: &'a str, sink: &mut impl Sink<'a>) -> Result<(), SgfError> {
    let mut parser = Parser { text, at: 0 };
    if text.len() > MOST_BYTES {
        return Err(parser.error(0, SgfFault::Large(text.len())));
    }
    let mut next = Next::Game;
    let mut depth = 0_usize;
    loop {
        parser.skip_blanks();
        let Some(byte) = parser.peek() else {
            if next != Next::Game {
                return Err(parser.end(next.wanted()));
            }
            if sink.is_empty() {
                return Err(parser.error(0, SgfFault::NoGame));
            }
            return Ok(());
        };
        next = match (byte, next) {
            (b'(', Next::Game | Next::Inside | Next::Fork) => {
                sink.open(depth, parser.at);
                depth += 1;
                parser.at += 1;
                Next::Node
            }
            (b')', Next::Inside | Next::Fork) => {
                sink.close();
                depth -= 1;
                parser.at += 1;
                if depth == 0 { Next::Game } else { Next::Fork }
            }
            (b';', Next::Node | Next::Inside) => {
                let begun = sink.node(parser.at);
                begun.map_err(|fault| parser.error(1, fault))?;
                parser.at += 1;
                Next::Inside
            }
            (_, Next::Inside) if byte.is_ascii_alphanumeric() => {
                parser.property(sink.properties())?;
                Next::Inside
            }
            _ if sink.is_empty() => return Err(parser.error(0, SgfFault::NoGame)),
            _ => return Err(parser.unexpected(next.wanted())),
        };
    }
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&skip) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace());
    }

    fn property(&mut self, mut node: Option<&mut Node<'a>>) -> Result<(), SgfError> {
        let begin = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric());
        let name = &self.text[begin..self.at];
        if let Some(node) = &mut node {
            let values = Vec::with_capacity(1);
            node.push(Property { name, values });
        }
        self.skip_blanks();
        let wanted = "`[`, the beginning of a property's value,";
        match self.peek() {
            Some(b'[') => {}
            Some(_) => return Err(self.unexpected(wanted)),
            None => return Err(self.end(wanted)),
        }
        while self.peek() == Some(b'[') {
            let value = self.value()?;
            let property = node.as_deref_mut().and_then(|node| node.last_mut());
            if let Some(property) = property {
                property.values.push(value);
            }
            self.skip_blanks();
        }
        Ok(())
    }

    fn value(&mut self) -> Result<&'a str, SgfError> {
        self.at += 1;
        let begin = self.at;
        loop {
            match self.peek() {
                Some(b']') => break,
                // An escaped character may be longer than a byte; none of its bytes has a special
                // meaning.
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    self.at = self.text.len();
                    return Err(self.end("`]`, the end of a property's value,"));
                }
            }
        }
        let value = &self.text[begin..self.at];
        self.at += 1;
        Ok(value)
    }

    fn unexpected(&self, wanted: &'static str) -> SgfError {
        let found = self.text[self.at..].chars().next();
        let found = found.unwrap_or_default();
        let fault = SgfFault::Unexpected {
            found: format!("'{}'", found.escape_debug()),
            wanted: wanted.trim_end_matches(','),
        };
        self.error(found.len_utf8(), fault)
    }

    fn end(&self, wanted: &'static str) -> SgfError {
        self.error(0, SgfFault::End(wanted.trim_end_matches(',')))
    }

    fn error(&self, len: usize, fault: SgfFault) -> SgfError {
        SgfError {
            place: Place::new(self.text, self.at, len),
            fault,
        }
    }
}

/// Resolves the escapes of a value and normalises line ends to `\n`.
pub fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                // An escaped line end is dropped.
                Some('\r') => _ = letters.next_if_eq(&'\n'),
                Some('\n') | None => {}
                Some(letter) => text.push(letter),
            },
            '\r' => {
                letters.next_if_eq(&'\n');
                text.push('\n');
            }
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_TREE_DEPTH, MAX_TREE_NODES};

    fn error(text: &str) -> (usize, usize, SgfFault) {
        let error = parse(text).unwrap_err();
        (error.place.line, error.place.column, error.fault)
    }

    #[test]
    fn main_lines_are_what_comes_first_at_every_fork() {
        let text = "(;GM[1]B[a](;W[b];B[c]C[x])(;W[no](;B[no])))\n(;X[y])";
        let lines = parse(text).unwrap();
        let nodes: Vec<Vec<_>> = lines
            .iter()
            .map(|line| line.nodes.iter().map(Vec::len).collect())
            .collect();
        assert_eq!(nodes, [vec![2, 1, 2], vec![1]]);
        assert_eq!(lines[0].nodes[2][1].values, ["x"]);
    }

    #[test]
    fn trees_keep_all_nodes_with_their_parents() {
        let text = "(;GM[1]B[a](;W[b];B[c]C[x])(;W[no](;B[no])))\n(;X[y](;)(;Z[z]))";
        let trees = parse_trees(text).unwrap();
        let parents: Vec<Vec<_>> = trees
            .iter()
            .map(|tree| tree.nodes.iter().map(|node| node.parent).collect())
            .collect();
        let expected = [
            vec![None, Some(0), Some(1), Some(0), Some(3)],
            vec![None, Some(0), Some(0)],
        ];
        assert_eq!(parents, expected);
        assert_eq!(trees[0].nodes[2].properties[1].values, ["x"]);
        assert_eq!(&text[trees[1].begin..][..5], "(;X[y");
        assert_eq!(&text[trees[1].nodes[2].begin..][..2], ";Z");
    }

    #[test]
    fn values_may_hold_anything() {
        let lines = parse("(;C[a;(\\]\\\\)]AB [b]\n[c])").unwrap();
        let node = &lines[0].nodes[0];
        assert_eq!(unescape(node[0].values[0]), "a;(]\\)");
        assert_eq!(node[1].values, ["b", "c"]);
        assert_eq!(unescape("a\\\r\nb\r\nc\rd\\é"), "ab\nc\ndé");
    }

    #[test]
    fn errors_have_places() {
        assert_eq!(error("").2, SgfFault::NoGame);
        assert_eq!(error("\n x"), (2, 2, SgfFault::NoGame));
        for (text, line, column, found) in [
            ("((;B[a]))", 1, 2, "'('"),
            ("(;B[a])\n)", 2, 1, "')'"),
            ("(;B[a]\n é)", 2, 2, "'é'"),
            ("(;B;W[a])", 1, 4, "';'"),
            ("(;(;B[a])C[x])", 1, 10, "'C'"),
        ] {
            let (at, in_line, fault) = error(text);
            assert_eq!((at, in_line), (line, column), "{text}");
            assert!(
                matches!(&fault, SgfFault::Unexpected { found: is, .. } if is == found),
                "{text}: {fault}"
            );
        }
        for text in ["(", "(;", "(;B", "(;B[", "(;B[a", "(;B[a]", "(;B[a\\"] {
            let (line, column, fault) = error(text);
            assert!(matches!(fault, SgfFault::End(_)), "{text}: {fault}");
            assert_eq!((line, column), (1, text.len() + 1), "{text}");
        }
    }

    #[test]
    fn deep_forks_take_no_stack() {
        let depth = MOST_BYTES / 3;
        let text = "(;".repeat(depth) + &")".repeat(depth);
        assert_eq!(parse(&text).unwrap()[0].nodes.len(), depth);
        let larger = "(;".to_owned() + &text + ")";
        assert_eq!(error(&larger).2, SgfFault::Large(larger.len()));
        let error = parse_trees(&text).unwrap_err();
        assert_eq!(error.fault, SgfFault::Depth);
        assert_eq!(error.place.offset, 2 * (MAX_TREE_DEPTH + 1) + 1);
        let most = "(;".repeat(MAX_TREE_DEPTH + 1) + &")".repeat(MAX_TREE_DEPTH + 1);
        assert_eq!(
            parse_trees(&most).unwrap()[0].nodes.len(),
            MAX_TREE_DEPTH + 1
        );
    }

    #[test]
    fn a_tree_has_a_maximum_number_of_nodes() {
        let wide = |nodes: usize| format!("(;{})", "(;)".repeat(nodes - 1));
        let most = wide(MAX_TREE_NODES);
        let trees = parse_trees(&most).unwrap();
        assert_eq!(trees[0].nodes.len(), MAX_TREE_NODES);
        let error = parse_trees(&wide(MAX_TREE_NODES + 1)).unwrap_err();
        assert_eq!(error.fault, SgfFault::Nodes);
    }
}
