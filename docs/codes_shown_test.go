package docs_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/project/lint"
)

// A code that nothing shows is one that nobody who reads archives will ever meet, and
// often one whose words nobody has read. unshown are those that no archive and no
// script can make, by the package that declares them, with the test that does.
var unshown = map[string]string{
	// It takes a mistake in a program.
	"cento bound.invalid": "TestForeignBound of tests",
	// It takes a disk, a clock or another process at the right moment.
	"internal/app failure":           "TestBrokenInput of internal/cli",
	"internal/app file.changed":      "TestMendOfChangedFile of internal/app",
	"internal/app manifest.gone":     "TestManifestGone of internal/serve",
	"internal/serve request.timeout": "TestSlowBody of internal/serve",
	"internal/serve serve.busy":      "TestBusy of internal/serve",
	"internal/serve serve.draining":  "TestDrainUnderWay of internal/serve",
	"internal/serve serve.failed":    "TestMistake of internal/serve",
	"store store.closed":             "TestClosed of store",
	"store store.clock_behind":       "TestClockBehind of store",
	"store store.failed":             "TestFailedAndUnknown of store",
	"store store.full":               "TestFileFailures of store",
	"store store.locked":             "TestLocked of store",
	"store store.read_only":          "TestReadOnlyStore of store",
	"store store.uncertain":          "TestServerFailures of store",
	// It takes somebody whom permissions bind.
	"internal/tree file.unreadable": "TestLinks of internal/tree",
	"workspace project.unreadable":  "TestRootUnreadable of workspace",
	"workspace scope.unreadable":    "TestScopeNotes of workspace",
	// It takes more than fits an archive that people read.
	"internal/call answer.too_long": "TestScopeOfManyRules of internal/call",
	"internal/profile profile.cut":  "TestBounds of internal/profile",
	"internal/toon toon.limit":      "TestHostile of internal/toon",
	"internal/toon toon.utf8":       "TestHostile of internal/toon",
	"internal/tree file.too_many":   "TestReadDir of internal/tree",
	"jinja invalid encoding":        "TestHostile of jinja",
	"layer notes.omitted":           "TestNotesAreBounded of layer",
	"wire wire.tool_text":           "TestErrors of wire",
	// The command line prints the code of what the provider refuses in place of its own.
	"wire wire.refused": "TestRequestRefused of session",
	// Only a host that is written in Go can do it: every other door has its own check
	// before, with its place.
	"internal/page page.explanation":    "TestInvalidExplanations of internal/page",
	"internal/tree file.not_folder":     "TestReadDir of internal/tree",
	"jinja cannot load template":        "TestLoad of jinja",
	"jinja invalid data":                "TestValues of jinja",
	"reminder reminder.provider_failed": "TestProviderFails of reminder",
	"session session.request_unknown":   "TestRequestsOfTurns of session",
	"store blob.unknown":                "TestFailedAndUnknown of store",
	"workspace instructions.limit":      "TestInstructionsRefuse of workspace",
	"workspace scope.permission":        "TestScopeRefuses of workspace",
	// It takes another release of the program, or a store that somebody wrote into.
	"session session.newer":        "TestStateRefused of session",
	"session session.other_body":   "TestOtherBytesAreNoted of session",
	"session session.not_recorded": "TestBadSources of session",
	"session session.not_replayed": "TestPromptOfAnotherRelease of session",
	"session session.unreadable":   "TestStateRefused of session",
}

// TestCodesAreShown: each code of a decision, a note, an error or a finding stands in
// what an archive or a script wants.
func TestCodesAreShown(t *testing.T) {
	shown, archives := shownCodes(t)
	if archives < 500 {
		t.Fatalf("%d archives: the test looks at the wrong place", archives)
	}
	all := map[string]bool{}
	for _, c := range declaredCodes(t, []string{"Code", "cento.Code", "ErrorCode", "cento.ErrorCode", "ErrorKind"}) {
		name := c.pkg + " " + c.text
		all[name] = true
		test, argued := unshown[name]
		switch {
		case shown[c.text] && argued:
			t.Errorf("%s is shown by an archive now: take it off the list of those that aren't", name)
		case !shown[c.text] && !argued:
			t.Errorf("no archive and no script shows the code %s (%s): write one", name, c.name)
		case argued && !declared(t, test):
			t.Errorf("%s: there is no %s", name, test)
		}
	}
	for name := range unshown {
		if !all[name] {
			t.Errorf("%s is no code", name)
		}
	}
	if len(all) < 300 {
		t.Errorf("%d codes: the test looks at the wrong place", len(all))
	}
	// Most checks write their code where they are listed, and declare no constant.
	for _, c := range lint.Checks() {
		if !shown[string(c.Code)] {
			t.Errorf("no archive and no script shows the finding %s: write one", c.Code)
		}
	}
}

