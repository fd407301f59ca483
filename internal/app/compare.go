package app

import (
	"context"

	"github.com/cento-dev/cento"
)

// MadePrompt is a prompt of a project with the input that it was made of.
type MadePrompt struct {
	Project *Project
	Input   cento.Input // of the prompt
	Prompt  *cento.Prompt
}

// Compare tells what differs between two prompts, and why.
func Compare(ctx context.Context, a, b *MadePrompt) (*Comparison, error) {
	d, err := Since(ctx, "", a, b)
	if err != nil {
		return nil, err
	}
	return &d.Comparison, nil
}

// Since tells what differs between the prompts of a target at two times.
func Since(ctx context.Context, target string, before, after *MadePrompt) (*Differing, error) {
	side := Side{Kind: TargetSide, Target: target}
	of := func(m *MadePrompt) *made {
		return &made{Side: side, project: m.Project, input: m.Input, prompt: m.Prompt}
	}
	s := &sides{ctx: ctx, r: &DiffRequest{}}
	return s.compare(of(before), of(after))
}
