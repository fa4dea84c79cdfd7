#!/usr/bin/env bash
# Proves that a release is reproducible: builds the committed revision twice, in two clones at
# different paths, each with an empty build cache of its own, and compares every byte.
set -euo pipefail
cd "$(dirname "$0")/.."

repository=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scripts/setup.sh
for clone in one a/longer/path/two; do
	git clone --quiet "$repository" "$folder/$clone"
	mkdir -p "$folder/$clone/build"
	cp -r build/lib "$folder/$clone/build/lib"
	GOCACHE="$folder/cache-${clone##*/}" "$folder/$clone/scripts/release.sh" --build
done
diff -r "$folder/one/dist" "$folder/a/longer/path/two/dist"
cat "$folder/one/dist/SHA256SUMS"
printf 'release: two builds of %s have the same bytes\n' "$(git describe --tags --always)"
