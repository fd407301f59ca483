package tests

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// groupOf is the group of the program's that a fragment is in; empty for one
// that is in none: what a host says, the agent's main text, a section that
// somebody titled, the protected tail.
func groupOf(id string) string {
	switch {
	case strings.HasPrefix(id, "skill:"), id == cento.SkillCatalogID:
		return "skills"
	case strings.HasPrefix(id, "tool:"), strings.HasPrefix(id, "server:"), id == "primary:mcp_advisory", id == "primary:progress_tool":
		return "tools"
	case id == "primary:loop_contract", id == "primary:tool_contract":
		return "the rest of the agent's block"
	case strings.HasPrefix(id, "profile:"):
		return "profile"
	case strings.HasPrefix(id, "manifest."):
		return "manifest"
	case strings.HasPrefix(id, "reminder:"):
		return "reminders"
	case strings.HasPrefix(id, "slot:intro/"):
		return "contributions"
	case id == "host:system_suffix", id == "host:system_appendix":
		return "host"
	}
	return ""
}

// headedBodies are texts with headings in all forms, at all places.
func headedBodies() *rapid.Generator[string] {
	line := rapid.SampledFrom([]string{
		"Words.", "More words", "# One", "## Two", "### Three", "   ###### Six", "Under\n===", "Under\n  --", "- item", "```sh\n# comment\n```",
		"#no heading", "    # code", "> # quoted", "",
	})
	return rapid.Map(rapid.SliceOfN(line, 1, 4), func(lines []string) string { return strings.Join(lines, "\n") })
}

// groupedInputs draws inputs that have fragments of all groups.
func groupedInputs() *rapid.Generator[cento.Input] {
	return rapid.Custom(func(t *rapid.T) cento.Input {
		words := func(name, usual string) cento.Text {
			return cento.Text{Body: usual, Trust: cento.TrustBuiltin, Origin: cento.Position{File: name, Line: 1, Column: 1}}
		}
		in := cento.Input{Active: activeSets().Draw(t, "active"), Headings: cento.Headings{
			Skills: words("skills_heading.md", "Skills"), Profile: words("profile_heading.md", "Project"), Tools: words("tools_heading.md", "Tools"),
			Manifest: words("manifest_heading.md", "Additional instructions"), Reminders: words("reminders_heading.md", "Reminders"),
		}}
		body := func() string { return headedBodies().Draw(t, "body") }
		list := func(prefix string, sections ...string) (out []cento.Fragment) {
			for i := range rapid.IntRange(0, 3).Draw(t, prefix) {
				f := cento.Fragment{
					ID: prefix + fmt.Sprint(i), Body: body(), Trust: cento.TrustWorkspace,
					Bucket: rapid.SampledFrom([]cento.Bucket{cento.Before, cento.Before, cento.After}).Draw(t, "bucket"),
				}
				if len(sections) > 0 {
					f.Section = rapid.SampledFrom(append(sections, "")).Draw(t, "section")
				}
				if rapid.IntRange(0, 3).Draw(t, "title?") == 0 {
					f.Title = "Title"
				}
				if rapid.Bool().Draw(t, "gated?") {
					f.RequiresTools = []string{"todo"}
				}
				out = append(out, f)
			}
			return out
		}
		in.Host.SystemPreamble = cento.HostText(body())
		in.Host.SystemAppendix, in.Host.SystemSuffix = cento.HostText(body()), cento.HostText(body())
		in.Profile, in.Fragments, in.Reminders = list("profile:"), list("manifest.", "Style", "Tools"), list("reminder:")
		in.Primary = cento.Primary{
			System: &cento.Text{Body: body()}, Skills: list("skill:"), ProgressTool: &cento.Text{Body: body()}, ProgressToolName: "todo",
			LoopContract: &cento.Text{Body: body()}, ToolContract: &cento.Text{Body: body()}, MCPAdvisory: &cento.Text{Body: body()},
		}
		for _, f := range list("slot:intro/") {
			f.Source, f.SectionIndex, f.Bucket = "slot:intro", 1, cento.Before
			in.Primary.Sections = append(in.Primary.Sections, f)
		}
		for _, name := range someTools {
			if tool := (cento.Tool{Name: name}); rapid.Bool().Draw(t, name) {
				text := body()
				tool.Guidance, tool.Server = &text, rapid.SampledFrom([]string{"", "server"}).Draw(t, "server")
				in.Tools = append(in.Tools, tool)
			}
		}
		in.Servers = []cento.ToolServer{{Name: "server", Instructions: cento.Text{Body: body()}}}
		return in
	})
}

var (
	headingMarks = regexp.MustCompile(`(?m)^ {0,3}#{1,6}([ \t]|$)|^ {0,3}(=+|-+)[ \t]*$`)
	opensMarks   = regexp.MustCompile(`^ {0,3}##?([ \t]|\n|$)`)
)

