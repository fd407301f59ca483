package cache_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// side is what an archive says of one of its two requests beside the project's files.
type side struct {
	At        time.Time       `json:"at"`
	Clock     time.Time       `json:"clock"`
	Form      *wire.Form      `json:"form"`
	Model     string          `json:"model"`
	Tools     []string        `json:"tools"`
	Caps      []string        `json:"caps"`
	Vars      json.RawMessage `json:"vars"`
	Budget    int             `json:"budget"`
	Reminders []string        `json:"reminders"`
	Envelope  string          `json:"envelope"`
	Messages  []wire.Message  `json:"messages"`
	Extra     json.RawMessage `json:"extra"`
	Cache     wire.Cache      `json:"cache"`
}

// stepOf opens the project of one side and makes its request.
func stepOf(t *testing.T, dir, name string, files map[string]string) cache.Step {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	s := side{Model: "claude-opus-5"}
	for file, text := range files {
		if file == "step.json" {
			d := json.NewDecoder(strings.NewReader(text))
			d.DisallowUnknownFields()
			if err := d.Decode(&s); err != nil {
				t.Fatalf("%s/step.json: %v", name, err)
			}
			continue
		}
		treetest.File(t, dir, file, text)
	}
	least := 1 // or texts as short as these would never be kept
	served := strings.TrimSuffix(strings.TrimPrefix(s.Model, "us.anthropic."), "-v1:0")
	p, err := project.Open(t.Context(), project.Request{
		Dir: dir, Now: s.Clock, Vars: s.Vars, Caps: s.Caps, Model: s.Model,
		Models: []cento.Model{{ID: served, Cache: cento.ModelCache{MinTokens: &least}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	in := p.Input
	if s.Tools != nil {
		in = in.WithTools(s.Tools...)
	}
	if s.Budget > 0 {
		in = in.WithBudget(s.Budget)
	}
	for i, text := range s.Reminders {
		f := cento.NewFragment(fmt.Sprintf("reminder:r%d", i+1), "reminders", cento.After, text)
		f.Stability = cento.PerTurn
		in.Reminders = append(in.Reminders, f)
	}
	prompt, err := pack.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := p.WireRequest(in, prompt)
	if err != nil {
		t.Fatal(err)
	}
	if s.Form != nil {
		r.Form = *s.Form
	}
	if s.Envelope != "" {
		if r.Reminders.Envelope, err = cento.ReduceFragments([]cento.Fragment{cento.NewFragment("reminder:e", "", cento.After, s.Envelope)}, cento.Active{}, cento.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	r.Messages, r.Extra, r.Cache = s.Messages, s.Extra, s.Cache
	return cache.Step{Name: name, At: s.At, Request: r, Input: &in}
}

// TestSeeded holds the analysis to pairs of requests of which it is known what broke
// the beginning of the second. A hint has to hold when it is done.
func TestSeeded(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d archives: %v", len(names), err)
	}
	kinds := map[cache.Kind]bool{}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			from, to, want := map[string]string{}, map[string]string{}, -1
			for i, f := range ar.Files {
				text := string(f.Data)
				switch dir, file, _ := strings.Cut(f.Name, "/"); {
				case f.Name == "want.txt":
					want = i
				case dir == "from":
					from[file] = text
				case dir == "to" && text == "":
					delete(to, file)
				case dir == "to":
					to[file] = text
				default:
					from[f.Name], to[f.Name] = text, text
				}
			}
			dir := filepath.Join(t.TempDir(), "project")
			steps := [2]cache.Step{stepOf(t, dir, "from", from), stepOf(t, dir, "to", to)}
			report := analysed(t, steps)
			got := words(report)
			for _, c := range report.Steps[1].Causes {
				kinds[c.Kind] = true
			}
			if h := report.Steps[1].Hint; h != nil {
				got += done(t, steps, report, *h)
			}
			if *archive.Update {
				if want < 0 {
					ar.Files, want = append(ar.Files, txtar.File{Name: "want.txt"}), len(ar.Files)
				}
				ar.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want < 0 || string(ar.Files[want].Data) != got {
				t.Errorf("want:\n%s\ngot:\n%s", ar.Files[max(want, 0)].Data, got)
			}
		})
	}
	for _, k := range []cache.Kind{
		cache.ToolsChanged, cache.FragmentChanged, cache.FragmentAdded, cache.FragmentRemoved, cache.FragmentMoved, cache.GateFlipped,
		cache.VariableChanged, cache.Clock, cache.BudgetChanged, cache.ModelChanged, cache.SettingsChanged, cache.LayerChanged, cache.Reminder,
		cache.MessagesChanged, cache.TTLExpired,
	} {
		if !kinds[k] {
			t.Errorf("no archive has the cause %s", k)
		}
	}
}

func analysed(t *testing.T, steps [2]cache.Step) *cache.Report {
	t.Helper()
	a := cache.New(cache.Options{Reduce: pack.Reduce})
	for _, s := range steps {
		if _, err := a.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return a.Report()
}

// words are what a report says of the second request, without the counts.
func words(r *cache.Report) string {
	var b strings.Builder
	s := &r.Steps[1]
	if d := s.Difference; d == nil {
		b.WriteString("no difference\n")
	} else {
		fmt.Fprintf(&b, "differs at %s", d.Pointer)
		if d.Fragment != "" {
			fmt.Fprintf(&b, ", %s", d.Fragment)
		}
		b.WriteString("\n")
	}
	for _, m := range s.Marks {
		found := "hit"
		if !m.Hit {
			found = string(m.Why)
			if m.Read > 0 {
				found += ", found up to an earlier place"
			}
		}
		fmt.Fprintf(&b, "mark %s %s: %s\n", m.Pointer, m.TTL, found)
	}
	for _, c := range s.Causes {
		fmt.Fprintf(&b, "%s %s", c.Kind, c.Fragment)
		if c.Provider != "" {
			fmt.Fprintf(&b, " (%s)", c.Provider)
		}
		b.WriteString("\n")
		for _, w := range c.Witnesses {
			fmt.Fprintf(&b, "    %s", strings.Join(strings.Fields(w.What+" "+w.Name+" "+w.Change), " "))
			if w.From != "" || w.To != "" {
				fmt.Fprintf(&b, ": %q to %q", w.From, w.To)
			}
			if w.Position != nil {
				fmt.Fprintf(&b, " at %s", w.Position)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// done does what a hint says to both requests, by itself, and holds the second one's
// reads to what the hint promises.
func done(t *testing.T, steps [2]cache.Step, before *cache.Report, h cache.Hint) string {
	t.Helper()
	for i := range steps {
		s := &steps[i]
		if h.Change == cache.LongerTTL {
			s.Request.Cache.StaticTTL, s.Request.Cache.SessionTTL = h.TTL, h.TTL
			continue
		}
		reminders := s.Input.Reminders
		in, ok := h.On(*s.Input)
		if !ok {
			t.Fatalf("%+v can't be done", h)
		}
		prompt, err := pack.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		s.Input, s.Request.Prompt, s.Request.Tools = &in, prompt, in.Tools
		if h.Change == cache.PlaceInTurn {
			if s.Request.Reminders.Envelope, err = cento.ReduceFragments(reminders, cento.Active{}, cento.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	after := analysed(t, steps)
	gain := after.Steps[1].Prediction.Read - before.Steps[1].Prediction.Read
	if gain <= 0 || gain != h.Keeps {
		t.Fatalf("the hint %+v keeps %d tokens when it is done", h, gain)
	}
	return strings.Join(strings.Fields(fmt.Sprintf("hint: %s %s %s %s", h.Change, h.Fragment, h.Behind, h.TTL)), " ") + map[bool]string{true: ", stability session"}[h.Stability > cento.Static] + "\n"
}
