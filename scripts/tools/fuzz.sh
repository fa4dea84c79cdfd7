#!/usr/bin/env bash
# Runs every fuzz target of the repository for a part of the time given, such as 10m, 90s or 8h, one
# after the other on one processor. What fails is written to testdata/fuzz of the package, from
# where `go test` runs it ever after.
set -euo pipefail
cd "$(dirname "$0")/../.."

time=${1:-10m}
case $time in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*) echo "fuzz: error: $time is not a time such as 10m" >&2; exit 2 ;;
esac

targets=$(grep -rlE --include='*_test.go' '^func Fuzz' . | grep -v '^./build/' | sort |
	xargs grep -HoE '^func Fuzz[A-Za-z0-9]*' | sed 's/:func /:/')
each=$((seconds / $(wc -l <<<"$targets")))
if [ "$each" -lt 1 ]; then each=1; fi
failed=0
for target in $targets; do
	package=$(dirname "${target%%:*}")
	name=${target##*:}
	echo "fuzz: $package $name, $each s"
	nice go test "$package" -run '^$' -fuzz "^$name\$" -fuzztime "${each}s" -parallel 1 || failed=1
done
exit $failed
