#!/bin/sh
# Let players play the same deals, keep their logs in one file, and compare how often they win.
# Usage: compare_players.sh [COUNT]
set -eu
count=${1:-100}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for player in first random greedy; do
    pyramide deal --count "$count" --seed 1 | pyramide play --player "$player" --seed 1 >>"$log"
done
pyramide replay "$log" | pyramide stats --report player
