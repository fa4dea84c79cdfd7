#!/usr/bin/env bash
# Does the eight tasks of docs/design/architecture.md, each in a copy of the committed revision: applies
# its patch of scripts/tools/tasks, builds and vets, runs its tests, and prints which Go files it has
# added and changed, tests apart.
#
#   scripts/tools/tasks.sh            all of them
#   scripts/tools/tasks.sh format ... some of them
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
folder=$(mktemp -d)
clone=$folder/clone
trap 'rm -rf "$folder"' EXIT
git clone --quiet --shared "$root" "$clone"
mkdir "$clone/build"
ln -s "$root/build/lib" "$clone/build/lib"
failed=0
for name in ${*:-functional family transport format sink schedule posterior embedded}; do
	patch=$root/scripts/tools/tasks/$name.patch
	task=$(sed -n 's/^Task: //p' "$patch")
	cd "$clone"
	git reset --quiet --hard
	git clean --quiet --force -d
	read -r package run pattern <<<"$(sed -n 's/^Test: //p' "$patch")"
	if git apply --index "$patch" && go build ./... && go vet "$package" &&
		go test -count=1 "$package" "$run" "$pattern"; then
		printf '%s:\n' "$task"
		git diff --cached --numstat --diff-filter=AM -- '*.go' ':!*_test.go'
	else
		echo "test-tasks: $task is not done by $patch" >&2
		failed=1
	fi
done
exit $failed
