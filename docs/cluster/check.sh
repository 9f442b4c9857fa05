#!/bin/sh
# Runs check.py with HyperQueue, which is installed into a virtual environment in the build
# directory. DUOFORGE and DUOFORGE_LAB name other programs than those of this clone.
set -eu
here=$(CDPATH= cd -- "${0%/*}" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${1:-$root/target/cluster}
mkdir -p "$build"
. "$here/programs.sh"

if ! cmp -s "$here/requirements.txt" "$build/python/installed.txt"; then
    python3 -m venv --clear "$build/python"
    "$build/python/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
        --only-binary :all: --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" "$build/python/installed.txt"
fi
exec "$build/python/bin/python3" "$here/check.py" hyperqueue "$build/hyperqueue"
