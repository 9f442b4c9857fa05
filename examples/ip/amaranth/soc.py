"""The emitted player inside an Amaranth design: one LED next to it shows that a game is in progress.

    duoforge verilog --prefix soc_ --out rtl
    pip install amaranth
    python3 soc.py rtl > soc.il                 # RTLIL, which Yosys reads together with rtl/*.v
"""

import json
import sys
from pathlib import Path

from amaranth.back import rtlil
from amaranth.hdl import ClockSignal, Elaboratable, Instance, Module, ResetSignal, Signal


class Player(Elaboratable):
    """Wraps the Verilog module that a manifest describes."""

    def __init__(self, directory):
        [manifest] = Path(directory).glob("*player.json")
        self.directory = Path(directory)
        self.ip = json.loads(manifest.read_text())
        self.rx, self.tx, self.playing = Signal(init=1), Signal(), Signal()

    def elaborate(self, platform):
        if platform is not None:
            for source in self.ip["sources"]:
                platform.add_file(source, (self.directory / source).read_text())
        m = Module()
        m.submodules.player = Instance(
            self.ip["top"],
            i_clock=ClockSignal(),
            i_reset=ResetSignal(),
            i_rx=self.rx,
            o_tx=self.tx,
            o_playing=self.playing,
        )
        return m


class Soc(Elaboratable):
    """Player and a LED that blinks during a game."""

    def __init__(self, directory):
        self.player = Player(directory)
        self.rx, self.tx, self.led = self.player.rx, self.player.tx, Signal()

    def elaborate(self, platform):
        m = Module()
        m.submodules.player = self.player
        hertz = self.player.ip["clock"]["frequency_hz"]
        count = Signal(range(hertz // 2))
        blink = Signal()
        m.d.sync += count.eq(count + 1)
        with m.If(count == hertz // 2 - 1):
            m.d.sync += [count.eq(0), blink.eq(~blink)]
        m.d.comb += self.led.eq(self.player.playing & blink)
        return m


if __name__ == "__main__":
    soc = Soc(sys.argv[1])
    print(rtlil.convert(soc, name="soc", ports=[soc.rx, soc.tx, soc.led]))
