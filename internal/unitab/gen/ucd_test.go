package main

import (
	"bufio"
	"compress/bzip2"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/unitab"
)

// The tests of this file compare with the Unicode Character Database itself: the directory
// named by UNITAB_UCD, else where Debian's package unicode-data puts it. They are skipped
// where there is none of the version of the tables, but not if UNITAB_UCD names it.

func database(t *testing.T) fs.FS {
	t.Helper()
	dir, named := os.LookupEnv("UNITAB_UCD")
	if !named {
		dir = "/usr/share/unicode"
	}
	complain := t.Skipf
	if named {
		complain = t.Fatalf
	}
	text, err := os.ReadFile(dir + "/ReadMe.txt")
	if err != nil {
		complain("no Unicode Character Database: %v", err)
	}
	if !strings.Contains(string(text), "Version "+unitab.Version) {
		complain("the Unicode Character Database in %s is not version %s", dir, unitab.Version)
	}
	return os.DirFS(dir)
}

func testSources(t *testing.T) *sources {
	t.Helper()
	s, err := newSources(properties)
	if err != nil {
		t.Skipf("this toolchain cannot regenerate the tables: %v", err)
	}
	return s
}

// propertyOf reads a file whose lines are a code point or range, then a value.
func propertyOf(t *testing.T, ucd fs.FS, name string, value func(fields []string) string) map[rune]string {
	t.Helper()
	m := make(map[rune]string)
	err := eachLine(ucd, name, func(fields []string) error {
		v := value(fields)
		if v == "" {
			return nil
		}
		lo, hi, err := parseRange(fields[0], "..")
		for r := lo; r <= hi; r++ {
			m[r] = v
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestExtractIsFresh(t *testing.T) {
	have, err := extract(database(t))
	if err != nil {
		t.Fatal(err)
	}
	if have != properties {
		t.Error("properties.txt is stale: run go run ./gen -ucd DIR in internal/unitab")
	}
}

func TestFoldingAgreesWithCaseFolding(t *testing.T) {
	ucd, s := database(t), testSources(t)
	want := propertyOf(t, ucd, "CaseFolding.txt", func(fields []string) string {
		if fields[1] != "C" && fields[1] != "F" {
			return ""
		}
		return decodeText(t, fields[2])
	})
	for r := range allRunes {
		folded, listed := want[r]
		if !listed {
			folded = string(r)
		}
		if have := s.foldRune(r); have != folded {
			t.Errorf("%U folds to %+q, want %+q", r, have, folded)
		}
	}
}

func decodeText(t *testing.T, codes string) string {
	t.Helper()
	var b strings.Builder
	for code := range strings.FieldsSeq(codes) {
		n, err := strconv.ParseUint(code, 16, 21)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}

func TestDefaultIgnorableAgreesWithDerivedCoreProperties(t *testing.T) {
	want := propertyOf(t, database(t), "DerivedCoreProperties.txt", func(fields []string) string {
		if fields[1] != "Default_Ignorable_Code_Point" {
			return ""
		}
		return fields[1]
	})
	for r := range allRunes {
		if have := unitab.DefaultIgnorable(r); have != (want[r] != "") {
			t.Errorf("DefaultIgnorable(%U) = %v", r, have)
		}
	}
}

func TestScriptListsAgreeWithTheDatabase(t *testing.T) {
	ucd := database(t)
	second := func(fields []string) string { return fields[1] }
	scripts := propertyOf(t, ucd, "Scripts.txt", second)
	collect := func(holds map[rune]string) []string {
		set := make(map[string]bool)
		for r := range holds {
			if name := scripts[r]; name != "Common" && name != "Inherited" {
				set[name] = true
			}
		}
		return slices.Sorted(maps.Keys(set))
	}
	joining := propertyOf(t, ucd, "ArabicShaping.txt", func(fields []string) string {
		if strings.Contains("DRLC", fields[2]) {
			return fields[2]
		}
		return ""
	})
	if have := collect(joining); !slices.Equal(have, cursiveScripts) {
		t.Errorf("scripts that join: %q", have)
	}
	spaceless := propertyOf(t, ucd, "LineBreak.txt", func(fields []string) string {
		if fields[1] == "SA" {
			return fields[1]
		}
		return ""
	})
	if have := collect(spaceless); !slices.Equal(have, spacelessScripts) {
		t.Errorf("scripts without spaces: %q", have)
	}
	for r := range joining {
		if r != '\u200D' && len(unitab.AppendSkeleton(nil, string(r))) == 0 {
			t.Errorf("%U joins but is invisible", r)
		}
	}
}

// TestEmojiAreLegal holds NextHidden against every emoji that Unicode recommends, and every
// sequence with a presentation selector that it defines.
func TestEmojiAreLegal(t *testing.T) {
	ucd := database(t)
	for _, name := range []string{"emoji/emoji-test.txt", "emoji/emoji-variation-sequences.txt", "StandardizedVariants.txt"} {
		count := 0
		err := eachLine(ucd, name, func(fields []string) error {
			text := decodeText(t, fields[0])
			if first := text[0]; first < 0x80 && name == "emoji/emoji-variation-sequences.txt" {
				text += "\u20E3"
			}
			count++
			if _, _, r, kind, found := unitab.NextHidden(text, 0); found {
				return fmt.Errorf("%U is reported as %s", r, kind)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if count < 700 {
			t.Errorf("%s: %d sequences", name, count)
		}
	}
}

// TestNormalizationTest holds AppendSkeleton against the conformance data of normalisation:
// all columns of a line are one text.
func TestNormalizationTest(t *testing.T) {
	f, err := database(t).Open("NormalizationTest.txt.bz2")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := 0
	lines := bufio.NewScanner(bzip2.NewReader(f))
	for lines.Scan() {
		text, _, _ := strings.Cut(lines.Text(), "#")
		columns := strings.Split(text, ";")
		if len(columns) < 5 {
			continue
		}
		count++
		want := unitab.AppendSkeleton(nil, decodeText(t, columns[0]))
		for _, column := range columns[1:5] {
			if have := unitab.AppendSkeleton(nil, decodeText(t, column)); string(have) != string(want) {
				t.Errorf("%s: skeleton %+q of %s, want %+q", text, have, column, want)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if count < 18000 {
		t.Errorf("%d lines of test data", count)
	}
}
