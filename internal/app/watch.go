package app

import (
	"context"

	"github.com/cento-dev/cento"
)

// WatchLost: the manifest that is watched is gone. A project without one has a prompt
// too, but whoever deletes a tree doesn't want that one.
const WatchLost cento.ErrorCode = "watch.lost"

// Since tells what differs between the prompts of a target as the project was read at two
// times, both with the same what-if.
func Since(ctx context.Context, target string, before, after *Project, w WhatIf) (*Differing, error) {
	s := &sides{ctx: ctx, r: &DiffRequest{Both: w, Right: w}}
	side := Side{Kind: TargetSide, Target: target}
	return s.compare(&made{Side: side, project: before}, &made{Side: side, project: after})
}
