#!/usr/bin/env bash
# Measures cento serve and cento call --stream under load, beside a bare server on
# net/http, the store alone, and a process for each call, and kills replicas on a
# PostgreSQL server under load. Prints a table.
#
#   bench/serve/run.sh
#   bench/serve/run.sh -soak 1h
#
# Needs Go, and for the replicas a PostgreSQL server where the tests look for one
# (CENTO_TEST_POSTGRES). See bench/serve/main.go for the flags.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec go run ./bench/serve -replicas "$@"
