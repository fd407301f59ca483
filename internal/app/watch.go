package app

import (
	"context"

	"github.com/cento-dev/cento"
)

// MadePrompt is a prompt as the files of a project gave it at one time.
type MadePrompt struct {
	Project *Project
	Input   cento.Input // of the prompt
	Prompt  *cento.Prompt
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
