package tests

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/project/lint"
	"github.com/cento-dev/cento/wire"
)

// keyRow shows that a key of the manifest does something: two manifests that
// differ in it get different answers. A manifest is written as the members of a
// YAML map in one line.
type keyRow struct {
	// path is the key as the schema has it: below one of its definitions, or from
	// the top.
	path          string
	base, changed string
	// code is that of the error which the changed manifest gets; empty: it is read.
	code cento.ErrorCode
}

// keyAnswers is what is told of a project, without places: a change of the manifest
// moves those, whatever it means.
type keyAnswers struct {
	Error     string
	Code      cento.ErrorCode
	Prompt    string
	WithNews  string // the prompt with a reminder that hides something
	Next      string // the prompt behind one whose budget had room for none of the fragments
	Fragments []any
	Notes     []string
	Findings  []string
	Tools     []cento.Tool
	Session   project.SessionSettings
	Store     string
	Asked     []consent.Part
	Models    any
	Request   string
	Tests     []string
	Budget    *cento.Budget
	Outputs   []project.Output
}

var placesInJSON = regexp.MustCompile(`"(origin|position|span|related|when_origin|when_runs|needs_origin|guidance_origin|title_origin|section_from)":(\{[^}]*\}|\[[^\]]*\]|"[^"]*"|null),?|"gates_origin":\{("\w+":\[[^\]]*\],?)*\},?`)

