package tests

import (
	"slices"
	"testing"

	"github.com/cento-dev/cento"
)

// TestMakers: every span says who made its text: its run where that says so, else the
// source, the file and the trust. A run that says so changes nothing in the prompt.
func TestMakers(t *testing.T) {
	at := func(file string) cento.Position { return cento.Position{File: file, Line: 1, Column: 1} }
	for _, c := range []struct {
		name string
		f    cento.Fragment
		want []cento.Maker // of the body
	}{
		{"a call", cento.NewFragment("x", "host", cento.Before, "text"), []cento.Maker{cento.ByCaller}},
		{"a file of the host", cento.Fragment{ID: "x", Body: "text", Trust: cento.TrustHost, Origin: at("host.md")}, []cento.Maker{cento.ByCaller}},
		{"Cento", cento.Fragment{ID: "x", Body: "text", Trust: cento.TrustBuiltin}, []cento.Maker{cento.ByProgram}},
		{"the user", cento.Fragment{ID: "x", Body: "text", Trust: cento.TrustUser, Origin: at("~/notes.md")}, []cento.Maker{cento.ByAuthor}},
		{"the project", cento.Fragment{ID: "x", Source: "manifest", Body: "text", Trust: cento.TrustWorkspace, Origin: at("cento.yaml")}, []cento.Maker{cento.ByAuthor}},
		{"a skill of the project", cento.Fragment{ID: "skill:x", Source: "skill", Body: "text", Trust: cento.TrustWorkspace, Origin: at("x/SKILL.md")}, []cento.Maker{cento.BySkill}},
		{"a skill of the user", cento.Fragment{ID: "skill:x", Body: "text", Trust: cento.TrustUser, Origin: at("~/x/SKILL.md")}, []cento.Maker{cento.BySkill}},
		{"a pack", cento.Fragment{ID: "x", Source: "manifest", Body: "text", Trust: cento.TrustWorkspace, Origin: at("$pack/acme/a.md")}, []cento.Maker{cento.ByPack}},
		{"a tool", cento.Fragment{ID: "x", Source: "manifest", Body: "text", Trust: cento.TrustTool, Origin: at("cento.yaml")}, []cento.Maker{cento.ByTool}},
		{"a session", cento.Fragment{ID: "x", Source: "reminder", Body: "text"}, []cento.Maker{cento.BySession}},
		{"a list of skills", cento.Fragment{ID: cento.SkillCatalogID, Source: "primary", Body: "Skills: zip, tools", Trust: cento.TrustBuiltin, Runs: []cento.Run{
			{End: 8, Trust: cento.TrustBuiltin}, {Start: 8, End: 11, Var: "skills[0].name", Position: at("zip/SKILL.md"), Trust: cento.TrustWorkspace}, {Start: 11, End: 18, Trust: cento.TrustBuiltin},
		}}, []cento.Maker{cento.ByProgram, cento.BySkill, cento.ByProgram}},
		{"a variable called as the list of skills", cento.Fragment{ID: "x", Source: "manifest", Body: "zip", Trust: cento.TrustWorkspace, Runs: []cento.Run{
			{End: 3, Var: "skills.name", Position: at("cento.yaml"), Trust: cento.TrustWorkspace},
		}}, []cento.Maker{cento.ByAuthor}},
		{"runs that say it", cento.Fragment{ID: "x", Source: "scope", Body: "/repo rules day", Trust: cento.TrustBuiltin, Runs: []cento.Run{
			{End: 6, Trust: cento.TrustHost, MadeBy: cento.ByProgram}, {Start: 6, End: 12, Position: at("a.md"), Trust: cento.TrustWorkspace, MadeBy: cento.ByImport}, {Start: 12, End: 15, Trust: cento.TrustHost},
		}}, []cento.Maker{cento.ByProgram, cento.ByImport, cento.ByCaller}},
	} {
		p, err := cento.ReduceFragments([]cento.Fragment{c.f}, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		var got []cento.Maker
		for s := range p.AllSpans() {
			got = append(got, s.MadeBy)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the text is made by %v, not %v", c.name, got, c.want)
		}
		plain := c.f
		plain.Runs = slices.Clone(plain.Runs)
		for i := range plain.Runs {
			plain.Runs[i].MadeBy = 0
		}
		if q, err := cento.ReduceFragments([]cento.Fragment{plain}, cento.Active{}, cento.Options{}); err != nil || q.Digest() != p.Digest() {
			t.Errorf("%s: who made a text changes the prompt (%v)", c.name, err)
		}
	}
	// A mark before a line and what closes a text are the program's, and what a character is
	// spelled as is its author's.
	guarded := cento.Fragment{ID: "c", Source: "skill", Body: "a\n## Working boundaries\n\u200b\n```\nb", Trust: cento.TrustWorkspace}
	g, err := cento.ReduceFragments([]cento.Fragment{guarded}, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := g.System()
	program := ""
	for _, s := range g.Spans() {
		switch s.MadeBy {
		case cento.ByProgram:
			program += text[s.Start:s.End] + "|"
		case cento.BySkill:
		default:
			t.Errorf("%q is made by %s", text[s.Start:s.End], s.MadeBy)
		}
	}
	if program != "> |\n```|" {
		t.Errorf("the program made %q of %q", program, text)
	}
	// What the reducer writes for a fragment is as that is; a heading of another's words is theirs.
	of := cento.Fragment{ID: "b", Source: "skill", Body: "text", Title: "Title", Section: "Program", Trust: cento.TrustWorkspace, SectionFrom: &cento.Attribution{Trust: cento.TrustBuiltin}}
	p, err := cento.ReduceFragments([]cento.Fragment{cento.NewFragment("a", "host", cento.Before, "first"), of}, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []cento.Maker{cento.ByCaller, cento.BySkill, cento.ByProgram, cento.BySkill, cento.BySkill}
	for i, s := range p.Spans() {
		if i >= len(want) || s.MadeBy != want[i] {
			t.Errorf("span %d, %s of %s, is made by %s, of %v", i, s.Kind, s.Fragment, s.MadeBy, want)
		}
	}
}

// TestStrangers: whose text is looked at with care. Beside each rule stands what just
// misses it: the same maker with a trust that somebody gave, or the same trust of
// somebody of the project.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		by    cento.Maker
		trust cento.Trust
		want  bool
	}{
		{cento.ByTool, cento.TrustTool, true},
		{cento.BySession, cento.TrustSession, true},
		{cento.ByPack, cento.TrustWorkspace, true},
		{cento.BySkill, cento.TrustWorkspace, true},
		{cento.ByTool, cento.TrustUser, false},
		{cento.ByPack, cento.TrustUser, false},
		{cento.BySkill, cento.TrustHost, false},
		{cento.ByAuthor, cento.TrustWorkspace, false},
		{cento.ByCaller, cento.TrustTool, false},
		{cento.ByProgram, cento.TrustSession, false},
		{0, cento.TrustSession, false},
	} {
		if got := c.by.Stranger(c.trust); got != c.want {
			t.Errorf("%v with the trust %v: %v", c.by, c.trust, got)
		}
	}
}
