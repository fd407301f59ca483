package session_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// conversed is the request of a turn of a conversation of so many messages.
func conversed(f *fixture, n int, changed ...int) *session.Turn {
	f.t.Helper()
	m, _ := model.Default().Lookup("claude-opus-5")
	r := wire.Request{Form: wire.Anthropic, Model: &m, Cache: wire.Cache{Conversation: true}, Counter: token.CounterFor("gpt-5.4")}
	for i := range n {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		text := fmt.Sprintf("message %d", i)
		if slices.Contains(changed, i) {
			text += ", reworded"
		}
		r.Messages = append(r.Messages, wire.Message{Role: role, Text: text})
	}
	out, err := f.Turn(context.Background(), session.TurnRequest{ID: "s", Wire: &r}, f.files.source)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// TestRequestsOfTurns: what is kept of each request are the blocks of its body, however
// many turns there are and whoever reads them; nothing that was said is kept, and a
// child begins with nothing.
func TestRequestsOfTurns(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		f := begin(t, place, session.Settings{})
		f.turn("s") // asks for no request
		n := 2*session.MaxRecent + 3
		var bodies []*wire.Result
		for i := range n {
			bodies = append(bodies, conversed(f, 2*i+1).Request)
		}
		for _, service := range []*fixture{f, f.again()} {
			requests, err := service.Requests(t.Context(), "s")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := requests.Of(t.Context(), 0); requests.Has(0) || !errors.Is(err, session.UnknownRequest) {
				t.Errorf("of a turn that asked for none: %v", err)
			}
			for i, body := range bodies {
				got, err := requests.Of(t.Context(), int64(i+1))
				if err != nil {
					t.Fatal(err)
				}
				want, err := body.Blocks(wire.Anthropic, token.CounterFor("gpt-5.4"))
				if err != nil || !reflect.DeepEqual(got.Blocks, want) || got.Form != wire.Anthropic || !got.Cache.Conversation {
					t.Fatalf("turn %d: %+v\nwant %+v, %v", i+1, got, want, err)
				}
				if !slices.Equal(got.Marked, body.Marked()) || len(got.Marked) == 0 {
					t.Errorf("turn %d: before the last mark stand %v, want %v", i+1, got.Marked, body.Marked())
				}
			}
		}
		_, err := f.Fork(t.Context(), session.ForkRequest{ID: "s", Child: "c"})
		if err != nil {
			t.Fatal(err)
		}
		if requests, err := f.Requests(t.Context(), "c"); err != nil || requests.Has(1) {
			t.Errorf("the child has requests: %v", err)
		}
		state, err := f.store.Session(t.Context(), "s", store.Projects{})
		if err != nil || strings.Contains(string(state.State), "message 1") {
			t.Errorf("the state holds what was said: %v", err)
		}
	})
}

// TestKeptCachedBetweenTurns: with a budget that keeps what is cached, what stood before
// the last mark of the turn before is given up last; after a turn that asked for no
// request, or in the first, the plain order holds.
func TestKeptCachedBetweenTurns(t *testing.T) {
	m, _ := model.Default().Lookup("claude-opus-5")
	least := 1
	m.Cache.MinTokens = &least
	for _, keep := range []bool{false, true} {
		words := 0
		source := func(context.Context, session.Reading) (cento.Input, error) {
			return cento.Input{
				Primary: cento.Primary{System: &cento.Text{Body: "Work."}},
				Fragments: []cento.Fragment{
					{ID: "cached", Body: "Say it in few words.", Importance: cento.ImportanceOf(1)},
					{ID: "now", Body: "It is late" + strings.Repeat(" and later", words) + ".", Importance: cento.ImportanceOf(2), Stability: cento.PerTurn, Bucket: cento.After},
				},
				Model: &m, Budget: &cento.Budget{Tokens: 30, KeepCached: keep}, Active: cento.Active{Model: m.Name},
			}, nil
		}
		f := fresh(t, t.TempDir()+"/s.db")
		if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: session.Settings{PerTurn: true}}, source); err != nil {
			t.Fatal(err)
		}
		r := wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Role: "user", Text: "hi"}}}
		for i, x := range []struct {
			words  int
			wire   *wire.Request
			cached bool // stays, where what is cached is kept
			plain  bool // else
		}{
			{0, &r, true, true},
			{7, &r, true, false},  // one of the two has to go
			{7, nil, true, false}, // the turn before was asked for as a request
			{7, &r, false, false}, // this one's wasn't
			{0, &r, true, true},
		} {
			words = x.words
			turn, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: x.wire}, source)
			if err != nil {
				t.Fatal(err)
			}
			want := x.plain
			if keep {
				want = x.cached
			}
			if got := strings.Contains(text(turn.System), "few words"); got != want {
				t.Errorf("kept %t, turn %d: it is in: %t, want %t: %s", keep, i, got, want, text(turn.System))
			}
			if d, err := f.Drift(t.Context(), "s", source); err != nil || d.Drifted {
				t.Errorf("kept %t, turn %d: it drifted: %+v, %v", keep, i, d, err)
			}
		}
		words = 7
		for i := range session.MaxRecent + 2 { // however many requests there were, and whoever ends a turn
			if i%2 == 1 {
				if _, err := f.EndTurn(t.Context(), session.EndRequest{ID: "s"}); err != nil {
					t.Fatal(err)
				}
			}
			turn, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &r}, source)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(text(turn.System), "few words"); got != keep {
				t.Fatalf("kept %t, %d turns later: it is in: %t: %s", keep, i, got, text(turn.System))
			}
		}
	}
}

// TestRequestsOfNobody: a session that there is none of is an error.
func TestRequestsOfNobody(t *testing.T) {
	f := begin(t, t.TempDir()+"/s.db", session.Settings{})
	if _, err := f.Requests(t.Context(), "nobody"); !errors.Is(err, store.UnknownSession) {
		t.Errorf("%v", err)
	}
}

// TestSourceKeepsItsBudget: what a source gave is its own: what is told to a budget of the
// prompt before is told to a copy.
func TestSourceKeepsItsBudget(t *testing.T) {
	budget := cento.Budget{Tokens: 30, Hold: 10, KeepCached: true}
	want := budget
	source := func(context.Context, session.Reading) (cento.Input, error) {
		return cento.Input{
			Primary: cento.Primary{System: &cento.Text{Body: "Work."}}, Budget: &budget,
			Fragments: []cento.Fragment{{ID: "long", Body: strings.Repeat("Say it in few words. ", 20), Importance: cento.ImportanceOf(1)}},
		}, nil
	}
	f := fresh(t, t.TempDir()+"/s.db")
	if _, err := f.Start(t.Context(), session.StartRequest{ID: "s", Settings: session.Settings{PerTurn: true}}, source); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r := wire.Request{Form: wire.OpenAI, Messages: []wire.Message{{Role: "user", Text: "hi"}}}
		if _, err := f.Turn(t.Context(), session.TurnRequest{ID: "s", Wire: &r}, source); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(budget, want) {
			t.Fatalf("the source's budget became %+v", budget)
		}
	}
}
