#!/bin/sh
# Release a model like software: compare it with the last release, fit it, and check every batch for drift
# before you use its predictions.
#
#   TRAIN=train.csv TARGET=y BATCH=batch.csv OUT=out sh release.sh
#
# FLOOR and CHANGE are the conditions of the evaluation. For a target of labels use, for example,
# FLOOR='accuracy<0.6' CHANGE='log_loss>+5%'.
#
# The exit status is that of the first step that fails: 6 if a check fails, see docs/reference/exit-statuses.md.
set -eu
: "${TRAIN:?}" "${TARGET:?}" "${BATCH:?}" "${OUT:?}"
pfnamp=${PFNAMP:-pfnamp}
mkdir -p "$OUT"

# 1. Is the model as good as the last release? GROUP or TIME tests it on new groups or on the future.
rm -rf "$OUT/evaluation"
set -- "$TRAIN" --target "$TARGET" -o "$OUT/evaluation" --junit "$OUT/evaluation.xml" \
	--fail-if "${FLOOR:-coverage<0.5}"
[ -z "${GROUP:-}" ] || set -- "$@" --group "$GROUP"
[ -z "${TIME:-}" ] || set -- "$@" --time "$TIME"
[ ! -d "$OUT/baseline" ] ||
	set -- "$@" --baseline "$OUT/baseline/results.json" --fail-if "${CHANGE:-crps>+5%}"
$pfnamp evaluate "$@"
mkdir -p "$OUT/baseline"
cp "$OUT/evaluation/results.json" "$OUT/evaluation/setting.json" "$OUT/baseline"

# 2. Fit once. The state contains TRAIN: protect it like TRAIN.
$pfnamp fit "$TRAIN" --target "$TARGET" -o "$OUT/model.state"

# 3. Is the batch like TRAIN? Then its predictions may be used.
$pfnamp check "$OUT/model.state" "$BATCH" --fail-if 'drift>0.3' --fail-if 'new>0.05' -o "$OUT/check.html"
$pfnamp predict "$OUT/model.state" "$BATCH" -o "$OUT/predictions.csv"
