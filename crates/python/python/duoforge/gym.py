"""Environment for Gymnasium: one seat of a variant against opponents.

```python
import gymnasium

env = gymnasium.make("duoforge.gym:duoforge/Blokus-v0", variant="duo")
```

Observations and rewards are those of `duoforge.aec`. An illegal action loses: the episode ends with
a reward of -1, and `info["illegal"]` has the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from duoforge import _spaces
from duoforge._native import Game, Variant

Opponent = Callable[[Game, np.random.Generator], "int | str"]
"""Function that chooses a move of a game for the seat to move."""


def random_opponent(game: Game, rng: np.random.Generator) -> int:
    """Chooses each legal action with the same chance."""
    return int(rng.choice(game.legal_actions()))


class BlokusEnv(gymnasium.Env):
    """One seat of a variant. The opponents move inside `reset` and `step`.

    `seat` is the agent's seat, or None for a random one in each game. `opponent` chooses the moves
    of all other seats; by default they are random. `render_mode` is None, `ansi` or `svg`.
    """

    metadata: dict[str, Any] = {"render_modes": _spaces.RENDER_MODES}

    def __init__(
        self,
        variant: str | Variant = "duo",
        seat: int | None = 0,
        opponent: Opponent = random_opponent,
        render_mode: str | None = None,
    ) -> None:
        modes = _spaces.RENDER_MODES
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode={render_mode} does not exist: expected {modes}")
        self.render_mode = render_mode
        self.variant = _spaces.variant_of(variant)
        seats = self.variant.seats
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"seat={seat} is out of range: expected 0 to {seats - 1}")
        self.seat = 0 if seat is None else seat
        self.game = Game(self.variant)
        self.observation_space = _spaces.observation_space(self.variant)
        self.action_space = spaces.Discrete(self.variant.action_count)
        self._draws_seat = seat is None
        self._opponent = opponent
        self._lost = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a new game and plays the opponents' moves before the agent's first one."""
        super().reset(seed=seed, options=options)
        if self._draws_seat:
            self.seat = int(self.np_random.integers(self.variant.seats))
        self.game.reset()
        self._lost = False
        self._play_opponents()
        return self._observation(), self._info()

    def step(
        self, action: int | np.integer
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponents' replies."""
        if self.game.over or self._lost:
            raise RuntimeError("the episode has ended: call reset before step")
        reason = self.game.why_illegal(action)
        if reason is not None:
            self._lost = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": reason}
        self.game.play(action)
        self._play_opponents()
        reward = self.game.returns[self.seat] if self.game.over else 0.0
        return self._observation(), reward, self.game.over, False, self._info()

    def render(self) -> str | None:
        """Returns the position in the mode of the environment."""
        if self.render_mode == "svg":
            return self.game.svg()
        return str(self.game) if self.render_mode == "ansi" else None

    def _repr_svg_(self) -> str:
        return self.game.svg()

    def _play_opponents(self) -> None:
        while self.game.seat_to_move not in (None, self.seat):
            self.game.play(self._opponent(self.game, self.np_random))

    def _observation(self) -> dict[str, Any]:
        return _spaces.observe(self.game, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "scores": self.game.scores}


gymnasium.register(id="duoforge/Blokus-v0", entry_point="duoforge.gym:BlokusEnv")
