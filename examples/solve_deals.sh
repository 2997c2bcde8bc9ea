#!/bin/sh
# Solve random deals under several rules, verify every solution by replaying it, and report the rates.
# Usage: solve_deals.sh [COUNT]
set -eu
count=${1:-100}
deals=$(mktemp)
trap 'rm -f "$deals"' EXIT

pyramide deal --count "$count" --seed 1 --format code >"$deals"
for rules in pyramide microsoft easy relaxed; do
    pyramide solve --rules "$rules" "$deals" | pyramide replay
done | pyramide stats --report solver
