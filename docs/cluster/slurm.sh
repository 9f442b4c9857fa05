#!/bin/bash
# Runs one shard of a campaign as a task of a Slurm array:
#
#     sbatch --array=0-63 slurm.sh 64 COMMAND
#
# 64 is the number of shards. In COMMAND, {shard} stands for I/N and {index} for I with leading
# zeros, as in
#
#     sbatch --array=0-63 slurm.sh 64 \
#         duoforge sim --games 6400 --shard {shard} --results sim-{index}.jsonl
#
# Slurm starts the shards of a lost node again. For shards that failed, submit the same array
# again: finished shards end at once.
#
#SBATCH --job-name=duoforge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=shard-%a.log
set -euo pipefail

shards=$1
shift
if [[ "$*" != *"{shard}"* ]]; then
    echo "error: COMMAND has no {shard}: every task would run all shards" >&2
    exit 2
fi
# The number of tasks of the array is another one where only some shards are submitted.
index=${SLURM_ARRAY_TASK_ID:?"is not set: submit with sbatch --array=0-$((shards - 1))"}
if ((index >= shards)); then
    echo "shard $index/$shards: expected --array=0-$((shards - 1))" >&2
    exit 2
fi
last=$((shards - 1))
number=$(printf "%0${#last}d" "$index")
words=()
for word; do
    word=${word//"{shard}"/$index/$shards}
    words+=("${word//"{index}"/$number}")
done
exec "${words[@]}"
