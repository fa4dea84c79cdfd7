#!/usr/bin/env bash
# Checks examples/prometheus with promtool, which is built from its published module, and makes
# mistakes in copies, which must be found. The module is no dependency of this one.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=build/deploy/prometheus
mkdir -p $here
tool=build/deploy/promtool
version=v0.316.0
if ! [ -x $tool ]; then
	GOFLAGS='' GOBIN=$PWD/build/deploy go install github.com/prometheus/prometheus/cmd/promtool@$version
fi
$tool check rules examples/prometheus/alerts.yaml
$tool test rules examples/prometheus/alerts_test.yaml
# fails WHAT PATTERN: a copy with this change of sed must be refused.
fails() {
	cp examples/prometheus/*.yaml $here
	sed -i "$2" $here/alerts.yaml
	if cmp -s $here/alerts.yaml examples/prometheus/alerts.yaml; then
		echo "test-alerts: $1 changes nothing" >&2
		exit 1
	fi
	if $tool test rules $here/alerts_test.yaml >/dev/null 2>&1; then
		echo "test-alerts: $1 is not refused" >&2
		exit 1
	fi
}
fails 'an expression that is cut' 's|drift > 0.1|drift >|'
fails 'a bound that no window reaches' 's|outside > 0.1|outside > 1|'
fails 'a metric without its counterpart' 's|_width_at_fit|_width_at_start|'
echo "test-alerts: the alerts are valid, and three that are not are refused"
