#!/usr/bin/env bash
# Rows per second of a Slurm array of 8 tasks on one and two nodes, beside one process and two, and what
# a program and a node that are lost cost. Each node has a processor of its own (CORES, "0 1").
#
#   scripts/tools/slurm/rates.sh build/bin/pfnamp
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../../.."
. scripts/tools/slurm/cluster.sh
export CORES=${CORES:-0 1}
first=${CORES% *}

now() { date +%s.%N; }
# timed NAME COMMAND...: a line of the table.
timed() {
	local name=$1 began
	began=$(now)
	"${@:2}"
	took=$(echo "$(now) $began" | awk '{ print $1 - $2 }')
	alone=${alone:-$took}
	echo "$took $alone" | awk -v n="$name" \
		'{ printf "| %s | %.1f | %.0f | %.2f |\n", n, $1, 20000 / $1, $2 / $1 }'
}
ask=(pfnamp predict "$run/y.state" "$run/test.csv" -f "q0.5,q0.9" --cpus 1 -q)
one() { taskset -c "$first" "${ask[@]}" -o "$run/whole.csv"; }
two() {
	local core i=0 running=()
	for core in $CORES; do
		i=$((i + 1))
		taskset -c "$core" "${ask[@]}" --shard $i/2 -o "$run/shard-$i.csv" &
		running+=($!)
	done
	wait "${running[@]}"
}
# array FURTHER...: a whole job. With hurt, a command, once it has run for two seconds.
hurt=
array() {
	rm -rf "$run/parts" && mkdir "$run/parts"
	local job
	job=$(submit "$run/test.csv" "$run/parts" "$@")
	if [ -n "$hurt" ]; then
		until_so 60 eval '[ -n "$(running_on n2)" ]'
		sleep 2
		$hurt
	fi
	until finished "$job"; do sleep 0.1; done
	gathered "$run/parts" | cmp "$run/whole.csv" || die "the parts together are not what one process writes"
}
# lose: notes what the programs on n2 have used of its processor so far.
lose() {
	local p space
	space=$(readlink "/proc/$(pgrep -P "${machine[n2]}")/ns/pid")
	lost=()
	for p in $(programs); do
		if [ "$(readlink "/proc/$p/ns/pid")" = "$space" ]; then lost+=("$p"); fi
	done
	[ ${#lost[@]} -gt 0 ] || die "no program on n2"
	used=$(for p in "${lost[@]}"; do cat "/proc/$p/stat"; done |
		awk '{ n += $14 + $15 } END { printf "%.1f", n / 100 }')
}
program_lost() { lose; kill -KILL "${lost[@]}"; }
node_lost() { lose; stop n2; }

tables
start
echo "| | seconds | rows a second | of one process |"
echo "|---|---:|---:|---:|"
timed "one process" one
timed "two processes, \`--shard\`" two
timed "Slurm, 1 node" array --nodelist=n1
timed "Slurm, 2 nodes" array
for hurt in program_lost node_lost; do
	timed "Slurm, 2 nodes, ${hurt/_/ }" array
	say "what was lost had used $used s of its processor"
done
rm -r "$run"