// askKeys asks a project everything, once for a target if one is named.
func askKeys(t *testing.T, dir, target string) (out keyAnswers) {
	t.Helper()
	failed := func(err error) bool {
		if err == nil {
			return false
		}
		out.Error = err.Error()
		if list := cento.SourceErrors(err); len(list) > 0 {
			out.Error, out.Code = list[0].Message, list[0].Code
		}
		return true
	}
	r := project.Request{
		Dir: filepath.Join(dir, "sub"), Home: filepath.Join(dir, "..", "home"), Target: target,
		Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC), AllowMCP: true, Lister: keptListing{},
	}
	site, err := project.Locate(r)
	if failed(err) {
		return out
	}
	if out.Asked, err = site.Asked(t.Context(), r); failed(err) {
		return out
	}
	for i := range out.Asked {
		for j := range out.Asked[i].Asks {
			out.Asked[i].Asks[j].Position = cento.Position{}
		}
	}
	p, err := site.Open(t.Context(), r)
	if failed(err) {
		return out
	}
	prompt, err := p.Reduce(p.Input)
	if failed(err) {
		return out
	}
	out.Prompt, _ = prompt.System()
	for i := range prompt.Len() {
		raw, err := json.Marshal(prompt.Trace(i, cento.ExplainOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		var trace any
		if err := json.Unmarshal(placesInJSON.ReplaceAll(raw, nil), &trace); err != nil {
			trace = string(raw)
		}
		out.Fragments = append(out.Fragments, trace)
	}
	news := p.Input
	news.Reminders = []cento.Fragment{{ID: "reminder:1", Source: "reminder", Body: "Red\u200b.", Trust: cento.TrustSession}}
	if with, err := p.Reduce(news); err != nil {
		out.WithNews = cento.SourceErrors(err)[0].Message
	} else {
		out.WithNews, _ = with.System()
	}
	if p.Input.Budget != nil {
		budget, next := *p.Input.Budget, p.Input
		for i := range next.Fragments {
			budget.Before = append(budget.Before, cento.Sacrificed{Fragment: next.Fragments[i].ID})
		}
		next.Budget = &budget
		behind, err := p.Reduce(next)
		if failed(err) {
			return out
		}
		out.Next, _ = behind.System()
	}
	for _, n := range p.Input.Notes {
		out.Notes = append(out.Notes, string(n.Code)+" "+n.Message)
	}
	out.Tools = slices.Clone(p.Input.Tools)
	for i := range out.Tools {
		out.Tools[i].Origin, out.Tools[i].GuidanceOrigin, out.Tools[i].Runs = cento.Position{}, cento.Position{}, nil
	}
	out.Session, out.Budget, out.Outputs = p.SessionSettings(), p.Input.Budget, p.Outputs()
	for i := range out.Outputs {
		out.Outputs[i].Position = cento.Position{}
	}
	if out.Store, err = site.StoreAddress(r); failed(err) {
		return out
	}
	models, err := site.Models(r)
	if failed(err) {
		return out
	}
	out.Models = models.Models()
	request, chosen, err := p.WireRequest(p.Input, prompt)
	if failed(err) {
		return out
	}
	if chosen {
		request.Messages = []wire.Message{{Role: "user", Text: "Go on."}}
		body, err := wire.Build(request)
		if failed(err) {
			return out
		}
		out.Request = body.Body
	}
	report, err := lint.Run(t.Context(), site, r, lint.Options{})
	if failed(err) {
		return out
	}
	for _, f := range report.Findings {
		out.Findings = append(out.Findings, string(f.Code)+" "+f.ID+" "+f.Message+" "+f.Ignored)
	}
	tested, err := app.Test(t.Context(), r, app.TestOptions{})
	if failed(err) {
		return out
	}
	for _, result := range tested.Results {
		for _, f := range result.Failures {
			result.Name += "; " + f.Assertion + ": " + f.Message
		}
		out.Tests = append(out.Tests, result.Target+" "+result.Name)
	}
	return out
}

// keptListing answers for every server with one tool.
type keptListing struct{}

func (keptListing) List(context.Context, consent.Server, string) (consent.Listing, error) {
	return consent.NewListing("notes 1", "", []consent.ListedTool{{Name: "note"}})
}

func (l keptListing) Kept(s consent.Server, dir string) (consent.Listing, error) {
	return l.List(context.Background(), s, dir)
}

// keyFiles are what manifests of the table name.
var keyFiles = map[string]string{
	"project/.git/HEAD":                           "",
	"project/AGENTS.md":                           "Use tabs.\n@more.md\n",
	"project/more.md":                             "Write tests.\n",
	"project/sub/AGENTS.md":                       "Use tabs here.\n",
	"project/sub/marker":                          "",
	"project/go.mod":                              "module example.com/tides\n",
	"project/.cento/prompts/a.md":                 "Alpha.\n",
	"project/.cento/prompts/when.md":              "On {{ date }}.\n",
	"project/.cento/prompts/v.md":                 "Mode {{ vars.mode }}.\n",
	"project/.agents/skills/tides/SKILL.md":       "---\nname: tides\ndescription: Reads tide tables.\nallowed-tools: shell\n---\nRead the table.\n",
	"project/.agents/skills/charts/SKILL.md":      "---\nname: charts\ndescription: Reads charts.\n---\nRead the chart.\n",
	"project/tools.json":                          `[{"name": "grep", "guidance": "Grep first."}]`,
	"project/contract.json":                       `{"role": "analyzer", "objective": "find the fault", "output": {"emit": "evaluation", "key": "votes"}}`,
	"project/words.yaml":                          "prompt: {loop_contract: Stop when it is done.}\n",
	"project/.cento/packs/house/pack.yaml":        "name: house\nversion: 1.0.0\ndescription: Words of the house.\n",
	"project/.cento/packs/house/prompts/style.md": "House style.\n",
	"project/golden.txt":                          "Beta.\n",
	"home/x":                                      "",
	"home/.agents/skills/own/SKILL.md":            "---\nname: own\ndescription: Reads the user's own.\n---\nRead it.\n",
}

// TestEveryKeyDoesSomething walks the schema of the manifest: each of its keys
// stands in the table, and changing it changes an answer. A key that means nothing
// is refused. What holds for a manifest holds for its targets.
func TestEveryKeyDoesSomething(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range keyFiles {
		makeFile(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	dir := filepath.Join(top, "project")
	asked := map[string]keyAnswers{} // many keys change the same manifest
	ask := func(text, target string) keyAnswers {
		if a, known := asked[target+":"+text]; known {
			return a
		}
		if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte("{"+text+"}\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		a := askKeys(t, dir, target)
		asked[target+":"+text] = a
		return a
	}
	rows := map[string]keyRow{}
	for _, row := range keyRows {
		if _, twice := rows[row.path]; twice {
			t.Errorf("%s stands in the table twice", row.path)
		}
		rows[row.path] = row
	}
	known := map[string]bool{}
	for i, path := range schemaKeys(t) {
		known[path] = true
		row, there := rows[path]
		in, below := "", false // the target; whether the key is one of targets alone
		if key, ok := strings.CutPrefix(path, "target."); ok {
			if in, below = "t", there; !there {
				row, there = rows[key], rows[key].path != ""
			}
		}
		if strings.HasPrefix(path, "target_") {
			in = "t"
			row.base, row.changed, row.code, there = changeRowOf(path, rows)
		}
		if !there {
			t.Errorf("the schema has the key %s, and the table doesn't show what it does", path)
			continue
		}
		if i%lengthtest.Of(6, 3, 1) != 0 {
			continue // each manifest is read anew for a dozen questions
		}
		t.Run(path, func(t *testing.T) {
			before, after := row.base, row.changed
			switch {
			case below:
				before, after = inTarget("", row.base), inTarget("", row.changed)
			case in != "":
				before, after = inTarget(row.base, ""), inTarget(row.base, row.changed)
			}
			a, b := ask(before, in), ask(after, in)
			if b.Code != row.code || row.code == "" && b.Error != "" {
				t.Fatalf("{%s}: code %q, want %q: %s", after, b.Code, row.code, b.Error)
			}
			if same(t, a, b) {
				t.Errorf("{%s} and {%s} have the same answers", before, after)
			}
		})
	}
	for _, row := range changeRows {
		if !known[row.path] {
			t.Errorf("the table has the key %s, and the schema doesn't", row.path)
		}
	}
	for path := range rows {
		if !known[path] {
			t.Errorf("the table has the key %s, and the schema doesn't", path)
		}
	}
}

func same(t *testing.T, a, b keyAnswers) bool {
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(x) == string(y)
}

// inTarget is a manifest with a target t that says more.
func inTarget(base, over string) string {
	if base != "" {
		base += ", "
	}
	return base + "targets: {t: {" + over + "}}"
}

// schemaKeys are the keys of the manifest's schema, each once: those of a
// definition below its name.
func schemaKeys(t *testing.T) []string {
	var root map[string]any
	if err := json.Unmarshal(manifest.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(at any, path string)
	walk = func(at any, path string) {
		n := objectOf(at)
		if n == nil {
			return
		}
		for key, value := range objectOf(n["properties"]) {
			name := strings.TrimPrefix(path+"."+key, ".")
			seen[name] = true
			walk(value, name)
		}
		if n["items"] != nil {
			walk(n["items"], path+"[]")
		}
		walk(n["additionalProperties"], path+".*")
		for _, word := range []string{"anyOf", "oneOf", "allOf"} {
			list, _ := n[word].([]any)
			for _, x := range list {
				walk(x, path)
			}
		}
	}
	walk(root, "")
	for name, def := range objectOf(root["$defs"]) {
		walk(def, name)
	}
	var out []string
	for path := range seen {
		out = append(out, path)
	}
	if len(out) < 200 {
		t.Fatalf("the schema has %d keys: the test looks at the wrong place", len(out))
	}
	slices.Sort(out)
	return out
}

func objectOf(v any) map[string]any { m, _ := v.(map[string]any); return m }