// Law: no text of one of the program's groups stands under the heading of
// another. The last heading before it is the group's own, or stands in a text of
// the same group where that is one party's, or there is none; or it begins with a
// heading that ends what was before.
func TestNothingStandsUnderAStrangersHeading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := groupedInputs().Draw(t, "input")
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := p.System()
		for i := range p.Len() {
			f := p.Fragment(i)
			start, end, ok := p.Extent(i)
			group := groupOf(f.ID)
			if !ok || group == "" || strings.TrimSpace(f.Section) != "" && f.SectionFrom == nil || opensMarks.MatchString(text[start:end]) {
				continue
			}
			before := headingMarks.FindAllStringIndex(text[:start], -1)
			if len(before) == 0 {
				continue
			}
			at := before[len(before)-1][0]
			above, _ := p.SpanAt(at)
			j, _ := p.Index(above.Fragment)
			from, _, _ := p.Extent(j)
			line, _, _ := strings.Cut(text[at:], "\n")
			switch own := at < from; {
			case own && line == "## "+f.Section:
			case !own && groupOf(above.Fragment) == group && !slices.Contains([]string{"skills", "tools", "reminders", "profile"}, group):
			default:
				t.Fatalf("%s stands under %q, of %s, in\n%s", f.ID, line, above.Fragment, text)
			}
		}
	})
}

// Law: the heading of skills and of tools stands once, and the texts without headings
// of their own directly under it. It is said again only where it has to be: for a text
// that has words before its first heading, behind another text with a heading. Of
// two such texts one always stands behind the heading of the other.
func TestHeadingsOfGroupsStandOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := groupedInputs().Draw(t, "input")
		for i := range in.Primary.Skills {
			f := &in.Primary.Skills[i]
			f.Bucket, f.Section, f.Title = cento.Before, "", ""
		}
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := p.System()
		for _, group := range []string{"skills", "tools"} {
			printed, within := 0, 0
			for s := range p.AllSpans() {
				i, _ := p.Index(s.Fragment)
				start, end, _ := p.Extent(i)
				if groupOf(s.Fragment) != group || s.Start > start {
					continue
				}
				if s.Kind == cento.HeadingSpan && s.Start < start {
					printed++
				}
				body := text[start:end]
				switch {
				case s.Start < start || opensMarks.MatchString(body):
				case headingMarks.MatchString(body):
					within++
				default:
					if printed > 1 {
						t.Fatalf("%s stands under a heading that was said again in\n%s", s.Fragment, text)
					}
				}
			}
			if printed > max(1, within) {
				t.Fatalf("the heading of %s stands %d times, and %d texts of it have words before a heading, in\n%s", group, printed, within, text)
			}
		}
	})
}

// Law: in a group that has a heading, the texts without one of their own stand directly
// under it, behind them those with a title or a heading within, and last those that begin
// with a section's heading; within each of these in the order that they were given. In a
// group without a heading that order stays whole.
func TestOrderWithinAGroup(t *testing.T) {
	rank := map[string]int{"plain": 0, "titled": 1, "titled and headed": 1, "headed": 1, "opens": 2}
	kinds := slices.Sorted(maps.Keys(rank))
	fragment := func(id, kind string) cento.Fragment {
		f := cento.Fragment{ID: id, Body: "Words of " + id + ".", Trust: cento.TrustWorkspace}
		if strings.HasPrefix(kind, "titled") {
			f.Title = "Title of " + id
		}
		switch kind {
		case "titled and headed", "opens":
			f.Body = "## Head of " + id + "\n\n" + f.Body
		case "headed":
			f.Body += "\n\n## Head of " + id + "\n\nMore."
		}
		return f
	}
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.SampledFrom(kinds), 2, 6).Draw(t, "kinds")
		heading := rapid.SampledFrom([]string{"Group", "", " "}).Draw(t, "heading")
		for _, group := range []string{"profile", "skills"} {
			var in cento.Input
			var want []string
			byRank := [3][]string{}
			for i, kind := range drawn {
				id := group + ":" + strconv.Itoa(i)
				want = append(want, id)
				byRank[rank[kind]] = append(byRank[rank[kind]], id)
				if group == "profile" {
					in.Profile = append(in.Profile, fragment(id, kind))
				} else {
					in.Primary.Skills = append(in.Primary.Skills, fragment(id, kind))
				}
			}
			in.Headings.Profile, in.Headings.Skills = cento.Text{Body: heading}, cento.Text{Body: heading}
			if strings.TrimSpace(heading) != "" {
				want = slices.Concat(byRank[:]...)
			}
			p, err := cento.Reduce(in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range p.Len() {
				got = append(got, p.Fragment(i).ID)
			}
			if text, _ := p.System(); !slices.Equal(got, want) {
				t.Fatalf("under the heading %q: %q, want %q of %q, in\n%s", heading, got, want, drawn, text)
			}
		}
	})
}

