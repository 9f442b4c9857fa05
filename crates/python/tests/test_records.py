"""Game records: files of another program, and what is written is read again."""

import pytest

from conftest import BUILT_IN, ROOT, lines
from duoforge import Game, IllegalMoveError, Record, read_records, write_blksgf, write_list

FILES = ROOT / "crates" / "records" / "tests" / "data"


@pytest.mark.parametrize(
    "name, variant",
    [
        ("pentobi_duo", "duo"),
        ("pentobi_duo_w_first", "duo"),
        ("pentobi_classic", "classic"),
        ("pentobi_classic_2", "classic-2"),
        ("pentobi_classic_3", "classic-3"),
    ],
)
def test_files_of_pentobi_are_read(name, variant):
    text = (FILES / f"{name}.blksgf").read_text()
    (record,) = read_records(text)
    assert record.variant.name == variant
    game = record.game()
    assert game.ply == len(record.moves) > 0
    assert read_records(write_blksgf([record])) == [record]
    for ply in range(len(record.moves)):
        game.undo()
        assert game.ply == len(record.moves) - ply - 1
    assert record.game(3).moves == record.moves[:3]


@pytest.mark.parametrize("name", BUILT_IN)
def test_records_come_back_as_they_were_written(name, rng):
    game = Game(name)
    while not game.over:
        game.play(rng.choice(game.legal_actions()))
    players = [f"[player] {seat}\\" for seat in range(game.variant.seats)]
    record = Record.of(game, players=players, facts={"DT": "2024-05-01"}, comment="a] b\\\nc")
    assert record == Record(game.variant, game.actions, players=players, facts={"DT": "2024-05-01"},
                            comment="a] b\\\nc")
    (read,) = read_records(write_blksgf([record]))
    assert read == record and read.game() == game
    assert (read.players, read.facts, read.comment) == (
        players,
        {"DT": "2024-05-01"},
        "a] b\\\nc",
    )
    (listed,) = read_records(write_list([record]), name)
    assert listed.moves == game.moves and listed.variant == game.variant


def test_lists_of_the_contest_are_read():
    games = lines("refereed_games.jsonl")[:5]
    records = read_records("\n".join(" ".join(game["moves"]) for game in games))
    assert [record.moves for record in records] == [game["moves"] for game in games]
    assert [record.game().scores for record in records] == [game["score"] for game in games]


def test_either_start_cell_of_duo_is_recorded():
    """In Blokus Duo, the first placement chooses the start cells: a record is of `duo`."""
    (record,) = read_records("aaa0 55a0")
    game = record.game()
    assert game.moves == ["aaa0", "55a0"] and record.variant.name == "duo"
    again = Record.of(game)
    assert again == record == Record("duo", ["aaa0", "55a0"]) == Record(game.variant, game.moves)
    assert again == read_records("aaa0 55a0", game.variant)[0]
    assert again.variant == Game("duo").variant and again.game() == game
    assert read_records(write_blksgf([again])) == [again]
    assert Record.of(record.game(0)).variant == Game("duo").variant
    # A first move over the start cell of the other colour remains illegal.
    with pytest.raises(IllegalMoveError, match="^move 1, 55a0, is illegal"):
        Record(game.variant, ["55a0"]).game()


def test_passes_of_skipped_turns_are_left_out():
    game = Game("classic")
    explicit, next_colour = [], 0
    while not game.over:
        while next_colour != game.colour_to_move:
            explicit.append("0000")
            next_colour = (next_colour + 1) % 4
        game.play(game.legal_actions()[-1])
        explicit.append(game.moves[-1])
        next_colour = (next_colour + 1) % 4
    assert len(explicit) > len(game.moves)
    plain = Record.of(game)
    assert read_records(" ".join(explicit), "classic") == [plain]
    assert read_records(write_list([plain]), "classic") == [plain]
    # A colour that has placements cannot pass; the moves from there on remain.
    (wrong,) = read_records("0000 " + " ".join(explicit), "classic")
    assert wrong.moves == ["0000", *explicit]
    with pytest.raises(IllegalMoveError, match="^move 1, 0000, is illegal"):
        wrong.game()


@pytest.mark.parametrize(
    "variant, names",
    [("duo", "B W AB V C PB PASSES GM VARIANT"), ("classic", "1 4 AE PL P3 AP")],
)
def test_facts_do_not_change_the_game(variant, names):
    for name in names.split():
        message = f"'{name}' cannot be a fact, .* such as DT, EV, RE or RO"
        with pytest.raises(ValueError, match=message):
            Record(variant, [], facts={name: "a1"})
        with pytest.raises(ValueError, match=message):
            Record.of(Game(variant), facts={"DT": "2026", name: "a1"})
    facts = {"DT": "2026", "EV": "b", "RE": "B+1", "RO": "2"}
    record = Record(variant, [], facts=facts)
    assert read_records(write_blksgf([record])) == [record]


def test_faults_have_their_place():
    with pytest.raises(ValueError, match="line 2, column 6: '53E0' is not a move"):
        read_records("53e0\na8e0 53E0")
    with pytest.raises(ValueError, match="line 1, column 1: 11u0"):
        read_records("11u0")
    with pytest.raises(ValueError, match="line 1"):
        read_records("(;GM[Blokus Duo]B[e10")
    with pytest.raises(IllegalMoveError, match="^move 2, 53e0, is illegal"):
        Record("duo", ["53e0", "53e0"]).game()
    with pytest.raises(ValueError, match="players has 1 entries: expected 2, one per seat"):
        Record("duo", [], players=["A"])
    with pytest.raises(ValueError, match="'d]' is not a property"):
        Record("duo", [], facts={"d]": ""})
    with pytest.raises(ValueError, match="move 1, 11a0, is illegal"):
        write_blksgf([Record("duo", ["11a0"])])


def test_comments_and_values_of_moves_are_read():
    text = "(;GM[Blokus Duo]PB[A]PW[B]C[all];B[e10,f10,f11,e11]V[2.5]C[first])"
    (record,) = read_records(text)
    assert record.players == ["A", "B"] and record.comment == "all"
    assert (record.comments[0], record.values[0]) == ("first", 2.5)
