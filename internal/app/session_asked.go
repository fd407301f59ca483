package app

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/session"
)

// Differs reports whether a prompt is asked for that may be another than the one that the
// files of the project give. A change of nothing asks for none, and neither do the clock,
// which a prompt that is there was made by, and what says which project is read, and how.
func Differs(r Request, h Handed, w WhatIf) bool {
	return !w.Empty() || !h.Empty() || r.Target != "" || r.Model != "" || r.Budget != nil || r.Skills != nil || r.Profile != nil ||
		r.ToolsName != "" || r.ToolsText != nil || len(r.Assignments) > 0 || someVariable(r.Vars) || r.Manifest != "" || r.ManifestText != nil
}

// someVariable reports whether an object has members. What is none is told by whoever
// reads it.
func someVariable(object json.RawMessage) bool {
	if len(object) == 0 {
		return false
	}
	var members map[string]json.RawMessage
	return json.Unmarshal(object, &members) != nil || len(members) > 0
}

// DriftCheckOf says what a turn does about the drift of its prompt. A session that has its
// prompt keeps it, and has to say so where a prompt is asked for that differs.
func DriftCheckOf(reminds, differs bool) session.DriftCheck {
	switch {
	case reminds:
		return session.DriftReminded
	case differs:
		return session.DriftTold
	}
	return session.DriftIgnored
}

// SessionProject opens the project that the prompt of a session is made of, and gives the
// input with what a door was asked to change. [ForSession] says how it is read.
type SessionProject func(ctx context.Context, r session.Reading) (*Project, cento.Input, error)

// ForSession is a request to read a project for the prompt of a session: with the session's
// own layer, and by the clock that it names, if any.
func ForSession(r Request, reading session.Reading) Request {
	r.Session = reading.Layer
	if !reading.Now.IsZero() {
		r.Now = reading.Now
	}
	return r
}

// Open opens the project that these sessions are asked about, for the prompt of one.
func (s *Sessions) Open(ctx context.Context, reading session.Reading) (*Project, error) {
	return Open(ctx, s.site, ForSession(s.request, reading))
}

// Source reads the project whenever a prompt is needed.
func (from SessionProject) Source() session.Source {
	return func(ctx context.Context, r session.Reading) (cento.Input, error) {
		_, in, err := from(ctx, r)
		return in, err
	}
}

// opened is a source that gives an input which was read already, unless by another clock.
func (from SessionProject) opened(in cento.Input) session.Source {
	return func(ctx context.Context, r session.Reading) (cento.Input, error) {
		if r.Now.IsZero() {
			return in, nil
		}
		return from.Source()(ctx, r)
	}
}

// SessionStart begins a session, with what is asked for instead of the manifest's settings.
type SessionStart struct {
	ID string
	session.Own
	Ask SessionAsk
	// Key is an idempotency key.
	Key string
}

// Start begins a session of a project: with its settings, and with the scope that its
// prompt tells. A tool that no provider takes is an error, and nothing begins.
func (s *Sessions) Start(ctx context.Context, r SessionStart, from SessionProject) (*session.Started, error) {
	p, in, err := from(ctx, session.Reading{Own: r.Own})
	if err != nil {
		return nil, err
	}
	if err := p.CheckTools(in); err != nil {
		return nil, err
	}
	settings := p.sessionSettings(r.Ask)
	r.Scope = p.keptScope(settings.PerTurn)
	out, err := s.Service.Start(ctx, session.StartRequest{ID: r.ID, Settings: settings, Own: r.Own, Key: r.Key}, from.opened(in))
	if err = hintFree(ctx, s.store, err); err == nil {
		out.Notes = append(slices.Clip(out.Notes), s.lookalikes(ctx, out.Session)...)
	}
	return out, err
}

// Fork begins a child session, and tells what its name hides.
func (s *Sessions) Fork(ctx context.Context, r session.ForkRequest) (*session.Forked, error) {
	out, err := s.Service.Fork(ctx, r)
	if other, ok := errors.AsType[*ProjectError](err); ok && other.Session == r.Child {
		err = hintFree(ctx, s.store, err)
	}
	if err == nil {
		out.Notes = append(slices.Clip(out.Notes), s.lookalikes(ctx, out.Session)...)
	}
	return out, err
}

// Rematerialise makes the prompt of a session anew, with the layer that is given, else its
// own, and keeps the scope that the new prompt tells.
func (s *Sessions) Rematerialise(ctx context.Context, r session.RematerialiseRequest, from SessionProject) (*session.Rematerialised, error) {
	shown, err := s.Show(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	own := r.Own
	if own.Layer == nil {
		own.Layer = shown.Layer
	}
	p, in, err := from(ctx, session.Reading{Own: own})
	if err != nil {
		return nil, err
	}
	r.Scope = p.scopeOver(shown)
	return s.Service.Rematerialise(ctx, r, from.opened(in))
}