// Law: what the trace says of a heading is so. A fragment's section is the last
// heading of a section before it.
func TestTraceNamesTheSectionAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := cento.Reduce(groupedInputs().Draw(t, "input"))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := p.System()
		section := ""
		for s := range p.AllSpans() {
			i, _ := p.Index(s.Fragment)
			start, _, _ := p.Extent(i)
			if s.Kind == cento.HeadingSpan && s.Start < start {
				section = strings.TrimSuffix(strings.TrimPrefix(text[s.Start:s.End], "## "), "\n\n")
			}
			if s.Start != start {
				continue
			}
			trace := p.Trace(i, cento.ExplainOptions{})
			if trace.Section != nil && *trace.Section != section {
				t.Fatalf("%s is said to be in %q, and the last section is %q, in\n%s", trace.ID, *trace.Section, section, text)
			}
		}
	})
}

// Law: one trust for one text. The trace gives a text the trust of its least
// trusted span.
func TestTrustOfTraceAndSpansAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(inputs(), groupedInputs()).Draw(t, "input")
		p, err := cento.Reduce(in)
		if err != nil {
			t.Skip("refused")
		}
		for i := range p.Len() {
			start, end, ok := p.Extent(i)
			if !ok {
				continue
			}
			least := cento.TrustHost
			for s := range p.AllSpans() {
				if s.Start >= start && s.End <= end {
					least = min(least, s.Trust)
				}
			}
			if got := p.Trace(i, cento.ExplainOptions{}).Trust; got != least {
				t.Fatalf("%s is %v in the trace and %v in its spans", p.Fragment(i).ID, got, least)
			}
		}
	})
}

// Law: the heading over texts without one of their own is said again only where it has
// to be, since the order of texts is fixed: the last heading before is of somebody else.
func TestFallbackHeadingIsNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := cento.Reduce(groupedInputs().Draw(t, "input"))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := p.System()
		for s := range p.AllSpans() {
			i, _ := p.Index(s.Fragment)
			f := p.Fragment(i)
			if start, _, _ := p.Extent(i); s.Kind != cento.HeadingSpan || s.Start >= start || f.SectionForm != cento.FallbackHeading {
				continue
			}
			before := headingMarks.FindAllStringIndex(text[:s.Start], -1)
			if len(before) == 0 {
				t.Fatalf("%q over %s, with no heading before it, in\n%s", text[s.Start:s.End], f.ID, text)
			}
			at := before[len(before)-1][0]
			above, _ := p.SpanAt(at)
			j, _ := p.Index(above.Fragment)
			g := p.Fragment(j)
			if from, _, _ := p.Extent(j); at < from {
				if g.Section == f.Section && g.SectionForm == cento.FallbackHeading {
					t.Fatalf("%q over %s stands already over %s, in\n%s", text[s.Start:s.End], f.ID, g.ID, text)
				}
				continue
			}
			if g.Source == f.Source && g.Section == f.Section {
				t.Fatalf("%q over %s ends what %s of the same author says, in\n%s", text[s.Start:s.End], f.ID, g.ID, text)
			}
		}
	})
}

// TestToolsStandUnderOneHeading goes through all combinations of what is said of tools:
// however it comes about, it stands under one heading.
func TestToolsStandUnderOneHeading(t *testing.T) {
	text := func(s string) *cento.Text { return &cento.Text{Body: s, Trust: cento.TrustBuiltin} }
	for bits := range 1 << 7 {
		on := func(bit int) bool { return bits&(1<<bit) != 0 }
		in := cento.Input{AllTools: true, Headings: cento.Headings{
			Skills: *text("Skills"), Profile: *text("Project"), Tools: *text("Tools"), Manifest: *text("Additional instructions"),
		}}
		in.Primary = cento.Primary{
			System: text("Work."), MCPAdvisory: text("Advisory."), ProgressTool: text("Progress."), LoopContract: text("Loop."), ToolContract: text("Contract."),
			Skills: []cento.Fragment{{ID: "skill:a", Body: "Skill."}},
		}
		in.Profile, in.Fragments = []cento.Fragment{{ID: "profile:go", Body: "Go."}}, []cento.Fragment{{ID: "team", Body: "Team."}}
		read, served := cento.Tool{Name: "read"}, cento.Tool{Name: "served"}
		if on(0) {
			in.Primary.System = text("Work.\n\n## Style\n\nBrief.")
		}
		if on(1) {
			served.Server = "one"
		}
		if on(2) {
			in.Primary.ProgressToolName = "read"
		}
		if on(3) {
			read.Guidance = new("Reading.")
		}
		if on(4) {
			served.Guidance = new("### Serving\n\nServed.")
		}
		if on(5) {
			in.Servers = []cento.ToolServer{{Name: "one", Instructions: *text("Server.")}}
		}
		in.Tools = []cento.Tool{read, served}
		if on(6) {
			in = in.WithoutTool("read")
		}
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		system, _ := p.System()
		if n := strings.Count(system, "## Tools\n"); n > 1 {
			t.Errorf("%07b: the heading stands %d times in\n%s", bits, n, system)
		}
		for _, said := range []string{"Advisory.", "Progress.", "Reading.", "Served.", "Server."} {
			before, _, there := strings.Cut(system, said)
			if k := strings.LastIndex(before, "\n## "); there && k >= 0 && !strings.HasPrefix(before[k:], "\n## Tools\n") {
				t.Errorf("%07b: %q stands under another heading in\n%s", bits, said, system)
			}
		}
	}
}
