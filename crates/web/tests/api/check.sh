#!/bin/sh
# Sends 10,000 generated requests to `duoforge serve`, with schemathesis by the OpenAPI document. Each
# answer must be documented and have its schema, and none may be an error of the service.
#
# CALLS sets another number of requests, SEED another seed, and DUOFORGE names the program. The event
# stream is left out, since its answer has no end. Valid values may be refused: no schema states the
# rules of the game.
set -eu
here=$(CDPATH= cd -- "${0%/*}" && pwd)
root=$(CDPATH= cd -- "$here/../../../.." && pwd)
build=${1:-$root/target/api}
calls=${CALLS:-10000}
mkdir -p "$build"
cd "$build"

if ! cmp -s "$here/requirements.txt" python/installed.txt; then
    python3 -m venv --clear python
    python/bin/pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" python/installed.txt
fi
if [ -z "${DUOFORGE:-}" ]; then
    (cd "$root" && cargo build --quiet --package duoforge --bin duoforge)
    DUOFORGE=${CARGO_TARGET_DIR:-$root/target}/debug/duoforge
fi

rm -rf events games report.json address
mkdir events games
"$DUOFORGE" match pattern random:1 --games 2 --journal events/match.journal >/dev/null
"$DUOFORGE" serve events --listen 127.0.0.1:0 --games games >address 2>serve.log &
service=$!
trap 'kill $service' EXIT
while ! grep -q "^http" address; do
    kill -0 $service
    sleep 0.1
done
address=$(cat address)

sent=0
round=0
while [ "$sent" -lt "$calls" ]; do
    round=$((round + 1))
    python/bin/st --config-file "$here/schemathesis.toml" --no-color run "${address}api/v1/openapi.json" \
        --exclude-path /api/v1/stream --exclude-checks positive_data_acceptance \
        --max-examples $((calls / 30 + 10)) --seed $((${SEED:-1} + round)) --continue-on-failure \
        --report json --report-json-path report.json >schemathesis.log || {
        cat schemathesis.log
        exit 1
    }
    sent=$((sent + $(python/bin/python -c \
        'import json; print(json.load(open("report.json"))["test_cases"]["generated"])')))
done
kill -0 $service
echo "$sent calls: no server error, no undocumented answer"
