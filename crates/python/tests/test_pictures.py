"""Pictures for notebooks."""

from xml.etree import ElementTree

import pytest

from conftest import BUILT_IN
from duoforge import Game, Record, aec
from duoforge.gym import BlokusEnv

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", BUILT_IN)
def test_positions_are_drawn_as_svg(name, rng):
    game = Game(name)
    for _ in range(10):
        game.play(rng.choice(game.legal_actions()))
    record = Record.of(game, players=["<A & B>"] * game.variant.seats)
    for picture in (game._repr_svg_(), game.svg(), record._repr_svg_()):
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        titles = [title.text for title in root.iter(f"{SVG}title")]
        placed = [f"{ply}: {code}" for ply, code in enumerate(game.moves, 1) if code != "0000"]
        assert titles[1:] == placed
    texts = [text.text for text in ElementTree.fromstring(record.svg()).iter(f"{SVG}text")]
    assert [text for text in texts if text.startswith("<A & B> ")] == [
        f"<A & B> {score}" for score in game.scores
    ]


def test_environments_are_drawn():
    for env in (aec.raw_env("duo"), BlokusEnv("duo")):
        env.reset()
        assert ElementTree.fromstring(env._repr_svg_()).tag == f"{SVG}svg"
