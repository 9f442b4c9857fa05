//! Game trees: written and read, by hand and at random, as blksgf and as flat values.

mod random;

use duoforge_records::{
    GameTree, SgfProperty, TreeData, TreeError, read_blksgf, read_blksgf_trees,
    read_each_blksgf_tree, write_blksgf, write_blksgf_trees,
};
use duoforge_rules::{GameVariant, Move, Notation};

fn mv(code: &str) -> Move {
    code.parse().unwrap()
}

fn read(text: &str) -> GameTree {
    let mut trees = read_blksgf_trees(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((trees.len(), trees[0].left_out), (1, 0));
    trees.remove(0).tree
}

fn write(tree: &GameTree) -> String {
    write_blksgf_trees(std::slice::from_ref(tree)).unwrap()
}

/// Returns the lines from the root to each leaf: codes, and a dot for a node without a move.
fn lines(tree: &GameTree) -> Vec<String> {
    let leaves = tree
        .lines()
        .into_iter()
        .filter(|&node| tree.node(node).children().is_empty());
    let path = |leaf: usize| {
        let next = |&node: &usize| tree.node(node).parent();
        let mut codes: Vec<_> = std::iter::successors(Some(leaf), next)
            .filter(|&node| node != 0)
            .map(|node| {
                let mv = tree.node(node).mv();
                mv.map_or(".".to_owned(), |mv| mv.to_string())
            })
            .collect();
        codes.reverse();
        codes.join(" ")
    };
    leaves.map(path).collect()
}

const HEAD: &str = "(\n;GM[Blokus Duo]CA[UTF-8]AP[duoforge:0.2.0]";

/// Returns the code of cells.
fn code(cells: &str) -> String {
    Notation::DUO.read(cells).unwrap().to_string()
}

#[test]
fn variations_comments_and_properties_are_kept() {
    let text = format!(
        "{HEAD}\nPB[Ada]\nDT[2026]\nC[a game]BM[1]XY[a][b\\]\nc]\n;B[e10]V[1.5]C[good]\n(\n;W[j5]\n\
         ;B[f8,f9]\n)\n(\n;W[j5,j6]C[or this]ZZ[\\\\]\n(\n;B[f8,f9]\n)\n(\n;C[no move]\n;B[d8,d9]\n)\n)\n)\n"
    );
    let tree = read(&text);
    let [reply, east, west] = ["j5,j6", "f8,f9", "d8,d9"].map(code);
    assert_eq!(
        lines(&tree),
        [
            format!("55a0 aaa0 {east}"),
            format!("55a0 {reply} {east}"),
            format!("55a0 {reply} . {west}")
        ]
    );
    assert_eq!(tree.variation_count(), 2);
    assert_eq!(tree.players, ["Ada", ""]);
    assert_eq!(tree.facts["DT"], "2026");
    let root = &tree.node(0).notes;
    assert_eq!(root.comment, "a game");
    let property = |name: &str, values: &[&str]| SgfProperty {
        name: name.to_owned(),
        values: values.iter().map(|&it| it.to_owned()).collect(),
    };
    assert_eq!(
        root.properties,
        [property("BM", &["1"]), property("XY", &["a", "b]\nc"])]
    );
    assert_eq!(tree.node(1).notes.value, Some(1.5));
    assert_eq!(tree.node(4).notes.properties, [property("ZZ", &["\\"])]);
    assert_eq!(write(&tree), text);
    // The record is the main line, as the reader of main lines sees it.
    assert_eq!(read_blksgf(&text).unwrap()[0].record, tree.record());
}

/// A tree without variations has the same text as its record, and the other way round.
#[test]
fn files_of_pentobi_are_trees_without_variations() {
    for text in [
        include_str!("../data/pentobi_duo.blksgf"),
        include_str!("../data/pentobi_duo_w_first.blksgf"),
        include_str!("../data/pentobi_classic.blksgf"),
        include_str!("../data/pentobi_classic_2.blksgf"),
        include_str!("../data/pentobi_classic_3.blksgf"),
    ] {
        let record = &read_blksgf(text).unwrap()[0].record;
        let tree = read(text);
        assert_eq!(&tree.record(), record);
        assert_eq!(
            write(&tree),
            write_blksgf(std::slice::from_ref(record)).unwrap()
        );
        let made = GameTree::from_record(record).unwrap();
        assert_eq!(TreeData::from(&made), TreeData::from(&tree));
    }
}

#[test]
fn passes_are_nodes_of_the_tree() {
    let text = |rest: &str| format!("{HEAD}\n;B[e10]\n;W[j5]{rest}\n)\n");
    let [b, w, x] = ["f8,f9", "k3,k4", "k6,k7"].map(code);
    for (rest, expected) in [
        // Two placements of W, the second player, imply one pass of B before them.
        ("\n;W[k3,k4]", vec![format!("0000 {w}")]),
        (
            "\n(\n;W[k3,k4]\n)\n(\n;W[k6,k7]\n)",
            vec![format!("0000 {w}"), format!("0000 {x}")],
        ),
        (
            "\n(\n;W[k3,k4]\n)\n(\n;B[f8,f9]\n)\n(\n;W[k6,k7]\n)",
            vec![format!("0000 {w}"), b.clone(), format!("0000 {x}")],
        ),
        ("PASSES[1]", vec!["0000".to_owned()]),
        (
            "\n;PASSES[1]C[why?]\n;PASSES[2]",
            vec!["0000 0000".to_owned()],
        ),
        (
            "\n(\n;B[f8,f9]\n)\n(\n;PASSES[2]\n)",
            vec![b.clone(), "0000 0000".to_owned()],
        ),
        (
            "\n;PASSES[1]\n;C[.]\n;W[k3,k4]",
            vec![format!("0000 . {w}")],
        ),
        ("\n;C[.]\n;W[k3,k4]", vec![format!(". 0000 {w}")]),
        (
            "\n(\n;PASSES[1]\n)\n(\n;PASSES[1]\n;W[k3,k4]\n)",
            vec!["0000".to_owned(), format!("0000 {w}")],
        ),
    ] {
        let text = text(rest);
        let tree = read(&text);
        let expected: Vec<_> = expected
            .iter()
            .map(|line| format!("55a0 aaa0 {line}"))
            .collect();
        assert_eq!(lines(&tree), expected, "{text}");
        assert_eq!(write(&tree), text);
    }
    // Passes beyond the end of the game do not exist.
    let tree = read(&text("PASSES[99]"));
    assert_eq!(lines(&tree), ["55a0 aaa0 0000 0000"]);
}

#[test]
fn moves_are_added_in_their_positions_only() {
    let mut tree = GameTree::new(GameVariant::DUO);
    let first = tree.add(0, Some(mv("55a0"))).unwrap();
    // In Blokus Duo, the first player may start at either cell.
    let other = tree.add(0, Some(mv("aaa0"))).unwrap();
    tree.add(first, Some(mv("aaa0"))).unwrap();
    tree.add(other, Some(mv("55a0"))).unwrap();
    let comment = tree.add(first, None).unwrap();
    assert_eq!(tree.add(comment, Some(mv("aab0"))), Ok(6));
    assert_eq!(
        tree.add(first, Some(mv("55a0"))).unwrap_err().to_string(),
        "node 7: 55a0 at ply 1 is illegal: cell 55 is occupied"
    );
    assert!(tree.add(0, Some(Move::Pass)).is_err());
    let error = TreeError::Parent { node: 7, parent: 9 };
    assert_eq!(tree.add(9, None), Err(error));
    assert_eq!(tree.node_count(), 7);
    assert_eq!(lines(&tree), ["55a0 aaa0", "55a0 . aab0", "aaa0 55a0"]);
    assert_eq!(lines(&tree.truncated(1)), ["55a0 .", "aaa0"]);
    assert_eq!(lines(&tree.truncated(0)), [""]);
    assert_eq!(lines(&tree.truncated(2)), lines(&tree));
}

#[test]
fn values_of_trees_are_checked() {
    let good = r#"{"variant":"duo","players":["A",""],"facts":{"DT":"1"},"nodes":[{"comment":"c"},
        {"parent":0,"code":"55a0","value":0.5,"properties":[{"name":"XY","values":["a"]}]},
        {"parent":0,"code":"53e0"},{"parent":1,"code":"aaa0"}]}"#;
    let data: TreeData = serde_json::from_str(good).unwrap();
    let tree = GameTree::try_from(data.clone()).unwrap();
    assert_eq!(lines(&tree), ["55a0 aaa0", "53e0"]);
    let written = TreeData::from(&tree);
    assert_eq!(written.nodes[2].code.as_deref(), Some("aaa0"));
    assert_eq!(
        GameTree::try_from(written.clone()).map(|it| TreeData::from(&it)),
        Ok(written)
    );
    for (from, to, message) in [
        (
            "\"duo\"",
            "\"go\"",
            "'go' is not a variant: expected the name of a built-in variant",
        ),
        (
            "[\"A\",\"\"]",
            "[\"A\"]",
            "there are 1 names of players: expected none or 2",
        ),
        ("\"DT\"", "\"B\"", "node 0: the property 'B' cannot be kept"),
        (
            "\"DT\"",
            "\"D]T[\"",
            "node 0: the property 'D]T[' cannot be kept",
        ),
        ("\"DT\"", "\"\"", "node 0: the property '' cannot be kept"),
        (
            "\"XY\"",
            "\"PASSES\"",
            "node 1: the property 'PASSES' cannot be kept",
        ),
        (
            "\"XY\"",
            "\"White\"",
            "node 1: the property 'White' cannot be kept",
        ),
        (
            "\"XY\"",
            "\"AB\"",
            "node 1: the property 'AB' cannot be kept",
        ),
        ("\"XY\"", "\"C\"", "node 1: the property 'C' cannot be kept"),
        ("[\"a\"]", "[]", "node 1: the property 'XY' cannot be kept"),
        (
            "\"parent\":1",
            "\"parent\":3",
            "node 3 has the parent 3: expected the number of an earlier node",
        ),
        (
            "\"parent\":1,",
            "",
            "node 3 has no parent: expected the number of an earlier node",
        ),
        (
            "{\"comment\"",
            "{\"code\":\"55a0\",\"comment\"",
            "the first node is not a root",
        ),
        (
            "{\"comment\"",
            "{\"parent\":0,\"comment\"",
            "the first node is not a root",
        ),
        ("aaa0", "aaaa", "node 3: 'aaaa' is not a move: "),
        ("aaa0", "55a0", "node 3: 55a0 at ply 1 is illegal: "),
    ] {
        assert_eq!(good.matches(from).count(), 1, "{from}");
        let data: TreeData = serde_json::from_str(&good.replace(from, to)).unwrap();
        let error = GameTree::try_from(data).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let empty = TreeData {
        nodes: Vec::new(),
        ..data.clone()
    };
    assert_eq!(GameTree::try_from(empty).unwrap_err(), TreeError::Root);
    let mut infinite = data;
    infinite.nodes[1].value = Some(f64::INFINITY);
    assert_eq!(
        GameTree::try_from(infinite).unwrap_err(),
        TreeError::Value(1)
    );
    assert!(serde_json::from_str::<TreeData>(r#"{"variant":"duo","nodes":[{"x":1}]}"#).is_err());
}

#[test]
fn faults_of_trees_have_their_places() {
    let error = |text: &str| {
        let error = read_blksgf_trees(text).unwrap_err();
        assert!(error.fault.help().len() > 20);
        error.to_string()
    };
    let head = "(;GM[Blokus Duo];B[e10]";
    assert_eq!(
        error(&format!("{head}(;W[j5])(;W[e10]))")),
        "line 1, column 34: 55a0 is illegal here: cell 55 is occupied"
    );
    assert_eq!(
        error(&format!("{head}(;W[j5])(;B[j5]))")),
        "line 1, column 34: B cannot move here: it is the turn of W, which cannot have passed"
    );
    assert_eq!(
        error(&format!("{head}(;W[j5])(;W[j5]AB[a1]))")),
        "line 1, column 39: AB sets a position up, and a record begins with the empty board"
    );
    // Passes count as nodes: 1,000 of them fit, and those that are implied do not exceed it.
    let deep = |nodes: usize| format!("{head};W[j5]{})", ";C[.]".repeat(nodes));
    assert_eq!(read(&deep(998)).node_count(), 1001);
    assert_eq!(
        error(&deep(999)),
        "line 1, column 5020: a line of the tree has too many nodes: expected at most 1000"
    );
    let text = deep(998).replace("C[.])", "PASSES[1])");
    assert_eq!(read(&text).node_count(), 1001);
    assert!(error(&text.replace("PASSES[1]", "PASSES[2]")).ends_with("expected at most 1000"));
    // The game ends once a colour has placed all tiles or all have passed.
    let over = format!("{head};W[j5]PASSES[2](;B[f9,f8]))");
    let line = format!("55a0 aaa0 {}", code("f8,f9"));
    assert_eq!(lines(&read(&over)), [line]);
    let after = format!("{head};W[j5];PASSES[2](;B[f9,f8])(;C[x];W[k4]))");
    let tree = &read_blksgf_trees(&after).unwrap()[0];
    assert_eq!((tree.left_out, tree.tree.node_count()), (2, 6));
}

/// Games are read separately, and no move after a maximum number of moves is judged.
#[test]
fn faults_of_other_games_and_of_later_moves_do_not_count() {
    let illegal = "(;GM[Blokus Duo];B[e10];W[j5](;B[e10];W[j5])(;B[f8,f9]))";
    let text = format!("{illegal}\n(;GM[Blokus Duo];B[e10](;W[j5];B[e10])(;W[j5,j6]C[this]))");
    let faults = |plies| {
        let games = read_each_blksgf_tree(&text, plies).unwrap();
        games.iter().map(Result::is_err).collect::<Vec<_>>()
    };
    assert_eq!(faults(usize::MAX), [true, true]);
    assert_eq!(faults(3), [true, true]);
    assert_eq!(faults(2), [false, false]);
    let games = read_each_blksgf_tree(&text, 2).unwrap();
    let games: Vec<_> = games.into_iter().map(Result::unwrap).collect();
    let found = games.iter().map(|game| (game.line, game.left_out));
    assert_eq!(found.collect::<Vec<_>>(), [(1, 3), (2, 1)]);
    assert_eq!(lines(&games[0].tree), ["55a0 aaa0"]);
    let reply = code("j5,j6");
    assert_eq!(
        lines(&games[1].tree),
        ["55a0 aaa0".to_owned(), format!("55a0 {reply}")]
    );
    let error = read_each_blksgf_tree(&text[1..], 2).unwrap_err();
    assert_eq!(error, read_blksgf_trees(&text[1..]).unwrap_err());
    // The legal game after an illegal one is read as it is alone.
    let legal = "(;GM[Blokus Duo]PB[Ada];W[e10]V[2](;B[j5])(;B[j5,j6]))";
    let games = read_each_blksgf_tree(&format!("{illegal}{legal}"), usize::MAX).unwrap();
    assert_eq!(
        TreeData::from(&games[1].as_ref().unwrap().tree),
        TreeData::from(&read(legal))
    );
}
