#!/usr/bin/env bash
# Builds the Python wheels of every platform in dist/wheels, with SHA256SUMS. The C compiler is that
# of the package ziglang, so that one machine builds for all; onnxruntime is not inside but a
# dependency of the wheels.
#
# The same commit, Go, ziglang and zlib give the same bytes, in any folder and whatever caches hold; see
# test.sh and cc.sh.
#
#   scripts/tools/wheels/build.sh                 all platforms
#   scripts/tools/wheels/build.sh linux-amd64 ... some of them
#   scripts/tools/wheels/build.sh --compiler      only fetch the C compiler
set -euo pipefail
cd "$(dirname "$0")/../../.."

# What the environment of the person who builds must not change.
export CGO_ENABLED=1 CGO_CFLAGS=-O2 CGO_CPPFLAGS= CGO_LDFLAGS= GOFLAGS= GOEXPERIMENT= \
	GOAMD64=v1 GOARM64=v8.0 GOWORK=off LC_ALL=C
umask 022
say() { printf 'wheels: %s\n' "$*"; }

folder=build/wheels
venv=$folder/venv
python=$PWD/$venv/bin/python
requirements=scripts/tools/wheels/requirements.txt
export ZIG_GLOBAL_CACHE_DIR=$PWD/$folder/zig ZIG_LOCAL_CACHE_DIR=$PWD/$folder/zig

scripts/tools/setup.sh --tools
if ! cmp -s "$requirements" "$venv/installed"; then
	rm -rf "$venv"
	python3 -m venv "$venv"
	"$python" -m pip install --quiet --disable-pip-version-check --require-hashes \
		--only-binary=:all: --requirement "$requirements"
	cp "$requirements" "$venv/installed"
fi

[ "${1:-}" != --compiler ] || exit 0

# compile PLATFORM TARGET: builds $folder/PLATFORM/pfnamp; see release.sh for its flags.
compile() {
	local os=${1%-*} arch=${1#*-} program=$folder/$1/pfnamp
	[ "$os" != windows ] || program=$program.exe
	say "compiling for $1 ($2)"
	CC="$PWD/scripts/tools/wheels/cc.sh -target $2" GOOS=$os GOARCH=$arch \
		go build -trimpath -buildvcs=true -tags packed,netgo,osusergo,urfave_cli_no_docs,grpcnotrace -ldflags '-s -w -extldflags=-s' \
		-gcflags='github.com/apache/arrow-go/v18/arrow/compute/...=-l' \
		-o "$program" ./cmd/pfnamp
}

go run ./models/pack models/packed
platforms=${*:-linux-amd64 linux-arm64 darwin-arm64 windows-amd64}
for platform in $platforms; do # the systems are the oldest that the onnxruntime package has
	case $platform in
	linux-amd64) compile "$platform" x86_64-linux-gnu.2.27 ;;
	linux-arm64) compile "$platform" aarch64-linux-gnu.2.27 ;;
	darwin-arm64)
		"$python" -m scripts.tools.wheels.stubs --goroot "$(go env GOROOT)" --out "$folder/macos"
		compile "$platform" aarch64-macos.14.0
		;;
	windows-amd64) compile "$platform" x86_64-windows-gnu ;;
	*) say "error: no platform \"$platform\"" >&2; exit 2 ;;
	esac
done

go run ./scripts/tools/sbom -licences >"$folder/NOTICES.modules"
cp "$(go env GOROOT)/LICENSE" "$folder/LICENSE.golang"
say "packing"
"$python" -m scripts.tools.wheels.pack --programs "$folder" --out dist/wheels $platforms
[ -z "$(git status --porcelain)" ] || say "note: there are uncommitted changes"
