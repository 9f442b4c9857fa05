"""Environment for PettingZoo: the seats of a variant take turns (AEC).

```python
from duoforge import aec

env = aec.env("classic-3")
```

The agents are `seat_0`, `seat_1` and so on. An observation is a dict with the planes
(`observation`), the tiles left (`tiles_left`) and the mask of legal actions (`action_mask`), seen
from the colour to move. Rewards come with the end of a game: the share of the other seats with a
worse place minus the share with a better one, so that they add up to 0.
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from duoforge import _spaces
from duoforge._native import Game, Variant


def env(variant: str | Variant = "duo", render_mode: str | None = None) -> AECEnv:
    """Returns the environment with PettingZoo's wrappers: an illegal action ends the game with a
    reward of -1 for the agent that chose it, and calls out of order raise an error."""
    wrapped = raw_env(variant, render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):
    """The environment without wrappers: an illegal action raises `IllegalMoveError`.

    `render_mode` is None, `ansi` (the board as text) or `svg`.
    """

    metadata: dict[str, Any] = {
        "render_modes": _spaces.RENDER_MODES,
        "name": "duoforge_v0",
        "is_parallelizable": False,
    }

    def __init__(self, variant: str | Variant = "duo", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, variant, render_mode)
        super().__init__()
        modes = _spaces.RENDER_MODES
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode={render_mode} does not exist: expected {modes}")
        self.render_mode = render_mode
        self.variant = _spaces.variant_of(variant)
        self.game = Game(self.variant)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.variant.seats)]
        space = _spaces.observation_space(self.variant)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self.variant.action_count) for agent in self.possible_agents
        }
        self._begin()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's actions: the action numbers of the board size."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. Nothing is random: the seed has no effect."""
        del seed, options
        self._begin()

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the observation of an agent; the mask of an agent that is not to move is 0."""
        return _spaces.observe(self.game, self.possible_agents.index(agent))

    def step(self, action: Any) -> None:
        """Plays an action of the agent to move; None for an agent whose game has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.play(action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self.game.over:
            for other, value in zip(self.possible_agents, self.game.returns, strict=True):
                self.rewards[other] = value
                self.terminations[other] = True
            # The agents leave one by one, from the next seat on.
            last = self.possible_agents.index(agent)
            self.agent_selection = self.possible_agents[(last + 1) % len(self.possible_agents)]
        else:
            self.agent_selection = self._agent_to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Returns the position in the mode of the environment."""
        if self.render_mode == "svg":
            return self.game.svg(self.possible_agents)
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: there is no window."""

    def _repr_svg_(self) -> str:
        return self.game.svg(self.possible_agents)

    def _begin(self) -> None:
        self.game.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_move()

    def _agent_to_move(self) -> str:
        seat = self.game.seat_to_move
        assert seat is not None, "the game is not over"
        return self.possible_agents[seat]
