"""Rules against the reference data of other programs."""

import csv
import json
import pickle
import copy

import pytest

import duoforge
from conftest import BUILT_IN, DATA, lines
from duoforge import Game, IllegalMoveError, Variant

# Names of the tiles a to u in the position files.
TILES = "1 2 I3 V3 I4 L4 T4 O Z4 I5 L5 N P U Y T5 V5 W Z5 F X".split()


def cells_of_actions(size: int) -> dict[frozenset, int]:
    """Action number of each placement by its cells."""
    actions = {}
    for shape in duoforge.tile_table(size)["orientations"]:
        columns, rows = size - shape["width"] + 1, size - shape["height"] + 1
        for y in range(rows):
            for x in range(columns):
                cells = frozenset((x + dx, y + dy) for dx, dy in shape["pos"])
                actions[cells] = shape["first_action"] + y * columns + x
    return actions


def hash_of_moves(moves: list[list[tuple[int, int]]]) -> str:
    """FNV-1a of the sorted moves, as tests/data/README.md describes it."""
    names = []
    for cells in moves:
        cells = sorted(cells, key=lambda cell: (cell[1], cell[0]))
        names.append(",".join(f"{chr(ord('a') + x)}{y + 1}" for x, y in cells))
    value = 1469598103934665603
    for byte in "".join(f"{name}\n" for name in sorted(names)).encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


@pytest.mark.parametrize("variant, depth", [("duo", 3), ("classic", 4)])
def test_perft_has_the_published_counts(variant, depth):
    data = json.loads((DATA / "perft.json").read_text())
    counts = data["duo" if variant == "duo" else "classic_20x20"]
    for ply in range(1, depth + 1):
        assert Game(variant).perft(ply) == counts[str(ply)]


def test_every_board_has_the_published_number_of_placements():
    data = json.loads((DATA / "perft.json").read_text())["placements_on_empty_board"]
    assert Variant("duo").pass_action == data["duo_14x14"] == 13_729
    assert Variant("classic").pass_action == data["classic_20x20"] == 30_433


def test_random_games_have_the_counted_placements():
    for line in lines("random_games.jsonl"):
        game = Game("duo")
        counts = []
        for code in line["moves"]:
            counts.append(game.legal_count)
            assert len(game.legal_actions()) == len(game.legal_codes())
            game.play(code)
        assert counts == line["legal_counts"]
        cells = [int((game.board == number).sum()) for number in (1, 2)]
        assert cells == line["squares_placed"]


def test_refereed_games_have_their_scores():
    games = lines("refereed_games.jsonl")
    assert len(games) == 227
    for line in games:
        game = Game("duo", line["moves"])
        assert game.scores == line["score"]
        first, second = line["score"]
        sign = (first > second) - (first < second)
        assert game.returns == [sign, -sign]


def test_games_with_bonuses_have_their_scores():
    for line in (DATA / "bonus_games.txt").read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        game = Game("duo", words[2:])
        assert game.scores == [int(word) for word in words[:2]]


@pytest.mark.parametrize("name, count", [("duo_positions", 104), ("classic_positions", 69)])
def test_positions_have_the_moves_of_another_program(name, count):
    positions = lines(f"{name}.jsonl")
    assert len(positions) == count
    size = positions[0]["size"]
    actions = cells_of_actions(size)
    cells = {action: cells for cells, action in actions.items()}
    pass_action = Variant("duo" if size == 14 else "classic").pass_action
    for position in positions:
        game = Game(position["variant"].replace("_", "-"))
        for move in position["moves"]:
            while game.colour_to_move != move["color"]:
                game.play("0000")
            game.play(actions[frozenset((x, size - 1 - y) for x, y in move["cells"])])
        if size == 14 and not game.over and game.colour_to_move != position["to_move"]:
            game.play("0000")
        if position["to_move"] is not None:
            legal = [action for action in game.legal_actions() if action != pass_action]
            assert game.colour_to_move == position["to_move"]
            assert len(legal) == position["legal"]
            moves = [[(x, size - 1 - y) for x, y in cells[action]] for action in legal]
            assert hash_of_moves(moves) == position["legal_hash"]
        else:
            assert game.legal_count == 0
        placed = [int((game.board == colour + 1).sum()) for colour in range(game.variant.colours)]
        points = [
            points - bonus
            for points, bonus in zip(position["points"], position["bonus"], strict=True)
        ]
        assert placed in (points, position["points"])
        left = [[TILES[tile] for tile in row.nonzero()[0]] for row in game.tiles_left]
        assert [sorted(names) for names in left] == [
            sorted(names) for names in position["pieces_left"]
        ]


