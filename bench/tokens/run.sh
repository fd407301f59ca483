#!/usr/bin/env bash
# Counts the tokens of the same texts with Cento and with other counters, in turn
# on the same machine, and prints their times as multiples of Cento's, and by how
# many tokens their counts of all texts are off, one of them words with random
# blanks, tabs and line ends between them. What tiktoken counts is right.
#
#   bench/tokens/run.sh
#
# Needs Go, node and npm. ROUNDS (default 3) is how often each side is measured;
# the median counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT

go run ./bench/cmd/workloads "$tmp"
go build -o "$tmp/cento" ./cmd/cento
go test -c -o "$tmp/cento.test" ./token
(cd bench/tokens && go build -o "$tmp/peers" .)
mkdir "$tmp/node"; cp bench/tokens/package.json bench/tokens/peers.mjs "$tmp/node"
(cd "$tmp/node" && npm install --silent --no-audit --no-fund >/dev/null)

for _ in $(seq "${ROUNDS:-3}"); do
  (cd token && "$tmp/cento.test" -test.run '^$' -test.bench '^BenchmarkTokens(CL100K)?$' -test.benchtime 300ms) |
    awk '/^Benchmark/ {
      split($1, p, "[/-]"); n = ""
      for (i = 4; i <= NF; i++) if ($i == "tokens") n = $(i - 1)
      print "Cento\t" (p[1] ~ /CL100K/ ? "cl100k_base" : "o200k_base") "\t" p[2] "\t" $3 "\t" n
    }' >>"$tmp/all"
  "$tmp/peers" "$tmp" >>"$tmp/all"
  (cd "$tmp/node" && node peers.mjs "$tmp") >>"$tmp/all"
done
for e in o200k_base cl100k_base; do
  printf 'Cento\t%s\tblanks\t0\t%s\n' $e "$("$tmp/cento" tokens "$tmp/blanks.txt" --encoding $e --json | awk -F'[:,]' '/"tokens"/ { print $2 + 0 }')" >>"$tmp/all"
done

awk -F'\t' '
  function median(k,   a, m, i, j, t) {
    m = split(v[k], a, " ")
    for (i = 2; i <= m; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((m + 1) / 2)] + 0
  }
  { k = $1 "\t" $2 "\t" $3; v[k] = v[k] " " $4; tokens[k] = $5; if (!($1 in seen)) { seen[$1]; names[++n] = $1 } }
  END {
    m = split("o200k_base prose;o200k_base code;o200k_base runs;cl100k_base prose;cl100k_base code;cl100k_base runs;o200k_base blanks;cl100k_base blanks", columns, ";")
    print "| counter | o200k prose | code | runs | cl100k prose | code | runs | tokens off |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
      row = i == 1 ? "| Cento, milliseconds |" : "| " names[i] " |"
      off = 0
      for (c = 1; c <= m; c++) {
        split(columns[c], p, " "); at = "\t" p[1] "\t" p[2]; k = names[i] at
        if (!(k in v)) { row = row " - |"; continue }
        d = tokens[k] - tokens["tiktoken 1.0.22 (npm)" at]; off += d < 0 ? -d : d
        if (p[2] != "blanks") row = row sprintf(" %.2f |", i == 1 ? median(k) / 1e6 : median(k) / median("Cento" at))
      }
      print row " " off " |"
      if (i == 1 && off) wrong = 1
    }
    if (wrong) { print "Cento counts otherwise than tiktoken" > "/dev/stderr"; exit 1 }
  }' "$tmp/all"
