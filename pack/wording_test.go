package pack_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/pack"
)

// TestWording lays the files user.yaml, user.toml, workspace.yaml and pack.yaml
// of an archive over the built-in wording, in this order, and renders the text
// that `key` names.
func TestWording(t *testing.T) {
	archives(t, "wording", func(t *testing.T, files map[string]string) map[string]string {
		var layers []*pack.Wording
		for _, f := range []struct {
			name  string
			trust cento.Trust
		}{
			{"user.yaml", cento.TrustUser}, {"user.toml", cento.TrustUser},
			{"workspace.yaml", cento.TrustWorkspace}, {"workspace.toml", cento.TrustWorkspace}, {"pack.yaml", cento.TrustWorkspace},
		} {
			if text, ok := files[f.name]; ok {
				w, err := pack.ParseWording(f.name, text, f.trust, cento.Limits{})
				if err != nil {
					return map[string]string{"want/error": archive.Error(t, err)}
				}
				layers = append(layers, w)
			}
		}
		l := pack.NewLoader(roots(t, files), cento.Limits{})
		c, notes, err := pack.NewCatalog(l, layers...)
		if err != nil {
			return map[string]string{"want/error": archive.Error(t, err)}
		}
		if files["input"] != "" {
			c = c.With(variables(t, files["input"]))
		}
		key := pack.Key(line(files["key"]))
		if !slices.Contains(pack.Keys(), key) {
			t.Fatalf("the archive has no key: %q", key)
		}
		x, err := wording(c, key)
		if err != nil {
			return map[string]string{"want/error": archive.Error(t, err)}
		}
		out := map[string]string{"want/prompt": x.Body + "\n", "want/runs": runLines(t, l, x)}
		checkPlaces(t, files, x)
		if n := noteLines(notes); n != "" {
			out["want/notes"] = n
		}
		return out
	})
}

// checkPlaces holds literal text to the bytes of the files of wording.
func checkPlaces(t *testing.T, files map[string]string, x cento.Text) {
	t.Helper()
	for _, r := range x.Runs {
		if src, ok := files[r.Position.File]; ok && !r.Fixed {
			if !strings.HasPrefix(src[offsetOf(src, r.Position):], x.Body[r.Start:r.End]) {
				t.Errorf("%q doesn't stand at %s", x.Body[r.Start:r.End], r.Position)
			}
		}
	}
}

// wording renders one key with fixed data.
func wording(c *pack.Catalog, key pack.Key) (cento.Text, error) {
	switch key {
	case pack.WorkingBoundariesSection:
		return c.WorkingBoundariesSection(text("Readable:\n  - /a"))
	case pack.AgentsMDSection:
		return c.AgentsMDSection(text("Be {{ kind }}."), []string{"AGENTS.md"})
	case pack.ToolContract:
		return c.ToolContract([]cento.Tool{{Name: "read", Description: "Reads.", Trust: cento.TrustTool, Parameters: json.RawMessage(`{"a": 1}`)}})
	case pack.SkillCatalog:
		return c.SkillCatalog([]cento.ListedSkill{{Name: text("pdf"), Description: text("Reads PDF files")}})
	case pack.MainAgentIntro:
		return c.MainAgentIntro(text("Fern"))
	case pack.CoreGuidance:
		parts, err := c.CoreGuidance()
		if err != nil {
			return cento.Text{}, err
		}
		if len(parts) != 1 {
			return cento.Text{}, errors.New("an overridden core guidance is one fragment")
		}
		return parts[0].Text, nil
	case pack.InstructionsCut:
		return c.InstructionsCut("a/AGENTS.md", 10, 20, 15)
	case pack.LoopContract:
		return c.LoopContract()
	case pack.DeniedHeading:
		return c.DeniedHeading()
	case pack.CompactSystem, pack.NotifyWrapper, pack.InterruptToolResultSummary, pack.InterruptSystemNote:
		return c.HostText(key, text("The build is done."))
	}
	return cento.Text{}, errors.New("no data for " + string(key))
}

