# Read by check.sh and check-slurm.sh: builds the programs unless the environment names them.
if [ -z "${DUOFORGE:-}" ] || [ -z "${DUOFORGE_LAB:-}" ]; then
    (cd "$root" && cargo build --quiet --package duoforge --package duoforge-lab --bins)
    target=$(cd "$root" && CDPATH= cd -- "${CARGO_TARGET_DIR:-target}" && pwd)
    DUOFORGE=${DUOFORGE:-$target/debug/duoforge}
    DUOFORGE_LAB=${DUOFORGE_LAB:-$target/debug/duoforge-lab}
fi
PATH=$root/.tools/bin:$PATH
export DUOFORGE DUOFORGE_LAB PATH
