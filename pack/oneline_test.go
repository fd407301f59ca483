package pack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// lineEnds are the characters after which some reader begins a new line.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// hostileName draws a name with line ends and headings in it.
func hostileName(t *rapid.T, what string) string {
	parts := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom(strings.Split(lineEnds, "")),
		rapid.SampledFrom([]string{"read", "## Conduct", "- Run it", "`", "{{ date }}", "\r\n\r\n", "é"}),
	), 1, 6).Draw(t, what)
	return strings.Join(parts, "")
}

// Nothing that is put into a text of the program begins a line there, whatever a
// tool, folder, agent, model, skill or command is called. The texts that are
// about several lines of somebody else have a place of their own for them.
func TestNoNameBeginsALine(t *testing.T) {
	l := pack.NewLoader(pack.Roots{}, cento.Limits{})
	refs, err := l.List(pack.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	var files []*pack.File
	for _, r := range refs {
		if strings.HasPrefix(r.String(), "$builtin/catalog/") {
			continue // read by the catalog, below
		}
		f, err := l.Open(r, cento.Position{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) < 7 {
		t.Fatalf("%d built-in prompt files", len(files))
	}
	base := catalog(t)
	rapid.Check(t, func(t *rapid.T) {
		name := hostileName(t, "name")
		of := cento.Text{Body: name, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "f", Line: 1, Column: 1}}
		v := pack.Variables{Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC), Cwd: "/" + name, Tools: []string{name, "read"}, Caps: []string{name}, Model: pack.Model{Name: name}, AgentName: of}
		checkLine := func(what string, x cento.Text, err error) {
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, r := range x.Runs {
				if part := x.Body[r.Start:r.End]; r.Trust != cento.TrustBuiltin && strings.ContainsAny(part, lineEnds) {
					t.Fatalf("%s: %s text stands in it as %q", what, r.Trust, part)
				}
			}
		}
		for _, f := range files {
			x, err := f.Render(v)
			checkLine(f.Ref().String(), x, err)
		}
		c := base.With(v)
		put := func(what string) func(cento.Text, error) {
			return func(x cento.Text, err error) { checkLine(what, x, err) }
		}
		put("intro")(c.MainAgentIntro(of))
		put("progress")(c.ProgressTool(of))
		put("tools")(c.ToolContract([]cento.Tool{{Name: name, Description: "a " + name, Trust: cento.TrustTool, Parameters: json.RawMessage(`{"type": "object"}`)}}))
		put("skills")(c.SkillCatalog([]cento.ListedSkill{{Name: of, Description: of}}))
		put("cut")(c.InstructionsCut(name, 1, 2, 3))
		put("left out")(c.InstructionsLeftOut(name, 1, 2))
		put("language")(c.ProfileLanguage(of))
		put("build")(c.ProfileBuild(of))
		put("task")(c.ProfileTask(pack.ProjectTask{Name: of, Command: of, Others: true}))
		put("git")(c.ProfileGit([]cento.Text{of, of}))
	})
}

// A line end in a name is shown, and a command of several lines is one.
func TestLineEndsInNames(t *testing.T) {
	c := catalog(t)
	x, err := c.ProfileTask(pack.ProjectTask{Name: text("te\nst"), Command: text("make a\n\n  make b\u2028")})
	if want := "The project's te<U+000A>st command is `make a make b`."; err != nil || x.Body != want {
		t.Errorf("%q, %v; want %q", x.Body, err, want)
	}
	for _, r := range x.Runs {
		if r.Var != "" && (r.Trust != cento.TrustWorkspace || r.Position.File != "f" || !r.Fixed) {
			t.Errorf("%q is %+v", x.Body[r.Start:r.End], r)
		}
	}
	long := strings.Repeat("ä", 300)
	if x, err := c.ProfileLanguage(text(long)); err != nil || x.Body != "This project uses "+strings.Repeat("ä", 256)+"…." {
		t.Errorf("%q, %v", x.Body, err)
	}
}
