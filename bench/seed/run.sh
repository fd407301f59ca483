#!/usr/bin/env bash
# Measures Cento beside the reducer of harn-vm 0.8.50 (Rust, -O3), in turn on the
# same machine, and prints the ratios.
#
#   SEED_SRC=prompt_assembly.rs bench/seed/run.sh
#
# SEED_SRC is the source file of that crate which holds the functions `assemble`
# and `PromptFragment::new`. Needs rustc and Go. ROUNDS (default 3) is how often
# each side is measured; the median counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${SEED_SRC:?set SEED_SRC to the source of the reducer}"
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT

go run ./bench/cmd/workloads "$tmp"
{
  echo '#![allow(dead_code)]'
  # The reducer without its tests and without what needs a JSON library.
  sed -n '/^use std::collections::BTreeSet;/,/^#\[cfg(test)\]/p' "$SEED_SRC" |
    sed '/^#\[cfg(test)\]/d; s/, serde::Serialize//; /^impl AssembledPrompt {/,/^}/d'
  cat bench/seed/main.rs
} >"$tmp/seed.rs"
rustc -C opt-level=3 --edition 2021 -o "$tmp/seed" "$tmp/seed.rs"
go test -c -o "$tmp/cento.test" ./tests

for _ in $(seq "${ROUNDS:-3}"); do
  "$tmp/seed" "$tmp" | sed 's/^/seed /' >>"$tmp/all"
  "$tmp/cento.test" -test.run '^$' -test.bench '^Benchmark(Assemble|Reassemble|Copy)$' -test.benchmem -test.benchtime 300ms |
    awk '/^Benchmark/ { split($1, p, "[/-]"); a = 0; for (i = 3; i < NF; i++) if ($(i + 1) == "allocs/op") a = $i
      print substr(p[1], 10), p[2], $3, a }' >>"$tmp/all"
done

awk '
  { k = $1 " " $2; v[k] = v[k] " " $3; n[k]++; allocs[k] = $4 }
  function median(k,   a, m, i, j, t) {
    m = split(v[k], a, " ")
    for (i = 2; i <= m; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((m + 1) / 2)] + 0
  }
  END {
    print "| workload | seed ns (allocs) | one shot ns (allocs) | re-assembly ns (allocs) | copy ns | one shot | re-assembly | re-assembly / copy |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= 3; i++) {
      w = "W" i; s = median("seed " w); o = median("Assemble " w); r = median("Reassemble " w); c = median("Copy " w)
      printf "| %s | %.0f (%s) | %.0f (%s) | %.0f (%s) | %.0f | %.1fx faster | %.1fx faster | %.2f |\n",
        w, s, allocs["seed " w], o, allocs["Assemble " w], r, allocs["Reassemble " w], c, s / o, s / r, r / c
    }
  }' "$tmp/all"
