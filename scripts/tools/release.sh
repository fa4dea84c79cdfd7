#!/usr/bin/env bash
# Builds dist/pfnamp, one file that carries the onnxruntime library and the models, compressed, beside
# it licence texts, the bill of materials and SHA256SUMS. On Linux the library is loaded from memory,
# so the program needs neither a writable disk nor one that code may be run from.
#
# The same commit, Go and C compiler give the same bytes, in any folder; see release_check.sh.
#
#   scripts/tools/release.sh          build and test
#   scripts/tools/release.sh --build  only build
set -euo pipefail
cd "$(dirname "$0")/../.."

program=dist/pfnamp
# What the environment of the person who builds must not change.
export CGO_ENABLED=1 CGO_CFLAGS='-O2 -g' CGO_CPPFLAGS= CGO_LDFLAGS= GOFLAGS= GOEXPERIMENT= \
	GOAMD64=v1 GOARM64=v8.0 GOWORK=off LC_ALL=C
umask 022
say() { printf 'release: %s\n' "$*"; }

sha256() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi
}

library=$(scripts/tools/setup.sh --library)
notices=$(dirname "$library")
if [ ! -f "$notices/LICENSE.onnxruntime" ]; then # only pip's package has the licence texts
	rm -f "$library"
	PFNAMP_SETUP_CLIENT=pip scripts/tools/setup.sh
else
	scripts/tools/setup.sh
fi
go run ./pfn/internal/ort/pack "$library" pfn/internal/ort/embedded
go run ./models/pack models/packed
if [ "${1:-}" != --build ]; then
	say "testing that the packed models and the embedded library load"
	go test -count=1 -tags packed -run 'ForTask|EmbeddedNames' ./models
	CI=true go test -count=1 -tags embedort -run 'Unpack|Embedded|Silence' ./pfn/internal/ort
fi

mkdir -p dist
find dist -mindepth 1 -maxdepth 1 ! -name wheels -exec rm -rf {} +
cp "$notices"/*.onnxruntime LICENSE docs/sbom.cdx.json dist/
go run ./scripts/tools/sbom -licences >dist/NOTICES.modules
# Of Arrow's compute kernels only casts of dictionaries are ever called: not inlined they take 5 MB less.
go build -trimpath -buildvcs=true -tags embedort,packed,netgo,osusergo,urfave_cli_no_docs,grpcnotrace -ldflags '-s -w' \
	-gcflags='github.com/apache/arrow-go/v18/arrow/compute/...=-l' \
	-o "$program" ./cmd/pfnamp
(cd dist && for file in *; do
	[ ! -f "$file" ] || [ "$file" = SHA256SUMS ] || sha256 "$file"
done >SHA256SUMS)
[ -z "$(git status --porcelain)" ] || say "note: there are uncommitted changes"
[ "${1:-}" != --build ] || exit 0

# The proof: an empty environment, no home, no folder to write to.
answer=$(cd / && env -i "$OLDPWD/$program" doctor --json) || {
	printf '%s\n' "$answer" >&2
	say "error: $program does not run" >&2
	exit 1
}
case $answer in
*'"embedded"'*) ;;
*) say "error: $program does not use the library that it carries" >&2; exit 1 ;;
esac
if command -v readelf >/dev/null && [ "$(go env GOOS)" = linux ]; then
	say "needs $(readelf -V "$program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1 |
		tr _ ' ') or newer"
fi
say "$program for $(go env GOOS)/$(go env GOARCH): $(($(wc -c <"$program") / 1000000)) MB"
