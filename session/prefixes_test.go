package session_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/session"
)

func TestPrefixesOfTheHost(t *testing.T) { storetest.OnBoth(t, testPrefixesOfTheHost) }

// The prompt of a session is made of files of the host, `$builtin` among them. A program
// that has none of them opens the store, and finds the prompt with its places and trust;
// a file of the host that is another now is drift, in that file.
func testPrefixesOfTheHost(t *testing.T, place string) {
	files := fstest.MapFS{"night.md": {Data: []byte("Work at night.")}, "default.md": {Data: []byte("You are Insomnia.")}}
	source := func(context.Context, session.Reading) (cento.Input, error) {
		in := cento.Input{Fragments: []cento.Fragment{{ID: "night", Template: "$insomnia/night"}}, Limits: cento.DefaultLimits()}
		in.Primary.Instruction = &cento.Fragment{Template: "$builtin/default"}
		l := pack.NewLoader(pack.Roots{Own: map[pack.Prefix]pack.Own{
			"$insomnia": {Root: pack.FS(files), Trust: cento.TrustHost}, pack.Builtin: {Root: pack.FS(files), Trust: cento.TrustUser},
		}}, in.Limits)
		for _, name := range []string{"$insomnia/night", "$builtin/default"} {
			ref, err := l.ParseRef(name, pack.Ref{}, cento.Position{})
			if err != nil {
				return in, err
			}
			f, err := l.Open(ref, cento.Position{})
			if err != nil {
				return in, err
			}
			f.AddTo(&in.Files)
		}
		return in, nil
	}
	if _, err := session.New(open(t, place)).Start(t.Context(), session.StartRequest{ID: "s"}, source); err != nil {
		t.Fatal(err)
	}

	other := open(t, place)
	text, ok, err := session.New(other).System(t.Context(), "s")
	if err != nil || !ok || text != "You are Insomnia.\n\nWork at night." {
		t.Fatalf("%q, %v, %v", text, ok, err)
	}
	view, err := session.New(other).View(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range view.Prompt.Spans() {
		if s.File != "" {
			got = append(got, s.File+" "+s.Trust.String())
		}
	}
	if want := []string{"$builtin/default.md user", "$insomnia/night.md host"}; !slices.Equal(got, want) {
		t.Errorf("the spans are of %v, want %v", got, want)
	}
	in, err := other.Input(t.Context(), "s", 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]cento.Trust{"$insomnia": cento.TrustHost, "$builtin": cento.TrustUser}; !maps.Equal(in.Files.Prefixes, want) || len(in.Files.Sources) != 2 {
		t.Errorf("the record has %v of %v", in.Files.Prefixes, slices.Sorted(maps.Keys(in.Files.Sources)))
	}

	files["default.md"] = &fstest.MapFile{Data: []byte("You are another.")}
	drift, err := session.New(other).Drift(t.Context(), "s", source)
	if err != nil || !drift.Drifted || !slices.Equal(drift.Files, []string{"$builtin/default.md"}) {
		t.Errorf("drift %+v, %v", drift, err)
	}
}
