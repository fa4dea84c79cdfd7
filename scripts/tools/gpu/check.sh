#!/usr/bin/env bash
# One command for a machine with an NVIDIA card: does the program give there what it gives on a CPU,
# how fast, and in how much memory. Writes a page of Markdown that can be committed.
#
#   scripts/tools/gpu/check.sh build/bin/pfnamp           the first card; docs/evidence/gpu.md
#   scripts/tools/gpu/check.sh build/bin/pfnamp cpu       a rehearsal without one; build/gpu/rehearsal.md
#   PFNAMP_ORT_LIB, PFNAMP_CUDA_PATH   onnxruntime for CUDA and the folders of NVIDIA's libraries,
#                                      instead of those that pip fetches
#   PACKAGE_PYTHON=python              one with numpy, if build/gpu/bundle-full is there; otherwise
#                                      tabicl and PyTorch are fetched, which make it
#   PAGE=file                          where the page goes
#   SECONDS_LEFT=150                   parts that do not fit are left out
#   ONLY='Golden|memory'               only parts whose titles this pattern finds
set -euo pipefail
bin=$(realpath "$1")
device=${2:-cuda}
cd "$(dirname "$0")/../../.."
here=$PWD/build/gpu
mkdir -p "$here"
say() { printf 'gpu-check: %s\n' "$*" >&2; }

if [ "$device" != cpu ] && [ -z "${PFNAMP_ORT_LIB:-}" ]; then
	if ! type -P nvidia-smi >/dev/null || [ -z "$(nvidia-smi --list-gpus 2>/dev/null)" ]; then
		say "there is no card to check: nvidia-smi --list-gpus names none"
		say "make gpu-check DEVICE=cpu rehearses it on the CPU"
		exit 1
	fi
fi
if [ -z "${PACKAGE_PYTHON:-}" ]; then
	say "the package tabicl, with PyTorch"
	scripts/tools/environment.sh "$here/package" scripts/export/tabicl/requirements.txt
	PACKAGE_PYTHON=$here/package/bin/python
	"$PACKAGE_PYTHON" -W ignore -m scripts.tools.gpu.official "$here/bundle-full"
fi
if [ -z "${PFNAMP_ORT_LIB:-}" ]; then
	PFNAMP_ORT_LIB=$PWD/build/lib/pfnamp
	if [ "$device" != cpu ]; then
		say "onnxruntime for CUDA"
		scripts/tools/environment.sh "$here/cuda" scripts/tools/gpu/requirements.txt
		packages=$(echo "$here"/cuda/lib/python*/site-packages)
		PFNAMP_ORT_LIB=$packages/onnxruntime/capi
		# also by the package's own program, which brings other versions of its own
		PFNAMP_CUDA_PATH=$(find "$packages/nvidia" -type d -name lib | paste -sd:)
	fi
fi
export PFNAMP_ORT_LIB PFNAMP_CUDA_PATH=${PFNAMP_CUDA_PATH:-}

if ! LD_LIBRARY_PATH=$PFNAMP_CUDA_PATH:${LD_LIBRARY_PATH:-} \
	"$bin" doctor --device "$device" >"$here/doctor.txt" 2>&1; then
	cat "$here/doctor.txt" >&2
	say "the program cannot use $device, see above; DEVICE=cpu rehearses the check without a card"
	exit 1
fi
page=docs/evidence/gpu.md
[ "$device" = cpu ] && page=build/gpu/rehearsal.md
"$PACKAGE_PYTHON" -W ignore -m scripts.tools.gpu.check --program "$bin" --device "$device" \
	--folder "$here" --page "${PAGE:-$page}" --seconds "${SECONDS_LEFT:-1800}" --only "${ONLY:-}"
