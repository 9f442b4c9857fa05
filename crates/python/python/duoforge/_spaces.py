"""Spaces and observations that both environments share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from duoforge._native import Game, Variant


RENDER_MODES = ["ansi", "svg"]
"""The board as text, or a picture."""


def variant_of(variant: str | Variant) -> Variant:
    """Returns the variant of a name, or the variant itself."""
    return Variant(variant) if isinstance(variant, str) else variant


def observation_space(variant: Variant) -> spaces.Dict:
    """Planes, tiles left and the mask of legal actions."""
    planes = (variant.colours + 2, variant.size, variant.size)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, planes, np.uint8),
            "tiles_left": spaces.Box(0, 1, (variant.colours, 21), np.int8),
            "action_mask": spaces.Box(0, 1, (variant.action_count,), np.int8),
        }
    )


def first_colour(variant: Variant, seat: int) -> int:
    """The first colour that a seat owns."""
    return variant.owners.index(seat)


def observe(game: Game, seat: int) -> dict[str, Any]:
    """What a seat observes: copies, which later moves do not change.

    The planes and tiles begin with the colour to move if it is the seat's turn, otherwise with the
    seat's first colour; the mask is then empty.
    """
    if game.seat_to_move == seat:
        colour, planes, mask = game.colour_to_move, game.planes.copy(), game.action_mask.copy()
    else:
        colour = first_colour(game.variant, seat)
        planes, mask = game.planes_of(colour), np.zeros(game.variant.action_count, bool)
    tiles = game.tiles_left.view(np.int8)
    return {
        "observation": planes,
        "tiles_left": np.concatenate((tiles[colour:], tiles[:colour])),
        "action_mask": mask.view(np.int8),
    }
