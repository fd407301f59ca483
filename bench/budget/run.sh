#!/usr/bin/env bash
# Keeps the most important of N texts of twelve words within half of their tokens, by
# Cento and by prompt-tsx, in turn on the same machine, both with the tokenizer
# o200k_base, and prints milliseconds and ratios.
#
#   bench/budget/run.sh
#
# Needs Go, node and npm. ROUNDS (default 3) is how often each side is measured; the
# median counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
go test -c -o "$tmp/cento.test" ./tests
mkdir "$tmp/node"; cp bench/budget/package.json bench/budget/peers.mjs "$tmp/node"
(cd "$tmp/node" && npm install --silent --no-audit --no-fund >/dev/null)
for _ in $(seq "${ROUNDS:-3}"); do
  (cd tests && "$tmp/cento.test" -test.run '^$' -test.bench '^BenchmarkBudget$/^(100|1000|10000)$' -test.benchtime 300ms) |
    awk '/^Benchmark/ { split($1, p, "/"); sub(/-.*/, "", p[2]); print (p[3] ~ /counting/ ? "counting" : "known") "\t" p[2] "\t" $3 / 1e6 }' >>"$tmp/all"
  for n in 100 1000 10000; do
    (cd "$tmp/node" && node peers.mjs $n) | awk -F'\t' '{ if ($4 != 0) { print "prompt-tsx keeps others: " $4 > "/dev/stderr"; exit 1 } print "peer\t" $1 "\t" $2 }' >>"$tmp/all"
  done
done
awk -F'\t' '
  function median(k,   a, m, i, j, t) {
    m = split(v[k], a, " ")
    for (i = 2; i <= m; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((m + 1) / 2)] + 0
  }
  { v[$1 "\t" $2] = v[$1 "\t" $2] " " $3 }
  END {
    print "| texts | counts known, ms | all to be counted, ms | prompt-tsx 0.4.0-alpha.9, ms | to known | to counting |"
    print "|---|---|---|---|---|---|"
    for (n = 100; n <= 10000; n *= 10) {
      a = median("known\t" n); b = median("counting\t" n); c = median("peer\t" n)
      printf "| %d | %.3f | %.3f | %.1f | %.0f× | %.0f× |\n", n, a, b, c, c / a, c / b
    }
  }' "$tmp/all"
