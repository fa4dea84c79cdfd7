#!/usr/bin/env bash
# Predicts 20,000 rows with examples/slurm/predict.sbatch on a Slurm cluster of one machine, kills one
# of its two nodes and a program meanwhile, and compares with one process.
#
#   scripts/tools/slurm/check.sh build/bin/pfnamp
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../../.."
. scripts/tools/slurm/cluster.sh

say "20,000 rows by one process"
mkdir "$run"/{parts,bad}
tables
pfnamp predict "$run/y.state" "$run/test.csv" -f q0.5,q0.9 -o "$run/whole.csv" -q

start
say "Slurm $(sinfo --version | cut -d' ' -f2) with two nodes"

began=$SECONDS
job=$(submit "$run/test.csv" "$run/parts")
until_so 60 eval '[ -n "$(running_on n2)" ]'
lost=$(running_on n2)
sleep 1
stop n2
until_so 60 eval 'program=$(programs | head -n 1); [ -n "$program" ]'
kill -KILL "$program"
say "node n2 is dead, with task $lost of job $job, and so is a program on n1"
until_so 600 finished "$job"
say "done after $((SECONDS - began)) s; $(field "$job" JobState | xargs), $(field "$job" Restarts | xargs)"
[ "$(field "$job" JobState | xargs)" = "8 JobState=COMPLETED" ] || die "not all tasks are complete"
[ "$(restarts "$job")" -ge 2 ] || die "one of the two tasks was not put back in the queue"
gathered "$run/parts" >"$run/together.csv"
cmp "$run/whole.csv" "$run/together.csv" || die "the parts together are not what one process writes"
say "20,000 rows are equal, byte for byte"

{ head -n 30 "$run/test.csv"; echo much,1,2,3,4,5,6,7,8,9,10; } >"$run/wrong.csv"
job=$(submit "$run/wrong.csv" "$run/bad" --array=1-1)
until_so 60 finished "$job"
[[ $(field "$job" ExitCode) == *ExitCode=3:0* && $(field "$job" Restarts) == *Restarts=0* ]] ||
	die "a wrong row: $(scontrol show job "$job")"
grep '"much" is not a number' "$run/pfnamp-1.log" || die "the log does not tell the wrong row"
[ -z "$(ls "$run/bad")" ] || die "a part of the wrong table appeared"
say "a wrong row ends its task with status 3, once"

# Status 1, here of a folder that is not there, puts a task back in the queue.
head -n 200 "$run/test.csv" >"$run/short.csv"
job=$(submit "$run/short.csv" "$run/late" --array=1-1)
until_so 120 eval '[[ $(field "$job" Restarts) == *Restarts=1* ]]'
mkdir "$run/late"
until_so 300 finished "$job"
[[ $(field "$job" JobState) == *COMPLETED* && -e $run/late/00001.csv ]] ||
	die "status 1: $(scontrol show job "$job")"
say "a task that ended with status 1 was tried again"
rm -r "$run"
