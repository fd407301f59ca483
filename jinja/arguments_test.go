package jinja

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// anyNumber is of what takes as many arguments as are given.
const anyNumber = -1

// most are the builtins by how many arguments they take beside what they are applied to.
var most = map[string]map[int]string{
	"filter": {
		0: "abs bool capitalize count e escape first items last length lines list lower pprint reverse safe string striptags title upper urlencode wordcount",
		1: "attr center filesizeformat float tojson trim",
		2: "batch d default int join max min pluralize round slice split sum unique",
		3: "dictsort groupby indent replace sort", 4: "truncate wordwrap",
		anyNumber: "chain format map reject rejectattr select selectattr zip",
	},
	"test": {
		0: "boolean callable defined escaped even false filter float int integer iterable lower mapping none number odd safe sequence string test true undefined upper",
		1: "!= < <= == > >= divisibleby endingwith eq equalto ge greaterthan gt in le lessthan lt ne sameas startingwith",
	},
	"string method": {
		0: "capitalize isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace isupper lower title upper",
		1: "count endswith find join lstrip partition removeprefix removesuffix rfind rstrip splitlines startswith strip zfill",
		2: "center ljust rjust rsplit split", 3: "replace", anyNumber: "format",
	},
	"list method": {1: "count index"}, "map method": {0: "items keys values", 2: "get"},
	"function": {1: "dict joiner namespace", 3: "range", anyNumber: "cycler debug"},
	"object":   {0: "o.next o.reset j"},
}

// Whatever a template calls takes no more arguments than it reads: one more is an error that
// says how many there may be, and is never left unread.
func TestArgumentsAreCounted(t *testing.T) {
	env := New(Options{Undefined: Lenient})
	ctx, err := From(map[string]any{"s": "a", "l": []string{"a"}, "m": map[string]any{"a": 1}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	form := func(kind, name, args string) string {
		switch kind {
		case "filter":
			return "{{ s|" + name + args + " }}"
		case "test":
			if name[0] < 'a' {
				name = "eq" // it has the sign beside the word, and is named so by filters alone
			}
			return "{{ s is " + name + args + " }}"
		case "string method", "list method", "map method":
			return "{{ " + kind[:1] + "." + name + args + " }}"
		}
		return "{% set o = cycler(1) %}{% set j = joiner() %}{{ " + name + args + " }}"
	}
	counted := func(kind, name string, n int) error {
		args := "(" + strings.TrimSuffix(strings.Repeat("1, ", n), ", ") + ")"
		_, err := mustParse(t, env, form(kind, name, args)).Render(ctx)
		if err != nil && errors.Is(err, ErrArguments) && strings.Contains(err.Error(), " takes ") {
			return err
		}
		return nil
	}
	for kind, known := range map[string][]string{
		"filter": sortedKeys(builtinFilters), "test": sortedKeys(builtinTests), "string method": sortedKeys(stringMethods), "list method": sortedKeys(listMethods),
		"map method": sortedKeys(mapMethods), "function": sortedKeys(builtinFunctions), "object": {"j", "o.next", "o.reset"},
	} {
		names := strings.Fields(strings.Join(slices.Collect(maps.Values(most[kind])), " "))
		if slices.Sort(names); !slices.Equal(names, known) {
			t.Errorf("of each %s: %q are counted, and there are %q", kind, names, known)
		}
		for n, names := range most[kind] {
			for name := range strings.FieldsSeq(names) {
				if n == anyNumber {
					if err := counted(kind, name, 20); err != nil {
						t.Errorf("%s %s: %v", kind, name, err)
					}
					continue
				}
				if err := counted(kind, name, n); err != nil {
					t.Errorf("%s %s with %d: %v", kind, name, n, err)
				}
				want := fmt.Sprintf("takes at most %s, %d given", arguments(n), n+1)
				if n == 0 {
					want = "takes no arguments, 1 given"
				}
				if err := counted(kind, name, n+1); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s %s with %d: %v, want one that %s", kind, name, n+1, err, want)
				}
			}
		}
	}
}
