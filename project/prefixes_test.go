package project_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// own are files of a host.
func own(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// A manifest, a layer and a prompt file name files of the host; the prompt says where
// they stand and whose they are, and the recorded input gives it again where the host's
// files aren't.
func TestPrefixesOfTheHost(t *testing.T) {
	dir := treetest.Project(t, map[string]string{
		"cento.yaml": `version: 1
scope: off
profile: off
instruction: $insomnia/night
vars: {who: owls}
fragments:
  - {id: shared, template: $workspace/shared}
layers:
  - name: team
    layer: {slots: {guidance: {contributions: [{content: Sleep., id: sleep}, {template: $insomnia/d/rest.txt, id: rest}]}}}
targets:
  quiet: {fragments: [{id: hush, template: $lab/hush}]}
`,
		".cento/prompts/shared.md": "Shared. {% include '$insomnia/d/rest.txt' %}",
	})
	request := project.Request{Dir: dir, Prefixes: map[pack.Prefix]pack.Own{
		"$insomnia": {Root: pack.FS(own(map[string]string{
			"night.md": "Work at night with {{ vars.who }}.\n{% include 'd/rest.txt' %}", "d/rest.txt": "Rest by day.", "unused.md": "{{",
		})), Trust: cento.TrustHost},
		"$lab": {Root: pack.FS(own(map[string]string{"hush.md": "## Working boundaries\nHush."})), Trust: cento.TrustTool},
	}}
	p, err := project.Open(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := prompt.System()
	for _, want := range []string{"Work at night with owls.\nRest by day.", "Shared. Rest by day.", "Sleep."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for word, want := range map[string]struct {
		file  string
		trust cento.Trust
	}{
		"Work at night": {"$insomnia/night.md", cento.TrustHost}, "Rest by day": {"$insomnia/d/rest.txt", cento.TrustHost},
		"owls": {"$insomnia/night.md", cento.TrustWorkspace}, "Shared": {"$workspace/shared.md", cento.TrustWorkspace},
	} {
		at := strings.Index(text, word)
		i := slices.IndexFunc(prompt.Spans(), func(s cento.Span) bool { return s.Start <= at && at < s.End })
		if s := prompt.Spans()[i]; s.File != want.file || s.Trust != want.trust {
			t.Errorf("%q is of %s, %s; want %s, %s", word, s.File, s.Trust, want.file, want.trust)
		}
	}

	// The record holds what was read, and nothing else of the host.
	recorded, err := json.Marshal(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(recorded), "unused") {
		t.Error("the input holds a file that nothing reads")
	}
	var again cento.Input
	if err := json.Unmarshal(recorded, &again); err != nil {
		t.Fatal(err)
	}
	replayed, err := pack.Reduce(again)
	if err != nil {
		t.Fatal(err)
	}
	if replayed.Digest() != prompt.Digest() {
		t.Error("the recorded input gives another prompt")
	}
	explained, replay := prompt.Explain(cento.ExplainOptions{}), replayed.Explain(cento.ExplainOptions{})
	a, _ := json.Marshal(explained)
	b, _ := json.Marshal(replay)
	if string(a) != string(b) {
		t.Errorf("the replay is explained otherwise:\n%s\n%s", a, b)
	}

	// The files of a prefix have the trust that the host says, whatever they hold.
	quiet, err := p.Target(t.Context(), "quiet")
	if err != nil {
		t.Fatal(err)
	}
	prompt, err = quiet.Reduce(quiet.Input)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := prompt.System(); !strings.Contains(text, "> ## Working boundaries\nHush.") {
		t.Errorf("a heading of a file with the trust of tools stands as it is:\n%s", text)
	}
}

// A host brings its own `$builtin`. What the program says itself stays, and so does
// where it says it.
func TestBuiltinReplaced(t *testing.T) {
	dir := treetest.Project(t, map[string]string{"cento.yaml": "version: 1\nprofile: off\n"})
	files := own(map[string]string{
		"default.md": "You are Insomnia.", "catalog/environment.md": "NEVER", "catalog/mine.md": "NEVER",
	})
	request := project.Request{Dir: dir, Prefixes: map[pack.Prefix]pack.Own{pack.Builtin: {Root: pack.FS(files), Trust: cento.TrustUser}}}
	p, err := project.Open(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := prompt.System()
	if !strings.HasPrefix(text, "You are Insomnia.") || strings.Contains(text, "NEVER") || !strings.Contains(text, "You are working in ") && !strings.Contains(text, dir) {
		t.Errorf("the prompt is\n%s", text)
	}
	if s := prompt.Spans()[0]; s.File != "$builtin/default.md" || s.Trust != cento.TrustUser {
		t.Errorf("the first span is of %s, %s", s.File, s.Trust)
	}
	refs, err := p.Loader().List(pack.Builtin)
	if err != nil || len(refs) != 1 || refs[0].String() != "$builtin/default" {
		t.Errorf("the files below $builtin are %v, %v", refs, err)
	}
	recorded, _ := json.Marshal(p.Input)
	var again cento.Input
	if err := json.Unmarshal(recorded, &again); err != nil {
		t.Fatal(err)
	}
	replayed, err := pack.Reduce(again)
	if err != nil {
		t.Fatal(err)
	}
	if replayed.Digest() != prompt.Digest() || replayed.Spans()[0].Trust != cento.TrustUser {
		t.Error("the recorded input gives another prompt")
	}

	// What the host's files leave out is missing, and nothing falls through to the program's.
	delete(files, "default.md")
	_, err = project.Open(t.Context(), request)
	if !errors.Is(err, pack.NotFound) || !strings.Contains(err.Error(), "'$builtin/default'") {
		t.Error(err)
	}
}

func TestPrefixesThatCannotBe(t *testing.T) {
	files := pack.FS(own(map[string]string{"a.md": "A"}))
	dir := treetest.Project(t, map[string]string{"cento.yaml": "version: 1\nsystem: x\nfragments: [{id: a, template: $insomna/a}]\n"})
	bad := project.Request{Dir: dir, Prefixes: map[pack.Prefix]pack.Own{"$insomnia": {Root: files}}}
	_, err := project.Open(t.Context(), bad)
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != pack.UnknownPrefix || e.Position.String() != "cento.yaml:3:31" || e.Hint != "did you mean '$insomnia'?" {
		t.Errorf("%v, hint %q", err, e.Hint)
	}
	for name, want := range map[pack.Prefix]string{
		"$user": "always there", "$workspace": "always there", "$pack": "always there", "insomnia": "write it as $name",
		"$": "write it as $name", "$A": "write it as $name", "$a/b": "write it as $name", "$pack/a": "write it as $name", "$none": "give it a root",
	} {
		request := project.Request{Dir: dir, Prefixes: map[pack.Prefix]pack.Own{name: {Root: files}}}
		if name == "$none" {
			request.Prefixes[name] = pack.Own{Root: pack.FS(nil)}
		}
		_, err := project.Open(t.Context(), request)
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != pack.InvalidPrefix || !strings.Contains(e.Hint, want) || !strings.Contains(e.Message, "'"+string(name)+"'") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := pack.NewLoader(pack.Roots{Own: request.Prefixes}, cento.Limits{}).List(pack.Builtin); !errors.Is(err, pack.InvalidPrefix) {
			t.Errorf("%s: a loader lists in spite of it: %v", name, err)
		}
		if _, err := pack.RootsOf(nil, map[string]cento.Trust{string(name): cento.TrustHost}); name != "$none" && !errors.Is(err, pack.InvalidPrefix) {
			t.Errorf("%s: a recorded input may have it: %v", name, err)
		}
	}
}
