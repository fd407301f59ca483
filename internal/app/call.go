package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// UnknownOperation: a request asks for an operation that there isn't.
const UnknownOperation cento.ErrorCode = "operation.unknown"

// requestName stands for the request in positions.
const requestName = "<request>.json"

// operation answers one request.
type operation struct {
	name   string
	answer func(ctx context.Context, request []byte) (any, error)
}

// operations are the same for every door, in the order of their names.
var operations = []operation{
	{"contract", callContract},
	{"layers", callLayers},
	{"reduce", callReduce},
	{"reminders", callReminders},
	{"render", callRender},
	{"scope", callScope},
}

// Operations lists the operations of [Call].
func Operations() []string {
	out := make([]string, len(operations))
	for i, o := range operations {
		out[i] = o.name
	}
	return out
}

// Call answers a JSON request.
func Call(ctx context.Context, name string, request []byte) (any, error) {
	for _, o := range operations {
		if o.name == name {
			return o.answer(ctx, request)
		}
	}
	e := &cento.SourceError{Code: UnknownOperation, Message: fmt.Sprintf("there is no operation %q", name)}
	if near, ok := nearest.Name(name, Operations()); ok {
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	} else {
		e.Hint = "the operations are " + strings.Join(Operations(), ", ")
	}
	return nil, e
}

// requestLimits bound a request: what comes in one piece is bounded by the door
// it comes through.
func requestLimits() cento.Limits { return cento.Limits{File: 64 << 20} }

func callReduce(_ context.Context, request []byte) (any, error) {
	r, err := project.ParseReduce(requestName, request, requestLimits())
	if err != nil {
		return nil, err
	}
	in := cento.Input{Files: cento.Files{Now: r.Now, Vars: r.Vars}}
	engine, err := pack.NewEngine(in)
	if err != nil {
		return nil, err
	}
	p, err := cento.ReduceFragments(r.Fragments, r.Active, cento.Options{Conditions: engine})
	if err != nil {
		// What came with a request came from no file, so its fragments have no
		// places, but whoever wrote it wants to know where it is wrong.
		if _, placed := cento.ReduceFragments(r.Placed, r.Active, cento.Options{Conditions: engine}); placed != nil {
			err = placed
		}
		return nil, err
	}
	counter, err := CounterFor(r.Active.Model)
	if err != nil {
		return nil, err
	}
	e := p.Explain(cento.ExplainOptions{Counter: counter})
	e.Notes = append(e.Notes, r.Notes...)
	return e, nil
}

func callScope(_ context.Context, request []byte) (any, error) {
	r, err := project.ParseScope(requestName, request, requestLimits())
	if err != nil {
		return nil, err
	}
	a, err := workspace.CheckScope(*r)
	if err != nil {
		return nil, err
	}
	for _, rules := range a.Rules { // nobody can open a request later
		for i := range rules {
			rules[i].Position = cento.Position{}
		}
	}
	for i := range a.Notes {
		a.Notes[i].Position = cento.Position{}
	}
	return a, nil
}
