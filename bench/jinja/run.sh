#!/usr/bin/env bash
# Measures the template engine beside others, in turn on the same machine, and
# prints their times as multiples of its own.
#
#   bench/jinja/run.sh
#
# Needs Go; with node and npm it measures nunjucks as well, with Python's jinja2
# module Jinja2 (PYTHON names the interpreter). ROUNDS (default 3) is how often each side is measured; the median
# counts. An engine whose output differs is not compared.
set -euo pipefail
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
dir=$PWD/jinja/testdata/bench

go run ./bench/cmd/workloads "$tmp"
go test -c -o "$tmp/cento.test" ./jinja
(cd bench/jinja && go build -o "$tmp/peers" .)
node=; if command -v npm >/dev/null; then
  mkdir "$tmp/node"; cp bench/jinja/package.json bench/jinja/peers.mjs "$tmp/node"
  if (cd "$tmp/node" && npm install --silent --no-audit --no-fund >/dev/null); then node=1; else echo "nunjucks is left out: npm can't install it" >&2; fi
fi
python=; if "${PYTHON:=python3}" -c 'import jinja2' 2>/dev/null; then python=1; else echo "Jinja2 is left out: $PYTHON has no module jinja2" >&2; fi

for _ in $(seq "${ROUNDS:-3}"); do
  (cd jinja && "$tmp/cento.test" -test.run '^$' -test.bench '^Benchmark(Render|RenderNoSpans|Parse|PeerTextTemplate|PeerTextTemplateParse)$' -test.benchtime 300ms) |
    awk '/^Benchmark/ { split($1, p, "[/-]"); print substr(p[1], 10) "\t" p[2] "\t" $3 }' >>"$tmp/go"
  "$tmp/peers" "$dir" "$tmp/T3.json" >>"$tmp/all"
  if [ -n "$node" ]; then (cd "$tmp/node" && node peers.mjs "$dir" "$tmp/T3.json") >>"$tmp/all"; fi
  if [ -n "$python" ]; then "$PYTHON" bench/jinja/peers.py "$dir" "$tmp/T3.json" >>"$tmp/all"; fi
done

# Of each benchmark its time, in the columns of the others: engine, workload, parse, render.
awk -F'\t' '
  function add(k, x) { v[k] = v[k] " " x }
  function median(k,   a, m, i, j, t) {
    m = split(v[k], a, " ")
    for (i = 2; i <= m; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((m + 1) / 2)] + 0
  }
  function cell(x, own) { return x ? sprintf("%.2f", x / own) : "-" }
  FILENAME ~ /go$/ {
    if ($1 == "Render") add("Cento render " $2, $3)
    else if ($1 == "Parse") add("Cento parse " $2, $3)
    else if ($1 == "RenderNoSpans") add("Cento without spans render " $2, $3)
    else if ($1 == "PeerTextTemplate") add("text/template render " $2, $3)
    else add("text/template parse " $2, $3)
    next
  }
  {
    if ($5 != sum[$2]) { print $1 " prints something else for " $2 ", and is not compared" > "/dev/stderr"; next }
    if (!($1 in seen)) { seen[$1]; engines[++n] = $1 }
    add($1 " parse " $2, $3); add($1 " render " $2, $4)
  }
  BEGIN {
    sum["T1"] = "0ad8e191596cf9ec"; sum["T2"] = "983f3c412622f439"; sum["T3"] = "11a6e306e7c0f9e6"
    engines[++n] = "Cento"; engines[++n] = "Cento without spans"; engines[++n] = "text/template"
  }
  END {
    print "| engine | parse T1 | T2 | T3 | render T1 | T2 | T3 |"
    print "|---|---|---|---|---|---|---|"
    row = "| Cento, nanoseconds |"
    for (i = 1; i <= 3; i++) row = row sprintf(" %.0f |", median("Cento parse T" i))
    for (i = 1; i <= 3; i++) row = row sprintf(" %.0f |", median("Cento render T" i))
    print row
    for (e = 2; e <= n; e++) {
      row = "| " engines[e] " |"
      for (i = 1; i <= 3; i++) row = row " " cell(median(engines[e] " parse T" i), median("Cento parse T" i)) " |"
      for (i = 1; i <= 3; i++) row = row " " cell(median(engines[e] " render T" i), median("Cento render T" i)) " |"
      print row
    }
  }' "$tmp/go" "$tmp/all"
