#!/usr/bin/env bash
# Tests the wheels: builds the committed revision twice, in two clones at different paths, the second
# with an empty cache of Go, and compares every byte; installs the wheel of this machine in a bare
# environment and predicts; runs the tests of python/tests. Environments lie in build/wheels.
#
#   scripts/tools/wheels/test.sh                 all platforms
#   scripts/tools/wheels/test.sh linux-amd64 ... some of them, with the one of this machine
set -euo pipefail
cd "$(dirname "$0")/../../.."
unset "${!PFNAMP_@}" # wheels have a library and a program of their own

[ "$(uname -sm)" = "Linux x86_64" ] || { echo "wheels: the tests run on Linux x86-64" >&2; exit 1; }
root=$PWD
requirements=$root/python/tests/requirements.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { printf 'wheels: %s\n' "$*"; }

scripts/tools/wheels/build.sh --compiler
mkdir -p build/wheels/zig # its cache, which both clones share
for clone in one a/longer/path/two; do
	git clone --quiet --no-local "$root" "$folder/$clone"
	mkdir -p "$folder/$clone/build/wheels"
	ln -s "$root/build/wheels/venv" "$root/build/wheels/zig" "$folder/$clone/build/wheels/"
done
"$folder/one/scripts/tools/wheels/build.sh" "$@"
GOCACHE="$folder/cache" "$folder/a/longer/path/two/scripts/tools/wheels/build.sh" "$@"
diff -r "$folder/one/dist" "$folder/a/longer/path/two/dist"
say "two builds of $(git describe --always) have the same bytes"
rm -rf dist/wheels "$folder/cache"
mkdir -p dist
cp -r "$folder/one/dist/wheels" dist/

wheel=$(echo "$root"/dist/wheels/*manylinux*x86_64.whl)
pinned="pfnamp @ file://$wheel#sha256=$(sha256sum "$wheel" | cut -d' ' -f1)"

# environment NAME ARGUMENTS...: a new environment with what pip is told to install.
environment() {
	rm -rf "build/wheels/$1"
	python3 -m venv "build/wheels/$1"
	"build/wheels/$1/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
		--only-binary=:all: "${@:2}"
}

say "a prediction in a bare environment"
awk -v out="$folder" 'NR == 1 { print > (out "/train.csv"); print > (out "/test.csv"); next } \
	{ print > (out (NR % 5 == 0 ? "/test.csv" : "/train.csv")) }' testdata/diabetes.csv
start=$(date +%s%N)
needed='^(flatbuffers|numpy|onnxruntime|packaging|protobuf)==' # onnxruntime and what it needs
environment bare --requirement <(printf '%s\n' "$pinned") \
	--requirement <(awk -v needed="$needed" '/^[a-z]/ {keep = $0 ~ needed} keep' "$requirements")
(cd / && env -i "$root/build/wheels/bare/bin/pfnamp" predict "$folder/train.csv" "$folder/test.csv" \
	--target progression --functional 'mean,q0.9,p>150' -o "$folder/out.csv")
say "from nothing installed to predictions: $((($(date +%s%N) - start) / 1000000)) ms"
head -n 4 "$folder/out.csv"
[ "$(wc -l <"$folder/out.csv")" = "$(wc -l <"$folder/test.csv")" ]

say "the tests of python/tests"
environment full --requirement "$requirements" --requirement <(printf '%s\n' "$pinned")
export PFNAMP_WHEELS=$root/dist/wheels
tests() { build/wheels/full/bin/python -m unittest discover -t . -s python/tests -p "$1"; }
tests 'test_checks.py' >"$folder/checks" 2>&1 & # about half of the time
others=0
tests 'test_[!c]*.py' || others=1
wait $! || { cat "$folder/checks"; exit 1; }
grep check_estimator "$folder/checks"
exit $others
