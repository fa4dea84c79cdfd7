#!/usr/bin/env bash
# Prepares a fresh machine: checks Go and a C compiler, then fetches the pinned onnxruntime
# library with pip or npm into build/lib/pfnamp. Nothing is installed outside the repository.
# A second run finds the library by its hash and does nothing, also without a network.
#
#   scripts/tools/setup.sh            everything
#   scripts/tools/setup.sh --tools    only the checks of Go and the C compiler
#   scripts/tools/setup.sh --library  print where the library is or would be, and do nothing
#   PFNAMP_SETUP_CLIENT=npm           use this package client alone (pip or npm)
set -euo pipefail
cd "$(dirname "$0")/../.."

version=1.27.0
table=scripts/tools/onnxruntime.sha256
dest=build/lib/pfnamp

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }
have() { type -P "$1" >/dev/null; }

sha256() {
	if have sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# at_least A B: is version A >= version B?
at_least() {
	local IFS=.
	local -a a=($1) b=($2)
	local i
	for i in 0 1 2; do
		if ((${a[i]:-0} != ${b[i]:-0})); then ((${a[i]:-0} > ${b[i]:-0})); return; fi
	done
}

check_tools() {
	local need found cc
	have go || die "go is not installed; install Go $(awk '$1 == "go" {print $2}' go.mod) or newer"
	need=$(awk '$1 == "go" {print $2; exit}' go.mod)
	# A toolchain older than go.mod asks for reports itself here and may fetch a newer one.
	found=$(go env GOVERSION) || die "this go cannot build the module; go $need or newer is needed"
	found=${found#go}
	found=${found%%[!0-9.]*}
	at_least "$found" "$need" || die "go $found is too old; go $need or newer is needed"
	cc=$(go env CC)
	have "${cc%% *}" || die "no C compiler (\"$cc\"): install gcc or clang; cgo needs one"
	say "go $found, C compiler $cc"
}

platform() { printf '%s-%s' "$(go env GOOS)" "$(go env GOARCH)"; }

# row SOURCE: the table's fields for this platform: tag, package hash, library hash, file.
row() {
	awk -v p="$(platform)" -v s="$1" '$1 == p && $2 == s {print $3, $4, $5, $6}' "$table"
}

library_name() {
	case $(go env GOOS) in
	darwin) printf 'libonnxruntime.%s.dylib' "$version" ;;
	*) printf 'libonnxruntime.so.%s' "$version" ;;
	esac
}

# known FILE: does the file's hash stand in the table for this platform?
known() {
	[ -f "$1" ] && awk -v p="$(platform)" -v h="$(sha256 "$1")" \
		'$1 == p && $5 == h {ok = 1} END {exit !ok}' "$table"
}

# interpreter: the name of a Python that has pip.
interpreter() {
	local p
	for p in python3 python; do
		if have "$p" && "$p" -m pip --version >/dev/null 2>&1; then printf '%s' "$p"; return; fi
	done
	return 1
}

# fetch_pip DIR TAG HASH FILE: downloads the wheel (no dependencies, no build), unpacks the library
# and the licence texts, which a release must carry.
fetch_pip() {
	local py
	py=$(interpreter) || return 1
	printf 'onnxruntime==%s --hash=sha256:%s\n' "$version" "$3" >"$1/requirements.txt"
	"$py" -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
		--only-binary=:all: --implementation cp --python-version 3.12 --platform "$2" \
		--dest "$1" --requirement "$1/requirements.txt" || return 1
	"$py" - "$1" "$4" <<-'PY'
		import glob, sys, zipfile
		folder, name = sys.argv[1:]
		with zipfile.ZipFile(glob.glob(folder + "/*.whl")[0]) as wheel:
		    for source, target in (
		        (name, "library"),
		        ("onnxruntime/LICENSE", "LICENSE.onnxruntime"),
		        ("onnxruntime/ThirdPartyNotices.txt", "NOTICES.onnxruntime"),
		    ):
		        with open(folder + "/" + target, "wb") as out:
		            out.write(wheel.read(source))
	PY
}

# fetch_npm DIR TAG HASH FILE: packs the tarball (runs no install script), unpacks the library.
fetch_npm() {
	have npm || return 1
	(cd "$1" && npm pack --silent --ignore-scripts "onnxruntime-node@$version" >/dev/null) || return 1
	local tarball="$1/onnxruntime-node-$version.tgz"
	if [ "$(sha256 "$tarball")" != "$3" ]; then
		say "npm: the package's hash is not the pinned one"
		return 1
	fi
	tar -xzf "$tarball" -O "$4" >"$1/library"
}

fetch_library() {
	local target client tag package library file tried=""
	target=$dest/$(library_name)
	if known "$target"; then
		say "onnxruntime $version is there: $target"
		return
	fi
	[ -n "$(row pip)$(row npm)" ] || die "no pinned onnxruntime $version for $(platform);" \
		"point PFNAMP_ORT_LIB at your own library (>= 1.25)"
	work=$(mktemp -d "${TMPDIR:-/tmp}/pfnamp-setup.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	for client in ${PFNAMP_SETUP_CLIENT:-pip npm}; do
		read -r tag package library file <<<"$(row "$client")"
		[ -n "$tag" ] || continue
		case $client in
		pip) interpreter >/dev/null || continue ;;
		npm) have npm || continue ;;
		esac
		tried="$tried $client"
		say "fetching onnxruntime $version for $(platform) with $client"
		mkdir -p "$work/$client"
		"fetch_$client" "$work/$client" "$tag" "$package" "$file" || { say "$client failed"; continue; }
		if [ "$(sha256 "$work/$client/library")" != "$library" ]; then
			say "$client: the library's hash is not the pinned one"
			continue
		fi
		mkdir -p "$dest"
		for file in "$work/$client"/*.onnxruntime; do
			[ ! -f "$file" ] || cp "$file" "$dest/"
		done
		chmod 755 "$work/$client/library"
		cp "$work/$client/library" "$dest/.library.$$"
		mv -f "$dest/.library.$$" "$target"
		say "onnxruntime $version: $target ($(($(wc -c <"$target") / 1000000)) MB, sha256 verified)"
		return
	done
	[ -n "$tried" ] || die "neither pip (python3 -m pip) nor npm is installed, and one is needed to" \
		"fetch onnxruntime $version; or point PFNAMP_ORT_LIB at your own library (>= 1.25)"
	die "onnxruntime $version could not be fetched with:$tried; is there a network?" \
		"Otherwise point PFNAMP_ORT_LIB at your own library (>= 1.25)"
}

case ${1:-} in
--library) printf '%s/%s\n' "$dest" "$(library_name)" ;;
--tools) check_tools ;;
'') check_tools && fetch_library ;;
*) die "unknown argument \"$1\"" ;;
esac
