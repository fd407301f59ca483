package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// What belongs to a session is given to its source at every reading, and put over
// what the source says; a child inherits it, or has its own.
func TestOwn(t *testing.T) { storetest.OnBoth(t, testOwn) }

func testOwn(t *testing.T, place string) {
	ctx := context.Background()
	f := fresh(t, place)
	f.files.tools = []string{"read", "write"}
	var asked []string
	source := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		asked = append(asked, fmt.Sprintf("%s %s %q %q", r.Session, r.Metadata, r.Tools, r.Caps))
		return f.files.source(ctx, r)
	}
	own := session.Own{Metadata: []byte(`{"user": 7}`), Tools: []string{"write"}, Caps: []string{"model.prompt_cache"}}
	if _, err := f.Start(ctx, session.StartRequest{ID: "s", Own: own}, source); err != nil {
		t.Fatal(err)
	}
	text := func(id string) string {
		t.Helper()
		text, _, err := f.again().System(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := text("s"); strings.Contains(got, "Use read") || !strings.Contains(got, "Use write") {
		t.Error(got)
	}
	if turn := f.turn("s"); turn.Placement != reminder.InTurn {
		t.Errorf("%+v", turn)
	}
	if _, err := f.again().Rematerialise(ctx, session.RematerialiseRequest{ID: "s"}, source); err != nil {
		t.Fatal(err)
	}
	for child, x := range map[string]session.Own{
		"same": {}, "tools": {Tools: []string{"read"}}, "none": {Tools: []string{}, Caps: []string{}, Metadata: []byte("null")},
	} {
		if _, err := f.again().Fork(ctx, session.ForkRequest{ID: "s", Child: child, Own: x}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.again().Materialise(ctx, child, source); err != nil {
			t.Fatal(err)
		}
		first := text(child)
		if again, err := f.again().Rematerialise(ctx, session.RematerialiseRequest{ID: child}, source); err != nil || again.Changed || text(child) != first {
			t.Errorf("%s: made anew it is another: %+v, %v", child, again, err)
		}
		if d, err := f.again().Drift(ctx, child, source); err != nil || d.Drifted {
			t.Errorf("%s: %+v, %v", child, d, err)
		}
		want := map[string][2]bool{"same": {false, true}, "tools": {true, false}, "none": {false, false}}[child]
		if strings.Contains(first, "Use read") != want[0] || strings.Contains(first, "Use write") != want[1] {
			t.Errorf("%s: %s", child, first)
		}
	}
	for _, want := range []string{
		`s {"user": 7} ["write"] ["model.prompt_cache"]`, `same {"user": 7} ["write"] ["model.prompt_cache"]`, `tools {"user": 7} ["read"] ["model.prompt_cache"]`, `none null [] []`,
	} {
		n := 0
		for _, got := range asked {
			if got == want {
				n++
			}
		}
		if n < 2 {
			t.Errorf("the source was asked %d times for %s, of %q", n, want, asked)
		}
	}
	settings := placed(reminder.InNative)
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "settings", Settings: &settings}); err != nil {
		t.Fatal(err)
	}
	if got := f.show("settings"); got.Placement == nil || *got.Placement != reminder.InNative || string(got.Metadata) != `{"user": 7}` {
		t.Errorf("%+v", got)
	}
	longest := session.Own{Metadata: []byte(`"` + strings.Repeat("x", session.MaxMetadata-2) + `"`)}
	if _, err := f.Fork(ctx, session.ForkRequest{ID: "s", Child: "longest", Own: longest}); err != nil {
		t.Errorf("metadata of as many bytes as there may be: %v", err)
	}
	for want, bad := range map[string]session.Own{
		"metadata: 65537 bytes, and the limit is 65536": {Metadata: []byte(`"` + strings.Repeat("x", session.MaxMetadata-1) + `"`)},
		"metadata: isn't JSON":                          {Metadata: []byte("{")},
		"metadata: 65538 bytes, and the limit is 65536": {Metadata: []byte(`"` + strings.Repeat("x", session.MaxMetadata) + `"`)},
		`tools[1]: a tool can't have the name " "`:      {Tools: []string{"read", " "}},
		`caps[0]: "\xff" is no name`:                    {Caps: []string{"\xff"}},
		`tools[0]: a tool can't have the name ""`:       {Tools: []string{""}, Caps: []string{""}}, // the first of several, each time
	} {
		for i, err := range []error{
			second(f.Start(ctx, session.StartRequest{ID: "bad", Own: bad}, source)),
			second(f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s", Own: bad}, source)),
			second(f.Fork(ctx, session.ForkRequest{ID: "s", Child: "bad", Own: bad})),
		} {
			if !errors.Is(err, session.WrongSettings) && !errors.Is(err, cento.InvalidTool) || err.Error() != want {
				t.Errorf("%d: %v, want %s", i, err, want)
			}
		}
	}
}

// Without a store each operation tells that there is none, with a key and without one. So
// does a service that New didn't make, and one without a clock or ids is refused as well.
func TestNoStore(t *testing.T) {
	timeless, nameless := session.New(fresh(t, storetest.SQLite(t)).store), session.New(fresh(t, storetest.SQLite(t)).store)
	timeless.Now, nameless.NewID = nil, nil
	for _, c := range []struct {
		name string
		s    *session.Service
		want cento.ErrorCode
	}{
		{"no store", session.New(nil), store.Unreachable},
		{"nil", nil, store.Unreachable},
		{"zero", new(session.Service), store.Unreachable},
		{"no clock", timeless, session.WrongSettings},
		{"no ids", nameless, session.WrongSettings},
	} {
		c.s.SetMemory(1 << 20)
		t.Run(c.name, func(t *testing.T) { refuses(t, c.s, c.want) })
	}
}

// refuses requires that each operation of a service has an error of the code.
func refuses(t *testing.T, s *session.Service, want cento.ErrorCode) {
	ctx, source := t.Context(), project().source
	for name, do := range map[string]func(o session.Options) error{
		"start": func(o session.Options) error {
			return second(s.Start(ctx, session.StartRequest{ID: "s", Key: o.Key}, source))
		},
		"fork": func(o session.Options) error {
			return second(s.Fork(ctx, session.ForkRequest{ID: "s", Child: "c", Key: o.Key}))
		},
		"turn": func(o session.Options) error {
			return second(s.Turn(ctx, session.TurnRequest{ID: "s", Options: o}, source))
		},
		"materialise": func(session.Options) error { return second(s.Materialise(ctx, "s", source)) },
		"rematerialise": func(o session.Options) error {
			return second(s.Rematerialise(ctx, session.RematerialiseRequest{ID: "s", Options: o}, source))
		},
		"remind": func(o session.Options) error {
			return second(s.Remind(ctx, session.RemindRequest{ID: "s", Options: o, Reminder: reminder.Reminder{Body: "x"}}))
		},
		"clear": func(o session.Options) error { return second(s.Clear(ctx, session.ClearRequest{ID: "s", Options: o})) },
		"touch": func(o session.Options) error { return second(s.Touch(ctx, session.TouchRequest{ID: "s", Options: o})) },
		"end":   func(o session.Options) error { return second(s.EndTurn(ctx, session.EndRequest{ID: "s", Options: o})) },
		"compact": func(o session.Options) error {
			return second(s.Compact(ctx, session.CompactRequest{ID: "s", Options: o}))
		},
		"usage": func(o session.Options) error {
			return second(s.Usage(ctx, session.UsageRequest{ID: "s", Options: o, Usage: []byte(`{"input_tokens": 7}`)}))
		},
		"usages":     func(session.Options) error { return second(s.Usages(ctx, "s")) },
		"requests":   func(session.Options) error { return second(s.Requests(ctx, "s")) },
		"adopt":      func(o session.Options) error { return second(s.Adopt(ctx, session.AdoptRequest{ID: "s", Options: o})) },
		"show":       func(session.Options) error { return second(s.Show(ctx, "s")) },
		"view":       func(session.Options) error { return second(s.View(ctx, "s")) },
		"drift":      func(session.Options) error { return second(s.Drift(ctx, "s", source)) },
		"system":     func(session.Options) error { return third(s.System(ctx, "s")) },
		"list":       func(session.Options) error { return second(s.List(ctx, session.ListRequest{})) },
		"delete":     func(session.Options) error { return second(s.Delete(ctx, session.DeleteRequest{ID: "s"})) },
		"permission": func(session.Options) error { _, _, _, err := s.Permission(ctx, "s", "/"); return err },
	} {
		for _, key := range []string{"", "k"} {
			if err := do(session.Options{Key: key}); !errors.Is(err, want) {
				t.Errorf("%s, with key %q: %v", name, key, err)
			}
		}
	}
}

// What can't be used is told with a code, and nothing of it is stored.
func TestBadSources(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	if _, err := session.New(f.store).Start(ctx, session.StartRequest{ID: "plain"}, f.files.source); err != nil {
		t.Errorf("without a function that reduces: %v", err)
	}
	nothing := func(cento.Input) (*cento.Prompt, error) { return nil, nil }
	if _, err := session.New(f.store).WithReduce(nothing).Start(ctx, session.StartRequest{ID: "nothing"}, f.files.source); !errors.Is(err, session.WrongSettings) {
		t.Errorf("%v", err)
	}
	// A prompt that depends on more than its input.
	n := 0
	moody := func(in cento.Input) (*cento.Prompt, error) {
		n++
		in.Fragments = append(in.Fragments, cento.Fragment{ID: "mood", Body: fmt.Sprint("Mood ", n)})
		return cento.Reduce(in)
	}
	_, err := session.New(f.store).WithReduce(moody).Start(ctx, session.StartRequest{ID: "moody"}, f.files.source)
	if !errors.Is(err, session.NotRecorded) || !strings.HasSuffix(err.Error(), "other fragments: mood") {
		t.Errorf("%v", err)
	}
	// A broken schema names its tool and its place.
	broken := func(ctx context.Context, r session.Reading) (cento.Input, error) {
		in, err := f.files.source(ctx, r)
		in.Tools[0].Parameters = []byte("{not json")
		return in, err
	}
	for i, do := range []func() error{
		func() error { return second(f.Start(ctx, session.StartRequest{ID: "broken"}, broken)) },
		func() error { return second(f.Turn(ctx, session.TurnRequest{ID: "broken"}, broken)) },
	} {
		err := do()
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != store.Invalid || err.Error() != `tools.json:1:1: the parameters of the tool "read" aren't JSON` || e.Hint == "" {
			t.Errorf("%d: %v", i, err)
		}
	}
	for _, id := range []string{"nothing", "moody", "broken"} {
		if shown := f.show(id); shown.Epoch != 0 || f.head(id) != 0 {
			t.Errorf("%s: %+v", id, shown)
		}
	}
}
