# The checks that a change has to pass. `make check` is what CI runs first.

GO ?= go
FUZZTIME ?= 10s

.PHONY: check format vet lint short test long explore race goldens fuzz bench build

check: format vet lint race goldens

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o cento ./cmd/cento

format:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

lint:
	$(GO) tool staticcheck ./...

# The inner loop: every law, at fewer places.
short:
	$(GO) test -short ./...

test:
	$(GO) test ./...

# Nothing left out: minutes.
long:
	CENTO_LONG=1 $(GO) test -timeout 20m ./...

# Many more random values in the property tests than a run of the tests draws, and
# others each time.
explore:
	RAPID_SEED=0 RAPID_CHECKS=2000 $(GO) test -short -timeout 60m -count 1 $$(grep -rl 'pgregory.net/rapid"' --include='*_test.go' . | xargs -n1 dirname | sort -u)

# Without the bounds of allocation: the detector empties pools at random. Without the
# long computations of one goroutine, which take it minutes and have nothing to race,
# those of a browser among them, and without what runs other processes.
race:
	$(GO) test -race -vet=off -shuffle=on -short -timeout 20m -skip 'MemoryBound|TestIdleSessionsAreSmall|TestBuildFilesCostWhatTheyAreLong|TestUnclosedAllocatesInProportion|TestHiddenAlone|TestHostileInputIsLinear|TestEveryAnswerIsAwaited|TestPlacementCosts|TestTablesAreFresh|TestRequestSchemaAgreesWithReader|TestEveryKeyDoesSomething|TestHostileBuildFiles|TestInspectorDrawsWhatIsSeen|TestInspectorHostile|TestSameBytesElsewhere|TestEveryWayObeysTheInput|TestMemoryIsTold' $$($(GO) list ./... | grep -v /docs$$)

# Rewrites every golden and generated file, then requires that nothing changed.
goldens:
	$(GO) generate ./internal/manifest ./internal/unitab
	$(GO) test $$(grep -rlE 'Bool\("update"|/internal/archive"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -vet=off -update
	$(GO) mod tidy -diff
	@if [ -n "$$(git status --porcelain)" ]; then echo "goldens or generated files are stale:"; git status --short; exit 1; fi

# Every fuzz target, for FUZZTIME each: a time, or a number of inputs with an x.
fuzz:
	@.ci/fuzz $(FUZZTIME)

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...
