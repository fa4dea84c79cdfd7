#!/usr/bin/env bash
# Compares examples/kubernetes/job.yaml with the schema of Kubernetes, and sees that what is wrong with
# it would be found.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=build/kubernetes
needs=scripts/kubernetes/requirements.txt
if ! cmp -s $needs $here/ready; then
	python3 -m venv $here
	$here/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $needs
	cp $needs $here/ready
fi
job=examples/kubernetes/job.yaml
validate() { $here/bin/kubernetes-validate --strict "$1"; }
validate $job
# wrong TEXT IN ITS PLACE: a job that must be refused.
wrong() {
	sed "s/$1/$2/" $job >$here/wrong.yaml
	! cmp -s $job $here/wrong.yaml || { echo "test-kubernetes: no \"$1\" in $job" >&2; exit 1; }
	if validate $here/wrong.yaml >/dev/null 2>&1; then
		echo "test-kubernetes: \"$2\" in the place of \"$1\" is not refused" >&2
		exit 1
	fi
}
wrong 'completions: 8' 'completions: eight'
wrong 'podFailurePolicy' 'podFailingPolicy'
wrong 'operator: In' 'operation: In'
wrong 'restartPolicy: Never' 'restartPolicy: 1'
echo "test-kubernetes: the job is valid, and four that are not are refused"
