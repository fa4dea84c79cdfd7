#!/usr/bin/env bash
# Compares the examples for Kubernetes with its schema, and makes mistakes in copies, which must be found.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=build/kubernetes
scripts/tools/environment.sh $here scripts/tools/kubernetes/requirements.txt --require-hashes
validate() { $here/bin/kubernetes-validate --strict "$1"; }
# wrong FILE TEXT IN ITS PLACE: an example that must be refused.
wrong() {
	sed "s/$2/$3/" "$1" >$here/wrong.yaml
	! cmp -s "$1" $here/wrong.yaml || { echo "test-kubernetes: no \"$2\" in $1" >&2; exit 1; }
	if validate $here/wrong.yaml >/dev/null 2>&1; then
		echo "test-kubernetes: \"$3\" in the place of \"$2\" is not refused" >&2
		exit 1
	fi
}
job=examples/kubernetes/job.yaml
serve=examples/kubernetes/serve.yaml
validate $job
validate $serve
wrong $job 'completions: 8' 'completions: eight'
wrong $job 'podFailurePolicy' 'podFailingPolicy'
wrong $job 'operator: In' 'operation: In'
wrong $job 'restartPolicy: Never' 'restartPolicy: 1'
wrong $serve 'replicas: 2' 'replicas: two'
wrong $serve 'readinessProbe' 'readyProbe'
wrong $serve 'containerPort: 8443' 'port: 8443'
wrong $serve 'targetPort: grpc' 'target: grpc'
echo "test-kubernetes: the examples are valid, and eight that are not are refused"
