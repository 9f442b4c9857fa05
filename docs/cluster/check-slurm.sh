#!/bin/sh
# Runs check.py with Slurm, of Debian's packages munge, slurmctld, slurmd and slurm-client. DUOFORGE
# and DUOFORGE_LAB name other programs than those of this clone.
set -eu
here=$(CDPATH= cd -- "${0%/*}" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${1:-$root/target/cluster}
mkdir -p "$build"
. "$here/programs.sh"
exec python3 "$here/check.py" slurm "$build/slurm"
