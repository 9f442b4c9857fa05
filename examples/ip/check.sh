#!/bin/sh
# Emits the player and runs the examples of this directory with FuseSoC, cocotb, Amaranth and Yosys.
# They are installed into a virtual environment in the build directory.
set -eu
here=$(CDPATH= cd -- "${0%/*}" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${1:-$root/target/ip}
mkdir -p "$build"
cd "$build"
PATH=$root/.tools/bin:$PATH
export PATH

if ! cmp -s "$here/requirements.txt" python/installed.txt; then
    python3 -m venv --clear python
    python/bin/pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" python/installed.txt
fi
emit() {
    if [ -n "${DUOFORGE:-}" ]; then
        "$DUOFORGE" verilog "$@" >/dev/null
    else
        (cd "$root" && cargo run --quiet --package duoforge -- verilog "$@" >/dev/null)
    fi
}
rm -rf rtl soc fusesoc cocotb
emit --clock-hz 1843200 --out "$build/rtl"
emit --prefix soc_ --out "$build/soc"

echo "== FuseSoC"
mkdir fusesoc
for target in lint sim; do
    (cd fusesoc && ../python/bin/fusesoc --cores-root ../rtl run --target $target \
        duoforge:player:duoforge_player) >fusesoc-$target.log 2>&1 || {
        cat fusesoc-$target.log
        exit 1
    }
done
grep -x "PASS: handshake" fusesoc-sim.log

echo "== cocotb"
mkdir cocotb
(cd cocotb && ../python/bin/python3 "$here/cocotb/test_player.py" ../rtl) >cocotb.log 2>&1 || {
    cat cocotb.log
    exit 1
}
grep -o "[0-9]* placements:.*" cocotb.log

echo "== Amaranth"
python/bin/python3 "$here/amaranth/soc.py" soc >soc.il
yosys -q -p "read_rtlil soc.il; read_verilog $(sed 's,^,soc/,' soc/soc_duoforge_player.f | tr '\n' ' '); \
    hierarchy -check -top soc; proc; select -assert-any soc/player"
echo "soc: elaborated"
