#!/usr/bin/env bash
# Measures writing and reading contracts of 5, 50 and 500 facts beside a plain copy
# of the text and beside the standard library, and counts what each form costs.
#
#   bench/contracts/run.sh
#
# Prints the two tables of docs/benchmarks.md. Needs Go. ROUNDS (default 5) is how
# often everything is measured; the median counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT

go test -c -o "$tmp/cento.test" ./contract
for _ in $(seq "${ROUNDS:-5}"); do
  (cd contract && "$tmp/cento.test" -test.run '^$' -test.benchtime 200ms -test.benchmem \
    -test.bench '^Benchmark(Contract(Write|Copy|Parse|New)|PeerParse)$') | awk '/^Benchmark/' >>"$tmp/all"
done

awk '
  function median(k,   a, m, i, j, t) {
    m = split(v[k], a, " ")
    for (i = 2; i <= m; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((m + 1) / 2)] + 0
  }
  function row(name, k,   i) {
    printf "| %s |", name
    for (i = 1; i <= 3; i++) printf " %.*f |", median(k size[i]) < 100 ? 3 : 2, median(k size[i]) / 1000
    if (k ~ /Copy/) print " |"; else printf " %s |\n", allocs[k "500"]
  }
  {
    sub(/^Benchmark/, "", $1); sub(/-[0-9]+$/, "", $1)
    v[$1] = v[$1] " " $3
    for (i = 4; i < NF; i++) if ($(i + 1) == "allocs/op") allocs[$1] = $i
  }
  END {
    split("5 50 500", size, " "); split("EDN JSON TOON LINES", form, " ")
    print "| what happens, in microseconds | 5 facts | 50 facts | 500 facts | allocations at 500 |"
    print "|---|---|---|---|---|"
    for (f = 1; f <= 4; f++) row("write " (form[f] == "LINES" ? "lines" : form[f]), "ContractWrite/" form[f] "/")
    row("append the pieces of EDN, and nothing else", "ContractCopy/pieces/")
    row("copy the finished EDN", "ContractCopy/EDN/")
    for (f = 1; f <= 4; f++) row("read " (form[f] == "LINES" ? "lines" : form[f]), "ContractParse/" form[f] "/")
    row("the standard library reads JSON into structs", "PeerParse/JSON/")
    row("build a contract, which looks at every byte once", "ContractNew/")
    print ""
    printf "Writing EDN runs at"
    for (i = 1; i <= 3; i++) printf "%s %.0f %%", (i > 1 ? "," : ""), 100 * median("ContractCopy/EDN/" size[i]) / median("ContractWrite/EDN/" size[i])
    printf " of the speed of the plain copy and at"
    for (i = 1; i <= 3; i++) printf "%s %.0f %%", (i > 1 ? "," : ""), 100 * median("ContractCopy/pieces/" size[i]) / median("ContractWrite/EDN/" size[i])
    printf " of that of the pieces; reading JSON takes"
    for (i = 1; i <= 3; i++) printf "%s1/%.1f", (i > 1 ? ", " : " "), median("PeerParse/JSON/" size[i]) / median("ContractParse/JSON/" size[i])
    print " of the time of the standard library."
    print ""
  }' "$tmp/all"

(cd contract && "$tmp/cento.test" -test.run '^TestTokenTable$' -test.v) | sed -n '/^ *| form/,/^[^|]*$/s/^ *|/|/p'
