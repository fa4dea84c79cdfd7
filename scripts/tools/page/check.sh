#!/usr/bin/env bash
# Makes pages with the program and starts its server, and opens them in a headless browser: what
# check.mjs and serve.mjs fail on, this fails on. Needs node and npm; the browser is a package of npm's, see there. Screenshots and pages are
# left in build/page.
#
#   scripts/tools/page/check.sh build/bin/pfnamp
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../../.."
for tool in node npm; do
	type -P "$tool" >/dev/null || { echo "test-page: $tool is not installed" >&2; exit 1; }
done
here=build/page
rm -rf "$here"/{evaluation,labels} # of another model, perhaps
mkdir -p "$here"/{numbers,events,classes,many,texts,evaluation,labels,drift}
cp scripts/tools/page/{package.json,package-lock.json,.npmrc,browser.mjs,check.mjs,serve.mjs} "$here"
(cd "$here" && npm ci --silent --ignore-scripts --no-audit --no-fund)

awk -v out="$here" 'NR == 1 { print > (out "/train.csv"); print > (out "/test.csv"); next } \
	{ print > (out (NR % 5 == 0 ? "/test.csv" : "/train.csv")) }' testdata/diabetes.csv
# The last column is the target; as labels it is low, middle or high.
for part in train test; do
	awk -F, -v OFS=, 'NR > 1 { $NF = $NF < 100 ? "low" : $NF < 180 ? "middle" : "high" } { print }' \
		"$here/$part.csv" >"$here/$part-labels.csv"
done
awk 'NR == 1 { print; next } { row[NR] = $0 } END { for (k = 0; k < 60; k++) for (i = 2; i <= NR; i++) print row[i] }' \
	"$here/test.csv" >"$here/many.csv"
# Names and cells that would be elements, scripts or formulas.
awk -F, 'NR == 1 { print "\"</script><script>alert(1)</script>\"," $0; next } \
	{ print "\"<img src=x onerror=alert(1)> =1+1 " NR "\"," $0 }' "$here/test.csv" >"$here/texts.csv"

predict() { "$bin" predict --quiet "$@"; }
predict "$here"/{train,test}.csv -y progression -f 'mean,q0.9,p>150' -o "$here/numbers/report.html"
predict "$here"/{train,test}.csv -y progression -f 'p>150' --posterior paper,limit \
	--chains 400 -o "$here/events/report.html"
predict "$here"/{train,test}-labels.csv -y progression --model testdata/tabicl-classes --chains 400 \
	-o "$here/classes/report.html"
predict "$here"/{train,many}.csv -y progression --chains 400 -o "$here/many/report.html"
predict "$here/train.csv" "$here/texts.csv" -y progression --chains 400 \
	--keep '</script><script>alert(1)</script>' -o "$here/texts/report.html"
"$bin" evaluate testdata/diabetes.csv -y progression --splits 2 --chains 400 --bootstrap 3 --quiet \
	-o "$here/evaluation" >"$here/evaluation.txt"
"$bin" evaluate "$here/train-labels.csv" -y progression --model testdata/tabicl-classes --splits 2 \
	--chains 400 --bootstrap 3 --quiet -o "$here/labels" >"$here/labels.txt"
"$bin" check --quiet "$here"/{train,test}.csv -y progression -o "$here/drift/report.html" >"$here/drift.txt"

node "$here/check.mjs" "$here" "$here"/{numbers,events,classes,many,texts,evaluation,labels,drift}/report.html
for page in "$here"/*/report.html; do printf '%s: %d bytes\n' "$page" "$(wc -c <"$page")"; done

"$bin" fit "$here/train.csv" -y progression -o "$here/progression.state" --quiet
"$bin" fit "$here/train-labels.csv" -y progression --model testdata/tabicl-classes -o "$here/level.state" --quiet
python3 -m scripts.tools.serve.tables "$here/many"
"$bin" fit "$here/many/train.csv" -y price --ignore kind -o "$here/price.state" --quiet
echo token-of-the-page-test >"$here/tokens"
"$bin" serve "$here"/{progression,level,price}.state --model testdata/tabicl-classes \
	-f 'mean,q0.9,p>150' --chains 400 --listen 127.0.0.1:0 --grpc-listen none --token-file "$here/tokens" \
	2>"$here/serve.log" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until grep -q msg=ready "$here/serve.log"; do
	kill -0 $server 2>/dev/null || { cat "$here/serve.log" >&2; exit 1; }
	sleep 0.2
done
node "$here/serve.mjs" "$here" "http://$(sed -n 's/.*msg=ready http=//p' "$here/serve.log")/" \
	"$here/test.csv" token-of-the-page-test
