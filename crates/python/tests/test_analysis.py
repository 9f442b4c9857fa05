"""Engines: limits, seeds, and exact results against all moves tried."""

import signal
import threading
import time

import pytest

from conftest import BUILT_IN, lines
from duoforge import Game, analyse, read_records


def best_margin(game: Game, seat: int) -> int:
    """Margin of a seat of Blokus Duo with best play, by trying all moves. A player with a legal
    placement does not pass."""
    if game.over:
        return game.scores[seat] - game.scores[1 - seat]
    codes = game.legal_codes()
    if len(codes) > 1:
        codes.remove("0000")
    margins = []
    for code in codes:
        game.play(code)
        margins.append(best_margin(game, seat))
        game.undo()
    return max(margins) if game.seat_to_move == seat else min(margins)


def endings(count: int) -> list[Game]:
    """Positions of reference games in which few moves are left to both players."""
    found = []
    for line in lines("random_games.jsonl"):
        game = Game("duo", line["moves"])
        while game.undo() and len(found) < count:
            if game.legal_count > 1 and sum(line["legal_counts"][game.ply :]) < 24:
                found.append(game.copy())
                break
    return found


def test_the_margin_of_an_ending_is_that_of_trying_all_moves():
    positions = endings(12)
    assert len(positions) == 12
    exact = 0
    for game in positions:
        found = analyse(game, simulations=200, seed=3)
        margin = best_margin(game.copy(), game.seat_to_move)
        if found.exact:
            exact += 1
            assert found.margin == margin
        assert found.value == (margin > 0) + (margin == 0) / 2
        assert game.is_legal(found.best) and game.variant.action(found.best) == found.action
    assert exact >= 6


def test_duo_from_the_other_start_cell_is_analysed(rng):
    (record,) = read_records("aaa0 55a0")
    game = record.game()
    for engine in [None, "engine"]:
        found = analyse(game, simulations=50, engine=engine)
        assert found.engine == "engine" and game.is_legal(found.best)
    counts = [1, 1]
    while not game.over:
        counts.append(game.legal_count)
        codes = game.legal_codes()
        placements = [code for code in codes if code != "0000"]
        game.play(rng.choice(placements or codes))
    while game.undo():
        if game.legal_count > 1:
            break
    assert sum(counts[game.ply :]) < 40
    found = analyse(game, simulations=200, seed=3)
    margin = best_margin(game.copy(), game.seat_to_move)
    assert found.value == (margin > 0) + (margin == 0) / 2
    assert found.margin == margin or not found.exact


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_variant_is_analysed(name, rng):
    game = Game(name)
    for _ in range(8):
        game.play(rng.choice(game.legal_actions()))
    moves = game.moves
    found = analyse(game, simulations=300, seed=5)
    assert found.engine == ("engine" if name == "duo" else "maxn")
    assert found.simulations == 300 and found.nodes > 0 and found.seconds > 0
    assert game.is_legal(found.action) and game.moves == moves
    assert len(found.values) == game.variant.seats
    assert found.value == found.values[game.seat_to_move] and 0 <= found.value <= 1
    assert found.candidates[0].code == found.best == found.candidates[0].line[0]
    for candidate in found.candidates:
        assert game.is_legal(candidate.code) and 0 <= candidate.value <= 1
        assert game.variant.action(candidate.code) == candidate.action
    assert sum(candidate.visits for candidate in found.candidates) >= 300
    again = analyse(game, simulations=300, seed=5)
    assert [it.visits for it in again.candidates] == [it.visits for it in found.candidates]


def test_the_engine_is_chosen_by_name():
    assert analyse(Game("duo"), simulations=20, engine="maxn").engine == "maxn"
    assert analyse(Game("duo"), ms=20, threads=2).engine == "engine"
    for arguments, message in [
        ({"simulations": 0}, "simulations=0 is out of range: expected 1 to 1000000000"),
        ({"ms": 3_600_001}, "ms=3600001 is out of range: expected 1 to 3600000"),
        ({"ms": 1, "simulations": 1}, "expected either simulations or ms"),
        ({"engine": "fast"}, "engine=fast does not exist: expected engine or maxn"),
        ({"memory": 0}, "memory=0 is out of range"),
        ({"threads": 0}, "threads=0 is out of range"),
        ({"threads": 2, "engine": "maxn"}, "threads=2 is out of range: maxn has 1 thread"),
    ]:
        with pytest.raises(ValueError, match=message):
            analyse(Game("duo"), **arguments)
    with pytest.raises(ValueError, match="engine=engine plays duo alone, not classic"):
        analyse(Game("classic"), engine="engine")
    ended = Game("duo", lines("random_games.jsonl")[0]["moves"])
    with pytest.raises(ValueError, match="the game is over"):
        analyse(ended)


@pytest.mark.parametrize("name", ["duo", "classic-3"])
def test_ctrl_c_ends_a_search_and_other_threads_run_on(name):
    counter = [0]
    started = threading.Event()

    def interrupt() -> None:
        started.wait()
        # The search has released the interpreter if this thread counts.
        for _ in range(100):
            counter[0] += 1
            time.sleep(0.001)
        signal.raise_signal(signal.SIGINT)

    # A shell starts programs in the background with the signal ignored.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            started.set()
            analyse(Game(name), ms=60_000)
            time.sleep(60)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, previous)
    assert counter[0] == 100
