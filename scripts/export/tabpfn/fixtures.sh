#!/usr/bin/env bash
# Makes the bundles with random weights in testdata anew, those of one version of the package in its
# own environment (see README.md):
#   scripts/export/tabpfn/fixtures.sh v2        with package 2.0.9
#   scripts/export/tabpfn/fixtures.sh v2_5      with package 8.4.0, also those of v3
#   scripts/export/tabpfn/fixtures.sh v3_5      with package 9.2.0
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# bundle CHECKPOINT NAME VERSION WHAT CASES MORE...: a bundle of a checkpoint, in testdata/NAME
bundle() {
    python -m scripts.export_onnx --family tabpfn --checkpoint "$work/$1" --out "testdata/$2" \
        --name "$2" --version 0 --weights "random, scripts/export/tabpfn/$3/make_checkpoint.py" \
        --description "Tiny random $4 of the TabPFN ${3/_/.} architecture, for tests." --groups 64 \
        --half --licence LICENSE --spdx Apache-2.0 --notice "" --max-rows 1000 --max-features 100 \
        --cases "$5" "${@:6}"
}

# checkpoint VERSION FILE OPTIONS...
checkpoint() { python -m "scripts.export.tabpfn.$1.make_checkpoint" "${@:3}" "$work/$2"; }

case ${1:-} in
v2)
    checkpoint v2 tiny.ckpt --size tiny --seed 1
    bundle tiny.ckpt tabpfn-tiny v2 network 3
    checkpoint v2 classes.ckpt --task classification --size least --seed 1
    bundle classes.ckpt tabpfn-classes v2 classifier 5
    ;;
v2_5)
    for v in v2_5 v3; do
        checkpoint $v $v.ckpt --size tiny --seed 1
        bundle $v.ckpt "tabpfn${v//[v_]/}-tiny" $v network 3 --accept-licence
        checkpoint $v $v-classes.ckpt --task classification --size least --seed 1
        bundle $v-classes.ckpt "tabpfn${v//[v_]/}-classes" $v classifier 5 --accept-licence
    done
    ;;
v3_5)
    for kind in tiny classes; do
        task=regression; cases=3; what=network
        [ $kind = tiny ] || { task=classification; cases=5; what=classifier; }
        checkpoint v3_5 $kind.safetensors --task $task --size least --seed 1
        bundle $kind.safetensors tabpfn35-$kind v3_5 $what $cases --task $task --accept-licence
    done
    ;;
*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
