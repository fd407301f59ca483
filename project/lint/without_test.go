package lint

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// anew reports what ungatedMentions does, by making the whole prompt without each tool.
func anew(s *subject, t *target, report func(Finding)) error {
	for _, m := range t.mentions(s.known()) {
		i, _ := t.prompt.Index(m.id)
		f := t.prompt.Fragment(i)
		if len(f.RequiresTools) > 0 {
			continue
		}
		in := t.project.Input
		if len(in.ActiveTools()) == len(in.WithoutTool(m.tool).ActiveTools()) {
			continue
		}
		p, err := t.project.Reduce(in.WithoutTool(m.tool))
		if err != nil {
			return err
		}
		for _, still := range mentions(p, newNames([]string{m.tool})) {
			if still == m {
				report(Finding{Position: m.at, ID: m.id, Message: fmt.Sprintf("tells of the tool %s, and stays when the tool is gone", quoted(m.tool))})
			}
		}
	}
	return nil
}

// Law: the words that are told to stay when a tool is gone are those of the prompt made
// anew without it.
func TestWithoutIsThePromptMadeAnew(outer *testing.T) {
	found := 0
	rapid.Check(outer, func(t *rapid.T) {
		tool := rapid.SampledFrom([]string{"tool_a", "tool_b", "tool_c"})
		condition := func(name string) string {
			return rapid.SampledFrom([]string{"tool('%s')", "not tool('%s')", "tool('%s') or tool('tool_a')", "tools | length > 2 and tool('%s')"}).Draw(t, name)
		}
		files := map[string]string{}
		var b strings.Builder
		b.WriteString("version: 1\nscope: off\nsystem: Begin.\ntools: [tool_a, tool_b, tool_c]\nfragments:\n")
		for i := range rapid.IntRange(1, 6).Draw(t, "fragments") {
			fmt.Fprintf(&b, "  - id: f%d\n", i)
			if i > 0 && rapid.Bool().Draw(t, "needs") {
				fmt.Fprintf(&b, "    needs: [f%d]\n", rapid.IntRange(0, i-1).Draw(t, "needed"))
			}
			switch rapid.IntRange(0, 3).Draw(t, "gate") {
			case 1:
				fmt.Fprintf(&b, "    when: \""+condition("when")+"\"\n", tool.Draw(t, "asked"))
			case 2:
				fmt.Fprintf(&b, "    requires_any_tools: [%s, tool_c]\n", tool.Draw(t, "any"))
			}
			words := fmt.Sprintf("Use `%s` and `%s` for part %d.", tool.Draw(t, "told"), tool.Draw(t, "told"), i)
			if rapid.Bool().Draw(t, "literal") {
				fmt.Fprintf(&b, "    body: %s\n", words)
				continue
			}
			fmt.Fprintf(&b, "    template: $workspace/f%d\n", i)
			files[fmt.Sprintf(".cento/prompts/f%d.md", i)] = fmt.Sprintf("Part %d.\n{%% if "+condition("if")+" %%}"+words+"{%% else %%}Without `tool_b`.{%% endif %%}\n{{ tools | join(', ') }}\n", i, tool.Draw(t, "asked"))
		}
		files["cento.yaml"] = b.String()
		r, site := lintable(outer, files)
		report, err := Run(outer.Context(), site, r, Options{},
			Check{Code: "is", Severity: cento.SeverityWarning, prompt: ungatedMentions}, Check{Code: "wanted", Severity: cento.SeverityWarning, prompt: anew})
		if err != nil {
			t.Fatalf("%v\n%s", err, files["cento.yaml"])
		}
		sides := map[cento.Code][]string{}
		for _, f := range report.Findings {
			sides[f.Code] = append(sides[f.Code], fmt.Sprintf("%s: %s", f.Position, f.Message))
			found++
		}
		if is, wanted := fmt.Sprint(sides["is"]), fmt.Sprint(sides["wanted"]); is != wanted {
			t.Fatalf("%s\n%v\ntold:   %s\nwanted: %s", files["cento.yaml"], files, is, wanted)
		}
	})
	if found == 0 {
		outer.Error("nothing was ever found")
	}
}