// declaredCode is a code with the package that declares it.
type declaredCode struct {
	code
	pkg string
}

func declaredCodes(t *testing.T, types []string) (out []declaredCode) {
	t.Helper()
	names, fset, files := parsedSources(t)
	for _, pkg := range packages(names) {
		for _, g := range pkg.groups(fset, files, types) {
			for _, c := range g.codes {
				out = append(out, declaredCode{c, pkg.name})
			}
		}
	}
	return out
}

// The places of a code in an archive: as a member of JSON or a line of its own, before
// the words that belong to it, behind them, and as all that a line of a script looks
// for.
var (
	codeMember = regexp.MustCompile(`\bcode"?:\s*"?([a-z0-9_.]+)`)
	codeWords  = regexp.MustCompile(`(?:^|[^a-z0-9_.])([a-z_]+(?:\.[a-z0-9_]+)+)(?::|\s+[\w:/]*:\s|\]$|'$)`)
)

// wantedFile is the name of a file that holds what comes out. A code in any other is an
// input, which the program may well pass over. The conversation of an editor is both, and
// a code in it is the answer's.
var wantedFile = regexp.MustCompile(`^want(?:[./]|$)|[./]error$|^conversation$`)

// shownCodes are those that stand in results of archives and in scripts.
func shownCodes(t *testing.T) (shown map[string]bool, archives int) {
	t.Helper()
	shown = map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		archives++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		archiveCodes(shown, txtar.Parse(text), strings.Contains(filepath.ToSlash(path), "/testdata/script/"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return shown, archives
}

// archiveCodes adds those of an archive, which may be one with a script.
func archiveCodes(shown map[string]bool, a *txtar.Archive, script bool) {
	if script {
		scriptCodes(shown, string(a.Comment))
	}
	for _, f := range a.Files {
		if !wantedFile.MatchString(f.Name) {
			continue
		}
		for line := range strings.SplitSeq(string(f.Data), "\n") {
			lineCodes(shown, line)
		}
		if strings.HasSuffix(f.Name, "/error") {
			kind, _, _ := strings.Cut(string(f.Data), "\n")
			shown[kind] = true
		}
	}
}

// TestShownIsWanted: what an archive only feeds in shows no code.
func TestShownIsWanted(t *testing.T) {
	const text = "# code: said.only\ncode asked.for\nstderr 'also\\.asked'\n" +
		"-- cento.yaml --\ncode: fed.in\n-- wanted.yaml --\ncode: fed.too\n-- want/why.json --\n{\"code\": \"came.out\"}\n" +
		"-- want.txt --\n  code: came.too\n-- case/error --\nno such thing\n"
	got := map[string]bool{}
	archiveCodes(got, txtar.Parse([]byte(text)), true)
	want := map[string]bool{"asked.for": true, "also.asked": true, "came.out": true, "came.too": true, "no such thing": true}
	if !maps.Equal(got, want) {
		t.Errorf("shown are %v, want %v", got, want)
	}
}

func lineCodes(shown map[string]bool, line string) {
	for _, places := range []*regexp.Regexp{codeMember, codeWords} {
		for _, m := range places.FindAllStringSubmatch(line, -1) {
			shown[m[1]] = true
		}
	}
}

// scriptCodes adds those that a script holds the program to.
func scriptCodes(shown map[string]bool, script string) {
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "#") {
			continue // nobody compares what a comment says
		}
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "code" {
			for _, c := range fields[1:] {
				shown[c] = true
			}
			continue
		}
		lineCodes(shown, strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\.`, "."))
	}
}

var testFunction = regexp.MustCompile(`^(\S+) of (\S+)$`)

// declared reports whether a package has a test, written as in "TestX of store".
func declared(t *testing.T, test string) bool {
	t.Helper()
	m := testFunction.FindStringSubmatch(test)
	if m == nil {
		return false
	}
	files, err := filepath.Glob(filepath.Join(root, m[2], "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(path string) bool {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(text), "\nfunc "+m[1]+"(")
	})
}
