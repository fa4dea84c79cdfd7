#!/usr/bin/env bash
# Rows per second of a Slurm array of 8 tasks on one and two nodes, beside one process and two, and what
# a program and a node that are lost cost. Each node has a processor of its own (CORES, "0 1").
#
#   scripts/slurm/rates.sh build/bin/pfnamp
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../.."
. scripts/slurm/cluster.sh
export CORES=${CORES:-0 1}
first=${CORES% *}

now() { date +%s.%N; }
# seconds COMMAND...: of its best of two runs.
seconds() {
	local best=999999 began
	for _ in 1 2; do
		began=$(now)
		"$@" >/dev/null
		best=$(echo "$(now) $began $best" | awk '{ t = $1 - $2; print t < $3 ? t : $3 }')
	done
	echo "$best"
}
# line NAME SECONDS: a row of the table.
line() { echo "$2 $alone" | awk -v n="$1" '{ printf "| %s | %.1f | %.0f | %.2f |\n", n, $1, 20000 / $1, $2 / $1 }'; }
one() { taskset -c "$first" pfnamp predict "$run/y.state" "$run/test.csv" -f q0.5,q0.9 --cpus 1 -o "$run/whole.csv" -q; }
two() {
	local core i=0
	for core in $CORES; do
		i=$((i + 1))
		taskset -c "$core" pfnamp predict "$run/y.state" "$run/test.csv" -f q0.5,q0.9 --cpus 1 \
			--shard $i/2 -o "$run/shard-$i.csv" -q &
	done
	wait
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
# lose: notes what the programs on n2, those of the second processor, have used of it so far.
lose() {
	local p
	lost=()
	for p in $(programs); do
		if [[ $(taskset -cp "$p") == *": ${CORES#* }" ]]; then lost+=("$p"); fi
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
alone=$(seconds one)
line "one process" "$alone"
line "two processes, \`--shard\`" "$(seconds two)"
line "Slurm, 1 node" "$(seconds array --nodelist=n1)"
line "Slurm, 2 nodes" "$(seconds array)"
for hurt in program_lost node_lost; do
	began=$(now)
	array
	line "Slurm, 2 nodes, ${hurt/_/ }, which had used $used s" \
		"$(echo "$(now) $began" | awk '{ print $1 - $2 }')"
done
rm -r "$run"
