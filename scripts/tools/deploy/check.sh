#!/usr/bin/env bash
# Lints examples/docker and examples/systemd, and makes mistakes in copies, which must be found.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=build/deploy
scripts/tools/environment.sh $here scripts/tools/deploy/requirements.txt --require-hashes
# fails WHAT COMMAND...: a command that must fail.
fails() {
	local what=$1
	shift
	if "$@" >/dev/null 2>&1; then
		echo "test-deploy: $what is not refused" >&2
		exit 1
	fi
}
dockerfile=examples/docker/Dockerfile
$here/bin/hadolint $dockerfile
sed 's/debian:13-slim/debian:latest/' $dockerfile >$here/Dockerfile
fails 'an image without a version' $here/bin/hadolint $here/Dockerfile
sed 's/^USER .*/USER root/' $dockerfile >$here/Dockerfile
fails 'a container with root' $here/bin/hadolint $here/Dockerfile

# The program need not be installed where the unit is checked.
unit=$here/pfnamp.service
sed "s|=/usr/local/bin/pfnamp|=$(command -v true)|" examples/systemd/pfnamp.service >$unit
verify() { [ -z "$(systemd-analyze verify --recursive-errors=no "$1" 2>&1 | tee /dev/stderr)" ]; }
verify $unit
sed -i 's/^RestartPreventExitStatus=2/RestartPreventExitStatus=two/' $unit
fails 'a status that is not a number' verify $unit
sed -i 's/^ProtectSystem=/ProtectSystems=/' $unit
fails 'an unknown setting' verify $unit
echo "test-deploy: the examples are valid, and four that are not are refused"