def test_every_tile_code_covers_the_published_cells():
    variant = Variant("duo")
    actions = cells_of_actions(14)
    with (DATA / "tile_codes.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 21 * 8
    for row in rows:
        offsets = [tuple(map(int, cell.split(":"))) for cell in row["cells"].split()]
        cells = frozenset((6 + x, 6 + y) for x, y in offsets)
        assert variant.action(f"77{row['tile']}{row['rotation']}") == actions[cells]


def test_action_numbers_and_codes_are_those_of_the_documentation():
    variant = Variant("duo")
    assert [variant.action(code) for code in ("11a0", "53e0", "a4t3", "0000")] == [
        0,
        1_590,
        12_897,
        13_729,
    ]
    assert variant.code(1_590) == variant.code("1590") == "53e0"
    for wrong, message in [
        (13_730, "action 13730 does not exist: expected 0 to 13729"),
        (-1, "action -1 does not exist: expected 0 to 13729"),
        ("f1a0", "f1a0 reaches beyond the board of 14x14 cells"),
    ]:
        with pytest.raises(ValueError, match=message):
            variant.action(wrong)
    with pytest.raises(TypeError, match="not float"):
        variant.action(1.5)


def test_illegal_moves_have_reasons_and_change_nothing():
    game = Game("duo", ["53e0"])
    assert game.why_illegal("53e0") == "cell 52 is occupied"
    assert game.why_illegal("11a0") == "a colour's first tile must cover the start cell aa"
    assert not game.is_legal("53e0") and game.is_legal("a8e0")
    with pytest.raises(IllegalMoveError, match="^0000 is illegal: a colour may not pass on its"):
        game.play("0000")
    assert game.moves == ["53e0"] and issubclass(IllegalMoveError, ValueError)
    with pytest.raises(IllegalMoveError, match="^move 2, 53e0, is illegal"):
        Game("duo", ["53e0", "53e0"])


def test_moves_are_taken_back():
    game = Game("classic-3")
    before = game.copy()
    game.play(int(game.legal_actions()[0]))
    assert game != before and game.ply == 1
    assert game.undo() == "11a0"
    assert game == before and game.undo() is None
    game.play("11a0")
    game.reset()
    assert game == before


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_state_is_that_of_the_command_line(name, rng):
    game = Game(name)
    for _ in range(12):
        game.play(rng.choice(game.legal_actions()))
    state = game.state()
    assert (state["variant"], state["ply"], state["over"]) == (name, 12, False)
    assert state["to_move"] == {"colour": game.colour_to_move, "seat": game.seat_to_move}
    assert state["legal"]["actions"] == game.legal_actions().tolist()
    assert state["legal"]["codes"] == game.legal_codes()
    rows = [[0 if cell == "." else int(cell) for cell in row] for row in state["board"]]
    assert rows == game.board.tolist()
    assert str(game).replace(" ", "").splitlines() == state["board"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_games_are_copied_and_pickled(name, rng):
    game = Game(Variant(name).with_scoring("alternative"))
    for _ in range(9):
        game.play(rng.choice(game.legal_actions()))
    for other in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert other == game and other.scores == game.scores
        assert other.variant.scoring == "alternative"
        other.undo()
        assert other.ply == game.ply - 1


def test_custom_variants_come_from_toml():
    text = """
        name = "small"
        size = 9
        seats = 2
        [[colours]]
        seat = 0
        starts = [[2, 2]]
        [[colours]]
        seat = 1
        starts = [[6, 6]]
    """
    variant = Variant.from_toml(text)
    assert (variant.name, variant.size, variant.owners) == ("small", 9, [0, 1])
    assert Variant.from_toml(variant.to_toml()) == pickle.loads(pickle.dumps(variant)) == variant
    assert Game(variant).board.shape == (9, 9)
    with pytest.raises(ValueError, match="size=21 is out of range: expected 5 to 20"):
        Variant.from_toml(text.replace("size = 9", "size = 21"))
    with pytest.raises(ValueError, match="no variant is called 'trio': expected duo, duo-corner"):
        Game("trio")
    with pytest.raises(ValueError, match="no scoring rule is called 'fast': expected basic"):
        variant.with_scoring("fast")
    with pytest.raises(TypeError, match="not int"):
        Game(3)


def test_hints_name_tiles_and_cells():
    game = Game("duo")
    hints = game.hints(cell=(4, 4))
    assert (hints["tiles"], hints["placements"]["count"]) == ("abcdefghijklmnopqrstu", 414)
    assert game.hints(tile="a", colour=1)["cells"] == [[9, 9]]
    for wrong in ({}, {"cell": (14, 0)}, {"tile": "z"}, {"tile": "a", "colour": 2}):
        with pytest.raises(ValueError):
            game.hints(**wrong)
