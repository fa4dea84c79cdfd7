#!/usr/bin/env bash
# Asks a server with published clients of its protocols, each in an environment of its own, and compares
# what they get with the columns of predict, bit by bit. Environments are kept in build/serve.
#
#   scripts/tools/serve/test.sh build/bin/pfnamp
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../../.."
here=$PWD/build/serve
mkdir -p "$here"
for name in triton kserve; do
	scripts/tools/environment.sh "$here/$name" "scripts/tools/serve/$name.txt"
done

python3 -m scripts.tools.serve.tables "$here"
classes=testdata/tabicl-classes
"$bin" fit "$here/train.csv" -y price --ignore kind -o "$here/price.state" --quiet
"$bin" fit "$here/train.csv" -y price --ignore kind,town,lift,built -o "$here/numbers.state" --quiet
"$bin" fit "$here/train.csv" -y kind --ignore price --model $classes -o "$here/kind.state" --quiet
ask=(--level 0.8 --chains 300)
"$bin" predict "$here/price.state" "$here/test.csv" -f 'mean,p>200' "${ask[@]}" -o "$here/price.csv" --quiet
"$bin" predict "$here/numbers.state" "$here/test.csv" -f 'mean,p>200' "${ask[@]}" -o "$here/numbers.csv" --quiet
"$bin" predict "$here/kind.state" "$here/test.csv" --model $classes "${ask[@]}" -o "$here/kind.csv" --quiet

"$bin" serve "$here"/{price,numbers,kind}.state --model $classes -f 'mean,p>200' "${ask[@]}" \
	--listen 127.0.0.1:0 --grpc-listen 127.0.0.1:0 2>"$here/log" &
server=$!
trap 'kill -9 $server 2>/dev/null || true' EXIT
until grep -q msg=ready "$here/log"; do
	kill -0 $server 2>/dev/null || { cat "$here/log" >&2; exit 1; }
	sleep 0.2
done
http=$(sed -n 's/.*msg=ready .*http=\([^ ]*\).*/\1/p' "$here/log")
grpc=$(sed -n 's/.*msg=ready .*grpc=\([^ ]*\).*/\1/p' "$here/log")

for client in triton/triton_http triton/triton_grpc kserve/kserve_both; do
	start=$SECONDS
	PFNAMP_PROGRAM=$bin "$here/${client%/*}/bin/python" -W ignore -m "scripts.tools.serve.${client#*/}" "$http" "$grpc" "$here"
	printf '%s: the bits of predict (%d s)\n' "${client#*/}" $((SECONDS - start))
done
kill -TERM $server
wait $server
