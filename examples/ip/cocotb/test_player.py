"""Plays a game against the emitted player: cocotb drives the serial line, and the host passes each turn.

    duoforge verilog --clock-hz 1843200 --out rtl
    pip install cocotb
    python3 test_player.py rtl                  # with iverilog and vvp on PATH
"""

import json
import os
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, with_timeout


async def send(dut, cycles, text):
    """Sends bytes at `cycles` clock cycles per bit, 8N1."""
    for byte in text.encode():
        for bit in [0, *((byte >> i) & 1 for i in range(8)), 1]:
            dut.rx.value = bit
            await ClockCycles(dut.clock, cycles)


async def receive(dut, cycles, count):
    """Returns the next bytes of the player."""
    text = ""
    for _ in range(count):
        await FallingEdge(dut.tx)
        await ClockCycles(dut.clock, cycles // 2)
        byte = 0
        for i in range(8):
            await ClockCycles(dut.clock, cycles)
            byte |= int(dut.tx.value) << i
        await ClockCycles(dut.clock, cycles)
        text += chr(byte)
    return text


@cocotb.test()
async def game(dut):
    cycles = int(os.environ["CYCLES_PER_BIT"])
    dut.rx.value, dut.reset.value = 1, 1
    cocotb.start_soon(Clock(dut.clock, 2, unit="ns").start())
    await ClockCycles(dut.clock, 4 * cycles)
    dut.reset.value = 0
    await ClockCycles(dut.clock, 4 * cycles)

    async def ask(prompt, count):
        reply = cocotb.start_soon(receive(dut, cycles, count))
        await send(dut, cycles, prompt)
        return await with_timeout(reply, 4_000_000, "ns")

    assert (await ask("0", 3)).startswith("1")
    moves = [await ask("25", 4)]
    while moves[-1] != "0000":
        moves.append(await ask("40000", 4))
    await send(dut, cycles, "9")
    dut._log.info("%d placements: %s", len(moves) - 1, " ".join(moves))
    assert 10 <= len(moves) - 1 <= 21


if __name__ == "__main__":
    from cocotb_tools.runner import get_runner

    directory = Path(sys.argv[1]).resolve()
    [manifest] = directory.glob("*player.json")
    ip = json.loads(manifest.read_text())
    runner = get_runner("icarus")
    runner.build(
        sources=[directory / source for source in ip["sources"]],
        hdl_toplevel=ip["top"],
        build_args=["-g2005"],
        timescale=("1ns", "1ns"),
        build_dir="build",
    )
    cycles = str(ip["line"]["cycles_per_bit"])
    results = runner.test(
        hdl_toplevel=ip["top"],
        test_module="test_player",
        test_dir=Path(__file__).resolve().parent,
        build_dir="build",
        results_xml=str(Path("build/results.xml").resolve()),
        extra_env={"CYCLES_PER_BIT": cycles},
    )
    from cocotb_tools.check_results import get_results

    tests, failed = get_results(results)
    sys.exit(failed != 0 or tests == 0)
