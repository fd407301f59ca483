package tests

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// change is what is different from what an input says.
type change struct {
	Tools        []string `json:"tools"`
	WithTools    []string `json:"with_tools"`
	WithoutTools []string `json:"without_tools"`
	Caps         []string `json:"caps"`
	WithoutCaps  []string `json:"without_caps"`
}

func (c change) apply(in cento.Input) cento.Input {
	if c.Tools != nil {
		in = in.WithTools(c.Tools...)
	}
	for _, name := range c.WithTools {
		in = in.WithTool(name)
	}
	for _, name := range c.WithoutTools {
		in = in.WithoutTool(name)
	}
	for _, name := range c.Caps {
		in = in.WithCap(name)
	}
	for _, name := range c.WithoutCaps {
		in = in.WithoutCap(name)
	}
	return in
}

func (c *conformanceCase) change(t testing.TB) change {
	var out change
	c.decode(t, "what-if.json", &out)
	return out
}

// flags are how a project is opened.
type flags struct {
	change
	Cwd       string    `json:"cwd"`    // below project, "" for project itself
	Target    string    `json:"target"` // of the manifest
	Manifest  string    `json:"manifest"`
	ToolsFile string    `json:"tools_file"`
	Model     string    `json:"model"`
	Now       time.Time `json:"now"`
}

