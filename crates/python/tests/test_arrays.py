"""Arrays that games share with Python, against rules that are written down again here."""

import numpy as np
import pytest

from conftest import BUILT_IN, DIAGONALS, allowed_cells, neighbours
from duoforge import Game


def play_random(game: Game, rng: np.random.Generator, plies: int) -> None:
    for _ in range(plies):
        if game.over:
            return
        game.play(rng.choice(game.legal_actions()))


@pytest.mark.parametrize("name", ["board", "planes", "tiles_left", "action_mask"])
def test_arrays_are_read_only_views_of_the_same_memory(name):
    game = Game("duo")
    before = getattr(game, name)
    copied = before.copy()
    assert not before.flags.owndata and not before.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        before[...] = 1
    game.play("53e0")
    after = getattr(game, name)
    assert after is before and not np.array_equal(after, copied)
    game.undo()
    # The array follows when it is read again.
    assert not np.array_equal(before, copied)
    assert np.array_equal(getattr(game, name), copied) and np.array_equal(before, copied)


def test_arrays_outlive_their_game():
    board = Game("duo", ["53e0"]).board
    assert board.sum() == 4 and board[1:4, 4].sum() == 3


@pytest.mark.parametrize("name", BUILT_IN)
def test_planes_and_masks_follow_the_rules(name, rng):
    game = Game(name)
    while not game.over:
        board, colour, count = game.board, game.colour_to_move, game.variant.colours
        mask = np.zeros(game.variant.action_count, bool)
        mask[game.legal_actions()] = True
        assert np.array_equal(game.action_mask, mask)
        planes = game.planes
        for step in range(count):
            assert np.array_equal(planes[step], board == (colour + step) % count + 1)
        allowed = allowed_cells(board, colour)
        assert np.array_equal(planes[count + 1], allowed)
        own = board == colour + 1
        if own.any() and name != "duo-corner":
            corners = neighbours(own, DIAGONALS) & allowed
            assert np.array_equal(planes[count], corners)
        other = (colour + 1) % count
        moved = game.planes_of(other)
        assert np.array_equal(moved[0], board == other + 1)
        assert np.array_equal(moved[count + 1], allowed_cells(board, other))
        play_random(game, rng, 3)
    assert not game.action_mask.any()
    assert game.colour_to_move is None and game.seat_to_move is None


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_action_of_the_mask_is_legal_and_no_other(name, rng):
    game = Game(name)
    play_random(game, rng, 20)
    legal = [action for action in range(game.variant.action_count) if game.is_legal(action)]
    assert legal == np.flatnonzero(game.action_mask).tolist() == game.legal_actions().tolist()


def test_returns_compare_places():
    game = Game("classic")
    # After one move, three seats share the second place.
    game.play(max(game.legal_actions(), key=lambda action: game.variant.code(int(action))[2]))
    assert game.returns == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert [seat["place"] for seat in game.result()["seats"]] == [1, 2, 2, 2]
    assert Game("classic").returns == [0, 0, 0, 0]


def test_unknown_colours_are_refused():
    with pytest.raises(ValueError, match="colour=2 is out of range: expected 0 to 1"):
        Game("duo").planes_of(2)
