package contract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLinesHoldNoHeading: an id at the beginning of a line makes no heading of the
// text behind it.
func TestLinesHoldNoHeading(t *testing.T) {
	for id, want := range map[string]string{"#": `\u0023 `, "###": `\u0023## `, "#12": "#12 ", "a#": "a# "} {
		var ctx Context
		ctx.AddFacts("seeds", Fact{id, "Note"})
		c, err := New(Proposer, "x", ctx, NewOutput(EmitPlan, "seeds"))
		if err != nil {
			t.Fatal(err)
		}
		text := c.Text(Lines)
		if !strings.HasSuffix(text, "\n"+want+"Note") {
			t.Errorf("%q: %q", id, text)
		}
		if back, err := Parse(Lines, text, ParseOptions{}); err != nil || !back.Equal(c) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// converge writes a contract as converge does: the objective is a
// keyword whatever it holds, and strings have five escapes.
func converge(c *Contract) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
	var s strings.Builder
	s.WriteString("{:r :" + string(c.role) + "\n :o :" + strings.ReplaceAll(c.objective, " ", "-") + "\n :c {")
	for i, g := range c.groups {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(":" + g.key + " [{")
		for k, f := range c.facts[g.from:g.to] {
			if k > 0 {
				s.WriteString("} {")
			}
			s.WriteString(`:id "` + escape.Replace(f.ID) + `" :c "` + escape.Replace(f.Content) + `"`)
		}
		s.WriteString("}]")
	}
	s.WriteString("}\n :k #{")
	first := true
	for k := range c.constraints.All() {
		if !first {
			s.WriteByte(' ')
		}
		first = false
		s.WriteString(":" + k.String())
	}
	s.WriteString("}\n :out {:emit :" + c.output.Emit.String() + " :key :" + c.output.Key)
	if c.output.Format != NoFormat {
		s.WriteString(" :format :" + c.output.Format.String())
	}
	s.WriteString("}}")
	return s.String()
}

// TestConverge: all that converge writes is read, with hyphens for the spaces of
// the objective, as it writes them.
func TestConverge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		text := converge(c)
		back, err := Parse(EDN, text, ParseOptions{Keys: declaredKeys, Roles: declaredRoles})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want := *c
		want.objective = strings.ReplaceAll(c.objective, " ", "-")
		if !back.Equal(&want) {
			t.Fatalf("got %q, want %q, of\n%s", back.objective, want.objective, text)
		}
	})
	for _, objective := range []string{"2024 outlook", "naïve", "", "a/b", ":x", "say \"hi\", now; {now}\n :c {}", "a\n\n:c"} {
		c, err := New(Proposer, objective, Context{}, NewOutput(EmitPlan, "strategies"))
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse(EDN, converge(c), ParseOptions{})
		if err != nil || back.objective != strings.ReplaceAll(objective, " ", "-") {
			t.Errorf("%q: %v, %v", objective, back, err)
		}
	}
	// In any other layout a keyword is what EDN says.
	if _, err := Parse(EDN, "{:o :2024-outlook\n :c {} :r :proposer :k #{} :out {:emit :plan :key :strategies}}", ParseOptions{}); err == nil {
		t.Error("a keyword that begins like a number is read")
	}
}
