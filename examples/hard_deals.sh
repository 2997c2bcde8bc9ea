#!/bin/sh
# Look for deals whose shortest solution is long, and print the hardest of them with their boards.
# Usage: hard_deals.sh [COUNT] [LENGTH]
set -eu
count=${1:-3}
length=${2:-60}

pyramide deal --length "$length-" --count "$count" --seed 1 --format text
