#!/usr/bin/env bash
# Makes a Python environment with the packages of a requirements file, once for each content of the file.
#
#   scripts/tools/environment.sh FOLDER REQUIREMENTS [OPTION OF PIP INSTALL...]
set -euo pipefail
if cmp -s "$2" "$1/ready"; then exit; fi
python3 -m venv "$1"
"$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2" "${@:3}"
cp "$2" "$1/ready"
