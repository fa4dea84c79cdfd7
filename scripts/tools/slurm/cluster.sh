# A Slurm cluster of one machine, for check.sh, which has set bin, the program, and stands in the root
# of the repository. The daemons are Debian's, unpacked into build/slurm; each runs under a host
# name and in a process namespace of its own, which takes root. Jobs and logs are in $run.
say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { say "error: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "namespaces take root: run it as root, or in a container"
for tool in apt-get dpkg unshare; do
	type -P $tool >/dev/null || die "$tool is missing: this needs Debian or Ubuntu"
done

here=$PWD/build/slurm
root=$here/root
if [ ! -e "$here/ready" ]; then
	mkdir -p "$here/debs"
	(cd "$here/debs" && apt-get -qq download slurmctld slurmd slurm-client slurm-wlm-basic-plugins \
		munge libmunge2 libhwloc15 liblua5.1-0) || die "no packages: run apt-get update"
	for deb in "$here"/debs/*.deb; do dpkg -x "$deb" "$root"; done
	touch "$here/ready"
fi
libs=$(dirname "$(find "$root/usr/lib" -name libmunge.so.2)")
export LD_LIBRARY_PATH=$libs:$libs/slurm-wlm
missing=$(ldd "$root"/usr/sbin/slurm*-wlm | awk '/not found/ { print $1 }' | sort -u)
[ -z "$missing" ] || die "libraries are missing:" $missing
export PATH=$root/usr/bin:$(dirname "$bin"):$PATH PFNAMP_ORT_LIB=$PWD/build/lib/pfnamp

run=$(mktemp -d "$here/run.XXXXXX")
mkdir "$run/state"
export SLURM_CONF=$run/slurm.conf
port=$((20000 + RANDOM % 20000))
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=control(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/none
AuthInfo=cred_expire=10
CredType=cred/none
SlurmUser=root
PluginDir=$libs/slurm-wlm
StateSaveLocation=$run/state
SlurmdSpoolDir=$run/spool-%n
SlurmctldPidFile=$run/control.pid
SlurmdPidFile=$run/%n.pid
SlurmctldLogFile=$run/control.log
SlurmdLogFile=$run/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=6
MessageTimeout=5
KillWait=2
NodeName=n1 NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=1000
NodeName=n2 NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=1000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF

# daemon HOST PROGRAM...: runs it as the first process of a machine of that name.
declare -A machine
daemon() {
	local host=$1
	shift
	unshare --uts --pid --mount-proc --fork --kill-child \
		sh -c 'hostname "$0" && exec "$@"' "$host" "$@" >"$run/$host.out" 2>&1 &
	machine[$host]=$!
}
# stop HOST: as if the power failed.
stop() {
	kill -KILL "${machine[$1]}" && wait "${machine[$1]}" 2>/dev/null || true
	unset "machine[$1]"
}
clean() { for host in "${!machine[@]}"; do stop "$host"; done; }
trap clean EXIT

# until_so SECONDS COMMAND...: waits for it to succeed.
until_so() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		((SECONDS < end)) || { tail -n 20 "$run"/*.log >&2; die "still not so: $*"; }
		sleep 0.5
	done
}
nodes() { [ "$(sinfo --noheader --states=idle --format=%D 2>/dev/null | tr -d ' ')" = "$1" ]; }
finished() { [ -z "$(squeue --noheader --jobs "$1" 2>/dev/null)" ]; }
running_on() { squeue --noheader --states=R --nodelist="$1" --format=%K 2>/dev/null; }
submit() { # TEST PARTS FURTHER...
	STATE=$run/y.state TEST=$1 PARTS=$2 FUNCTIONAL=q0.5,q0.9 \
		sbatch --parsable --chdir="$run" "${@:3}" examples/slurm/predict.sbatch
}
field() { scontrol show job "$1" | grep -o "$2=[^ ]*" | sort | uniq -c; }

restarts() { scontrol show job "$1" | awk -F'Restarts=' 'NF > 1 { n += $2 } END { print n + 0 }'; }
programs() { pgrep -f "pfnamp predict $run/y.state" || true; }

# start: two nodes.
start() {
	daemon control "$root/usr/sbin/slurmctld-wlm" -D -c
	for node in n1 n2; do
		daemon $node "$root/usr/sbin/slurmd-wlm" -D -c -d "$root/usr/sbin/slurmstepd-wlm"
	done
	until_so 60 nodes 2
}

# tables: 20,000 rows, each with an age of its own, and a state to predict them from.
tables() {
	awk -v out="$run" 'NR == 1 { print > (out "/train.csv"); print > (out "/test.csv"); next }
		NR % 5 { print > (out "/train.csv"); next }
		{ row[NR] = $0 }
		END { for (n = 0; n < 20000; ) for (i = 5; i <= NR && n < 20000; i += 5) {
			rest = row[i]; sub(/^[^,]*/, "", rest); age = 20 + n / 400; n++
			print (age rest) > (out "/test.csv") } }' \
		testdata/diabetes.csv
	pfnamp fit "$run/train.csv" -y progression -o "$run/y.state" -q
}
# gathered FOLDER: the parts of the example as one table.
gathered() {
	local part
	head -n 1 "$1/00001.csv"
	for part in "$1"/*.csv; do tail -n +2 "$part"; done
}
