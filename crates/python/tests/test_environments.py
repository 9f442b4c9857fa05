"""Environments: the tests of PettingZoo and Gymnasium, and games against single games."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import duoforge.gym
from conftest import BUILT_IN
from duoforge import Game, IllegalMoveError, Variant, aec

# PettingZoo expects some plies of each agent; a dict is a permitted observation.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
)


@pytest.mark.parametrize("name", BUILT_IN)
def test_pettingzoo_s_api_test_passes(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known in ("Observation space for each", "Observation is not", "Action mask numpy array"):
            warnings.filterwarnings("ignore", message=known)
        api_test(aec.env(name), num_cycles=30)
        api_test(aec.raw_env(name), num_cycles=30)


def test_pettingzoo_s_seed_test_passes():
    seed_test(lambda: aec.env("duo-corner"), num_cycles=10)


@pytest.mark.parametrize("name", BUILT_IN)
def test_agents_are_the_seats_of_a_game(name, rng):
    env = aec.env(name, render_mode="ansi")
    env.reset()
    game = Game(name)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        rewards[agent] += reward
        if termination:
            assert game.over and not observation["action_mask"].any()
            env.step(None)
            continue
        assert not truncation and env.render() == str(game)
        assert agent == f"seat_{game.seat_to_move}"
        assert np.array_equal(observation["action_mask"], game.action_mask)
        assert np.array_equal(observation["observation"], game.planes)
        assert np.array_equal(observation["tiles_left"][0], game.tiles_left[game.colour_to_move])
        for other in env.agents:
            seen = env.observe(other)
            if other != agent:
                assert not seen["action_mask"].any()
                own = game.variant.owners.index(env.possible_agents.index(other))
                assert np.array_equal(seen["observation"], game.planes_of(own))
                assert np.array_equal(seen["tiles_left"][0], game.tiles_left[own])
        action = rng.choice(game.legal_actions())
        env.step(action)
        game.play(action)
    assert game.over and not env.agents
    assert list(rewards.values()) == pytest.approx(game.returns)
    assert sum(rewards.values()) == pytest.approx(0)


def test_observations_do_not_change_afterwards():
    env = aec.env("duo")
    env.reset()
    before = env.observe("seat_0")
    copied = {name: array.copy() for name, array in before.items()}
    env.step(int(np.flatnonzero(before["action_mask"])[0]))
    assert all(np.array_equal(before[name], copied[name]) for name in copied)


def test_an_illegal_action_loses():
    env = aec.env("classic-3")
    env.reset()
    env.step(1_000)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.rewards["seat_0"] == -1
    raw = aec.raw_env("classic-3")
    raw.reset()
    with pytest.raises(IllegalMoveError):
        raw.step(1_000)
    single = duoforge.gym.BlokusEnv("classic-3")
    single.reset(seed=1)
    _, reward, terminated, truncated, info = single.step(1_000)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert info["illegal"] == "a colour's first tile must cover the start cell 11"
    with pytest.raises(RuntimeError, match="call reset before step"):
        single.step(1_000)


def test_environments_are_pickled():
    env = aec.raw_env(Variant("classic-2").with_scoring("basic"), "svg")
    other = pickle.loads(pickle.dumps(env))
    assert other.variant.scoring == "basic" and other.render().startswith("<svg ")


@pytest.mark.parametrize("name", BUILT_IN)
def test_gymnasium_s_check_passes(name):
    env = gymnasium.make("duoforge/Blokus-v0", variant=name, seat=None, disable_env_checker=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_a_seat_plays_against_opponents(seat, rng):
    moves = []

    def opponent(game: Game, generator: np.random.Generator) -> str:
        assert isinstance(generator, np.random.Generator)
        moves.append(game.seat_to_move)
        return game.legal_codes()[-1]

    env = gymnasium.make("duoforge/Blokus-v0", variant="classic", seat=seat, opponent=opponent)
    seats = set()
    for seed in range(4 if seat is None else 1):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        assert len(moves) == info["seat"]
        terminated = False
        while not terminated:
            legal = np.flatnonzero(observation["action_mask"])
            observation, reward, terminated, truncated, info = env.step(rng.choice(legal))
            assert not truncated and (terminated or reward == 0)
        game = env.unwrapped.game
        assert game.over and reward == pytest.approx(game.returns[info["seat"]])
        assert info["scores"] == game.scores
        assert info["seat"] not in moves
        moves.clear()
    assert seats == {seat} or seat is None and len(seats) > 1


def test_equal_seeds_give_equal_games():
    def play(seed: int) -> list[str]:
        env = duoforge.gym.BlokusEnv("duo", seat=None)
        observation, _ = env.reset(seed=seed)
        terminated = False
        while not terminated:
            action = np.flatnonzero(observation["action_mask"])[0]
            observation, _, terminated, _, _ = env.step(action)
        return env.game.moves

    assert play(1) == play(1) != play(2)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="seat=2 is out of range: expected 0 to 1"):
        duoforge.gym.BlokusEnv("duo", seat=2)
    for make in (aec.raw_env, duoforge.gym.BlokusEnv):
        with pytest.raises(ValueError, match="render_mode=human does not exist"):
            make("duo", render_mode="human")
