package pack_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/pack"
)

// levels are the trust levels from the most trusted down.
var levels = []cento.Trust{
	cento.TrustBuiltin, cento.TrustHost, cento.TrustUser, cento.TrustWorkspace, cento.TrustTool, cento.TrustSession,
}

// What a prompt file makes of a text of several origins has the trust of the least
// trusted of them and of the file, wherever that one stands in it.
func TestWhatIsMadeOfATextHasItsLeastTrust(t *testing.T) {
	file, err := pack.NewLoader(mustRoots(t, map[string]string{"$user/a": "{{ agent.name | upper }}"}), cento.Limits{}).
		Open(mustRef(t, "$user/a"), cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SliceOfN(rapid.IntRange(0, len(levels)-1), 1, 5).Draw(t, "levels")
		name := cento.Text{Trust: cento.TrustBuiltin}
		for _, l := range of {
			at := len(name.Body)
			name.Body += "ab "
			name.Runs = append(name.Runs, cento.Run{Start: at, End: len(name.Body), Position: cento.Position{File: "f", Line: 1, Column: at + 1}, Trust: levels[l]})
		}
		x, err := file.Render(pack.Variables{AgentName: name})
		if err != nil {
			t.Fatal(err)
		}
		want := levels[max(slices.Max(of), slices.Index(levels, cento.TrustUser))]
		if len(x.Runs) != 1 || x.Runs[0].Trust != want {
			t.Fatalf("of %v came %+v, not %s", of, x.Runs, want)
		}
	})
}

// A level that nobody knows counts as the least trusted, and a text without runs
// has its own.
func TestTrustOfAWholeText(t *testing.T) {
	file, err := pack.NewLoader(mustRoots(t, map[string]string{"$user/a": "Be {{ agent.name }}."}), cento.Limits{}).Open(mustRef(t, "$user/a"), cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[cento.Trust]cento.Trust{
		cento.TrustTool: cento.TrustTool, cento.TrustHost: cento.TrustHost, cento.Trust(200): cento.TrustSession,
	} {
		x, err := file.Render(pack.Variables{AgentName: cento.Text{Body: "Fern", Trust: given}})
		if err != nil || len(x.Runs) != 3 || x.Runs[1].Trust != want || x.Runs[0].Trust != cento.TrustUser || x.Trust != cento.TrustUser {
			t.Errorf("%s: %+v, %v", given, x, err)
		}
	}
}

func mustRoots(t *testing.T, texts map[string]string) pack.Roots {
	t.Helper()
	r, err := pack.RootsOf(texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A default that a file declares has the trust of that file, and values of every
// type are held to it.
func TestDefaultsAndTypes(t *testing.T) {
	front := "---\nvars: {s: {type: string, default: x}, i: {type: int, default: 1}, f: {type: float, default: 2}, b: {type: bool, default: true}, l: {type: list, default: []}, m: {type: map, default: {}}}\n---\n"
	file, err := pack.NewLoader(mustRoots(t, map[string]string{"$user/a": front + "{{ vars.s }} {{ vars.f }}"}), cento.Limits{}).Open(mustRef(t, "$user/a"), cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := file.Render(pack.Variables{})
	if err != nil || len(x.Runs) == 0 || x.Runs[0].Trust != cento.TrustUser || x.Runs[0].Position.Line != 4 {
		t.Fatalf("%+v, %v", x, err)
	}
	accepted := map[string][]string{
		"s": {`"a"`}, "i": {`1`}, "f": {`1`, `1.5`}, "b": {`true`}, "l": {`[]`}, "m": {`{}`},
	}
	for name, ok := range accepted {
		for _, value := range []string{`"a"`, `1`, `1.5`, `true`, `[]`, `{}`} {
			vars, err := jinja.FromJSON([]byte(`{"`+name+`": `+value+`}`), 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Render(pack.Variables{Vars: vars}); (err == nil) != slices.Contains(ok, value) {
				t.Errorf("%s = %s: %v", name, value, err)
			}
		}
	}
}
