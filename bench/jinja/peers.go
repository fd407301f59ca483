// Peers times gonja and pongo2 on the workloads of the template engines. It is a
// module of its own, so that nothing else depends on them.
//
//	peers TEMPLATES T3.json
//
// Each line is: engine, workload, nanoseconds to parse, nanoseconds to render
// (medians of nine), the begin of the output's SHA-256.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/flosch/pongo2/v6"
	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: peers TEMPLATES T3.json")
		os.Exit(2)
	}
	pongo2.SetAutoescape(false)
	check(pongo2.RegisterFilter("trim", func(in, _ *pongo2.Value) (*pongo2.Value, *pongo2.Error) {
		return pongo2.AsValue(strings.TrimSpace(in.String())), nil
	}))
	for _, name := range []string{"T1", "T2", "T3"} {
		context := filepath.Join(os.Args[1], name+".json")
		if name == "T3" {
			context = os.Args[2]
		}
		w := load(name, os.Args[1], context)
		report("gonja 2.9.1", name, w.gonja)
		report("pongo2 6.0.0", name, w.pongo2)
	}
}

// work is one workload: its templates by file name, and its context.
type work struct {
	name  string
	files map[string]string
	ctx   map[string]any
}

func load(name, dir, context string) *work {
	w := &work{name: name, files: map[string]string{}}
	paths, err := filepath.Glob(filepath.Join(dir, name+"*.txt"))
	check(err)
	for _, p := range paths {
		b, err := os.ReadFile(p)
		check(err)
		// The last line end of a file doesn't count, as in the other engines.
		w.files[filepath.Base(p)] = strings.TrimSuffix(string(b), "\n")
	}
	b, err := os.ReadFile(context)
	check(err)
	check(json.Unmarshal(b, &w.ctx))
	whole(w.ctx)
	return w
}

// whole makes ints of all numbers: every engine prints floats in its own way.
func whole(v any) any {
	switch v := v.(type) {
	case float64:
		return int(v)
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = whole(v[k])
		}
	}
	return v
}

// gonja reads and parses included files at every rendering.
func (w *work) gonja() (parse func(), render func() string) {
	files := map[string]string{}
	for name, text := range w.files { // includes are looked for below the including file
		files["/"+name], files["/"+w.name+"/"+name] = text, text
	}
	var t *exec.Template
	ctx := exec.NewContext(w.ctx)
	parse = func() {
		l, err := loaders.NewMemoryLoader(files)
		check(err)
		t, err = exec.NewTemplate("/"+w.name+".txt", config.New(), l, gonja.DefaultEnvironment)
		check(err)
	}
	return parse, func() string {
		s, err := t.ExecuteToString(ctx)
		check(err)
		return s
	}
}

// pongo2 has Django's form of filter arguments and of loop variables.
func (w *work) pongo2() (parse func(), render func() string) {
	argument := regexp.MustCompile(`\| (join|default)\(("[^"]*")\)`)
	words := strings.NewReplacer("loop.index", "forloop.Counter", "| ", "|")
	files := memory{}
	for name, text := range w.files {
		files[name] = words.Replace(argument.ReplaceAllString(text, `|$1:$2`))
	}
	var t *pongo2.Template
	parse = func() {
		var err error
		t, err = pongo2.NewSet("workload", files).FromFile(w.name + ".txt")
		check(err)
	}
	return parse, func() string {
		s, err := t.Execute(w.ctx)
		check(err)
		return s
	}
}

type memory map[string]string

func (m memory) Abs(_, name string) string { return name }

func (m memory) Get(name string) (io.Reader, error) { return strings.NewReader(m[name]), nil }

func report(engine, name string, of func() (func(), func() string)) {
	parse, render := of()
	p := median(parse)
	sum := sha256.Sum256([]byte(render()))
	r := median(func() { render() })
	fmt.Printf("%s\t%s\t%.0f\t%.0f\t%s\n", engine, name, p, r, hex.EncodeToString(sum[:8]))
}

func median(f func()) float64 {
	f()
	var times []float64
	for range 9 {
		start, rounds := time.Now(), 0
		for rounds == 0 || time.Since(start) < 60*time.Millisecond {
			f()
			rounds++
		}
		times = append(times, float64(time.Since(start).Nanoseconds())/float64(rounds))
	}
	slices.Sort(times)
	return times[4]
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(3)
	}
}