// decode reads one of the case's own JSON files. Unknown keys are errors: a
// misspelt one would show nothing.
func (c *conformanceCase) decode(t testing.TB, name string, to any) {
	t.Helper()
	if !c.has(name) {
		return
	}
	if err := decodeStrictly(c.inputs[name], to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func decodeStrictly(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if d.More() {
		return errors.New("text behind the value")
	}
	return nil
}

// fileBytes is the content of a file that an archive of text can't hold.
type fileBytes struct {
	Text   *string `json:"text"`
	Base64 *string `json:"base64"`
	Times  int     `json:"times"`
	Link   *string `json:"link"`
	Folder bool    `json:"folder"`
}

// linkMark begins the content of a file that is to be made as a symbolic link,
// folderMark is that of one to be made as a folder.
const linkMark, folderMark = "\x00link\x00", "\x00folder\x00"

// addFiles adds the files that files.json describes.
func (c *conformanceCase) addFiles() error {
	if !c.has("files.json") {
		return nil
	}
	var files map[string]fileBytes
	if err := decodeStrictly(c.inputs["files.json"], &files); err != nil {
		return fmt.Errorf("files.json: %w", err)
	}
	delete(c.inputs, "files.json")
	for name, f := range files {
		if c.has(name) {
			return fmt.Errorf("files.json: %s is in the archive already", name)
		}
		var data []byte
		switch {
		case f.Text != nil:
			data = []byte(*f.Text)
		case f.Base64 != nil:
			var err error
			if data, err = base64.StdEncoding.DecodeString(*f.Base64); err != nil {
				return fmt.Errorf("files.json: %s: %w", name, err)
			}
		case f.Link != nil:
			data = []byte(linkMark + *f.Link)
		case f.Folder:
			data = []byte(folderMark)
		default:
			return fmt.Errorf("files.json: %s has no content", name)
		}
		c.inputs[name] = bytes.Repeat(data, max(1, f.Times))
	}
	return nil
}

// source is the input of a case, ready to be reduced.
type source struct {
	reduce func(change) (*cento.Prompt, error)
	// record is the input as it is stored; nil for a request.
	record  *cento.Input
	notes   []cento.Note // beside those of the prompt
	shownAs replacements
}

// source finds out what the case is about. There is one kind of input in each.
func (c *conformanceCase) source(t testing.TB) *source {
	t.Helper()
	kinds := 0
	var out *source
	if c.has("request.json") {
		kinds++
		out = c.request()
	}
	if c.has("input.json") {
		kinds++
		out = c.input()
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(c.inputs)), func(name string) bool { return strings.HasPrefix(name, "project/") }) {
		kinds++
		out = c.project(t)
	}
	if kinds != 1 {
		t.Fatalf("%s has %d inputs: there is to be one request.json, one input.json or one project/", c.name, kinds)
	}
	for name := range c.inputs {
		top, _, _ := strings.Cut(name, "/")
		switch {
		case top == "request.json", top == "input.json", top == "project", top == "what-if.json", top == "same":
		case top == "home" || top == "flags.json":
			if c.has("request.json") || c.has("input.json") {
				t.Errorf("%s belongs to a project", name)
			}
		default:
			t.Errorf("nothing reads %s", name)
		}
	}
	return out
}

// request is fragments that are handed over.
func (c *conformanceCase) request() *source {
	s := new(source)
	s.reduce = func(x change) (*cento.Prompt, error) {
		r, err := manifest.ParseReduce("request.json", c.inputs["request.json"], cento.Limits{})
		if err != nil {
			return nil, err
		}
		s.notes = r.Notes
		return reduceRequest(r, x.apply(cento.Input{Active: r.Active}).Active)
	}
	return s
}

func reduceRequest(r *manifest.ReduceRequest, active cento.Active) (*cento.Prompt, error) {
	engine, err := pack.NewEngine(cento.Input{Files: cento.Files{Now: r.Now, Vars: r.Vars}})
	if err != nil {
		return nil, err
	}
	options := cento.Options{Conditions: engine, Placed: r.Placed}
	if b := r.Budget; b != nil {
		options.Budget = &cento.Budget{Tokens: b.Tokens, Reserve: b.Reserve, Policy: b.Policy, Counter: engine.Counter(active.Model, nil)}
	}
	return cento.ReduceFragments(r.Fragments, active, options)
}

// input is a record.
func (c *conformanceCase) input() *source {
	s := new(source)
	s.reduce = func(x change) (*cento.Prompt, error) {
		in := new(cento.Input)
		if err := decodeStrictly(c.inputs["input.json"], in); err != nil {
			return nil, &cento.SourceError{Code: "json", Message: "input.json", Err: err}
		}
		s.record = in
		return reduceInput(x.apply(*in))
	}
	return s
}

func reduceInput(in cento.Input) (*cento.Prompt, error) {
	engine, err := pack.NewEngine(in)
	if err != nil {
		return nil, err
	}
	return cento.ReduceWith(in, engine)
}

// project is a folder as people have it.
func (c *conformanceCase) project(t testing.TB) *source {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, home := filepath.Join(top, "project"), filepath.Join(top, "home")
	var fl flags
	c.decode(t, "flags.json", &fl)
	dir := filepath.Join(root, filepath.FromSlash(fl.Cwd))
	for _, d := range []string{dir, home} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.inputs)) {
		if strings.HasPrefix(name, "project/") || strings.HasPrefix(name, "home/") {
			makeFile(t, filepath.Join(top, filepath.FromSlash(name)), string(c.inputs[name]))
		}
	}
	r := project.Request{
		Dir: dir, Home: home, Config: filepath.Join(home, ".config", "cento"), Target: fl.Target, Model: fl.Model, Now: fl.Now,
	}
	if fl.Manifest != "" {
		r.Manifest = filepath.Join(root, filepath.FromSlash(fl.Manifest))
	}
	if fl.ToolsFile != "" {
		r.ToolsName = filepath.Join(root, filepath.FromSlash(fl.ToolsFile))
	}
	s := &source{shownAs: replacements{{filepath.ToSlash(root), "<root>"}, {filepath.ToSlash(home), "~"}}}
	s.reduce = func(x change) (*cento.Prompt, error) {
		p, err := project.Open(context.Background(), r)
		if err != nil {
			return nil, err
		}
		in := fl.apply(p.Input)
		s.record = &in
		return p.Reduce(x.apply(in))
	}
	return s
}

func makeFile(t testing.TB, path, content string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		if target, isLink := strings.CutPrefix(content, linkMark); isLink {
			if err = os.Symlink(filepath.FromSlash(target), path); err != nil && runtime.GOOS == "windows" {
				t.Skip("this user may not make links")
			}
		} else if content == folderMark {
			err = os.MkdirAll(path, 0o777)
		} else {
			err = os.WriteFile(path, []byte(content), 0o666)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}
