#!/usr/bin/env bash
# What a machine with a card does for one piece, by its own clock, from the root of the tree that
# build/gpu-kit/start.py unpacks (or of a clone): LOG.md has the commands.
#
#   scripts/training/card.sh SECONDS WHAT...
#     check    the kit's check of the card (KIT=folder; at most 180 s)
#     trials   the recipe's trials of form, a minute each, until the time is over
#     train    train until the time is over
#   RECIPE=next DEVICE=cuda WORKERS=15 STAGE=regressor COOL=0 OUT=folder of what comes back
#
# The training goes on from STATE (a folder with state.0, ...), if it has one, and leaves its state
# in OUT, in parts of 15 MiB. With COOL seconds at the end the rates of a copy fall to zero: cooled.pt
# has weights that can be used. SIGTERM to the training begins with that at once.
set -euo pipefail
seconds=$1
shift
cd "$(dirname "$0")/../.."
OUT=${OUT:-$PWD/build/card} RECIPE=${RECIPE:-next} DEVICE=${DEVICE:-cuda} STAGE=${STAGE:-regressor} COOL=${COOL:-0}
WORKERS=${WORKERS:-$(($(nproc) > 2 ? $(nproc) - 1 : 1))}
STATE=${STATE:-scripts/training/state}
recipe=scripts/training/recipes/$RECIPE.toml run=runs/$RECIPE
python=${PYTHON:-python3}
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1 PYTORCH_ALLOC_CONF=expandable_segments:True
mkdir -p "$OUT"
left() { echo $((seconds - SECONDS)); }
say() { echo "card: $SECONDS s: $*"; }

kept() { # what comes back
	for file in "$run/$STAGE"/state.[0-9]* "$run/$STAGE/log.csv" "$run/$STAGE/cooled.pt"; do
		[ ! -f "$file" ] || cp "$file" "$OUT/"
	done
}
trap kept EXIT

for what in "$@"; do
	say "$what"
	case $what in
	check)
		limit=$(($(left) < 180 ? $(left) : 180))
		timeout $limit "$python" "${KIT:-build/gpu-kit}/start.py" --device "$DEVICE" \
			--seconds $((limit - 20)) --page "$OUT/gpu.md" 2>&1 | tee "$OUT/check.txt" || say "the check failed"
		;;
	trials)
		"$python" -m scripts.training.train.trials "$recipe" --device "$DEVICE" --workers "$WORKERS" \
			--seconds "${TRIAL:-60}" --all $(($(left) - 30)) --out "$OUT/trials.csv" || say "the trials failed"
		;;
	train)
		if [ -f "$STATE/state.0" ] && [ ! -f "$run/$STAGE/state.0" ]; then
			mkdir -p "$run/$STAGE"
			cp "$STATE"/state.[0-9]* "$run/$STAGE/"
		fi
		own=$(($(left) - COOL > 40 ? $(left) - COOL - 35 : 5))
		minutes=$(printf '%d.%02d' $((own / 60)) $((own % 60 * 100 / 60)))
		timeout --signal=TERM $(($(left) - COOL - 10)) "$python" -W ignore -m scripts.train "$recipe" --out "$run" \
			--device "$DEVICE" --workers "$WORKERS" --run-minutes "$minutes" --cool-seconds "$COOL" || say "the training failed"
		;;
	esac
done
kept
say "the end; in $OUT:"
ls -l "$OUT"
