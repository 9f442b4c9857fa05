//! Table tests: each property, message and place of records.

use duoforge_records::{
    FileRecord, Format, InvalidText, ListedCode, MOST_BYTES, Place, Ply, Record, SgfWriteError,
    read_blksgf, read_blksgf_trees, read_list, text, write_blksgf, write_blksgf_trees, write_list,
};
use duoforge_rules::{Cell, Game, GameVariant, Move, VariantDefinition};

fn moves(codes: &str) -> Vec<Move> {
    codes
        .split_whitespace()
        .map(|code| code.parse().unwrap())
        .collect()
}

fn duo(codes: &str) -> Record {
    Record::new(GameVariant::DUO, moves(codes))
}

fn one(text: &str) -> FileRecord {
    let mut games = read_blksgf(text).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn a_record_is_written_property_by_property() {
    let mut record = duo("55a0 aaa0 0000 bbb0");
    record.players = vec!["A]da\nX".into(), String::new()];
    record.facts.insert("DT".into(), "2026-11-22".into());
    record.facts.insert("EV".into(), "a\\b".into());
    record.comment = "two\nlines]".into();
    record.plies[0].value = Some(0.25);
    record.plies[1].comment = "re]ply".into();
    let expected = "(\n;GM[Blokus Duo]CA[UTF-8]AP[duoforge:0.2.0]\nPB[A\\]da X]\nDT[2026-11-22]\nEV[a\\\\b]\n\
                    C[two\nlines\\]]\n;B[e10]V[0.25]\n;W[j5]C[re\\]ply]\n;W[k3,k4]\n)\n";
    assert_eq!(write_blksgf(&[record]).unwrap(), expected);
    let classic = Record::new(GameVariant::CLASSIC, moves("11a0 k1a0 kka0 1ka0"));
    let expected =
        "(\n;GM[Blokus]CA[UTF-8]AP[duoforge:0.2.0]\n;1[a20]\n;2[t20]\n;3[t1]\n;4[a1]\n)\n";
    assert_eq!(
        write_blksgf(std::slice::from_ref(&classic)).unwrap(),
        expected
    );
    assert_eq!(classic.players, [""; 4]);
    // Voluntary passes after the last move.
    for (codes, passes) in [
        ("55a0 aaa0", ""),
        ("55a0 aaa0 0000", "PASSES[1]"),
        ("55a0 aaa0 0000 0000", "PASSES[2]"),
    ] {
        let expected =
            format!("(\n;GM[Blokus Duo]CA[UTF-8]AP[duoforge:0.2.0]\n;B[e10]\n;W[j5]{passes}\n)\n");
        assert_eq!(write_blksgf(&[duo(codes)]).unwrap(), expected);
        assert_eq!(one(&expected).record, duo(codes));
    }
}

#[test]
fn annotated_passes_are_nodes_without_a_move() {
    let game = |nodes: &str| format!("(\n;GM[Blokus Duo]CA[UTF-8]AP[duoforge:0.2.0]{nodes}\n)\n");
    let lead = "\n;B[e10]\n;W[j5]";
    for (codes, annotated, nodes) in [
        ("55a0 aaa0 0000", vec![3], "\n;PASSES[1]C[3]"),
        (
            "55a0 aaa0 0000 0000",
            vec![3],
            "\n;PASSES[1]C[3]\n;PASSES[2]",
        ),
        ("55a0 aaa0 0000 0000", vec![4], "\n;PASSES[2]C[4]"),
        (
            "55a0 aaa0 0000 0000",
            vec![3, 4],
            "\n;PASSES[1]C[3]\n;PASSES[2]C[4]",
        ),
        (
            "55a0 aaa0 0000 bbb0",
            vec![3],
            "\n;PASSES[1]C[3]\n;W[k3,k4]",
        ),
        (
            "55a0 aaa0 0000 bbb0 0000",
            vec![4],
            "\n;W[k3,k4]C[4]PASSES[1]",
        ),
    ] {
        let mut record = duo(codes);
        for ply in annotated {
            record.plies[ply - 1].comment = ply.to_string();
        }
        let expected = game(&format!("{lead}{nodes}"));
        assert_eq!(
            write_blksgf(std::slice::from_ref(&record)).unwrap(),
            expected
        );
        assert_eq!(one(&expected).record, record);
        // A tree has the same nodes, in the same text.
        let trees = read_blksgf_trees(&expected).unwrap();
        let trees: Vec<_> = trees.into_iter().map(|file| file.tree).collect();
        assert_eq!(write_blksgf_trees(&trees).unwrap(), expected);
        assert_eq!(trees[0].record(), record);
    }
    // Values are those of the first player, `W` here.
    let text = "(;GM[Blokus Duo];W[j5];B[e10];W[];B[]V[2]C[x])";
    let last = one(text).record.plies.pop().unwrap();
    assert_eq!(
        (last.mv, last.value, last.comment.as_str()),
        (Move::Pass, Some(-2.0), "x")
    );
}

#[test]
fn a_root_has_names_facts_and_a_comment() {
    let game = one(
        "(;GM[Blokus Duo]PB[A\\]da]PW[B\nob]C[it\nbegan]DT[2026]EV[x][y]V[1]BM[1]DO[1]IT[1]TE[1]PL[B]\
         AP[p]CA[q]FF[4]ST[2]PASSES[0]XY[a\nb];B[e10])",
    );
    assert_eq!(game.record.players, ["A]da", "B ob"]);
    assert_eq!(game.record.comment, "it\nbegan");
    let facts: Vec<_> = game
        .record
        .facts
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    assert_eq!(facts, [("DT", "2026"), ("XY", "a b")]);
    assert_eq!((game.line, game.left_out), (1, 0));
    // The comment and value of a root with a move belong to the move.
    let game = one("(;GM[Blokus Duo]C[reply]V[2.5]B[e10])");
    assert_eq!(
        (game.record.comment.as_str(), game.record.facts.len()),
        ("", 0)
    );
    let ply = Ply {
        mv: "55a0".parse().unwrap(),
        comment: "reply".into(),
        value: Some(2.5),
    };
    assert_eq!(game.record.plies, [ply]);
    // Line numbers are those at which the games start.
    let two = "\n(;GM[Blokus Duo])\n\n (;GM[Blokus]\n;1[a20])";
    let games = read_blksgf(two).unwrap();
    let lines: Vec<_> = games
        .iter()
        .map(|game| (game.line, game.record.variant.name()))
        .collect();
    assert_eq!(lines, [(2, "duo"), (4, "classic")]);
}

/// Moves belong to colours and names to seats. A variant that Pentobi does not have is written as
/// the game with its board.
#[test]
fn every_variant_has_its_properties() {
    let table = [
        ("duo", "GM[Blokus Duo]", "PB[a]|PW[b]", ";B["),
        ("duo-corner", "GM[Blokus Duo]", "PB[a]|PW[b]", ";B["),
        ("classic", "GM[Blokus]", "P1[a]|P2[b]|P3[c]|P4[d]", ";1["),
        (
            "classic-free",
            "GM[Blokus]",
            "P1[a]|P2[b]|P3[c]|P4[d]",
            ";1[",
        ),
        ("classic-2", "GM[Blokus Two-Player]", "PB[a]|PW[b]", ";1["),
        (
            "classic-3",
            "GM[Blokus Three-Player]",
            "P1[a]|P2[b]|P3[c]",
            ";1[",
        ),
    ];
    for (name, game, names, mv) in table {
        let variant = GameVariant::named(name).unwrap();
        let first = Game::new(variant).legal()[0];
        let mut record = Record::new(variant.clone(), [first.into()]);
        let letters = ["a", "b", "c", "d"].map(str::to_owned);
        let seats = record.players.len();
        record.players = letters[..seats].to_vec();
        let text = write_blksgf(std::slice::from_ref(&record)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let other = ["duo-corner", "classic-free"].contains(&name);
        let property = if other {
            format!("VARIANT[{name}]")
        } else {
            String::new()
        };
        assert_eq!(
            lines[1],
            format!(";{game}CA[UTF-8]AP[duoforge:0.2.0]{property}")
        );
        assert_eq!(lines[2..2 + seats].join("|"), names);
        assert!(lines[2 + seats].starts_with(mv), "{text}");
        assert_eq!(one(&text).record, record);
    }
}

#[test]
fn variants_without_a_name_are_refused() {
    let fault = |text: &str| read_blksgf(text).unwrap_err().to_string();
    for (properties, message) in [
        (
            "GM[Blokus]VARIANT[chess]",
            "line 1, column 21: 'chess' is not a variant of Blokus: expected classic-free",
        ),
        (
            "GM[Blokus]VARIANT[classic]",
            "line 1, column 21: 'classic' is not a variant of Blokus: expected classic-free",
        ),
        (
            "GM[Blokus Duo]VARIANT[classic-free]",
            "line 1, column 25: 'classic-free' is not a variant of Blokus Duo: expected duo-corner",
        ),
        (
            "GM[Blokus Two-Player]VARIANT[x]",
            "line 1, column 32: 'x' is not a variant of Blokus Two-Player: expected no property VARIANT",
        ),
    ] {
        assert_eq!(fault(&format!("(;{properties})")), message);
    }
    let mut definition = VariantDefinition {
        name: "small".to_owned(),
        size: 9,
        ..GameVariant::DUO.definition()
    };
    definition.colours[1].starts = vec![[8, 8]];
    let small = GameVariant::new(&definition).unwrap();
    let error = write_blksgf(&[Record::new(small, [])]).unwrap_err();
    assert_eq!(error, SgfWriteError::Variant("small".to_owned()));
    let message = "blksgf cannot express the variant small: expected a built-in variant, or a list";
    assert_eq!(error.to_string(), message);
}

#[test]
fn lists_name_the_variant_in_a_comment() {
    let mut record = Record::new(GameVariant::CLASSIC_2, moves("11a0"));
    assert_eq!(write_list(&[record.clone()]), "# game 1: classic-2\n11a0\n");
    record.players = vec!["A".to_owned(), String::new()];
    let text = "# game 1: classic-2, A against ?\n11a0\n";
    assert_eq!(write_list(&[record]), text);
}

#[test]
fn the_one_who_moves_first_is_the_first_player() {
    let game = one("(;GM[Blokus Duo]PB[black]PW[white];W[j5]V[3];B[e10]V[-4])");
    assert_eq!(game.record.players, ["white", "black"]);
    let values: Vec<_> = game.record.plies.iter().map(|ply| ply.value).collect();
    assert_eq!(values, [Some(-3.0), Some(4.0)]);
    assert_eq!(game.record.starts(), [Cell::new(9, 9), Cell::new(4, 4)]);
    let game = one("(;GM[Blokus Duo]PB[black]PW[white];B[e10]V[3])");
    assert_eq!(
        (game.record.players[0].as_str(), game.record.plies[0].value),
        ("black", Some(3.0))
    );
    assert_eq!(game.record.starts(), [Cell::new(4, 4), Cell::new(9, 9)]);
    assert_eq!(duo("").starts(), duo("55a0").starts());
}

#[test]
fn who_is_left_out_has_passed() {
    let codes =
        |text: &str| -> Vec<String> { one(text).record.moves().map(|mv| mv.to_string()).collect() };
    let lead = "(;GM[Blokus Duo];B[e10];W[j5]";
    assert_eq!(
        codes(&format!("{lead};W[k3,k4])")),
        ["55a0", "aaa0", "0000", "bbb0"]
    );
    assert_eq!(
        codes(&format!("{lead};B[f9,f8];B[g7,g6,g5])"))[2..],
        ["66b0", "0000", "79c0"]
    );
    assert_eq!(codes(&format!("{lead}PASSES[1])"))[2..], ["0000"]);
    assert_eq!(codes(&format!("{lead}PASSES[9])"))[2..], ["0000", "0000"]);
    assert_eq!(codes(&format!("{lead};B[];W[])"))[2..], ["0000", "0000"]);
    let after = one(&format!("{lead};B[];W[];B[f9,f8];W[k3,k4])"));
    assert_eq!((after.record.plies.len(), after.left_out), (4, 2));
    // A colour with a placement cannot be left out of the games that skip colours.
    let error = |text: &str| read_blksgf(text).unwrap_err().to_string();
    let four = "(;GM[Blokus];1[a20];2[t20];3[t1];4[a1];";
    assert_eq!(
        error(&format!("{four}3[s2,s3])")),
        "line 1, column 40: 3 cannot move here: it is the turn of 1, which cannot have passed"
    );
    assert_eq!(
        error(&format!("{four}2[])")),
        "line 1, column 40: 2 cannot move here: it is the turn of 1, which cannot have passed"
    );
}

#[test]
fn lists_are_read_and_written_line_by_line() {
    let mut named = duo("55a0 aaa0 0000");
    named.players = vec!["A\nda".into(), String::new()];
    let plain = duo("55b0");
    let text = write_list(&[plain, named.clone()]);
    assert_eq!(text, "55b0\n# game 2: A da against ?\n55a0 aaa0 0000\n");
    let games = read_list(&text).unwrap();
    assert_eq!((games[0].line, games[1].line, games.len()), (1, 3, 2));
    let code = |column, bytes| ListedCode { column, bytes };
    assert_eq!(
        games[1].codes,
        [code(1, *b"55a0"), code(6, *b"aaa0"), code(11, *b"0000")]
    );
    let error = |text: &str| read_list(text).unwrap_err().to_string();
    assert_eq!(
        error("# x\n55a0  55v0"),
        "line 2, column 7: '55v0' is not a move: 'v' is not a tile (a-u)"
    );
    assert_eq!(
        error("55a"),
        "line 1, column 1: '55a' is not a move: a code has four letters, this one has 3"
    );
}

#[test]
fn files_are_told_apart_and_limited_to_the_byte() {
    for (extension, format) in [
        ("blksgf", Some(Format::Blksgf)),
        ("SGF", Some(Format::Blksgf)),
        ("txt", Some(Format::List)),
        ("List", Some(Format::List)),
        ("", None),
    ] {
        assert_eq!(Format::of_extension(extension), format);
    }
    let place = Place {
        offset: 9,
        len: 1,
        line: 2,
        column: 3,
    };
    assert_eq!(place.to_string(), "line 2, column 3");
    assert_eq!(
        InvalidText::Large.to_string(),
        format!("it has more than {MOST_BYTES} bytes, the most that is read: split it")
    );
    assert_eq!(MOST_BYTES, 8 * 1024 * 1024);
    assert_eq!(
        text(b"a\n\n\xffb").unwrap_err().to_string(),
        "line 3, byte 3 of the file: 0xff does not belong to a text in UTF-8: save it as UTF-8, or is it \
         another kind of file?"
    );
    assert!(text(&vec![b' '; MOST_BYTES]).is_ok());
}
