"""Batches against single games."""

import sys
import threading
import time

import numpy as np
import pytest

from conftest import BUILT_IN
from duoforge import Batch, Game, IllegalMoveError

ARRAYS = ["board", "planes", "tiles_left", "action_mask"]


def check_position(batch: Batch, games: list[Game]) -> None:
    """Every array of the batch is that of the games."""
    for index, game in enumerate(games):
        for name in ARRAYS:
            assert np.array_equal(getattr(batch, name)[index], getattr(game, name)), name
        turn = (batch.colour_to_move[index], batch.seat_to_move[index])
        assert turn == ((-1, -1) if game.over else (game.colour_to_move, game.seat_to_move))
        assert (batch.ply[index], batch.over[index]) == (game.ply, game.over)
        assert batch.game(index) == game


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_batch_plays_like_single_games(name, rng):
    batch, games = Batch(name, 3), [Game(name) for _ in range(3)]
    held = batch.board
    check_position(batch, games)
    while not batch.over.all():
        actions = np.full(3, -1)
        for index, game in enumerate(games):
            # One game is left alone now and then.
            if not game.over and rng.random() < 0.9:
                actions[index] = rng.choice(game.legal_actions())
                game.play(actions[index])
        batch.step(actions)
        assert batch.board is held
        for index, game in enumerate(games):
            ended = game.over and actions[index] >= 0
            assert batch.ended[index] == ended
            assert batch.scores[index].tolist() == game.scores
            expected = game.returns if ended else [0] * game.variant.seats
            assert batch.returns[index] == pytest.approx(expected)
        if batch.ply[0] % 8 == 0 or batch.over.any():
            check_position(batch, games)
    check_position(batch, games)


def test_games_that_end_are_replaced_at_once():
    batch = Batch("duo-corner", 4, auto_reset=True, seed=3)
    games = [Game("duo-corner") for _ in range(4)]
    ended = 0
    while ended < 8:
        actions = batch.sample().copy()
        batch.step(actions)
        assert not batch.over.any()
        for index, game in enumerate(games):
            game.play(actions[index])
            assert batch.ended[index] == game.over
            assert batch.scores[index].tolist() == game.scores
            if game.over:
                ended += 1
                assert batch.returns[index].tolist() == game.returns
                game.reset()
    check_position(batch, games)


def test_an_illegal_action_changes_no_game():
    batch = Batch("duo", 2)
    legal = batch.game(0).legal_actions()[0]
    with pytest.raises(IllegalMoveError, match="^game 1: 11a0 is illegal: a colour's first tile"):
        batch.step([legal, 0])
    assert batch.ply.tolist() == [0, 0] and not batch.board.any()
    for wrong in ([legal], [legal] * 3, [[legal], [legal]], [legal, 13_730], [legal, -2]):
        with pytest.raises(ValueError):
            batch.step(wrong)
    with pytest.raises(TypeError, match="actions are integers"):
        batch.step([0.5, 0.5])
    batch.step(np.array([legal, -1], np.int16))
    assert batch.ply.tolist() == [1, 0]
    batch.reset_game(0)
    assert batch.ply.tolist() == [0, 0] and not batch.board.any()
    with pytest.raises(ValueError, match="game 2 does not exist: expected 0 to 1"):
        batch.game(2)
    for count in (0, 65_537):
        with pytest.raises(ValueError, match=f"games={count} is out of range: expected 1 to 65536"):
            Batch("duo", count)


def test_numbers_beyond_int64_are_not_taken_as_no_action():
    batch = Batch("duo", 2)
    greatest = np.array([2**64 - 1] * 2, np.uint64)
    with pytest.raises(ValueError, match="18446744073709551615"):
        batch.step(greatest)
    with pytest.raises(ValueError, match=str(10**30)):
        Game("duo").play(10**30)


def test_samples_are_legal_and_uniform():
    batch = Batch("classic", 58 * 200, seed=1, planes=False, masks=False)
    sampled = batch.sample()
    assert batch.sample() is sampled and not sampled.flags.writeable
    actions, counts = np.unique(sampled, return_counts=True)
    assert actions.tolist() == Game("classic").legal_actions().tolist()
    # The chi-squared statistic of 57 degrees of freedom exceeds 120 with a chance of 2e-6.
    assert ((counts - 200) ** 2 / 200).sum() < 120
    same = Batch("classic", 58 * 200, seed=1, planes=False, masks=False)
    same.sample()
    assert np.array_equal(same.sample(), sampled)


def test_games_are_played_out():
    batch = Batch("duo", 20, seed=5)
    plies = batch.play_out()
    assert batch.over.all() and batch.ended.all() and plies == batch.ply.sum()
    for index in range(20):
        # The moves are legal, and the end is that of the game.
        game = Game("duo", batch.game(index).moves)
        assert game.over and game.scores == batch.scores[index].tolist()
        assert game.returns == batch.returns[index].tolist()
    assert batch.play_out() == 0 and not batch.ended.any()


def test_arrays_can_be_left_out():
    batch = Batch("duo", 2, planes=False, masks=False)
    batch.step(batch.sample())
    assert batch.board.any()
    for name, option in [("planes", "planes"), ("action_mask", "masks")]:
        with pytest.raises(AttributeError, match=f"{option}=False"):
            getattr(batch, name)


@pytest.mark.parametrize("call", ["step", "play_out"])
def test_a_step_releases_the_interpreter(call):
    """While the interpreter is held, no other thread counts: threads are not made to switch."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1_000)
    try:
        counted = 0
        deadline = time.monotonic() + 120
        while counted == 0 and time.monotonic() < deadline:
            counted = count_during(call)
    finally:
        sys.setswitchinterval(interval)
    assert counted > 0


def count_during(call: str) -> int:
    """Counts that the main thread makes while another thread runs a method of a batch."""
    batch = Batch("classic", 400, planes=False, masks=False)
    actions = batch.sample().copy()
    counter = [0]
    counted = []

    def run() -> None:
        # Without a switch between these lines, only the method can let the main thread count.
        before = counter[0]
        if call == "step":
            batch.step(actions)
        else:
            batch.play_out()
        counted.append(counter[0] - before)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        counter[0] += 1
        time.sleep(0)
    thread.join()
    return counted[0]


def test_batches_run_on_several_threads():
    batches = [Batch("duo", 50, seed=seed) for seed in range(3)]
    threads = [threading.Thread(target=batch.play_out) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, batch in enumerate(batches):
        alone = Batch("duo", 50, seed=seed)
        alone.play_out()
        assert np.array_equal(batch.board, alone.board)
