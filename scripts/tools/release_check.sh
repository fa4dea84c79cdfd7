#!/usr/bin/env bash
# Proves that a release is reproducible: builds the committed revision twice, in two clones at
# different paths, the second with an empty build cache, and compares every byte.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scripts/tools/setup.sh
for clone in one a/longer/path/two; do
	git clone --quiet --no-local "$PWD" "$folder/$clone"
	mkdir "$folder/$clone/build"
	cp -r build/lib "$folder/$clone/build/lib"
done
"$folder/one/scripts/tools/release.sh" --build
GOCACHE="$folder/cache" "$folder/a/longer/path/two/scripts/tools/release.sh" --build
diff -r "$folder/one/dist" "$folder/a/longer/path/two/dist"
cat "$folder/one/dist/SHA256SUMS"
printf 'release: two builds of %s have the same bytes\n' "$(git -C "$folder/one" describe --always)"
