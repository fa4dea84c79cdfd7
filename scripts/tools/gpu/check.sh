#!/usr/bin/env bash
# One command for a machine with an NVIDIA card: does the program give there what it gives on a CPU,
# how fast, and in how much memory. Writes a page of Markdown that can be committed.
#
#   scripts/tools/gpu/check.sh build/bin/pfnamp           the first card; docs/evidence/gpu.md
#   scripts/tools/gpu/check.sh build/bin/pfnamp cpu       a rehearsal without one; build/gpu/rehearsal.md
#   PACKAGE_PYTHON=python                           one that has tabicl, instead of an environment
set -euo pipefail
bin=$(realpath "$1")
device=${2:-cuda}
cd "$(dirname "$0")/../../.."
here=$PWD/build/gpu
mkdir -p "$here"
say() { printf 'gpu-check: %s\n' "$*" >&2; }

if [ "$device" != cpu ]; then
	missing=()
	[ "$(uname -sm)" = "Linux x86_64" ] || missing+=("Linux on x86-64, for which CUDA packages are published")
	if ! type -P nvidia-smi >/dev/null; then
		missing+=("an NVIDIA driver for CUDA 13 (nvidia-smi is not there)")
	elif [ -z "$(nvidia-smi --list-gpus 2>/dev/null)" ]; then
		missing+=("a card that the driver sees (nvidia-smi --list-gpus)")
	fi
	type -P python3 >/dev/null || missing+=("python3, 3.11 or newer")
	if [ ${#missing[@]} -gt 0 ]; then
		say "there is no card to check. What is missing:"
		printf '  - %s\n' "${missing[@]}" >&2
		say "make gpu-check DEVICE=cpu rehearses it on the CPU"
		exit 1
	fi
fi

if [ -z "${PACKAGE_PYTHON:-}" ]; then
	say "the Python package, with PyTorch"
	scripts/tools/environment.sh "$here/package" scripts/export/tabicl/requirements.txt
	PACKAGE_PYTHON=$here/package/bin/python
fi
library=$PWD/build/lib/pfnamp
if [ "$device" != cpu ]; then
	say "onnxruntime for CUDA"
	scripts/tools/environment.sh "$here/cuda" scripts/tools/gpu/requirements.txt
	packages=$(echo "$here"/cuda/lib/python*/site-packages)
	library=$packages/onnxruntime/capi
	# also by the package's own program, which brings other versions of its own
	export PFNAMP_CUDA_PATH=$(find "$packages/nvidia" -type d -name lib | paste -sd:)
fi

export PFNAMP_ORT_LIB=$library
page=docs/evidence/gpu.md
[ "$device" = cpu ] && page=build/gpu/rehearsal.md
"$PACKAGE_PYTHON" -W ignore -m scripts.tools.gpu.check --program "$bin" --device "$device" \
	--folder "$here" --page "$page"
