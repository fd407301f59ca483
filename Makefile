# The checks that a change has to pass. .ci/run runs them too, and what takes longer.

GO ?= go
FUZZTIME ?= 10s

.PHONY: check format vet lint short test long long-forms explore race goldens fuzz bench build

check: format vet lint test race goldens

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

# The tests that do more there, and no other: tests/steps_test.go finds them.
LONG = ^(TestBombs|TestBounds|TestBrokenPages|TestBrowserContrast|TestBrowserListOfFragments|TestBrowserLongPage|TestBrowserNarrow|TestBrowserPointer|TestBrowserPrint|TestConsoles|TestCorpus|TestCostGrowsWithTheInput|TestDeadlines|TestDigests|TestDockerfile|TestEveryAnswerIsRead|TestEveryKeyDoesSomething|TestFileFailures|TestFiltersKeepToTheMemoryBound|TestForeignSchemas|TestGitLabJobs|TestGrowth|TestGrowthOfCommands|TestHistoryWithCrashes|TestInspector|TestInspectorAccess|TestInspectorAccessOfExtremes|TestInspectorCommands|TestInspectorCountsWhatIf|TestInspectorDrawsWhatIsSeen|TestInspectorEarlier|TestInspectorHiddenViews|TestInspectorHistory|TestInspectorHostile|TestInspectorHostileRecord|TestInspectorKeyboard|TestInspectorLongNames|TestInspectorNarrow|TestInspectorPlacesOfARecord|TestInspectorScreens|TestInspectorSlider|TestInspectorTriesAgain|TestKill|TestKilledStore|TestLongScript|TestManySkills|TestNothingRunsWithoutApproval|TestPeakOfRequests|TestPythonExamples|TestRequiredTextsYield|TestSameBytesElsewhere|TestSearchOfMany|TestServeIdleConnections|TestServeReplicas|TestServerFailures|TestServerRestart|TestSize|TestTablesAreFresh|TestTampering|TestTerminal|TestTooManyFragments|TestTypeScriptExamples|TestTypeScriptTypes|TestWordsHaveTheirPlace)$$
long-forms:
	CENTO_LONG=1 $(GO) test -timeout 20m -run '$(LONG)' $$(grep -rl 'internal/lengthtest"' --include='*_test.go' . | xargs -n1 dirname | sort -u)

# Many more random values in the property tests than a run of the tests draws, and
# others each time.
explore:
	RAPID_SEED=0 RAPID_CHECKS=2000 $(GO) test -short -timeout 60m -count 1 $$(grep -rl 'pgregory.net/rapid"' --include='*_test.go' . | xargs -n1 dirname | sort -u)

# Without the bounds of allocation: the detector empties pools at random. Without the
# long computations of one goroutine, which take it minutes and have nothing to race,
# without what runs other processes, and without the packages that start no goroutine,
# which tests/steps_test.go finds.
CALM = contract disk internal/amend internal/bitset internal/canonical internal/circles internal/confusable internal/controltoken internal/credential internal/enum internal/imitation internal/lengthtest internal/manifest internal/markdown internal/nametable internal/nearest internal/needle internal/outline internal/pacetest internal/quote internal/sessionname internal/storeaddress internal/strict internal/terminal internal/textdiff internal/toon/toontest internal/unitab internal/unitab/gen internal/unrendered model model/gen
race:
	$(GO) test -race -vet=off -shuffle=on -short -timeout 20m -skip 'MemoryBound|TestAnswersHaveABound|TestUnclosedAllocatesInProportion|TestTablesAreFresh|TestRequestSchemaAgreesWithReader|TestEveryKeyDoesSomething|TestHostileBuildFiles|TestInspectorHostile|TestSameBytesElsewhere|TestMemoryIsTold' $$($(GO) list ./... | grep -v /docs$$ | grep -vxF "$$(printf 'github.com/cento-dev/cento/%s\n' $(CALM))")

# Rewrites every golden and generated file, then requires that nothing changed. The tests
# that rewrite are found by tests/steps_test.go.
GOLDEN = ^(TestAnswers|TestArchives|TestCalibration|TestConditions|TestConformance|TestConsoles|TestConversations|TestCorpus|TestCosts|TestFiles|TestForms|TestFormsAreWhole|TestHelp|TestInstructions|TestListsAreNeverNull|TestLoad|TestLongScript|TestModelNames|TestNearKeysAreRead|TestNeovim|TestNoOrphans|TestOracle|TestPlacementCosts|TestPythonExamples|TestReference|TestRefused|TestRemindersSchemaAgreesWithReader|TestRender|TestRepositories|TestRequestSchemaAgreesWithReader|TestRuns|TestSchema|TestSchemaAgreesWithReader|TestScript|TestSeeded|TestTokenTable|TestTypeScriptExamples|TestTypes|TestWording)$$
goldens:
	$(GO) generate ./internal/manifest ./internal/unitab
	$(GO) test $$(grep -rlE 'Bool\("update"|/internal/archive"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -run '$(GOLDEN)' -vet=off -update
	$(GO) mod tidy -diff
	@if [ -n "$$(git status --porcelain)" ]; then echo "goldens or generated files are stale:"; git status --short; exit 1; fi

# Every fuzz target, for FUZZTIME each: a time, or a number of inputs with an x.
fuzz:
	@.ci/fuzz $(FUZZTIME)

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...