// A configuration that holds other things too has its wording under prompt.
func TestWordingIn(t *testing.T) {
	w, err := pack.WordingIn("config.yaml", "skills: auto\nprompt: {loop_contract: Stop.}\n", cento.TrustUser, cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := pack.NewCatalog(pack.NewLoader(pack.Roots{}, cento.Limits{}), w)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := c.LoopContract(); err != nil || x.Body != "Stop." || x.Trust != cento.TrustUser || x.Origin.Line != 2 {
		t.Errorf("%+v, %v", x, err)
	}
	for _, text := range []string{"", "skills: auto\n"} {
		if w, err := pack.WordingIn("config.yaml", text, cento.TrustUser, cento.Limits{}); err != nil || len(pack.WordingTexts(w)) != 0 {
			t.Errorf("%q: %v, %v", text, w, err)
		}
	}
	_, err = pack.WordingIn("config.yaml", "prompt: [x]\n", cento.TrustUser, cento.Limits{})
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Position != (cento.Position{File: "config.yaml", Line: 1, Column: 9}) {
		t.Error(err)
	}
}

// FuzzTOML holds that whatever is read knows where it stands, and is what another
// reader makes of it.
func FuzzTOML(f *testing.F) {
	for _, s := range []string{
		"[prompt]\na = 'x'\n", "prompt.a = \"\\u00e9\\n\"", "[prompt]\na = \"\"\"\nx\\\n  y\"\"\"\"", "[prompt]\n'a' = '''x''''", "# c\n", "[prompt]\na=1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ToValidUTF8(s, "") != s {
			return
		}
		agree(t, s)
		w, err := pack.ParseWording("f.toml", s, cento.TrustUser, cento.Limits{})
		if err != nil {
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Position.Line < 1 || e.Position.Column < 1 {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		for key, x := range pack.WordingTexts(w) {
			end := 0
			for _, r := range x.Runs {
				if r.Start != end || r.End <= r.Start {
					t.Fatalf("%q: runs of %s don't tile: %+v", s, key, x.Runs)
				}
				end = r.End
				if !r.Fixed && !strings.HasPrefix(s[offsetOf(s, r.Position):], x.Body[r.Start:r.End]) {
					t.Fatalf("%q: %q doesn't stand at %s", s, x.Body[r.Start:r.End], r.Position)
				}
			}
			if end != len(x.Body) {
				t.Fatalf("%q: %d of %d bytes have a place", s, end, len(x.Body))
			}
		}
	})
}

func TestConditions(t *testing.T) {
	archives(t, "when", func(t *testing.T, files map[string]string) map[string]string {
		var in input
		if err := json.Unmarshal([]byte(files["input"]), &in); err != nil {
			t.Fatal(err)
		}
		vars := func(name string) jinja.Value {
			if files[name] == "" {
				return jinja.Value{}
			}
			v, err := jinja.FromJSON([]byte(files[name]), 1)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		engine := pack.NewConditions(pack.ConditionVars{
			Declared: vars("declared"), Given: vars("given"),
			Model: in.Model.Facts, ModelName: in.Model.Name,
			Known: func() (tools, caps []string) { return in.Tools, in.Caps },
		})
		active := cento.Active{Tools: in.Tools, Caps: in.Caps, Model: in.Model.Name}
		var b strings.Builder
		failed := ""
		for n, expr := range strings.Split(line(files["when"]), "\n") {
			at := cento.Position{File: "cento.yaml", Line: n + 1, Column: 9}
			c, err := engine.Compile(cento.Text{Body: expr, Runs: []cento.Run{{End: len(expr), Position: at}}})
			if err != nil {
				failed += archive.Error(t, err)
				continue
			}
			ok, err := c.Eval(active)
			if err != nil {
				failed += archive.Error(t, err)
				continue
			}
			if again, err := c.Eval(active); err != nil || again != ok {
				t.Errorf("%s: %v, then %v, %v", expr, ok, again, err)
			}
			b.WriteString(map[bool]string{true: "yes ", false: "no  "}[ok] + expr + "\n")
		}
		out := map[string]string{}
		if b.Len() > 0 {
			out["want/prompt"] = b.String()
		}
		if failed != "" {
			out["want/error"] = failed
		}
		return out
	})
}

// The active set of one question is not that of the next, also when the caller
// uses its slices again.
func TestConditionsFollowTheActiveSet(t *testing.T) {
	c, err := pack.NewConditions(pack.ConditionVars{}).Compile(cento.Text{Body: "tool('a') and not cap('x')"})
	if err != nil {
		t.Fatal(err)
	}
	tools := []string{"a"}
	for _, step := range []struct {
		tool string
		caps []string
		want bool
	}{{"a", nil, true}, {"b", nil, false}, {"a", []string{"x"}, false}, {"a", []string{"y"}, true}} {
		tools[0] = step.tool
		got, err := c.Eval(cento.Active{Tools: tools, Caps: step.caps})
		if err != nil || got != step.want {
			t.Errorf("%+v: %v, %v", step, got, err)
		}
	}
	if got := c.(*pack.Condition).Names("tool"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("names %v", got)
	}
}

func BenchmarkCondition(b *testing.B) {
	c, err := pack.NewConditions(pack.ConditionVars{}).Compile(cento.Text{Body: "tool('t50') and not cap('interactive')"})
	if err != nil {
		b.Fatal(err)
	}
	a := cento.Active{Caps: []string{"git"}}
	for i := range 100 {
		a.Tools = append(a.Tools, "t"+string(rune('0'+i/10))+string(rune('0'+i%10)))
	}
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := c.Eval(a); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}
