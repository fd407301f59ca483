package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/cento-dev/cento/internal/lengthtest"
)

func TestTablesAreFresh(t *testing.T) {
	lengthtest.OnlyLong(t, "makes all tables anew, which `make goldens` does too")
	x, err := parseExtras(properties)
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(properties)
	if unicode.Version != x.version {
		if err == nil {
			t.Fatalf("generated from Unicode %s and %s mixed", unicode.Version, x.version)
		}
		t.Skipf("this toolchain cannot regenerate the tables: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Error("tables.go is stale: run go generate ./internal/unitab")
	}
}

func TestExtractRoundTrip(t *testing.T) {
	x, err := parseExtras(properties)
	if err != nil {
		t.Fatal(err)
	}
	if x.String() != properties {
		t.Error("properties.txt is not in the form that gen -ucd writes")
	}
}

func TestExtract(t *testing.T) {
	files := func() fstest.MapFS {
		return fstest.MapFS{
			"ReadMe.txt":               {Data: []byte("the final data files\nfor Version 1.2.3 of the Unicode Standard.\n")},
			"emoji/emoji-data.txt":     {Data: []byte("# emoji\n00A9 ; Emoji # x\n00A9 ; Extended_Pictographic\n1F000..1F002 ; Extended_Pictographic # y\n")},
			"StandardizedVariants.txt": {Data: []byte("0030 FE00; short; ; # z\n2229 FE00; serif; ;\n1820 180B; second; medial;\n0031 FE01; w; ;\n")},
		}
	}
	have, err := extract(files())
	if err != nil {
		t.Fatal(err)
	}
	_, data, _ := strings.Cut(have, "\n\n")
	want := "version 1.2.3\npictographic 00A9 1F000-1F002\nvariants FE00 0030 2229\nvariants FE01 0031\n"
	if data != want {
		t.Errorf("extract is\n%swant\n%s", data, want)
	}
	for _, test := range []struct{ file, text, want string }{
		{"ReadMe.txt", "nothing", "no version"},
		{"emoji/emoji-data.txt", "# nothing\n", "emoji/emoji-data.txt: no data"},
		{"emoji/emoji-data.txt", "00G9 ; Extended_Pictographic\n", `emoji/emoji-data.txt: "00G9 ; `},
		{"StandardizedVariants.txt", "0030 FE00\n", "line without fields"},
	} {
		broken := files()
		broken[test.file] = &fstest.MapFile{Data: []byte(test.text)}
		if _, err := extract(broken); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %q: error %v, want one with %q", test.file, test.text, err, test.want)
		}
		delete(broken, test.file)
		if _, err := extract(broken); err == nil {
			t.Errorf("no error without %s", test.file)
		}
	}
}

func TestExtractRefused(t *testing.T) {
	const good = "version 1.2.3\npictographic 00A9\nvariants FE00 0030\n"
	if _, err := parseExtras(good); err != nil {
		t.Fatalf("the example is not accepted: %v", err)
	}
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "lacks"},
		{"no version", strings.Replace(good, "version 1.2.3\n", "", 1), "lacks"},
		{"no variants", strings.Replace(good, "variants FE00 0030\n", "", 1), "lacks"},
		{"not a selector", strings.Replace(good, "FE00", "FE10", 1), `properties.txt:3: "FE10" is no variation selector`},
		{"not a number", strings.Replace(good, "00A9", "00G9", 1), "properties.txt:2: "},
		{"unknown line", good + "emoji 00A9\n", `properties.txt:4: unknown line "emoji 00A9"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseExtras(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestMixedVersionsRefused(t *testing.T) {
	_, err := generate(strings.Replace(properties, "version ", "version 9", 1))
	if err == nil || !strings.Contains(err.Error(), "properties.txt has 9") {
		t.Errorf("error %v, want one that names both versions", err)
	}
}
